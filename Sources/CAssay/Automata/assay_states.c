#include "Automata/assay_states.h"

#include <stdlib.h>
#include <string.h>

/* Before states that do the same are joined there may be more of them. */
enum {
    raw_max = 1024,
    raw_slots = 4096, /* of the hash table: a power of two, several times raw_max */
    no_raw = UINT16_MAX,
    /* Positions looked at in all. Everyday patterns take some thousands, and this about a millisecond. */
    work_max = 400000,
    between_characters = 0,
};

/* What a state means: the positions that may come next and, within a character of two bytes, its first byte. */
typedef struct raw_state {
    position_set ready;
    uint8_t lead_symbol_plus_1; /* between_characters: none */
    bool accepting;
} raw_state;

typedef struct builder {
    const assay_positions *positions;
    const assay_character_set *sets;
    assay_symbols symbols;
    uint8_t byte_of_symbol[symbol_none + 1]; /* a byte that has it */
    position_set *at_ascii;                  /* by symbol: the positions that match such a byte */
    position_set may_be_beyond;              /* the positions that may match a character above U+07FF */
    raw_state *raw;
    uint16_t *next; /* raw state × symbol */
    uint16_t *slots;
    uint32_t raw_count;
    uint32_t work;
} builder;

/* ---------------------------------------------------------------------------------------------------------------
 * Raw states
 * ------------------------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const raw_state *state)
{
    uint64_t hash = state->lead_symbol_plus_1 * 2u + state->accepting;
    for (int i = 0; i < position_words; i++) hash = (hash ^ state->ready.words[i]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 40);
}

static bool is_same_state(const raw_state *one, const raw_state *other)
{
    return one->lead_symbol_plus_1 == other->lead_symbol_plus_1 && one->accepting == other->accepting &&
           memcmp(&one->ready, &other->ready, sizeof one->ready) == 0;
}

/* The number of a state, new or known; no_raw when there are too many. */
static uint16_t number_of(builder *build, const raw_state *state)
{
    uint32_t slot = hash_of(state) % raw_slots;
    for (; build->slots[slot] != no_raw; slot = (slot + 1) % raw_slots) {
        if (is_same_state(&build->raw[build->slots[slot]], state)) return build->slots[slot];
    }
    if (build->raw_count == raw_max) return no_raw;
    build->raw[build->raw_count] = *state;
    build->slots[slot] = (uint16_t)build->raw_count;
    return (uint16_t)build->raw_count++;
}

/* Judges the parts together. `now`: the positions just matched; at the very start NULL. */
static uint16_t state_after(builder *build, const position_set *now)
{
    const assay_positions *positions = build->positions;
    raw_state state = {.lead_symbol_plus_1 = between_characters, .accepting = true};
    if (now == NULL) {
        for (uint32_t i = 0; i < positions->part_count; i++) {
            position_set_join(&state.ready, &positions->parts[i].first);
        }
    } else {
        for (uint32_t word = 0; word < position_words; word++) {
            for (uint64_t bits = now->words[word]; bits != 0; bits &= bits - 1) {
                build->work++;
                position_set_join(&state.ready, &positions->follow[word * 64 + (uint32_t)__builtin_ctzll(bits)]);
            }
        }
    }
    for (uint32_t i = 0; i < positions->part_count; i++) {
        const positions_part *part = &positions->parts[i];
        const position_set here = now == NULL ? (position_set){{0}} : position_set_shared(now, &part->last);
        const bool holds = now == NULL ? part->nullable : !position_set_is_empty(&here);
        const position_set rest = position_set_shared(&state.ready, &part->all);
        if (part->negated) {
            /* Anything may follow a look-ahead: what holds now holds at the end. */
            if (holds) return state_dead;
        } else {
            if (!holds && position_set_is_empty(&rest)) return state_dead;
            state.accepting = state.accepting && holds;
        }
        if (i == 0 && position_set_is_empty(&rest)) {
            /* The value may only end here. */
            if (positions->part_count > 1) state.ready = rest;
        }
    }
    return number_of(build, &state);
}

static bool is_lead(uint8_t byte) { return byte >= first_wide_lead && byte < first_wide_lead + wide_leads; }

