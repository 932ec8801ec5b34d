/* assay/profile.h: statistics of a column. It continues assay/core.h and follows the rules for
 * every function there.
 *
 *     cells ──► assay_profile_add ──► one profile for each worker ──► assay_profile_merge ──► counts, shapes,
 *                                                                                       values, quantiles
 *
 * All results depend only on the values: not on their order, nor on their distribution among workers.
 *
 * The options bound the memory. Values and shapes are counted individually up to a limit; beyond it, a HyperLogLog
 * sketch estimates the number of different values, and shapes become coarser. */
#ifndef ASSAY_PROFILE_H
#define ASSAY_PROFILE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A histogram of numbers, for quantiles and the mean.
 *
 * Each power of two is divided into 512 buckets of equal width, as in HdrHistogram, so that the relative error of a
 * quantile is at most 1/1024. Whole numbers below 1024 are exact. Sums are exact, because the significands of each
 * power of two are added as integers. The mean is rounded once. */
typedef struct assay_histogram assay_histogram;

ASSAY_API assay_histogram *assay_histogram_create(void);
ASSAY_API void assay_histogram_free(assay_histogram *histogram);
/* Adds a finite number `times` times. ASSAY_NO_MEMORY: the histogram is unchanged. */
ASSAY_API assay_status assay_histogram_add(assay_histogram *histogram, double number, uint32_t times);
ASSAY_API assay_status assay_histogram_merge(assay_histogram *into, const assay_histogram *from);
ASSAY_API uint64_t assay_histogram_count(const assay_histogram *histogram);
/* NaN if the histogram is empty. */
ASSAY_API double assay_histogram_minimum(const assay_histogram *histogram);
ASSAY_API double assay_histogram_maximum(const assay_histogram *histogram);
ASSAY_API double assay_histogram_mean(const assay_histogram *histogram);
/* Returns the quantile of `share`, 0 to 1: this share of all numbers is at most the result. `are_integers`: all numbers
 * are whole. O(buckets). */
ASSAY_API double assay_histogram_quantile(const assay_histogram *histogram, double share, bool are_integers);
/* Writes the quantiles of `count` shares in ascending order. O(buckets + count). */
ASSAY_API void assay_histogram_quantiles(const assay_histogram *histogram,
                                         const double *ASSAY_COUNTED_BY(count) shares ASSAY_NOESCAPE, size_t count,
                                         bool are_integers, double *ASSAY_COUNTED_BY(count) quantiles ASSAY_NOESCAPE);
/* Writes how many numbers are in each of `bars` intervals of equal width between the minimum and the maximum. A bucket
 * counts in the interval that contains its middle. O(buckets). */
ASSAY_API void assay_histogram_bars(const assay_histogram *histogram, uint64_t *ASSAY_COUNTED_BY(bars) counts,
                                    size_t bars);

/* A sketch that estimates the number of different values from their hashes: HyperLogLog (Flajolet, Fusy, Gandouet and
 * Meunier, 2007) with the estimator of Ertl (2017), which needs no corrections. The standard error is 1.04 /
 * sqrt(2^precision). */
typedef struct assay_distinct assay_distinct;

/* `precision`: 4 to 18. A sketch takes 2^precision bytes. */
ASSAY_API assay_distinct *assay_distinct_create(unsigned precision);
ASSAY_API void assay_distinct_free(assay_distinct *sketch);
ASSAY_API void assay_distinct_add(assay_distinct *sketch, uint64_t hash);
/* Both sketches must have the same precision. */
ASSAY_API void assay_distinct_merge(assay_distinct *into, const assay_distinct *from);
ASSAY_API double assay_distinct_estimate(const assay_distinct *sketch);

/* Returns the hash that profiles use for the identity of values. 64 bits, the same on every machine; not secure against
 * crafted values. */
ASSAY_API uint64_t assay_profile_hash(const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count);

