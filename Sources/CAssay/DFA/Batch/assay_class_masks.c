#include "DFA/Batch/assay_class_masks.h"

#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>

/* The bytes that are right in one place, by the automaton's symbols. */
typedef struct place {
    bool has[128];
} place;

/* What is looked at while shapes are made. */
typedef struct shape_maker {
    const assay_automaton *automaton;
    uint8_t byte_of[128]; /* some byte of each symbol */
    /* [k][s]: whether some word of k bytes leads from state s to acceptance. */
    bool (*can_accept)[256];
} shape_maker;

static uint8_t step(const shape_maker *maker, unsigned state, unsigned symbol)
{
    return maker->automaton->next[((size_t)maker->byte_of[symbol] << maker->automaton->shift) + state];
}

/* false: some ASCII text is not for the automaton to judge. */
static bool fill_can_accept(shape_maker *maker)
{
    const assay_automaton *automaton = maker->automaton;
    for (unsigned byte = 0; byte < 128; byte++) maker->byte_of[automaton->ascii_symbol_of[byte]] = (uint8_t)byte;
    for (unsigned state = 0; state < automaton->states; state++) {
        maker->can_accept[0][state] = state >= automaton->first_accepting;
        for (unsigned symbol = 0; symbol < automaton->ascii_symbols; symbol++) {
            if (state > state_deferred && step(maker, state, symbol) == state_deferred) return false;
        }
    }
    for (size_t length = 1; length <= SHAPE_LONGEST; length++) {
        for (unsigned state = 0; state < automaton->states; state++) {
            bool can = false;
            for (unsigned symbol = 0; symbol < automaton->ascii_symbols && !can && state > state_deferred; symbol++) {
                can = maker->can_accept[length - 1][step(maker, state, symbol)];
            }
            maker->can_accept[length][state] = can;
        }
    }
    return true;
}

/* The places of all words of `length`, if these are all the words there are with such bytes: if in each place the states
   that words are in go on with the same bytes. */
static bool find_places(const shape_maker *maker, size_t length, place *places)
{
    const assay_automaton *automaton = maker->automaton;
    bool now[256] = {false};
    now[automaton->start] = true;
    for (size_t at = 0; at < length; at++) {
        const bool *can_go_on = maker->can_accept[length - at - 1];
        bool after[256] = {false};
        bool is_first = true;
        for (unsigned state = 0; state < automaton->states; state++) {
            if (!now[state]) continue;
            place here = {.has = {false}};
            for (unsigned symbol = 0; symbol < automaton->ascii_symbols; symbol++) {
                const uint8_t next = step(maker, state, symbol);
                here.has[symbol] = can_go_on[next];
                after[next] = after[next] || can_go_on[next];
            }
            if (is_first) places[at] = here;
            if (memcmp(&places[at], &here, sizeof here) != 0) return false;
            is_first = false;
        }
        memcpy(now, after, sizeof now);
    }
    return true;
}

/* Writes the ranges of a place. Returns their number; more than SHAPE_RANGES are not written. */
static unsigned find_ranges(const assay_automaton *automaton, const place *here, uint8_t *lowest, uint8_t *width)
{
    const uint8_t *symbol_of = automaton->ascii_symbol_of;
    unsigned ranges = 0;
    for (unsigned byte = 0; byte < 128; byte++) {
        if (!here->has[symbol_of[byte]]) continue;
        const unsigned first = byte;
        while (byte + 1 < 128 && here->has[symbol_of[byte + 1]]) byte++;
        if (ranges < SHAPE_RANGES) {
            lowest[ranges] = (uint8_t)first;
            width[ranges] = (uint8_t)(byte - first);
        }
        ranges++;
    }
    return ranges;
}

/* The shape of one length; its pieces are appended. */
static shape make_shape(const shape_maker *maker, size_t length, shape_piece *pieces, uint8_t *used)
{
    const shape none = {.kind = SHAPE_NONE};
    if (!maker->can_accept[length][maker->automaton->start]) return (shape){.kind = SHAPE_NO_WORDS};
    place places[SHAPE_LONGEST];
    if (length == 0 || !find_places(maker, length, places)) return none;

    shape made = {.kind = SHAPE_PIECES, .first_piece = *used};
    const size_t count = (length + SHAPE_PIECE - 1) / SHAPE_PIECE;
    for (size_t number = 0; number < count; number++) {
        shape_piece *piece = &pieces[*used + number];
        /* The place of the value that the piece begins with; below 0 where it begins before the value. */
        const ptrdiff_t begin =
            number + 1 < count ? (ptrdiff_t)(number * SHAPE_PIECE) : (ptrdiff_t)length - SHAPE_PIECE;
        for (ptrdiff_t i = 0; i < SHAPE_PIECE; i++) {
            uint8_t lowest[SHAPE_RANGES] = {0};
            uint8_t width[SHAPE_RANGES] = {UINT8_MAX};
            unsigned ranges = 1;
            if (begin + i >= 0) ranges = find_ranges(maker->automaton, &places[begin + i], lowest, width);
            if (ranges > SHAPE_RANGES) return none;
            made.has_third_range = made.has_third_range || ranges > 2;
            for (unsigned range = 0; range < SHAPE_RANGES; range++) {
                piece->lowest[range][i] = lowest[range < ranges ? range : 0];
                piece->width[range][i] = width[range < ranges ? range : 0];
            }
        }
    }
    *used = (uint8_t)(*used + count);
    return made;
}

assay_shapes *assay_shapes_create(const assay_automaton *automaton)
{
    enum { MOST_PIECES = (SHAPE_LONGEST + 1) * (SHAPE_LONGEST / SHAPE_PIECE) };
    shape_maker maker = {.automaton = automaton, .can_accept = malloc((SHAPE_LONGEST + 1) * sizeof *maker.can_accept)};
    assay_shapes *shapes = malloc(sizeof *shapes + MOST_PIECES * sizeof *shapes->pieces);
    uint8_t used = 0;
    if (maker.can_accept != NULL && shapes != NULL && fill_can_accept(&maker)) {
        for (size_t length = 0; length <= SHAPE_LONGEST; length++) {
            shapes->of_length[length] = make_shape(&maker, length, shapes->pieces, &used);
        }
    }
    free(maker.can_accept);
    /* Without pieces only the lengths of no words are left, and most values are of others. */
    if (used == 0) {
        free(shapes);
        return NULL;
    }
    assay_shapes *smaller = realloc(shapes, sizeof *shapes + used * sizeof *shapes->pieces);
    return smaller == NULL ? shapes : smaller;
}
