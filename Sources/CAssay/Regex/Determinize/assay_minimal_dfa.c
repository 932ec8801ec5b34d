/* All states of a pattern, then Moore's minimization.
 *
 *     a(b|c)+     instructions a₀ b₁ c₂     start         {a₀}
 *                                           after a       {b₁, c₂}
 *                                           after b, c    {b₁, c₂, match}
 *
 * A state is the set of instructions that are ready to read the next character, not of those that have read the last
 * one. b₁ and c₂ above therefore lead to the same set, and many states that minimization would merge are never
 * constructed. Their number can still grow exponentially with the pattern; states_before_max and work_max bound it. */
#include "Regex/Determinize/assay_minimal_dfa.h"

#include "Regex/Determinize/assay_determinize.h"
#include "Regex/Determinize/assay_lookahead_product.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Before minimization there may be more states than states_max. */
    states_before_max = 1024,
    group_slots = 4096, /* of the hash tables: a power of two, several times states_before_max */
    no_group = UINT16_MAX,
    /* Larger patterns are refused before the construction of states, because most have too many states: `[a-z]{0,900}`
     * would construct 1,021 states first, which takes 20 times as long as all other steps. */
    characters_max = 512,
    recent_max = 8, /* number of columns that are compared with a new one */
    /* A bound on the visited instructions. The number of states alone would not bound the time, because each has a
     * transition for each symbol, and each transition may visit thousands of instructions. `make check-thresholds`
     * counts the processor's instructions of a compilation. */
    work_max = 1 << 20,
};

/* The working memory of one build. */
typedef struct builder {
    automaton of;
    automaton backward; /* for look-aheads that are not conjuncts; empty if the pattern has no such look-aheads */
    automaton_symbols symbols;
    instruction_set set;
    subset_cache cache;
    subset_cache backward_cache;
    uint16_t *next;  /* by state and symbol */
    bool *accepting; /* by state */
    uint16_t *slots; /* a hash table of groups with linear probing */
    uint32_t state_count;
} builder;

/* ---------------------------------------------------------------------------------------------------------------
 * All states
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the number of a state here: the dead and the quit state are the first two, and the state in which a search
 * has found a match is the third; full matches do not have it. */
static uint16_t number_of(const builder *build, uint32_t state)
{
    const uint32_t first = build->of.is_search ? 3 : 2;
    switch (state) {
    case SUBSET_DEAD:
        return state_dead;
    case SUBSET_QUIT:
        return state_quit;
    case SUBSET_MATCHED:
        return 2;
    default:
        return (uint16_t)(state / build->of.columns - SUBSET_FIRST + first);
    }
}

/* A column of the current row. Two columns of a row without conditions have the same transition if the same classes of
 * the row contain their symbols, and if the same assertions are true after them. */
typedef struct column {
    symbol_members members; /* the classes of the row that contain the symbol */
    uint32_t symbol;
} column;

static bool is_same_column(const builder *build, const column *one, const column *other)
{
    return memcmp(&one->members, &other->members, sizeof one->members) == 0 &&
           build->symbols.behind[one->symbol] == build->symbols.behind[other->symbol];
}

/* Collects the classes of the instructions of a row. Returns false if the row has conditions. */
static bool collect_classes(const builder *build, uint32_t row, symbol_members *classes)
{
    const subset *state = &build->cache.subsets[row];
    const uint32_t *items = build->cache.items + state->first;
    const thompson_instruction *code = build->of.nfa.code;
    memset(classes, 0, sizeof *classes);
    for (uint32_t i = 0; i < state->count; i++) {
        const thompson_instruction *at = &code[items[i]];
        if (at->kind == THOMPSON_CLASS) classes->words[at->label / 64] |= UINT64_C(1) << (at->label % 64);
    }
    return state->count == 0 || !assay_instructions_have_conditions(code, items, state->count);
}

