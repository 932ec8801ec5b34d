/* Subset construction (M. O. Rabin and D. Scott: Finite automata and their decision problems, 1959) over the Glushkov
 * automaton, with two additions, then Moore's minimisation.
 *
 *     a(b|c)+     positions a₀ b₁ c₂     start         ready {a₀}
 *                                        after a       ready {b₁, c₂}
 *                                        after b, c    ready {b₁, c₂}, accepts
 *
 *   - Conjuncts. A value must satisfy the pattern and all of its look-aheads. Their positions share one bit set, so one
 *     subset is a state of the product automaton. It accepts if each conjunct does; it is dead if one has failed.
 *   - Assertions. A subset is not the set of positions just matched but of those that are ready to match next, with
 *     assertions among them still undecided: `\b` can only be evaluated when the next character is known. What is known
 *     of the character behind is kept as one bit for each assertion.
 *
 * Taking "ready" for the state has another use: b₁ and c₂ above lead to the same subset, so many states that
 * minimisation would merge are never made. The construction can grow exponentially; subsets_max and work_max bound
 * it. */
#include "Regex/Determinize/assay_minimal_dfa.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Before minimisation there may be more states than states_max. */
    subsets_max = 1024,
    subset_slots = 4096, /* of the hash table: a power of two, several times subsets_max */
    no_subset = UINT16_MAX,
    /* A bound on join_follow calls, each a union of seven words. `make check-thresholds` counts the instructions of a
       compilation. */
    work_max = 400000,
};

/* Takes the place of the next symbol at the end of the value. A constant, since it exceeds a C11 enumerator. */
static const uint32_t end_of_value = UINT32_MAX;

/* A state before minimisation. `ready` are the positions that may come next, with assertions not evaluated yet.
   `behind` has a bit for each assertion whose side behind is true here; it is 0 where `ready` has no assertions, so
   that subsets do not differ by what nobody will ask. */
typedef struct subset {
    position_set ready;
    uint16_t behind;
    bool accepting;
    bool is_quit;
} subset;

/* The working memory of one build. */
typedef struct builder {
    const assay_glushkov *nfa;
    const assay_regex *regex;
    assay_alphabet *alphabet;
    /* By symbol: the positions that match its characters, and the assertions whose side ahead is true before such a
       character, or whose side behind is true after one (a bit each). */
    position_set at_symbol[symbols_max];
    uint16_t ahead[symbols_max];
    uint16_t behind[symbols_max];
    uint16_t negated;         /* the negated assertions */
    position_set uncertain;   /* positions for which it is unknown whether they match the symbol `above_bmp` */
    bool behind_is_uncertain; /* the same of some assertion's side behind */
    subset *subsets;
    uint16_t *next;  /* by subset and symbol */
    uint16_t *slots; /* a hash table of subsets with linear probing; reused by minimize() */
    uint32_t subset_count;
    uint32_t work;
} builder;

/* ---------------------------------------------------------------------------------------------------------------
 * Subset construction
 * ------------------------------------------------------------------------------------------------------------- */

static uint32_t hash_of_subset(const subset *state)
{
    uint64_t hash = state->behind * 2u + state->accepting;
    for (int i = 0; i < position_words; i++) hash = (hash ^ state->ready.words[i]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 40);
}

static bool is_same_subset(const subset *one, const subset *other)
{
    return one->behind == other->behind && one->accepting == other->accepting && one->is_quit == other->is_quit &&
           memcmp(&one->ready, &other->ready, sizeof one->ready) == 0;
}

/* Finds or adds a subset and returns its number; no_subset when there are too many. Expected O(1) comparisons. */
static uint16_t subset_number(builder *build, const subset *state)
{
    uint32_t slot = hash_of_subset(state) % subset_slots;
    for (; build->slots[slot] != no_subset; slot = (slot + 1) % subset_slots) {
        if (is_same_subset(&build->subsets[build->slots[slot]], state)) return build->slots[slot];
    }
    if (build->subset_count == subsets_max) return no_subset;
    build->subsets[build->subset_count] = *state;
    build->slots[slot] = (uint16_t)build->subset_count;
    return (uint16_t)build->subset_count++;
}

