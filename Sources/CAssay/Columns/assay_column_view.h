/* The common parameters of functions over whole columns, as two structs: the values, and the masks for verdicts.
 *
 *     bytes     7,anna@example.org⏎8,bo@example.org⏎
 *     cells       (2, 16)            (21, 14)
 *     skip        0                  1                    one bit per row; NULL: no row is skipped
 *     failed      0                  0                    clear for skipped rows
 *     undecided   0                  0
 *
 * The public functions (assay/core.h) take the members as parameters. The large struct is passed by address, and the
 * masks by value, because two pointers fit in two registers. */
#ifndef ASSAY_COLUMN_VIEW_H
#define ASSAY_COLUMN_VIEW_H

#include "assay/core.h"

/* The values of a column, or of a part of one. All members are borrowed. */
typedef struct assay_column_view {
    const uint8_t *bytes;
    const assay_cell *cells;
    size_t count;
    const uint64_t *skip; /* may be NULL */
} assay_column_view;

/* The masks that receive verdicts, of assay_mask_words(count) whole words each. A row has at most one of both bits. */
typedef struct assay_verdict_masks {
    uint64_t *failed;
    uint64_t *undecided;
} assay_verdict_masks;

/* At most `count` rows from `first` on. `first` must be a multiple of 64 and less than column->count. */
static inline assay_column_view assay_column_part(const assay_column_view *column, size_t first, size_t count)
{
    const size_t left = column->count - first;
    return (assay_column_view){
        .bytes = column->bytes,
        .cells = column->cells + first,
        .count = left < count ? left : count,
        .skip = column->skip == NULL ? NULL : column->skip + first / 64,
    };
}

/* The masks of the part that begins at row `first`, which must be a multiple of 64. */
static inline assay_verdict_masks assay_verdict_masks_from(assay_verdict_masks masks, size_t first)
{
    return (assay_verdict_masks){masks.failed + first / 64, masks.undecided + first / 64};
}

/* The rows of word `word` that are not skipped. */
static inline uint64_t assay_column_rest(const assay_column_view *column, size_t word)
{
    return assay_mask_rest(column->skip, column->count, word);
}

#endif