/* The limits of a profile, and the number format of its column. */
typedef struct assay_profile_options {
    uint32_t values;     /* max number of different values that are counted individually */
    uint32_t shapes;     /* max number of different shapes */
    uint32_t keys;       /* capacity of the duplicate detector, in distinct hashes; 0 disables it */
    uint32_t precision;  /* of the sketch of different values */
    uint8_t decimal;     /* an ASCII byte, such as '.' */
    uint8_t group;       /* separator of groups of three digits; 0: no groups */
    bool has_no_numbers; /* do not count which values are numbers */
    bool has_no_runs;    /* no shapes with runs: long shapes are cut off, and all are dropped if there are too many */
} assay_profile_options;

/* The profile of one column, or a worker's part of it. Used by one thread at a time. */
typedef struct assay_profile assay_profile;

ASSAY_API assay_profile *assay_profile_create(const assay_profile_options *options);
ASSAY_API void assay_profile_free(assay_profile *profile);

/* Defers the counts of values that are counted individually: later calls of assay_profile_add() only count how often
 * each occurs, because most columns repeat their values. The other counts are incomplete until
 * assay_profile_settle(). */
ASSAY_API void assay_profile_defer(assay_profile *profile);

/* Deferred values, each with the number of its deferred rows, the first record of all its rows, and whether it is a
 * word such as "n/a". Borrowed for the duration of a call. */
typedef struct assay_profile_deferred {
    const uint8_t *bytes;
    const assay_cell *cells;
    const uint64_t *rows, *first_records;
    const uint64_t *words; /* a mask */
    size_t count;
} assay_profile_deferred;

/* Sets a function for further counts of the deferred values. Calls of assay_profile_add(), assay_profile_merge() into
 * the profile and assay_profile_settle() pass each deferred row to it once. It must not use the profile. */
ASSAY_API void assay_profile_visit_deferred(assay_profile *profile, void *context,
                                            void (*visit)(void *context, const assay_profile_deferred *values));

/* Completes the counts. Must be called after the last values or keys were added or merged, before results are read, if
 * the profile is deferred or its options have `keys`. ASSAY_NO_MEMORY: the profile is incomplete and must not be used
 * further. O(keys) besides the deferred values. */
ASSAY_API assay_status assay_profile_settle(assay_profile *profile);

/* The records of the values of a call. */
typedef struct assay_profile_rows {
    uint64_t record;             /* record number of row 0, or of the first row that is a record */
    const uint64_t *non_records; /* mask of the rows that are not records; NULL: all rows are records */
    const uint32_t *row_of;      /* of elements of lists: the row of each; NULL: value i is in row i */
} assay_profile_rows;

/* Adds the values of a column. Values whose bit is set in `skip` are ignored; empty values and those in `nulls` (may be
 * NULL) are missing. The rows of all of these are written to `absent`, the rows of words such as "n/a" to `words`, and
 * the rows whose counts are deferred to `deferred` (may be NULL): assay_mask_words(count) words each. Values must be
 * well-formed UTF-8. ASSAY_NO_MEMORY: the profile is incomplete and must not be used further. O(bytes). */
ASSAY_API assay_status assay_profile_add(assay_profile *profile, const uint8_t *bytes, const assay_cell *cells,
                                         size_t count, const uint64_t *skip, const uint64_t *nulls,
                                         assay_profile_rows rows, uint64_t *absent, uint64_t *words,
                                         uint64_t *deferred);

/* Mixes the hash of each value into `hashes`, for the combination of several columns. Values in `nulls` (may be NULL)
 * are empty; those in `skip` are not read. */
ASSAY_API void assay_profile_mix_hashes(const uint8_t *bytes, const assay_cell *cells, size_t count,
                                        const uint64_t *skip, const uint64_t *nulls,
                                        uint64_t *ASSAY_COUNTED_BY(count) hashes);

/* Adds hashes of keys, except those whose bit is set in `skip`, to the duplicate detector alone. ASSAY_NO_MEMORY: the
 * profile must not be used further. */
ASSAY_API assay_status assay_profile_add_keys(assay_profile *profile, const uint64_t *ASSAY_COUNTED_BY(count) hashes,
                                              size_t count, const uint64_t *skip);

/* Adds the values of another profile, which must have the same options. ASSAY_NO_MEMORY: `into` is incomplete and must
 * not be used further. */
ASSAY_API assay_status assay_profile_merge(assay_profile *into, const assay_profile *from);

