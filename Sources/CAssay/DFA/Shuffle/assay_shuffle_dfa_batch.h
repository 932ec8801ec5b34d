/* assay_shuffle_dfa_batch.h: 64 values, the rows of one mask word, while they run through a shuffle DFA. Included by
 * assay_shuffle_dfa_<path>.h, which defines layer_bytes: 64 bytes in registers, one of each value. */
#include "DFA/Shuffle/assay_shuffle_dfa.h"

#include <string.h>

enum {
    layer_rows = 64,
    layer_fewest = 20,                 /* fewer of 64 values are judged faster in lanes (assay_dfa_batch.c) */
    layer_few_rows = 3,                /* in lanes take as long as a segment of 64 does, or less */
    layer_loaded = 2 * segment_layers, /* bytes */
};

/* 64 values: which of them run through the layers, where they stand, and their verdicts. */
typedef struct layer_batch {
    size_t number; /* of the mask word */
    uint64_t asked;
    uint64_t failed;    /* by their prefix */
    uint64_t begun;     /* run through the layers */
    uint64_t is_left;   /* those of `begun`, and others, that are left to the lanes */
    uint64_t is_failed; /* by the layers; this and the next count only for rows that they judge */
    uint64_t is_unknown;
    layer_bytes lengths; /* 255 stands for longer ones too */
    uint32_t ends[layer_rows];
    uint32_t sizes[layer_rows]; /* in bytes, rounded up to what is loaded at once */
    size_t segments;            /* of the longest value that is not left */
} layer_batch;

/* Empty values, and values before which the buffer has too few bytes to read whole segments, are read where another
 * value stands. By then the former are excluded; the latter are left to the lanes. false: there is no other. */
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
