/* Fixed-length class masks: vectorized range checks in place of a DFA, for patterns such as codes and identifiers.
 *
 * If the matching values of one length are exactly those with a byte of a certain class in each position, a value of
 * that length is checked by comparing sixteen bytes at once with the ranges of their classes.
 *
 *     [A-Z]{2}[0-9]{2,3}     length 4:  A-Z A-Z 0-9 0-9          AB12 ✓   AB1x ✗
 *                            length 5:  A-Z A-Z 0-9 0-9 0-9
 *                            others:    no match
 * Dates have no mask, because the allowed second digits of a month depend on the first.
 *
 * Written with vector extensions of the compiler, so SSE2, NEON and portable builds all use them. A shuffle DFA, if
 * there is one, replaces them. build/thresholds/paths measures their gain (Docs/engine.md). */
#ifndef ASSAY_CLASS_MASKS_H
#define ASSAY_CLASS_MASKS_H

#include "DFA/assay_dfa.h"

#include <string.h>

enum {
    CLASS_MASK_LONGEST = 48, /* max bytes of a value: three vectors */
    CLASS_MASK_RANGES = 3,   /* in one position: [0-9A-Fa-f] has three */
    CLASS_MASK_BYTES = 16,
};

typedef uint8_t class_mask_bytes[CLASS_MASK_BYTES];

/* Sixteen positions. A byte matches range r of its position if byte - lowest[r] <= width[r], modulo 256, so one
   comparison tests both ends. Unused ranges repeat the first one.

       [A-Z]{2}[0-9]{2}    position     0 … 11   12  13  14  15
                           lowest[0]    00 …     A   A   0   0
                           width[0]     FF …     25  25  9   9

   The vector of a length below 16 is aligned at the end of the value; positions before the value accept every byte. */
typedef struct class_mask_vector {
    class_mask_bytes lowest[CLASS_MASK_RANGES];
    class_mask_bytes width[CLASS_MASK_RANGES];
} class_mask_vector;

/* NONE: the length is not of this form, so the DFA must decide. NO_MATCH: no ASCII value of this length matches. */
typedef enum class_mask_kind { CLASS_MASK_NONE, CLASS_MASK_NO_MATCH, CLASS_MASK_VECTORS } class_mask_kind;

typedef struct class_mask {
    uint8_t kind; /* class_mask_kind */
    bool has_third_range;
    uint8_t first_vector; /* the first of its (length + 15) / 16 vectors */
} class_mask;

typedef struct assay_class_masks {
    class_mask of_length[CLASS_MASK_LONGEST + 1];
    class_mask_vector vectors[];
} assay_class_masks;

/* Constructs the masks of all lengths that have one. NULL: no length has vectors, some ASCII text leads to the quit
 * state, or there is no memory. Free with free(). O(lengths × states × symbols). */
assay_class_masks *assay_class_masks_create(const assay_dfa *dfa);

/* Whether all bytes of a value are ASCII. Called only after a mismatch, because non-ASCII bytes match no range. */
static inline bool class_mask_is_ascii(const uint8_t *value, size_t count)
{
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++) all |= value[i];
    return all < 0x80;
}

typedef uint8_t class_mask_value __attribute__((vector_size(CLASS_MASK_BYTES)));

/* Returns all ones in each position if its byte is in this range. */
static inline class_mask_value class_mask_range_matches(const class_mask_vector *vector, unsigned range,
                                                        class_mask_value value)
{
    class_mask_value lowest;
    class_mask_value width;
    memcpy(&lowest, vector->lowest[range], sizeof lowest);
    memcpy(&width, vector->width[range], sizeof width);
    return (class_mask_value)(value - lowest <= width);
}

/* Whether sixteen bytes are all in their classes. Two ranges are always compared, the third only if a position has
 * one. */
static inline bool class_mask_vector_matches(const class_mask_vector *vector, bool has_third_range,
                                             const uint8_t *bytes)
{
    class_mask_value value;
    memcpy(&value, bytes, sizeof value);
    class_mask_value matches = class_mask_range_matches(vector, 0, value) | class_mask_range_matches(vector, 1, value);
    if (has_third_range) matches |= class_mask_range_matches(vector, 2, value);
    uint64_t halves[2];
    memcpy(halves, &matches, sizeof halves);
    return (halves[0] & halves[1]) == UINT64_MAX;
}

/* Checks one value. UNKNOWN: its length has no mask, it is not ASCII, or it ends within the first 15 bytes of the
 * buffer `bytes`, because for a value of less than 16 bytes the preceding bytes are read. */
static inline dfa_answer assay_class_masks_match(const assay_class_masks *masks, const uint8_t *bytes, assay_cell cell)
{
    if (cell.length > CLASS_MASK_LONGEST) return DFA_UNKNOWN;
    const class_mask found = masks->of_length[cell.length];
    const size_t end = (size_t)cell.start + cell.length;
    if (found.kind == CLASS_MASK_NONE || end < CLASS_MASK_BYTES) return DFA_UNKNOWN;
    bool matches = found.kind == CLASS_MASK_VECTORS;
    const class_mask_vector *vector = masks->vectors + found.first_vector;
    /* The last vector ends with the value and may overlap the previous one. */
    for (size_t at = CLASS_MASK_BYTES; matches && at < cell.length; at += CLASS_MASK_BYTES, vector++) {
        matches = class_mask_vector_matches(vector, found.has_third_range, bytes + cell.start + at - CLASS_MASK_BYTES);
    }
    if (matches && class_mask_vector_matches(vector, found.has_third_range, bytes + end - CLASS_MASK_BYTES)) {
        return DFA_PASS;
    }
    return class_mask_is_ascii(bytes + cell.start, cell.length) ? DFA_FAIL : DFA_UNKNOWN;
}

#endif
