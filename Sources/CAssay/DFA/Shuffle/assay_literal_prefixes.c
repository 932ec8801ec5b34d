#include "DFA/Shuffle/assay_literal_prefixes.h"

#include "DFA/assay_dfa_tables.h"

/* A word while it is made, and the state it leads to. */
typedef struct prefix_word {
    uint8_t bytes[prefix_longest];
    uint8_t length;
    uint8_t state;
} prefix_word;

/* Every right value begins with one of these, and with one only, or has bytes beyond ASCII among its first ones. */
typedef struct prefix_words {
    prefix_word words[prefixes_most];
    unsigned count;
} prefix_words;

/* How many bytes of ASCII each state needs at least until the value may end; UINT8_MAX: they never suffice. */
static void find_distances(const assay_automaton *automaton, uint8_t *distances)
{
    for (unsigned state = 0; state < automaton->states; state++) {
        distances[state] = state >= automaton->first_accepting ? 0 : UINT8_MAX;
    }
    for (bool again = true; again;) {
        again = false;
        /* Most states lead to ones of greater numbers. */
        for (unsigned state = automaton->first_accepting; state-- > 0;) {
            for (uint8_t byte = 0; byte < 128; byte++) {
                const uint8_t distance = distances[automaton_byte_step(automaton, (uint8_t)state, byte)];
                if (distance == UINT8_MAX || distance + 1 >= distances[state]) continue;
                distances[state] = (uint8_t)(distance + 1);
                again = true;
            }
        }
    }
}

/* Of the states that the words lead to, the one farthest from the end of a value. From there one may still come to the others,
 * as from "https" to the state of "http:", but hardly the other way round. */
static uint8_t farthest_state(const prefix_words *words, const uint8_t *distances)
{
    uint8_t farthest = words->words[0].state;
    for (unsigned i = 1; i < words->count; i++) {
        if (distances[words->words[i].state] > distances[farthest]) farthest = words->words[i].state;
    }
    return farthest;
}

/* Makes the words that lead to `state` longer, by each byte that may come. false: there would be too many, or too long ones. */
static bool lengthen(const assay_automaton *automaton, uint8_t state, prefix_words *words)
{
    prefix_words longer = {.count = 0};
    for (unsigned i = 0; i < words->count; i++) {
        const prefix_word word = words->words[i];
        if (word.state != state) {
            if (longer.count == prefixes_most) return false;
            longer.words[longer.count++] = word;
            continue;
        }
        /* Also where only bytes beyond ASCII may come: behind so long a word nobody looks for them. */
        if (word.length == prefix_longest) return false;
        for (uint8_t byte = 0; byte < 128; byte++) {
            const uint8_t next = automaton_byte_step(automaton, state, byte);
            if (next == state_dead) continue;
            if (next == state_deferred || byte == 0) return false;
            if (longer.count == prefixes_most) return false;
            prefix_word *one = &longer.words[longer.count++];
            *one = word;
            one->bytes[one->length++] = byte;
            one->state = next;
        }
    }
    *words = longer;
    return true;
}

static bool is_of_one_state(const prefix_words *words)
{
    for (unsigned i = 1; i < words->count; i++) {
        if (words->words[i].state != words->words[0].state) return false;
    }
    return words->count > 0;
}

static assay_prefixes prefixes_of(const prefix_words *words)
{
    assay_prefixes prefixes = {.count = (uint8_t)words->count, .state = words->words[0].state};
    for (unsigned i = 0; i < words->count; i++) {
        const prefix_word *word = &words->words[i];
        uint8_t mask[prefix_longest] = {0};
        memset(mask, UINT8_MAX, word->length);
        memcpy(&prefixes.words[i], word->bytes, sizeof word->bytes);
        memcpy(&prefixes.masks[i], mask, sizeof mask);
        prefixes.lengths[i] = word->length;
    }
    return prefixes;
}

assay_prefixes assay_prefixes_find(const assay_automaton *automaton)
{
    uint8_t distances[states_max];
    find_distances(automaton, distances);
    assay_prefixes found = {.count = 0};
    prefix_words words = {.words = {{.state = automaton->start}}, .count = 1};
    while (words.count > 0) {
        const uint8_t state = farthest_state(&words, distances);
        /* Where a value may end, no more is certain. */
        if (state >= automaton->first_accepting || !lengthen(automaton, state, &words)) break;
        if (is_of_one_state(&words)) found = prefixes_of(&words);
    }
    return found;
}