/* The counts of a profile. A record number is UINT64_MAX if no value has the property. */
typedef struct assay_profile_counts {
    uint64_t values; /* present values, including words for missing ones */
    uint64_t missing;
    uint64_t words;         /* values that often mean "no value", such as n/a */
    uint64_t padded;        /* values with a space or tab at an end */
    uint64_t not_ascii;     /* values with a character above ASCII */
    uint64_t twice_encoded; /* values that seem to be UTF-8 that was read as windows-1252 and encoded once more */
    uint64_t integers;      /* an optional sign and digits, with groups if the options define a separator */
    uint64_t numbers;       /* integers, and those with decimals or an exponent */
    uint64_t leading_zeros; /* numbers such as 007 */
    uint64_t beyond;        /* numbers such as 1e400 that exceed doubles and are in no histogram */
    uint64_t first_no_integer, first_no_number; /* record of the first other value, without words */
    uint64_t first_padded, first_twice_encoded;
    double distinct;        /* different values */
    bool distinct_is_exact; /* otherwise an estimate */
    /* The number of values minus the number of different values, among the values that the duplicate detector kept. */
    uint64_t duplicates;
    uint32_t key_share; /* one of 2^key_share hashes was kept; 0: all */
} assay_profile_counts;

ASSAY_API void assay_profile_get_counts(const assay_profile *profile, assay_profile_counts *counts);

/* Parts of values that often result from a mistake. */
enum {
    ASSAY_ANOMALY_NUL,         /* U+0000 */
    ASSAY_ANOMALY_CONTROL,     /* another character of general category Cc, except tab, LF and CR */
    ASSAY_ANOMALY_REPLACEMENT, /* U+FFFD, which replaces bytes that could not be decoded */
    ASSAY_ANOMALY_ZERO_WIDTH, /* U+200B to 200D, 2060 and FEFF, except joiners after letters and emoji that need them */
    ASSAY_ANOMALY_DIRECTION,  /* Bidi_Control */
    ASSAY_ANOMALY_NO_BREAK,   /* no-break spaces: U+00A0, 2007, 202F */
    ASSAY_ANOMALY_ENTITY,     /* &amp; or another name of HTML 4, &#233; or &#xE9; */
    ASSAY_ANOMALY_LINE_BREAK, /* LF or CR */
    ASSAY_ANOMALIES
};

/* The number of values that have an anomaly, and the smallest record number; UINT64_MAX: no value. */
typedef struct assay_profile_anomaly {
    uint64_t values, first_record;
} assay_profile_anomaly;

typedef struct assay_profile_anomalies {
    assay_profile_anomaly kinds[ASSAY_ANOMALIES];
    uint64_t max_lines, max_lines_record; /* of the values with line breaks; of several the first. 0: no such value */
} assay_profile_anomalies;

/* Borrowed from the profile. */
ASSAY_API const assay_profile_anomalies *assay_profile_get_anomalies(const assay_profile *profile);

/* The histograms of the lengths, in Unicode scalars, and of the numbers. Borrowed from the profile. */
ASSAY_API const assay_histogram *assay_profile_lengths(const assay_profile *profile);
ASSAY_API const assay_histogram *assay_profile_numbers(const assay_profile *profile);

/* Return the minimum and the maximum with all digits, if they are integers beyond 2^53, which the histogram rounds.
 * Empty if the histogram has them exactly, or if some number beyond 2^53 has a decimal sign or an exponent. Borrowed
 * from the profile. */
ASSAY_API assay_text assay_profile_min_integer(const assay_profile *profile);
ASSAY_API assay_text assay_profile_max_integer(const assay_profile *profile);

/* A number or day that often stands for a missing one. */
typedef struct assay_profile_placeholder {
    uint64_t values, first_record; /* UINT64_MAX: no value */
} assay_profile_placeholder;

enum { ASSAY_PLACEHOLDER_NUMBERS = 15, ASSAY_PLACEHOLDER_DAYS = 6 };

/* The placeholders among the numbers: -1, -9, -99 to -99999, 0, and 999 to 9999999999. */
typedef struct assay_profile_placeholders {
    assay_profile_placeholder numbers[ASSAY_PLACEHOLDER_NUMBERS];
    double min_other, max_other; /* of the other numbers, except infinite ones; min > max: no other numbers */
} assay_profile_placeholders;