/* Constructs all transitions of a row. Columns that must lead to the same state are copied, because a row distinguishes
 * fewer symbols than the pattern does. Returns false beyond the bounds, or if memory runs out. */
static bool make_row(builder *build, const determinizer *in, uint32_t row)
{
    const assay_alphabet *alphabet = &build->symbols.alphabet;
    column recent[recent_max];
    uint32_t recent_count = 0;
    symbol_members classes;
    const bool may_copy = collect_classes(build, row, &classes);
    for (uint32_t symbol = 0; symbol < alphabet->count; symbol++) {
        const bool is_known = symbol != alphabet->unknown;
        column here = {.symbol = symbol};
        for (size_t i = 0; i < sizeof classes.words / sizeof classes.words[0]; i++) {
            here.members.words[i] = alphabet->members[symbol].words[i] & classes.words[i];
        }
        uint32_t same = 0;
        while (same < recent_count && !is_same_column(build, &recent[same], &here)) same++;
        if (same < recent_count && is_known) {
            uint32_t *next = build->cache.next + (size_t)row * alphabet->count;
            next[symbol] = next[recent[same].symbol];
            continue;
        }
        const uint32_t next = assay_subset_transition(in, row * alphabet->count, symbol);
        if (next == SUBSET_OPEN || build->set.work > work_max) return false;
        if (may_copy && is_known && recent_count < recent_max) recent[recent_count++] = here;
    }
    return build->cache.count - SUBSET_FIRST <= states_before_max - 3;
}

/* Constructs all transitions of all states that are reachable from the start. Rows are processed in the order of
 * discovery, so each is complete before the next one begins. Returns false beyond the bounds, or if memory runs out. */
static bool make_all_transitions(builder *build, uint32_t *start)
{
    const determinizer in = {&build->of, &build->symbols, &build->set, &build->cache};
    *start = assay_subset_start(&in);
    if (*start == SUBSET_OPEN) return false;
    for (uint32_t row = SUBSET_FIRST; *start != SUBSET_MATCHED && row < build->cache.count; row++) {
        if (!make_row(build, &in, row)) return false;
    }
    return true;
}

