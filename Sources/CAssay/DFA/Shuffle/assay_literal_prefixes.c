/* Extracts literal prefixes from a DFA: see assay_literal_prefixes.h.
 *
 * A set of literals grows from the empty one: in each step, the literals that lead to one chosen state are extended by
 * every byte that may follow. Whenever all lead to the same state, the set is a result; the last result is the longest.
 *
 *     ""  →  "h"  →  "ht"  →  "htt"  →  "http"                       each is a result
 *     "http"               →  "http:", "https"                       two states
 *     "https"              →  "http:", "https:"                      one state: a result
 *     …                    →  "http://", "https://"                  a result; then 26 letters may follow: the end */
#include "DFA/Shuffle/assay_literal_prefixes.h"

#include "DFA/assay_dfa_tables.h"

/* A growing literal, and the state to which it leads. */
typedef struct prefix_literal {
    uint8_t bytes[literal_prefix_longest];
    uint8_t length;
    uint8_t state;
} prefix_literal;

/* Invariant: every matching value begins with exactly one of these, or has non-ASCII bytes among its first
   literal_prefix_longest. */
typedef struct prefix_literals {
    prefix_literal literals[literal_prefixes_max];
    unsigned count;
} prefix_literals;

/* Computes the minimum number of ASCII bytes from each state to acceptance, by relaxation to a fixed point; UINT8_MAX:
 * no ASCII continuation accepts. */
static void find_distances(const assay_dfa *dfa, uint8_t *distances)
{
    for (unsigned state = 0; state < dfa->states; state++) {
        distances[state] = state >= dfa->first_accepting ? 0 : UINT8_MAX;
    }
    for (bool again = true; again;) {
        again = false;
        /* In descending order, because most states lead to states of higher numbers. */
        for (unsigned state = dfa->first_accepting; state-- > 0;) {
            for (uint8_t byte = 0; byte < 128; byte++) {
                const uint8_t distance = distances[dfa_byte_step(dfa, (uint8_t)state, byte)];
                if (distance == UINT8_MAX || distance + 1 >= distances[state]) continue;
                distances[state] = (uint8_t)(distance + 1);
                again = true;
            }
        }
    }
}

/* Chooses the state to continue from: the state of a literal that is farthest from acceptance. The other states may be
 * reachable from it, as the state of "http:" from that of "https", but rarely in the other direction, so this choice
 * lets the literals meet again. A heuristic: another choice would find fewer prefixes, never wrong ones. */
static uint8_t farthest_state(const prefix_literals *literals, const uint8_t *distances)
{
    uint8_t farthest = literals->literals[0].state;
    for (unsigned i = 1; i < literals->count; i++) {
        if (distances[literals->literals[i].state] > distances[farthest]) farthest = literals->literals[i].state;
    }
    return farthest;
}

/* Extends the literals that lead to `state` by each byte that may follow. Returns false, without changing the set, if
 * there would be too many literals, or a literal would be too long. */
static bool lengthen(const assay_dfa *dfa, uint8_t state, prefix_literals *literals)
{
    prefix_literals longer = {.count = 0};
    for (unsigned i = 0; i < literals->count; i++) {
        const prefix_literal literal = literals->literals[i];
        if (literal.state != state) {
            if (longer.count == literal_prefixes_max) return false;
            longer.literals[longer.count++] = literal;
            continue;
        }
        /* Tested even if only non-ASCII bytes may follow, because values are examined for those only up to this
         * length. */
        if (literal.length == literal_prefix_longest) return false;
        for (uint8_t byte = 0; byte < 128; byte++) {
            const uint8_t next = dfa_byte_step(dfa, state, byte);
            if (next == state_dead) continue;
            if (next == state_quit || byte == 0) return false;
            if (longer.count == literal_prefixes_max) return false;
            prefix_literal *one = &longer.literals[longer.count++];
            *one = literal;
            one->bytes[one->length++] = byte;
            one->state = next;
        }
    }
    *literals = longer;
    return true;
}

static bool is_of_one_state(const prefix_literals *literals)
{
    for (unsigned i = 1; i < literals->count; i++) {
        if (literals->literals[i].state != literals->literals[0].state) return false;
    }
    return literals->count > 0;
}

/* Packs literals into words with masks, in the byte order of memory. */
static assay_literal_prefixes prefixes_of(const prefix_literals *literals)
{
    assay_literal_prefixes prefixes = {.count = (uint8_t)literals->count, .state = literals->literals[0].state};
    for (unsigned i = 0; i < literals->count; i++) {
        const prefix_literal *literal = &literals->literals[i];
        uint8_t mask[literal_prefix_longest] = {0};
        memset(mask, UINT8_MAX, literal->length);
        memcpy(&prefixes.literals[i], literal->bytes, sizeof literal->bytes);
        memcpy(&prefixes.masks[i], mask, sizeof mask);
        prefixes.lengths[i] = literal->length;
    }
    return prefixes;
}

assay_literal_prefixes assay_literal_prefixes_find(const assay_dfa *dfa)
{
    uint8_t distances[states_max];
    find_distances(dfa, distances);
    assay_literal_prefixes found = {.count = 0};
    prefix_literals literals = {.literals = {{.state = dfa->start}}, .count = 1};
    while (literals.count > 0) {
        const uint8_t state = farthest_state(&literals, distances);
        /* A value may end in an accepting state, so literals cannot grow beyond it. */
        if (state >= dfa->first_accepting || !lengthen(dfa, state, &literals)) break;
        if (is_of_one_state(&literals)) found = prefixes_of(&literals);
    }
    return found;
}
