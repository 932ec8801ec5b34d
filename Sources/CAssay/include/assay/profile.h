/* assay/profile.h: what is in a column. It continues assay/core.h, whose house rules hold here too.
 *
 *     cells ──► assay_profile_add ──► one profile for each worker ──► assay_profile_merge ──► counts, shapes, values, quantiles
 *
 * All that is found depends on the values alone: not on their order, nor on how they were shared out among workers.
 *
 * Memory is bounded by the options. What is counted one by one up to a bound (values, shapes) is given up beyond it, and told
 * in another way: different values by a HyperLogLog sketch, shapes more coarsely. */
#ifndef ASSAY_PROFILE_H
#define ASSAY_PROFILE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A histogram of numbers, for quantiles and the mean.
 *
 * Each power of two is cut into 512 buckets of equal width, as in HdrHistogram, so that a quantile is off by at most 1/1024 of
 * itself; whole numbers below 1024 are exact. Sums are exact: for each power of two the significands are added as integers. The mean is rounded once. */
typedef struct assay_histogram assay_histogram;

ASSAY_API assay_histogram *assay_histogram_create(void);
ASSAY_API void assay_histogram_free(assay_histogram *histogram);
/* Adds a finite number so many times. ASSAY_NO_MEMORY: nothing has changed. */
ASSAY_API assay_status assay_histogram_add(assay_histogram *histogram, double number, uint32_t times);
ASSAY_API assay_status assay_histogram_merge(assay_histogram *into, const assay_histogram *from);
ASSAY_API uint64_t assay_histogram_count(const assay_histogram *histogram);
/* NaN if it is empty. */
ASSAY_API double assay_histogram_minimum(const assay_histogram *histogram);
ASSAY_API double assay_histogram_maximum(const assay_histogram *histogram);
ASSAY_API double assay_histogram_mean(const assay_histogram *histogram);
/* The number that a share of all, 0 to 1, are at most. `whole`: all numbers are. O(buckets). */
ASSAY_API double assay_histogram_quantile(const assay_histogram *histogram, double share, bool whole);
/* How many numbers lie in each of `bars` parts of equal width between the minimum and the maximum. A bucket counts where its
 * middle is. O(buckets). */
ASSAY_API void assay_histogram_bars(const assay_histogram *histogram, uint64_t *ASSAY_COUNTED_BY(bars) counts,
                                    size_t bars);

/* How many different values there are, of their hashes: HyperLogLog (Flajolet, Fusy, Gandouet and Meunier, 2007) with the
 * estimator of Ertl (2017), which needs no corrections. The standard error is 1.04 / sqrt(2^precision). */
typedef struct assay_distinct assay_distinct;

/* `precision`: 4 to 18. A sketch takes 2^precision bytes. */
ASSAY_API assay_distinct *assay_distinct_create(unsigned precision);
ASSAY_API void assay_distinct_free(assay_distinct *sketch);
ASSAY_API void assay_distinct_add(assay_distinct *sketch, uint64_t hash);
/* Two of the same precision. */
ASSAY_API void assay_distinct_merge(assay_distinct *into, const assay_distinct *from);
ASSAY_API double assay_distinct_estimate(const assay_distinct *sketch);

