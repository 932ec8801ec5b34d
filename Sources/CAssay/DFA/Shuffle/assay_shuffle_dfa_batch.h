/* assay_shuffle_dfa_batch.h: 64 values, the rows of one mask word, while they run through a shuffle DFA. Included by
 * assay_shuffle_dfa_<path>.h, which defines layer_bytes: 64 bytes in registers, one of each value.
 *
 *     asked ──► begun (has a literal prefix) ──► judged: passed, failed or unknown
 *        │         └─────────────────────────► is_left: too long, unreadable here, or not ASCII: for the lanes
 *        └───────────────────────────────────► failed (has none) */
#include "Columns/assay_column_view.h"
#include "DFA/Shuffle/assay_shuffle_dfa.h"

#include <string.h>

enum {
    layer_rows = 64,
    /* A word with fewer values than this is left to the lanes (assay_dfa_batch.c), which cost a constant per value. */
    layer_min_rows = 20,
    /* The estimated cost of one segment of 64 values, as a number of values in lanes. */
    layer_few_rows = 3,
    layer_loaded = 2 * segment_layers, /* bytes of each value that one load reads */
};

/* 64 values: the rows that run through the layers, their places in memory, and their verdicts. Masks have a bit for
 * each row. */
typedef struct layer_batch {
    size_t number; /* of the mask word */
    uint64_t requested;
    uint64_t failed;    /* fail by their first bytes, because they have no literal prefix */
    uint64_t begun;     /* of `requested`: run through the layers */
    uint64_t is_left;   /* for the lanes; may have bits outside `begun` */
    uint64_t is_failed; /* fail by the layers; this and the next are valid for rows of `begun` not in is_left */
    uint64_t is_unknown;
    layer_bytes lengths;       /* in bytes, saturated: 255 also means longer values */
    uint32_t ends[layer_rows]; /* the end of each value in the buffer */
    uint32_t
        sizes[layer_rows]; /* lengths rounded up to multiples of layer_loaded: the distance that loads reach back */
    size_t segments;       /* of the longest value that is not left */
} layer_batch;

/* Redirects loads that would be out of bounds. Loads read whole pairs of segments that end with the value, so up to
 * fifteen bytes before it. Near the beginning of the buffer these bytes may not exist, and an empty value may have no
 * bytes at all. Such rows get the address of another row, and their results are ignored: the former are left to the
 * lanes, the latter begin in layer 0, after all loads. Returns false if no row can be read. */
BLOCK_TARGET static bool layer_read_elsewhere(layer_batch *batch)
{
    size_t other = 0;
    while (other < layer_rows && (batch->sizes[other] == 0 || batch->ends[other] < batch->sizes[other])) other++;
    if (other == layer_rows) return false;
    for (size_t row = 0; row < layer_rows; row++) {
        if (batch->sizes[row] > 0 && batch->ends[row] >= batch->sizes[row]) continue;
        if (batch->sizes[row] > 0) batch->is_left |= UINT64_C(1) << row;
        batch->ends[row] = batch->ends[other];
        batch->sizes[row] = batch->sizes[other];
    }
    return true;
}