/* Adds the follow set of a position: the unit of work. The number of subsets alone would not bound the time, since each
   has a transition for each symbol and each transition may join hundreds of follow sets. */
static void join_follow(builder *build, position_set *set, uint32_t position)
{
    build->work++;
    position_set_join(set, &build->nfa->follow[position]);
}

/* Whether an assertion is to be evaluated before the next character. */
static bool has_assertions(const builder *build, const position_set *ready)
{
    const position_set assertions = position_set_shared(ready, &build->nfa->assertions);
    return !position_set_is_empty(&assertions);
}

/* Passes the assertions in `ready` that hold between the character behind and `symbol`: their follow sets become ready
   too, which may hold further assertions, as in \b(?=x). Returns the positions passed. Assertions that do not hold stay
   in `ready`, without effect, since no symbol matches them. */
static position_set pass_assertions(builder *build, position_set *ready, uint16_t behind, uint32_t symbol)
{
    const uint16_t ahead = symbol == end_of_value ? 0 : build->ahead[symbol];
    const uint16_t holding = (uint16_t)(behind ^ ahead ^ build->negated);
    position_set passed = {{0}};
    for (bool again = has_assertions(build, ready); again;) {
        again = false;
        for (uint32_t word = 0; word < position_words; word++) {
            uint64_t bits = ready->words[word] & build->nfa->assertions.words[word] & ~passed.words[word];
            for (; bits != 0; bits &= bits - 1) {
                const uint32_t position = word * 64 + (uint32_t)__builtin_ctzll(bits);
                if ((holding >> build->nfa->label[position] & 1) == 0) continue;
                passed.words[word] |= bits & -bits;
                join_follow(build, ready, position);
                again = true;
            }
        }
    }
    return passed;
}

/* Whether a match of this conjunct may end with one of the positions `now`. */
static bool ends_conjunct(const position_set *now, const nfa_conjunct *part)
{
    const position_set here = position_set_shared(now, &part->last);
    return !position_set_is_empty(&here);
}

/* Computes the subset after the positions `now` were matched (NULL: at the start of the value), for all conjuncts
   together. `behind` are the assertions whose side behind is true after the character just read. */
static uint16_t subset_after(builder *build, const position_set *now, uint16_t behind)
{
    const assay_glushkov *nfa = build->nfa;
    subset state = {.accepting = true};
    if (now == NULL) {
        for (uint32_t i = 0; i < nfa->conjunct_count; i++) {
            position_set_join(&state.ready, &nfa->conjuncts[i].first);
        }
    } else {
        for (uint32_t word = 0; word < position_words; word++) {
            for (uint64_t bits = now->words[word]; bits != 0; bits &= bits - 1) {
                join_follow(build, &state.ready, word * 64 + (uint32_t)__builtin_ctzll(bits));
            }
        }
    }
    /* What would hold if the value ended here: assertions such as $ are passed with end_of_value ahead. */
    position_set at_end = state.ready;
    const position_set passed = pass_assertions(build, &at_end, behind, end_of_value);
    for (uint32_t i = 0; i < nfa->conjunct_count; i++) {
        const nfa_conjunct *part = &nfa->conjuncts[i];
        const bool holds = now == NULL ? part->nullable : ends_conjunct(now, part);
        const bool holds_at_end = holds || ends_conjunct(&passed, part);
        const position_set rest = position_set_shared(&state.ready, &part->all);
        if (part->negated) {
            /* A look-ahead is followed by any*, so once it matches it matches to the end: this value has failed. */
            if (holds) return state_dead;
            state.accepting = state.accepting && !holds_at_end;
        } else {
            if (!holds_at_end && position_set_is_empty(&rest)) return state_dead;
            state.accepting = state.accepting && holds_at_end;
        }
        if (i == 0 && position_set_is_empty(&rest)) {
            /* No character can follow, so the value can only end here, and positions of look-aheads no longer matter.
               Dropping them lets such subsets coincide. */
            if (nfa->conjunct_count > 1) state.ready = rest;
        }
    }
    if (has_assertions(build, &state.ready)) state.behind = behind;
    return subset_number(build, &state);
}

