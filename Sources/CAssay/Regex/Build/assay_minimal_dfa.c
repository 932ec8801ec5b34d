#include "Regex/Build/assay_minimal_dfa.h"

#include <stdlib.h>
#include <string.h>

/* Before states that do the same are joined there may be more of them. */
enum {
    raw_max = 1024,
    raw_slots = 4096, /* of the hash table: a power of two, several times raw_max */
    no_raw = UINT16_MAX,
    /* Positions looked at in all. Everyday patterns take some thousands, and this about a millisecond. */
    work_max = 400000,
};

/* Instead of the symbol that comes next; beyond what an enumerator of C11 can be. */
static const uint32_t at_the_end = UINT32_MAX;

/* What a state means: the positions that may come next, conditions among them not looked at yet, and the conditions whose
   side behind is true here (only where `ready` has conditions). */
typedef struct raw_state {
    position_set ready;
    uint16_t behind;
    bool accepting;
    bool deferred;
} raw_state;

typedef struct builder {
    const assay_positions *positions;
    const assay_regular *regular;
    assay_symbols *symbols;
    position_set at_symbol[symbols_max]; /* the positions that match such a character */
    uint16_t ahead[symbols_max];         /* the conditions whose side ahead is true before such a character */
    uint16_t behind[symbols_max];        /* and behind it */
    uint16_t negated;                    /* the conditions that are */
    position_set uncertain;              /* positions of which it is not known what they do with the symbol `beyond` */
    bool behind_is_uncertain;            /* nor some side behind of a condition */
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
    uint64_t hash = state->behind * 2u + state->accepting;
    for (int i = 0; i < position_words; i++) hash = (hash ^ state->ready.words[i]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 40);
}

