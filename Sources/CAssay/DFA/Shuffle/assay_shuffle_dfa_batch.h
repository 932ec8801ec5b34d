/* assay_shuffle_dfa_batch.h: 64 values, a word of a mask, while they go through levels. Included by assay_shuffle_dfa_<path>.h, which says
 * what level_bytes is: 64 bytes in registers, one of each value. */
#include "DFA/Shuffle/assay_shuffle_dfa.h"

#include <string.h>

enum {
    level_rows = 64,
    level_fewest = 20,  /* fewer of 64 values are judged faster eight side by side, by assay_dfa_batch.c */
    level_few_rows = 3, /* take as long that way as a stretch of 64 does, or less */
    level_loaded = 2 * level_stretch, /* bytes */
};

/* 64 values: which of them go through levels, where they stand, and what becomes of them. */
typedef struct level_word {
    size_t number; /* of the word in masks of all values */
    uint64_t asked;
    uint64_t failed;    /* before levels */
    uint64_t begun;     /* go through levels */
    uint64_t is_left;   /* those of `begun`, and others, that levels do not judge */
    uint64_t is_failed; /* by levels: this and the next count only for those that they judge */
    uint64_t is_open;
    level_bytes lengths; /* 255 stands for longer ones too */
    uint32_t ends[level_rows];
    uint32_t sizes[level_rows]; /* in bytes, rounded up to what is loaded at once */
    size_t stretches;           /* of the longest that is not left */
} level_word;

/* Values that are empty, or before which the buffer has too few bytes to read whole stretches, are read where another one
 * stands. The former have not begun by then, the latter are left out. false: there is no other. */
BLOCK_TARGET static bool level_read_elsewhere(level_word *word)
{
    size_t other = 0;
    while (other < level_rows && (word->sizes[other] == 0 || word->ends[other] < word->sizes[other])) other++;
    if (other == level_rows) return false;
    for (size_t row = 0; row < level_rows; row++) {
        if (word->sizes[row] > 0 && word->ends[row] >= word->sizes[row]) continue;
        if (word->sizes[row] > 0) word->is_left |= UINT64_C(1) << row;
        word->ends[row] = word->ends[other];
        word->sizes[row] = word->sizes[other];
    }
    return true;
}