/* The hash by which profiles tell values apart. 64 bits, the same on every machine; not against an adversary. */
ASSAY_API uint64_t assay_profile_hash(const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* What a profile may take up, and how its column writes numbers. */
typedef struct assay_profile_options {
    uint32_t values;     /* how many different values are counted one by one */
    uint32_t shapes;     /* how many different shapes are */
    uint32_t keys;       /* how many different hashes tell duplicates; 0: nobody asks */
    uint32_t precision;  /* of the sketch of different values */
    uint8_t decimal;     /* an ASCII byte, such as '.' */
    uint8_t group;       /* between groups of three digits; 0: none */
    bool has_no_numbers; /* nobody asks how many values are numbers */
    bool has_no_runs;    /* no shapes with runs: long ones are cut off, and too many are given up at once */
} assay_profile_options;

/* The profile of one column, or a worker's part of it. Used by one thread at a time. */
typedef struct assay_profile assay_profile;

ASSAY_API assay_profile *assay_profile_create(const assay_profile_options *options);
ASSAY_API void assay_profile_free(assay_profile *profile);

/* Which records the values of a call belong to. */
typedef struct assay_profile_rows {
    uint64_t record;        /* the number of the record of row 0, or if row 0 is none, of the first one behind */
    const uint64_t *others; /* the rows that are no records, a mask; NULL: none */
    const uint32_t *row_of; /* of elements of lists: the row of each; NULL: value i is that of row i */
} assay_profile_rows;

/* Adds the values of a column. Values whose bit is set in `skip` do not count at all; those in `nulls` (may be NULL), and empty
 * ones, are missing. The bits of both are written to `absent`, and those of words such as "n/a" to `words`: assay_mask_words(count)
 * words each.
 * Values are well-formed UTF-8. ASSAY_NO_MEMORY: the profile is not whole any more. O(bytes). */
ASSAY_API assay_status assay_profile_add(assay_profile *profile, const uint8_t *bytes, const assay_cell *cells,
                                         size_t count, const uint64_t *skip, const uint64_t *nulls,
                                         assay_profile_rows rows, uint64_t *absent, uint64_t *words);

/* Adds what another profile with the same options has seen. ASSAY_NO_MEMORY: `into` is not whole any more. */
ASSAY_API assay_status assay_profile_merge(assay_profile *into, const assay_profile *from);

/* What was counted. A number of a record is UINT64_MAX where there is none. */
typedef struct assay_profile_counts {
    uint64_t values; /* that are there, words for missing ones among them */
    uint64_t missing;
    uint64_t words;         /* values that often mean "no value", such as n/a */
    uint64_t padded;        /* values with a space or tab at an end */
    uint64_t not_ascii;     /* values with a character above ASCII */
    uint64_t twice_encoded; /* values that seem to be UTF-8 that was read as windows-1252 and encoded once more */
    uint64_t integers;      /* an optional sign and digits, with groups where the options have some */
    uint64_t numbers;       /* integers, and those with decimals or an exponent */
    uint64_t leading_zeros; /* numbers such as 007 */
    uint64_t beyond;        /* numbers such as 1e400, beyond all doubles, which are in no histogram */
    uint64_t first_no_integer, first_no_number; /* the record of the first value that is none; words are not counted */
    uint64_t first_padded, first_twice_encoded;
    double distinct;        /* different values */
    bool distinct_is_exact; /* else it is an estimate */
    /* Values that are there in addition to an equal one, of the keys; of the part of them that was kept. */
    uint64_t duplicates;
    uint32_t key_share; /* each 2^key_share-th value was kept; 0: all */
} assay_profile_counts;

ASSAY_API void assay_profile_get_counts(const assay_profile *profile, assay_profile_counts *counts);

/* The lengths of the values in Unicode scalars, and the numbers. Borrowed from the profile. */
ASSAY_API const assay_histogram *assay_profile_lengths(const assay_profile *profile);
ASSAY_API const assay_histogram *assay_profile_numbers(const assay_profile *profile);

/* The least and the greatest number, digit by digit, if they are integers beyond 2^53, which the histogram rounds. Empty if the
 * histogram has them exactly, or if some number beyond 2^53 has a decimal sign or an exponent. Borrowed from the profile. */
ASSAY_API assay_text assay_profile_least_integer(const assay_profile *profile);
ASSAY_API assay_text assay_profile_greatest_integer(const assay_profile *profile);

/* A value or shape with its count. The text is borrowed from the profile. */
typedef struct assay_profile_item {
    assay_text text;
    uint64_t count;
    uint64_t first_record;
    bool is_cut; /* the text is the beginning of a longer one */
} assay_profile_item;

/* The words for missing values by index, NULL-terminated static texts; and how often each was seen. */
ASSAY_API const char *assay_profile_word(size_t index);
ASSAY_API uint64_t assay_profile_word_count(const assay_profile *profile, size_t index);

/* The values that were counted one by one, in no order. 0: there were too many, or none. */
ASSAY_API size_t assay_profile_value_count(const assay_profile *profile);
ASSAY_API assay_profile_item assay_profile_value(const assay_profile *profile, size_t index);

/* The shapes. In a shape A is a capital letter of ASCII, a another one, 9 a digit, U a character above ASCII, byte 3 a control
 * character; all else is itself. A letter or digit with the bit 128: one or more of these. Byte 2: the shape goes on.
 *
 *     FR-2024-17   AA-9999-99      Anna Lee   A⁺a⁺ A⁺a⁺ (with runs; ⁺ stands for the bit)
 *
 * Level 0: as they are, those over 32 characters with runs. Level 1: all with runs, since there were too many others.
 * Level 2: too many even so, and there are none. */
ASSAY_API unsigned assay_profile_shape_level(const assay_profile *profile);
ASSAY_API size_t assay_profile_shape_count(const assay_profile *profile);
ASSAY_API assay_profile_item assay_profile_shape(const assay_profile *profile, size_t index);

#define ASSAY_SHAPE_BYTES 48

/* Writes the shape of a value at level 0 or 1, and returns its length. */
ASSAY_API size_t assay_profile_write_shape(const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count,
                                           unsigned level, uint8_t shape[ASSAY_SHAPE_BYTES]);

/* The times of values of a column: from when to when. Of a type of times, for the rows that are not in `skip`, all of which are
 * of it. `times` begins as assay_profile_no_times. */
typedef struct assay_profile_times {
    int64_t first, last; /* days since 1970-01-01 of dates, else seconds, of times since midnight; first > last: none */
    uint64_t zoned;      /* values with a zone, whose times are those of UTC */
} assay_profile_times;

static inline assay_profile_times assay_profile_no_times(void)
{
    const assay_profile_times none = {INT64_MAX, INT64_MIN, 0};
    return none;
}

ASSAY_API void assay_profile_add_times(assay_profile_times *times, const assay_type *type, const uint8_t *bytes,
                                       const assay_cell *cells, size_t count, const uint64_t *skip);

#ifdef __cplusplus
}
#endif

#endif