/* Copies the transitions and the answers at the end of the value to arrays by number. */
static void copy_states(builder *build)
{
    const determinizer in = {&build->of, &build->symbols, &build->set, &build->cache};
    const uint32_t symbols = build->symbols.alphabet.count;
    const uint32_t special = build->of.is_search ? 3 : 2;
    for (uint32_t state = 0; state < special; state++) {
        for (uint32_t symbol = 0; symbol < symbols; symbol++) build->next[state * symbols + symbol] = (uint16_t)state;
        build->accepting[state] = state == 2;
    }
    build->state_count = special;
    for (uint32_t row = SUBSET_FIRST; row < build->cache.count; row++) {
        const uint32_t state = build->state_count++;
        build->accepting[state] = assay_subset_accepts(&in, row * symbols, 0);
        for (uint32_t symbol = 0; symbol < symbols; symbol++) {
            build->next[state * symbols + symbol] = number_of(build, build->cache.next[row * symbols + symbol]);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Minimization (E. F. Moore, 1956)
 *
 * Begin with three groups: quit, accepting, others. Split each group with transitions to different groups; repeat until
 * no group changes. There are at most as many rounds as states, so this is O(states² × symbols); Hopcroft's algorithm
 * is O(states × symbols × log states). Moore's algorithm needs no lists of predecessors: a round is one pass over the
 * transitions with a hash table, and there are at most states_before_max states.
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether two states are in the same group and have transitions to the same groups. */
static bool same_transitions(const builder *build, const uint16_t *group, uint32_t one, uint32_t other)
{
    if (group[one] != group[other]) return false;
    const uint32_t symbols = build->symbols.alphabet.count;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        if (group[build->next[one * symbols + symbol]] != group[build->next[other * symbols + symbol]]) return false;
    }
    return true;
}

/* Hashes the data that same_transitions() compares. */
static uint32_t hash_of_transitions(const builder *build, const uint16_t *group, uint32_t state)
{
    const uint32_t symbols = build->symbols.alphabet.count;
    uint64_t hash = group[state];
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        hash = (hash ^ group[build->next[state * symbols + symbol]]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return (uint32_t)(hash >> 40);
}

/* Refines the partition until the states of each group have the same transitions, and returns the number of groups.
 * `group` maps states to groups; `finer` has room for the next partition. first_of_group[g] represents group g of the
 * new one. Groups are never merged, because a state's own group is part of the comparison, so an unchanged number of
 * groups means an unchanged partition. */
static uint32_t minimize(builder *build, uint16_t *group, uint16_t *finer)
{
    uint16_t first_of_group[states_before_max];
    uint32_t groups = 0;
    uint32_t slots = 64; /* only part of the hash table, four times the states, because each round clears it */
    while (slots < group_slots && slots < 4 * build->state_count) slots *= 2;
    for (uint32_t state = 0; state < build->state_count; state++) {
        group[state] = state == state_quit ? 1 : build->accepting[state] ? 2 : 0;
    }
    for (;;) {
        uint32_t found = 0;
        for (uint32_t slot = 0; slot < slots; slot++) build->slots[slot] = no_group;
        for (uint32_t state = 0; state < build->state_count; state++) {
            uint32_t slot = hash_of_transitions(build, group, state) % slots;
            while (build->slots[slot] != no_group &&
                   !same_transitions(build, group, first_of_group[build->slots[slot]], state)) {
                slot = (slot + 1) % slots;
            }
            if (build->slots[slot] == no_group) {
                first_of_group[found] = (uint16_t)state;
                build->slots[slot] = (uint16_t)found++;
            }
            finer[state] = build->slots[slot];
        }
        memcpy(group, finer, build->state_count * sizeof *group);
        /* Too many already, and refinement only adds more: the pattern is refused. */
        if (found == groups || found > states_max) return found;
        groups = found;
    }
}

/* Numbers the groups according to assay_minimal_dfa.h: dead, quit, other states that do not accept, states that do; and
 * writes the transitions between them. The first two need no special case, because subsets 0 and 1 are visited first.
 * All subsets of a group agree about acceptance. */
static bool number_groups(const builder *build, const uint16_t *group, uint32_t groups, uint16_t start,
                          assay_minimal_dfa *minimal)
{
    if (groups > states_max) return false;
    uint8_t number[states_before_max] = {0};
    bool seen[states_before_max] = {false};
    uint32_t next_number = 0;
    for (int accepting = 0; accepting <= 1; accepting++) {
        if (accepting == 1) minimal->first_accepting = (uint8_t)next_number;
        for (uint32_t state = 0; state < build->state_count; state++) {
            if (seen[group[state]] || build->accepting[state] != (accepting == 1)) continue;
            seen[group[state]] = true;
            number[group[state]] = (uint8_t)next_number++;
        }
    }
    const uint32_t symbols = build->symbols.alphabet.count;
    minimal->count = groups;
    minimal->start = number[group[start]];
    minimal->next = malloc((size_t)groups * symbols);
    if (minimal->next == NULL) return false;
    for (uint32_t state = 0; state < build->state_count; state++) {
        for (uint32_t symbol = 0; symbol < symbols; symbol++) {
            minimal->next[number[group[state]] * symbols + symbol] =
                number[group[build->next[state * symbols + symbol]]];
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The whole build
 * ------------------------------------------------------------------------------------------------------------- */

/* Constructs all states, and copies them to arrays by number. */
static bool make_states(builder *build, uint16_t *start)
{
    uint32_t found = 0;
    if (!make_all_transitions(build, &found)) return false;
    build->next = malloc(states_before_max * (size_t)build->symbols.alphabet.count * sizeof *build->next);
    build->accepting = malloc(states_before_max * sizeof *build->accepting);
    if (build->next == NULL || build->accepting == NULL) return false;
    copy_states(build);
    *start = number_of(build, found);
    return true;
}

/* The same for a pattern with look-aheads that are not conjuncts. */
static bool make_product(builder *build, uint16_t *start)
{
    const determinizer forward = {&build->of, &build->symbols, &build->set, &build->cache};
    const determinizer backward = {&build->backward, &build->symbols, &build->set, &build->backward_cache};
    lookahead_product product;
    build->backward_cache.slot_count = group_slots;
    const bool made = assay_lookahead_product_build(&product, &forward, &backward, states_before_max);
    build->next = product.next;
    build->accepting = product.accepting;
    build->state_count = product.count;
    *start = product.start;
    return made;
}

/* Constructs the states and minimizes them. `group` has room for two partitions. */
static bool build_dfa(builder *build, uint16_t *group, assay_minimal_dfa *minimal, const char **because)
{
    uint16_t start = 0;
    *because = "more states than are kept";
    build->cache.slot_count = group_slots;
    if (!(build->backward.nfa.count > 0 ? make_product(build, &start) : make_states(build, &start))) return false;
    build->slots = malloc(group_slots * sizeof *build->slots);
    if (build->slots == NULL) {
        *because = "out of memory";
        return false;
    }
    return number_groups(build, group, minimize(build, group, group + states_before_max), start, minimal);
}

static uint32_t count_characters(const assay_thompson *nfa)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < nfa->count; i++) count += nfa->code[i].kind == THOMPSON_CLASS;
    return count;
}

static bool prepare(builder *build, const assay_regex *regex, bool is_search, const char **because)
{
    const assay_thompson *forward = &build->of.nfa;
    const assay_thompson *backward = &build->backward.nfa;
    const assay_thompson *const automata[] = {forward, backward};
    const bool built = assay_thompson_build(&build->of.nfa, &build->backward.nfa, regex, regex->conjuncts,
                                            regex->conjunct_count, is_search, because);
    if (built && count_characters(forward) + count_characters(backward) > characters_max) {
        *because = "more than 512 characters and classes, with repeats written out";
        return false;
    }
    if (!built || !assay_automaton_symbols_build(&build->symbols, regex, automata, 2, because)) return false;
    build->of.columns = build->symbols.alphabet.count << backward->lookbehind_count;
    build->of.is_search = is_search;
    build->backward.columns = build->symbols.alphabet.count;
    build->backward.is_backward = true;
    const uint32_t instructions = forward->count > backward->count ? forward->count : backward->count;
    if (assay_instruction_set_reserve(&build->set, instructions)) return true;
    *because = "out of memory";
    return false;
}

bool assay_minimal_dfa_build(assay_minimal_dfa *minimal, const assay_regex *regex, bool is_search, const char **because)
{
    *minimal = (assay_minimal_dfa){.next = NULL};
    builder *build = calloc(1, sizeof *build);
    uint16_t *group = malloc(2 * states_before_max * sizeof *group);
    bool built = false;
    if (build == NULL || group == NULL) {
        *because = "out of memory";
    } else {
        built = prepare(build, regex, is_search, because) && build_dfa(build, group, minimal, because);
        if (regex->work != NULL) *regex->work += build->set.work + (uint64_t)build->cache.count * build->of.columns;
        assay_thompson_free(&build->of.nfa);
        assay_thompson_free(&build->backward.nfa);
        assay_instruction_set_free(&build->set);
        assay_subset_cache_free(&build->cache);
        assay_subset_cache_free(&build->backward_cache);
        free(build->next);
        free(build->accepting);
        free(build->slots);
        minimal->alphabet = build->symbols.alphabet;
    }
    free(group);
    free(build);
    return built;
}

void assay_minimal_dfa_free(assay_minimal_dfa *minimal)
{
    assay_alphabet_free(&minimal->alphabet);
    free(minimal->next);
}
