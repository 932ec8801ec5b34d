/* Shapes: where all words of one length are those whose bytes lie in the ranges of their places, a value of that length is
 * judged by comparing, sixteen bytes at once.
 *
 *     [A-Z]{2}[0-9]{2,3}     length 4:  A-Z A-Z 0-9 0-9          AB12 ✓   AB1x ✗
 *                            length 5:  A-Z A-Z 0-9 0-9 0-9
 *                            others:    no words
 *
 * Dates have no shape, since which second digit of a month is right depends on the first. */
#ifndef ASSAY_CLASS_MASKS_H
#define ASSAY_CLASS_MASKS_H

#include "DFA/assay_dfa.h"

#include <string.h>

enum {
    SHAPE_LONGEST = 48,
    SHAPE_RANGES = 3,
    SHAPE_PIECE = 16,
};

typedef uint8_t shape_bytes[SHAPE_PIECE];

/* Sixteen places; a byte is right in range r of a place if byte - lowest[r] <= width[r]. Ranges not needed repeat the first
   one. Of a length below 16 there is one piece, and the places before the value accept every byte. */
typedef struct shape_piece {
    shape_bytes lowest[SHAPE_RANGES];
    shape_bytes width[SHAPE_RANGES];
} shape_piece;

typedef enum shape_kind { SHAPE_NONE, SHAPE_NO_WORDS, SHAPE_PIECES } shape_kind;

typedef struct shape {
    uint8_t kind;
    bool has_third_range;
    uint8_t first_piece;
} shape;

typedef struct assay_shapes {
    shape of_length[SHAPE_LONGEST + 1];
    shape_piece pieces[];
} assay_shapes;

/* NULL: no length has a shape worth it, or there is no memory. Free with free(). */
assay_shapes *assay_shapes_create(const assay_automaton *automaton);

/* Whether all of a value's bytes are ASCII. */
static inline bool shape_is_ascii(const uint8_t *value, size_t count)
{
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++) all |= value[i];
    return all < 0x80;
}

typedef uint8_t shape_vector __attribute__((vector_size(SHAPE_PIECE)));

static inline shape_vector shape_range_matches(const shape_piece *piece, unsigned range, shape_vector value)
{
    shape_vector lowest;
    shape_vector width;
    memcpy(&lowest, piece->lowest[range], sizeof lowest);
    memcpy(&width, piece->width[range], sizeof width);
    return (shape_vector)(value - lowest <= width);
}

static inline bool shape_piece_matches(const shape_piece *piece, bool has_third_range, const uint8_t *bytes)
{
    shape_vector value;
    memcpy(&value, bytes, sizeof value);
    shape_vector matches = shape_range_matches(piece, 0, value) | shape_range_matches(piece, 1, value);
    if (has_third_range) matches |= shape_range_matches(piece, 2, value);
    uint64_t halves[2];
    memcpy(halves, &matches, sizeof halves);
    return (halves[0] & halves[1]) == UINT64_MAX;
}

/* Open: the length has no shape, or the value is none that it is made for. Of a value shorter than a piece the bytes before
 * it are read too, where `bytes`, the buffer that the cell counts from, has as many. */
static inline automaton_answer assay_shapes_judge(const assay_shapes *shapes, const uint8_t *bytes, assay_cell cell)
{
    if (cell.length > SHAPE_LONGEST) return AUTOMATON_OPEN;
    const shape found = shapes->of_length[cell.length];
    const size_t end = (size_t)cell.start + cell.length;
    if (found.kind == SHAPE_NONE || end < SHAPE_PIECE) return AUTOMATON_OPEN;
    bool matches = found.kind == SHAPE_PIECES;
    const shape_piece *piece = shapes->pieces + found.first_piece;
    /* The last piece ends with the value and may overlap the one before. */
    for (size_t at = SHAPE_PIECE; matches && at < cell.length; at += SHAPE_PIECE, piece++) {
        matches = shape_piece_matches(piece, found.has_third_range, bytes + cell.start + at - SHAPE_PIECE);
    }
    if (matches && shape_piece_matches(piece, found.has_third_range, bytes + end - SHAPE_PIECE)) return AUTOMATON_PASS;
    return shape_is_ascii(bytes + cell.start, cell.length) ? AUTOMATON_FAIL : AUTOMATON_OPEN;
}

#endif