static bool is_same_state(const raw_state *one, const raw_state *other)
{
    return one->behind == other->behind && one->accepting == other->accepting && one->deferred == other->deferred &&
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

static void join_follow(builder *build, position_set *set, uint32_t position)
{
    build->work++;
    position_set_join(set, &build->positions->follow[position]);
}

static bool has_conditions(const builder *build, const position_set *ready)
{
    const position_set conditions = position_set_shared(ready, &build->positions->conditions);
    return !position_set_is_empty(&conditions);
}

/* Goes through the conditions in `ready` that hold before `symbol`: what may come after them is ready too. Returns which
   they are. */
static position_set pass_conditions(builder *build, position_set *ready, uint16_t behind, uint32_t symbol)
{
    const uint16_t ahead = symbol == at_the_end ? 0 : build->ahead[symbol];
    const uint16_t holding = (uint16_t)(behind ^ ahead ^ build->negated);
    position_set passed = {{0}};
    for (bool again = has_conditions(build, ready); again;) {
        again = false;
        for (uint32_t word = 0; word < position_words; word++) {
            uint64_t bits = ready->words[word] & build->positions->conditions.words[word] & ~passed.words[word];
            for (; bits != 0; bits &= bits - 1) {
                const uint32_t position = word * 64 + (uint32_t)__builtin_ctzll(bits);
                if ((holding >> build->positions->item[position] & 1) == 0) continue;
                passed.words[word] |= bits & -bits;
                join_follow(build, ready, position);
                again = true;
            }
        }
    }
    return passed;
}

static bool ends_part(const position_set *now, const positions_part *part)
{
    const position_set here = position_set_shared(now, &part->last);
    return !position_set_is_empty(&here);
}

/* Judges the parts together. `now`: the positions just matched; at the very start NULL. */
static uint16_t state_after(builder *build, const position_set *now, uint16_t behind)
{
    const assay_positions *positions = build->positions;
    raw_state state = {.accepting = true};
    if (now == NULL) {
        for (uint32_t i = 0; i < positions->part_count; i++) {
            position_set_join(&state.ready, &positions->parts[i].first);
        }
    } else {
        for (uint32_t word = 0; word < position_words; word++) {
            for (uint64_t bits = now->words[word]; bits != 0; bits &= bits - 1) {
                join_follow(build, &state.ready, word * 64 + (uint32_t)__builtin_ctzll(bits));
            }
        }
    }
    /* If the value ends here. */
    position_set at_end = state.ready;
    const position_set passed = pass_conditions(build, &at_end, behind, at_the_end);
    for (uint32_t i = 0; i < positions->part_count; i++) {
        const positions_part *part = &positions->parts[i];
        const bool holds = now == NULL ? part->nullable : ends_part(now, part);
        const bool holds_at_end = holds || ends_part(&passed, part);
        const position_set rest = position_set_shared(&state.ready, &part->all);
        if (part->negated) {
            /* Anything may follow a look-ahead: what holds now holds at the end. */
            if (holds) return state_dead;
            state.accepting = state.accepting && !holds_at_end;
        } else {
            if (!holds_at_end && position_set_is_empty(&rest)) return state_dead;
            state.accepting = state.accepting && holds_at_end;
        }
        if (i == 0 && position_set_is_empty(&rest)) {
            /* The value may only end here. */
            if (positions->part_count > 1) state.ready = rest;
        }
    }
    if (has_conditions(build, &state.ready)) state.behind = behind;
    return number_of(build, &state);
}

/* Whether PCRE2 must say what comes of a character above U+FFFF. */
static bool is_uncertain(const builder *build, const position_set *ready)
{
    const position_set shared = position_set_shared(ready, &build->uncertain);
    return !position_set_is_empty(&shared);
}

static uint16_t next_of(builder *build, const raw_state *from, uint32_t symbol)
{
    position_set ready = from->ready;
    pass_conditions(build, &ready, from->behind, symbol);
    const position_set now = position_set_shared(&ready, &build->at_symbol[symbol]);
    const position_set now_of_pattern = position_set_shared(&now, &build->positions->parts[0].all);
    const bool is_unknown = symbol == build->symbols->beyond && !build->symbols->beyond_is_known;
    /* A condition that is uncertain may hide everything behind it. */
    const position_set conditions = position_set_shared(&ready, &build->positions->conditions);
    if (is_unknown && is_uncertain(build, &conditions)) return state_deferred;
    if (position_set_is_empty(&now_of_pattern)) return state_dead;
    if (is_unknown && (is_uncertain(build, &ready) || build->behind_is_uncertain)) return state_deferred;
    return state_after(build, &now, build->behind[symbol]);
}

static void prepare_position(builder *build, uint32_t position)
{
    const assay_regular *regular = build->regular;
    const uint64_t bit = UINT64_C(1) << (position % 64);
    const uint32_t item = build->positions->item[position];
    if (build->positions->conditions.words[position / 64] & bit) {
        const regular_condition condition = regular->conditions[item];
        const uint32_t sides[2] = {condition.behind, condition.ahead};
        for (int i = 0; i < 2; i++) {
            if (sides[i] == regular_none || regular->sets[sides[i]]->beyond != BEYOND_UNKNOWN) continue;
            build->uncertain.words[position / 64] |= bit;
            if (i == 0) build->behind_is_uncertain = true;
        }
        return;
    }
    if (regular->sets[item]->beyond == BEYOND_UNKNOWN) build->uncertain.words[position / 64] |= bit;
    for (uint32_t symbol = 0; symbol < build->symbols->count; symbol++) {
        if (assay_symbols_are_in(build->symbols, symbol, item)) build->at_symbol[symbol].words[position / 64] |= bit;
    }
}

static void prepare_condition(builder *build, uint32_t index)
{
    const regular_condition condition = build->regular->conditions[index];
    const uint16_t bit = (uint16_t)(1u << index);
    if (condition.negated) build->negated |= bit;
    for (uint32_t symbol = 0; symbol < build->symbols->count; symbol++) {
        if (condition.behind != regular_none && assay_symbols_are_in(build->symbols, symbol, condition.behind)) {
            build->behind[symbol] |= bit;
        }
        if (condition.ahead != regular_none && assay_symbols_are_in(build->symbols, symbol, condition.ahead)) {
            build->ahead[symbol] |= bit;
        }
    }
}

static void prepare(builder *build)
{
    for (uint32_t position = 0; position < build->positions->count; position++) prepare_position(build, position);
    for (uint32_t index = 0; index < build->regular->condition_count; index++) prepare_condition(build, index);
}

static bool build_raw_states(builder *build, uint16_t *start)
{
    /* The two that every automaton has. No position is ready in the first. */
    const uint32_t symbols = build->symbols->count;
    build->raw[state_dead] = (raw_state){.accepting = false};
    build->raw[state_deferred] = (raw_state){.deferred = true};
    build->raw_count = 2;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        build->next[state_dead * symbols + symbol] = state_dead;
        build->next[state_deferred * symbols + symbol] = state_deferred;
    }
    *start = state_after(build, NULL, 0);
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
    const uint32_t symbols = build->symbols->count;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        if (group[build->next[one * symbols + symbol]] != group[build->next[other * symbols + symbol]]) return false;
    }
    return true;
}