/* In the middle of a character that starts with a byte of this symbol. */
static uint16_t state_after_lead(builder *build, const raw_state *from, uint32_t symbol)
{
    const unsigned lead = build->byte_of_symbol[symbol] - first_wide_lead;
    raw_state state = {.lead_symbol_plus_1 = (uint8_t)(symbol + 1), .accepting = false};
    for (uint32_t word = 0; word < position_words; word++) {
        for (uint64_t bits = from->ready.words[word]; bits != 0; bits &= bits - 1) {
            build->work++;
            uint32_t position = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (build->sets[build->positions->item[position]].wide[lead] != 0) {
                state.ready.words[word] |= bits & -bits;
            }
        }
    }
    const position_set rest = position_set_shared(&state.ready, &build->positions->parts[0].all);
    return position_set_is_empty(&rest) ? state_dead : number_of(build, &state);
}

static uint16_t state_after_second(builder *build, const raw_state *from, uint32_t symbol)
{
    const unsigned lead = build->byte_of_symbol[from->lead_symbol_plus_1 - 1u] - first_wide_lead;
    const unsigned second = build->byte_of_symbol[symbol] - 0x80u;
    position_set now = {{0}};
    for (uint32_t word = 0; word < position_words; word++) {
        for (uint64_t bits = from->ready.words[word]; bits != 0; bits &= bits - 1) {
            build->work++;
            uint32_t position = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (build->sets[build->positions->item[position]].wide[lead] >> second & 1) {
                now.words[word] |= bits & -bits;
            }
        }
    }
    return state_after(build, &now);
}

static uint16_t next_of(builder *build, const raw_state *from, uint32_t symbol)
{
    const uint8_t byte = build->byte_of_symbol[symbol];
    const bool is_second = byte >= 0x80 && byte < 0xC0;
    if (from->lead_symbol_plus_1 != between_characters) {
        return is_second ? state_after_second(build, from, symbol) : state_dead;
    }
    if (is_second) return state_dead;
    if (is_lead(byte)) return state_after_lead(build, from, symbol);
    if (byte >= 0xE0) {
        position_set may = position_set_shared(&from->ready, &build->may_be_beyond);
        may = position_set_shared(&may, &build->positions->parts[0].all);
        return position_set_is_empty(&may) ? state_dead : state_deferred;
    }
    const position_set now = position_set_shared(&from->ready, &build->at_ascii[symbol]);
    return position_set_is_empty(&now) ? state_dead : state_after(build, &now);
}

static void prepare_sets(builder *build)
{
    for (int byte = 0xF4; byte >= 0; byte--) {
        if (build->symbols.of_byte[byte] != symbol_none) {
            build->byte_of_symbol[build->symbols.of_byte[byte]] = (uint8_t)byte;
        }
    }
    for (uint32_t position = 0; position < build->positions->count; position++) {
        const assay_character_set *set = &build->sets[build->positions->item[position]];
        const uint64_t bit = UINT64_C(1) << (position % 64);
        if (set->beyond) build->may_be_beyond.words[position / 64] |= bit;
        for (uint32_t symbol = 0; symbol < build->symbols.count; symbol++) {
            const uint8_t byte = build->byte_of_symbol[symbol];
            if (byte < 0x80 && (set->ascii[byte / 64] >> (byte % 64) & 1)) {
                build->at_ascii[symbol].words[position / 64] |= bit;
            }
        }
    }
}