/* The number of a placeholder. */
ASSAY_API double assay_profile_placeholder_number(size_t index);
/* Borrowed from the profile. */
ASSAY_API const assay_profile_placeholders *assay_profile_get_placeholders(const assay_profile *profile);

/* A value or shape with its count. The text is borrowed from the profile. */
typedef struct assay_profile_item {
    assay_text text;
    uint64_t count;
    uint64_t first_record;
    bool is_cut; /* the text is a prefix of the value or shape */
} assay_profile_item;

/* The words for missing values by index, NULL-terminated static texts; and the count of each. */
ASSAY_API const char *assay_profile_word(size_t index);
ASSAY_API uint64_t assay_profile_word_count(const assay_profile *profile, size_t index);

/* The individually counted values, in no order. 0: there are too many values, or no values. */
ASSAY_API size_t assay_profile_value_count(const assay_profile *profile);
ASSAY_API assay_profile_item assay_profile_value(const assay_profile *profile, size_t index);

/* The shapes. In a shape, A is an uppercase ASCII letter, a another ASCII letter, 9 a digit, U a character above ASCII,
 * byte 3 a control character; all other characters are themselves. Bit 128 of a letter or digit means one or more
 * characters of this kind. Byte 2 means that the shape is cut off.
 *
 *     FR-2024-17   AA-9999-99      Anna Lee   A⁺a⁺ A⁺a⁺ (with runs; ⁺ is the bit)
 *
 * Level 0: shapes without runs, except those over 32 characters. Level 1: all shapes with runs, because level 0 has too
 * many different shapes. Level 2: no shapes, because level 1 has too many. */
ASSAY_API unsigned assay_profile_shape_level(const assay_profile *profile);
ASSAY_API size_t assay_profile_shape_count(const assay_profile *profile);
ASSAY_API assay_profile_item assay_profile_shape(const assay_profile *profile, size_t index);

#define ASSAY_SHAPE_BYTES 48

/* Writes the shape of a value at level 0 or 1, and returns its length. */
ASSAY_API size_t assay_profile_write_shape(const uint8_t *ASSAY_COUNTED_BY(count) value ASSAY_NOESCAPE, size_t count,
                                           unsigned level, uint8_t shape[ASSAY_SHAPE_BYTES]);

/* The times of the values of a column. Must begin as assay_profile_no_times(). */
typedef struct assay_profile_times {
    int64_t first, last; /* dates: days since 1970-01-01; others: seconds; first > last: no values */
    uint64_t zoned;      /* values with a zone; their times are in UTC */
    /* Values on the days 0001-01-01, 1753-01-01, 1899-12-30, 1900-01-01, 1970-01-01 and 9999-12-31, and the range of
       the other values. Not for times of day. */
    assay_profile_placeholder days[ASSAY_PLACEHOLDER_DAYS];
    int64_t first_other, last_other;
} assay_profile_times;

ASSAY_API assay_profile_times assay_profile_no_times(void);

/* The day of a placeholder, since 1970-01-01. */
ASSAY_API int64_t assay_profile_placeholder_day(size_t index);

/* Adds the values of a column of a time type. The values of all rows outside `skip` must be of the type. */
ASSAY_API void assay_profile_add_times(assay_profile_times *times, const assay_type *type, const uint8_t *bytes,
                                       const assay_cell *cells, size_t count, const uint64_t *skip,
                                       assay_profile_rows rows);

/* The digits that a date or time must have beyond those that its format requires. */
typedef struct assay_written_digits {
    size_t length;        /* the length of each value; 0: any, and the following applies */
    uint32_t first, last; /* the min number of digits at the start and at the end, at most 4 */
} assay_written_digits;

/* Sets the bits of the values outside `skip` that lack the digits in `failed`. */
ASSAY_API void assay_profile_require_digits(assay_written_digits digits, const uint8_t *bytes, const assay_cell *cells,
                                            size_t count, const uint64_t *skip, uint64_t *failed);

/* Adds the values of `from`, each `times` times. */
ASSAY_API void assay_profile_merge_times(assay_profile_times *into, const assay_profile_times *from, uint64_t times);

#ifdef __cplusplus
}
#endif

#endif
