#include "Regex/Determinize/assay_lookahead_product.h"

#include <stdlib.h>
#include <string.h>

enum {
    rests_max = 64,             /* backward states: a state here has an entry for each */
    product_work_max = 1 << 20, /* entries made */
    product_slots = 4096,       /* of the hash table: a power of two, more than twice states_max */
    mask_bits = regex_lookaheads_max,
    product_dead = 0,
    product_quit = 1,
};

/* Returns an entry: the forward state for one rest, and the look-aheads that hold here for this rest. */
static uint32_t entry_of(uint32_t state, uint32_t mask)
{
    return state < SUBSET_FIRST ? state << mask_bits : state << mask_bits | mask;
}

typedef struct builder {
    lookahead_product *product;
    const determinizer *forward;
    const determinizer *backward;
    uint32_t symbols;
    uint32_t rests;
    uint32_t states_max;
    uint32_t *entries; /* by state and rest */
    uint16_t *slots;   /* a hash table of states with linear probing; 0: free */
    uint64_t work;
} builder;

/* Constructs all backward states. Their number is that of the rests that the pattern distinguishes. */
static bool find_rests(builder *build)
{
    const determinizer *in = build->backward;
    const uint32_t start = assay_subset_start(in);
    if (start != SUBSET_FIRST * build->symbols) return false;
    for (uint32_t row = SUBSET_FIRST; row < in->cache->count; row++) {
        if (row - SUBSET_FIRST == rests_max) return false;
        for (uint32_t symbol = 0; symbol < build->symbols; symbol++) {
            if (assay_subset_transition(in, row * build->symbols, symbol) == SUBSET_OPEN) return false;
        }
    }
    build->rests = in->cache->count - SUBSET_FIRST;
    return true;
}

/* Whether the value passes if it ends in this state. The empty rest is the backward automaton's start. */
static bool accepts(const builder *build, const uint32_t *entries)
{
    const uint32_t state = entries[0] >> mask_bits;
    if (state < SUBSET_FIRST) return state == SUBSET_MATCHED;
    return assay_subset_accepts(build->forward, state, entries[0] & ((1u << mask_bits) - 1));
}

/* Finds or adds a state. Returns false if there are too many. */
static bool number_state(builder *build, const uint32_t *entries, uint16_t *number)
{
    const size_t size = build->rests * sizeof *entries;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < build->rests; i++) hash = (hash ^ entries[i]) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t slot = (uint32_t)(hash >> 40) % product_slots;
    for (; build->slots[slot] != 0; slot = (slot + 1) % product_slots) {
        *number = build->slots[slot];
        if (memcmp(build->entries + (size_t)*number * build->rests, entries, size) == 0) return true;
    }
    if (build->product->count == build->states_max) return false;
    *number = (uint16_t)build->product->count++;
    build->slots[slot] = *number;
    memcpy(build->entries + (size_t)*number * build->rests, entries, size);
    build->product->accepting[*number] = accepts(build, entries);
    return true;
}

/* Computes the state after `from` and a character. Returns false if there are too many states, or memory runs out. */
static bool step(builder *build, uint32_t from, uint32_t symbol, uint16_t *next)
{
    uint32_t entries[rests_max] = {0};
    bool is_dead = true;
    build->work += build->rests;
    for (uint32_t rest = 0; rest < build->rests; rest++) {
        /* The rest before the character, given the rest after it, and the look-aheads that hold between them. */
        const uint32_t before = build->backward->cache->next[(size_t)(SUBSET_FIRST + rest) * build->symbols + symbol];
        const uint32_t row = (before & subset_state_bits) / build->symbols;
        *next = product_quit;
        if (row < SUBSET_FIRST) return true;
        const uint32_t entry = build->entries[(size_t)from * build->rests + row - SUBSET_FIRST];
        uint32_t state = entry >> mask_bits;
        if (state >= SUBSET_FIRST) {
            const uint32_t column = symbol + build->symbols * (entry & ((1u << mask_bits) - 1));
            const uint32_t known = build->forward->cache->next[(size_t)state + column];
            state = known != SUBSET_OPEN ? known : assay_subset_transition(build->forward, state, column);
            if (state == SUBSET_OPEN) return false;
            if (state == SUBSET_QUIT) return true;
        }
        entries[rest] = entry_of(state, before >> subset_mask_shift);
        is_dead = is_dead && state == SUBSET_DEAD;
    }
    *next = product_dead;
    return is_dead || number_state(build, entries, next);
}

static bool make_states(builder *build)
{
    lookahead_product *product = build->product;
    uint32_t entries[rests_max] = {0};
    const uint32_t start = assay_subset_start(build->forward);
    if (start == SUBSET_OPEN) return false;
    for (uint32_t rest = 0; rest < build->rests; rest++) {
        const uint32_t row = (SUBSET_FIRST + rest) * build->symbols;
        entries[rest] = entry_of(start, assay_subset_lookaheads(build->backward, row));
    }
    product->count = 2;
    for (uint32_t symbol = 0; symbol < build->symbols; symbol++) {
        product->next[symbol] = product_dead;
        product->next[build->symbols + symbol] = product_quit;
    }
    if (!number_state(build, entries, &product->start)) return false;
    for (uint32_t state = product->start; state < product->count; state++) {
        for (uint32_t symbol = 0; symbol < build->symbols; symbol++) {
            if (!step(build, state, symbol, &product->next[state * build->symbols + symbol])) return false;
        }
        if (build->work > product_work_max || build->forward->set->work > product_work_max) return false;
    }
    return true;
}

bool assay_lookahead_product_build(lookahead_product *product, const determinizer *forward,
                                   const determinizer *backward, uint32_t states_max)
{
    *product = (lookahead_product){.next = NULL};
    builder build = {.product = product,
                     .forward = forward,
                     .backward = backward,
                     .symbols = forward->symbols->alphabet.count,
                     .states_max = states_max};
    if (!find_rests(&build)) return false;
    product->next = malloc((size_t)states_max * build.symbols * sizeof *product->next);
    product->accepting = calloc(states_max, sizeof *product->accepting);
    build.entries = malloc((size_t)states_max * build.rests * sizeof *build.entries);
    build.slots = calloc(product_slots, sizeof *build.slots);
    const bool has_room =
        product->next != NULL && product->accepting != NULL && build.entries != NULL && build.slots != NULL;
    const bool made = has_room && make_states(&build);
    free(build.entries);
    free(build.slots);
    return made;
}

void assay_lookahead_product_free(lookahead_product *product)
{
    free(product->next);
    free(product->accepting);
}