static bool build_raw_states(builder *build, uint16_t *start)
{
    /* The two that every automaton has. No position is ready in the first; the second looks like nothing else. */
    const uint32_t symbols = build->symbols.count;
    build->raw[state_dead] = (raw_state){.accepting = false};
    build->raw[state_deferred] = (raw_state){.lead_symbol_plus_1 = UINT8_MAX, .accepting = false};
    build->raw_count = 2;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        build->next[state_dead * symbols + symbol] = state_dead;
        build->next[state_deferred * symbols + symbol] = state_deferred;
    }
    *start = state_after(build, NULL);
    for (uint32_t state = 2; state < build->raw_count; state++) {
        const raw_state from = build->raw[state];
        for (uint32_t symbol = 0; symbol < symbols; symbol++) {
            const uint16_t next = next_of(build, &from, symbol);
            if (next == no_raw || build->work > work_max) return false;
            build->next[state * symbols + symbol] = next;
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Joining states that do the same (E. F. Moore, 1956)
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether two raw states go to the same groups. */
static bool goes_alike(const builder *build, const uint16_t *group, uint32_t one, uint32_t other)
{
    if (group[one] != group[other]) return false;
    const uint32_t symbols = build->symbols.count;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        if (group[build->next[one * symbols + symbol]] != group[build->next[other * symbols + symbol]]) return false;
    }
    return true;
}

static uint32_t hash_of_moves(const builder *build, const uint16_t *group, uint32_t state)
{
    const uint32_t symbols = build->symbols.count;
    uint64_t hash = group[state];
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        hash = (hash ^ group[build->next[state * symbols + symbol]]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return (uint32_t)(hash >> 40);
}

/* Splits the groups until the states of each go alike. Returns how many there are. */
static uint32_t join_states(builder *build, uint16_t *group, uint16_t *finer)
{
    uint16_t first_of_group[raw_max];
    uint32_t groups = 0;
    for (uint32_t state = 0; state < build->raw_count; state++) {
        group[state] = state == state_deferred ? 1 : build->raw[state].accepting ? 2 : 0;
    }
    for (;;) {
        uint32_t found = 0;
        for (uint32_t slot = 0; slot < raw_slots; slot++) build->slots[slot] = no_raw;
        for (uint32_t state = 0; state < build->raw_count; state++) {
            uint32_t slot = hash_of_moves(build, group, state) % raw_slots;
            while (build->slots[slot] != no_raw &&
                   !goes_alike(build, group, first_of_group[build->slots[slot]], state)) {
                slot = (slot + 1) % raw_slots;
            }
            if (build->slots[slot] == no_raw) {
                first_of_group[found] = (uint16_t)state;
                build->slots[slot] = (uint16_t)found++;
            }
            finer[state] = build->slots[slot];
        }
        memcpy(group, finer, build->raw_count * sizeof *group);
        if (found == groups) return groups;
        groups = found;
    }
}

/* Numbers the groups: dead, deferred, those that do not accept, those that do. */
static bool number_groups(const builder *build, const uint16_t *group, uint32_t groups, uint16_t start,
                          assay_states *states)
{
    if (groups > states_max) return false;
    uint8_t number[raw_max] = {0};
    bool seen[raw_max] = {false};
    uint32_t next_number = 0;
    for (int accepting = 0; accepting <= 1; accepting++) {
        if (accepting == 1) states->first_accepting = (uint8_t)next_number;
        for (uint32_t state = 0; state < build->raw_count; state++) {
            if (seen[group[state]] || build->raw[state].accepting != (accepting == 1)) continue;
            seen[group[state]] = true;
            number[group[state]] = (uint8_t)next_number++;
        }
    }
    const uint32_t symbols = build->symbols.count;
    states->symbols = build->symbols;
    states->count = groups;
    states->start = number[group[start]];
    states->next = malloc((size_t)groups * symbols);
    if (states->next == NULL) return false;
    for (uint32_t state = 0; state < build->raw_count; state++) {
        for (uint32_t symbol = 0; symbol < symbols; symbol++) {
            states->next[number[group[state]] * symbols + symbol] =
                number[group[build->next[state * symbols + symbol]]];
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Together
 * ------------------------------------------------------------------------------------------------------------- */

static bool build_states(builder *build, assay_states *states, const char **because)
{
    const uint32_t symbols = build->symbols.count;
    uint16_t *group = malloc(2 * raw_max * sizeof *group);
    build->at_ascii = calloc(symbols, sizeof *build->at_ascii);
    build->raw = malloc(raw_max * sizeof *build->raw);
    build->next = malloc((size_t)raw_max * symbols * sizeof *build->next);
    build->slots = malloc(raw_slots * sizeof *build->slots);
    bool built = false;
    if (group == NULL || build->at_ascii == NULL || build->raw == NULL || build->next == NULL || build->slots == NULL) {
        *because = "out of memory";
    } else {
        uint16_t start = 0;
        for (uint32_t slot = 0; slot < raw_slots; slot++) build->slots[slot] = no_raw;
        prepare_sets(build);
        *because = "more states than are kept";
        built = build_raw_states(build, &start) &&
                number_groups(build, group, join_states(build, group, group + raw_max), start, states);
    }
    free(group);
    free(build->at_ascii);
    free(build->raw);
    free(build->next);
    free(build->slots);
    return built;
}

bool assay_states_build(assay_states *states, const assay_positions *positions, const assay_character_set *sets,
                        uint32_t set_count, const char **because)
{
    *states = (assay_states){.next = NULL};
    builder build = {.positions = positions, .sets = sets};
    if (!assay_symbols_fill(&build.symbols, sets, set_count)) {
        *because = "too many different characters";
        return false;
    }
    return build_states(&build, states, because);
}