static uint32_t hash_of_moves(const builder *build, const uint16_t *group, uint32_t state)
{
    const uint32_t symbols = build->symbols->count;
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
    uint32_t slots = 64; /* as many of the hash table as are several times the states */
    while (slots < raw_slots && slots < 4 * build->raw_count) slots *= 2;
    for (uint32_t state = 0; state < build->raw_count; state++) {
        group[state] = state == state_deferred ? 1 : build->raw[state].accepting ? 2 : 0;
    }
    for (;;) {
        uint32_t found = 0;
        for (uint32_t slot = 0; slot < slots; slot++) build->slots[slot] = no_raw;
        for (uint32_t state = 0; state < build->raw_count; state++) {
            uint32_t slot = hash_of_moves(build, group, state) % slots;
            while (build->slots[slot] != no_raw &&
                   !goes_alike(build, group, first_of_group[build->slots[slot]], state)) {
                slot = (slot + 1) % slots;
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
    const uint32_t symbols = build->symbols->count;
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
    const uint32_t symbols = build->symbols->count;
    uint16_t *group = malloc(2 * raw_max * sizeof *group);
    build->raw = malloc(raw_max * sizeof *build->raw);
    build->next = malloc((size_t)raw_max * symbols * sizeof *build->next);
    build->slots = malloc(raw_slots * sizeof *build->slots);
    bool built = false;
    if (group == NULL || build->raw == NULL || build->next == NULL || build->slots == NULL) {
        *because = "out of memory";
    } else {
        uint16_t start = 0;
        for (uint32_t slot = 0; slot < raw_slots; slot++) build->slots[slot] = no_raw;
        prepare(build);
        *because = "more states than are kept";
        built = build_raw_states(build, &start) &&
                number_groups(build, group, join_states(build, group, group + raw_max), start, states);
    }
    free(group);
    free(build->raw);
    free(build->next);
    free(build->slots);
    return built;
}

/* The sets by which characters must be told apart. The others, of items of other parts of the pattern, are empty. */
static void find_used_sets(const assay_positions *positions, const assay_regular *regular,
                           const assay_character_set *used[regular_max_items])
{
    static const assay_character_set no_characters = {.beyond = BEYOND_NONE};
    for (uint32_t i = 0; i < regular->set_count; i++) used[i] = &no_characters;
    for (uint32_t position = 0; position < positions->count; position++) {
        const uint32_t item = positions->item[position];
        if ((positions->conditions.words[position / 64] >> (position % 64) & 1) == 0) {
            used[item] = regular->sets[item];
            continue;
        }
        const regular_condition condition = regular->conditions[item];
        if (condition.behind != regular_none) used[condition.behind] = regular->sets[condition.behind];
        if (condition.ahead != regular_none) used[condition.ahead] = regular->sets[condition.ahead];
    }
}

bool assay_states_build(assay_states *states, const assay_positions *positions, const assay_regular *regular,
                        const char **because)
{
    *states = (assay_states){.next = NULL};
    builder *build = calloc(1, sizeof *build);
    if (build == NULL) {
        *because = "out of memory";
        return false;
    }
    build->positions = positions;
    build->regular = regular;
    build->symbols = &states->symbols;
    const assay_character_set *sets[regular_max_items];
    find_used_sets(positions, regular, sets);
    const bool built =
        assay_symbols_fill(&states->symbols, sets, regular->set_count, because) && build_states(build, states, because);
    free(build);
    return built;
}

void assay_states_free(assay_states *states)
{
    assay_symbols_free(&states->symbols);
    free(states->next);
}