/* Whether a ready position may or may not match characters above U+FFFF. */
static bool is_uncertain(const builder *build, const position_set *ready)
{
    const position_set shared = position_set_shared(ready, &build->uncertain);
    return !position_set_is_empty(&shared);
}

/* Returns the subset after `from` and a character of this symbol. Assertions between the two characters are evaluated
 * here, where both sides are known; then the ready positions that match the symbol are those just matched:
 *
 *     from.ready {b₁, c₂}   symbol b   ──►   now {b₁}   ──►   subset_after: ready = follow[b₁]
 *
 * Returns state_quit where the answer depends on what is unknown about characters above U+FFFF, and state_dead where no
 * position of the pattern itself matches. */
static uint16_t transition_of(builder *build, const subset *from, uint32_t symbol)
{
    position_set ready = from->ready;
    pass_assertions(build, &ready, from->behind, symbol);
    const position_set now = position_set_shared(&ready, &build->at_symbol[symbol]);
    const position_set now_of_pattern = position_set_shared(&now, &build->nfa->conjuncts[0].all);
    const bool is_unknown = symbol == build->alphabet->above_bmp && !build->alphabet->above_bmp_is_known;
    /* An assertion of unknown truth may hide positions that would match, so it counts even where `now` is empty. */
    const position_set assertions = position_set_shared(&ready, &build->nfa->assertions);
    if (is_unknown && is_uncertain(build, &assertions)) return state_quit;
    if (position_set_is_empty(&now_of_pattern)) return state_dead;
    if (is_unknown && (is_uncertain(build, &ready) || build->behind_is_uncertain)) return state_quit;
    return subset_after(build, &now, build->behind[symbol]);
}

/* Enters a position into at_symbol and `uncertain`. */
static void prepare_position(builder *build, uint32_t position)
{
    const assay_regex *regex = build->regex;
    const uint64_t bit = UINT64_C(1) << (position % 64);
    const uint32_t label = build->nfa->label[position];
    if (build->nfa->assertions.words[position / 64] & bit) {
        const regex_assertion assertion = regex->assertions[label];
        const uint32_t sides[2] = {assertion.behind, assertion.ahead};
        for (int i = 0; i < 2; i++) {
            if (sides[i] == regex_none || regex->sets[sides[i]]->above_bmp != ABOVE_BMP_UNKNOWN) continue;
            build->uncertain.words[position / 64] |= bit;
            if (i == 0) build->behind_is_uncertain = true;
        }
        return;
    }
    if (regex->sets[label]->above_bmp == ABOVE_BMP_UNKNOWN) build->uncertain.words[position / 64] |= bit;
    for (uint32_t symbol = 0; symbol < build->alphabet->count; symbol++) {
        if (assay_alphabet_is_in(build->alphabet, symbol, label)) build->at_symbol[symbol].words[position / 64] |= bit;
    }
}

/* Enters an assertion into `ahead`, `behind` and `negated`. */
static void prepare_assertion(builder *build, uint32_t index)
{
    const regex_assertion assertion = build->regex->assertions[index];
    const uint16_t bit = (uint16_t)(1u << index);
    if (assertion.negated) build->negated |= bit;
    for (uint32_t symbol = 0; symbol < build->alphabet->count; symbol++) {
        if (assertion.behind != regex_none && assay_alphabet_is_in(build->alphabet, symbol, assertion.behind)) {
            build->behind[symbol] |= bit;
        }
        if (assertion.ahead != regex_none && assay_alphabet_is_in(build->alphabet, symbol, assertion.ahead)) {
            build->ahead[symbol] |= bit;
        }
    }
}

static void prepare(builder *build)
{
    for (uint32_t position = 0; position < build->nfa->count; position++) prepare_position(build, position);
    for (uint32_t index = 0; index < build->regex->assertion_count; index++) prepare_assertion(build, index);
}

/* Makes all subsets reachable from the start, breadth first: subsets are numbered as they are found and processed in
   that order. Returns false beyond subsets_max or work_max. */
static bool construct_subsets(builder *build, uint16_t *start)
{
    /* The dead and the quit state come first, whether or not they are reachable. They are not in the hash table: no
       transition has to look them up. */
    const uint32_t symbols = build->alphabet->count;
    build->subsets[state_dead] = (subset){.accepting = false};
    build->subsets[state_quit] = (subset){.is_quit = true};
    build->subset_count = 2;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        build->next[state_dead * symbols + symbol] = state_dead;
        build->next[state_quit * symbols + symbol] = state_quit;
    }
    *start = subset_after(build, NULL, 0);
    for (uint32_t state = 2; state < build->subset_count; state++) {
        const subset from = build->subsets[state];
        for (uint32_t symbol = 0; symbol < symbols; symbol++) {
            const uint16_t next = transition_of(build, &from, symbol);
            if (next == no_subset || build->work > work_max) return false;
            build->next[state * symbols + symbol] = next;
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Minimisation (E. F. Moore, 1956)
 *
 * Begin with three groups: quit, accepting, others. Split each group whose states have transitions to different groups;
 * repeat until nothing changes. Rounds are at most as many as states, so this is O(states² × symbols); Hopcroft's
 * algorithm is O(states × symbols × log states). Moore's needs no lists of predecessors: a round is one pass over the
 * transitions with a hash table, and there are at most subsets_max states.
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether two states are in the same group and have transitions to the same groups. */
static bool same_transitions(const builder *build, const uint16_t *group, uint32_t one, uint32_t other)
{
    if (group[one] != group[other]) return false;
    const uint32_t symbols = build->alphabet->count;
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        if (group[build->next[one * symbols + symbol]] != group[build->next[other * symbols + symbol]]) return false;
    }
    return true;
}

/* Hashes what same_transitions() compares. */
static uint32_t hash_of_transitions(const builder *build, const uint16_t *group, uint32_t state)
{
    const uint32_t symbols = build->alphabet->count;
    uint64_t hash = group[state];
    for (uint32_t symbol = 0; symbol < symbols; symbol++) {
        hash = (hash ^ group[build->next[state * symbols + symbol]]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return (uint32_t)(hash >> 40);
}

/* Refines the partition until the states of each group have the same transitions, and returns the number of groups.
   `group` maps states to groups; `finer` is room for the next partition. first_of_group[g] represents group g of the
   new one. Groups are never joined again, because a state's own group is part of what is compared; so an unchanged
   number of groups means an unchanged partition. */
static uint32_t minimize(builder *build, uint16_t *group, uint16_t *finer)
{
    uint16_t first_of_group[subsets_max];
    uint32_t groups = 0;
    uint32_t slots = 64; /* only as much of the hash table as four times the states, since each round clears it */
    while (slots < subset_slots && slots < 4 * build->subset_count) slots *= 2;
    for (uint32_t state = 0; state < build->subset_count; state++) {
        group[state] = state == state_quit ? 1 : build->subsets[state].accepting ? 2 : 0;
    }
    for (;;) {
        uint32_t found = 0;
        for (uint32_t slot = 0; slot < slots; slot++) build->slots[slot] = no_subset;
        for (uint32_t state = 0; state < build->subset_count; state++) {
            uint32_t slot = hash_of_transitions(build, group, state) % slots;
            while (build->slots[slot] != no_subset &&
                   !same_transitions(build, group, first_of_group[build->slots[slot]], state)) {
                slot = (slot + 1) % slots;
            }
            if (build->slots[slot] == no_subset) {
                first_of_group[found] = (uint16_t)state;
                build->slots[slot] = (uint16_t)found++;
            }
            finer[state] = build->slots[slot];
        }
        memcpy(group, finer, build->subset_count * sizeof *group);
        /* Too many already, and refinement only adds more: the pattern is refused. */
        if (found == groups || found > states_max) return found;
        groups = found;
    }
}

/* Numbers the groups as assay_minimal_dfa.h promises: dead, quit, other states that do not accept, states that do; and
   writes the transitions between them. The first two come out right by themselves, since subsets 0 and 1 are visited
   first. All subsets of a group agree about accepting. */
static bool number_groups(const builder *build, const uint16_t *group, uint32_t groups, uint16_t start,
                          assay_minimal_dfa *minimal)
{
    if (groups > states_max) return false;
    uint8_t number[subsets_max] = {0};
    bool seen[subsets_max] = {false};
    uint32_t next_number = 0;
    for (int accepting = 0; accepting <= 1; accepting++) {
        if (accepting == 1) minimal->first_accepting = (uint8_t)next_number;
        for (uint32_t state = 0; state < build->subset_count; state++) {
            if (seen[group[state]] || build->subsets[state].accepting != (accepting == 1)) continue;
            seen[group[state]] = true;
            number[group[state]] = (uint8_t)next_number++;
        }
    }
    const uint32_t symbols = build->alphabet->count;
    minimal->count = groups;
    minimal->start = number[group[start]];
    minimal->next = malloc((size_t)groups * symbols);
    if (minimal->next == NULL) return false;
    for (uint32_t state = 0; state < build->subset_count; state++) {
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

/* Runs all three steps with temporary arrays. `group` has room for two partitions. */
static bool build_dfa(builder *build, assay_minimal_dfa *minimal, const char **because)
{
    const uint32_t symbols = build->alphabet->count;
    uint16_t *group = malloc(2 * subsets_max * sizeof *group);
    build->subsets = malloc(subsets_max * sizeof *build->subsets);
    build->next = malloc((size_t)subsets_max * symbols * sizeof *build->next);
    build->slots = malloc(subset_slots * sizeof *build->slots);
    bool built = false;
    if (group == NULL || build->subsets == NULL || build->next == NULL || build->slots == NULL) {
        *because = "out of memory";
    } else {
        uint16_t start = 0;
        for (uint32_t slot = 0; slot < subset_slots; slot++) build->slots[slot] = no_subset;
        prepare(build);
        *because = "more states than are kept";
        built = construct_subsets(build, &start) &&
                number_groups(build, group, minimize(build, group, group + subsets_max), start, minimal);
    }
    free(group);
    free(build->subsets);
    free(build->next);
    free(build->slots);
    return built;
}

/* Selects the sets that the NFA refers to. In a chain of DFAs a pattern's other classes belong to other conjuncts; they
   become empty, so that they do not split the alphabet. */
static void find_used_sets(const assay_glushkov *nfa, const assay_regex *regex,
                           const assay_character_set *used[regex_classes_max])
{
    static const assay_character_set no_characters = {.above_bmp = ABOVE_BMP_NONE};
    for (uint32_t i = 0; i < regex->set_count; i++) used[i] = &no_characters;
    for (uint32_t position = 0; position < nfa->count; position++) {
        const uint32_t label = nfa->label[position];
        if ((nfa->assertions.words[position / 64] >> (position % 64) & 1) == 0) {
            used[label] = regex->sets[label];
            continue;
        }
        const regex_assertion assertion = regex->assertions[label];
        if (assertion.behind != regex_none) used[assertion.behind] = regex->sets[assertion.behind];
        if (assertion.ahead != regex_none) used[assertion.ahead] = regex->sets[assertion.ahead];
    }
}

bool assay_minimal_dfa_build(assay_minimal_dfa *minimal, const assay_glushkov *nfa, const assay_regex *regex,
                             const char **because)
{
    *minimal = (assay_minimal_dfa){.next = NULL};
    builder *build = calloc(1, sizeof *build);
    if (build == NULL) {
        *because = "out of memory";
        return false;
    }
    build->nfa = nfa;
    build->regex = regex;
    build->alphabet = &minimal->alphabet;
    const assay_character_set *sets[regex_classes_max];
    find_used_sets(nfa, regex, sets);
    const bool built =
        assay_alphabet_build(&minimal->alphabet, sets, regex->set_count, because) && build_dfa(build, minimal, because);
    free(build);
    return built;
}

void assay_minimal_dfa_free(assay_minimal_dfa *minimal)
{
    assay_alphabet_free(&minimal->alphabet);
    free(minimal->next);
}
