/* assay/rows.h: columns of values, for rules between the columns of a row. It continues assay/core.h and follows the
 * rules for every function there.
 *
 *     start  2026-01-31  2026-02-28 …    ──► 1769817600  1772236800 …      seconds since 1970
 *     price  12.50       3.999      …    ──► 12500       3999       …      times 10^3, the scale of the column
 *
 * A value of a row is a 64-bit number: an integer; a decimal number times a power of ten; the seconds of a time or of a
 * duration; 1 or 0 for a Boolean. Values that do not fit, such as 10^20 or a fraction of a second, are not computed:
 * their rows are set in a mask `uncomputed`, and the caller must compute them in another way. Functions only set bits
 * of `uncomputed` and never clear them.
 *
 * All functions take columns of `count` rows and masks of `count` bits. They take O(count), or for texts O(their
 * bytes). */
#ifndef ASSAY_ROWS_H
#define ASSAY_ROWS_H

#include "core.h"
#include "numbers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------------
 * 1  Values of cells
 * ------------------------------------------------------------------------------------------------------------- */

/* The maximum number of decimal places. */
enum { ASSAY_ROW_MAX_SCALE = 18 };

/* Reads the cells of any type but STRING, for the rows whose bit in `skip` is not set. `scales` is for NUMBER and
 * receives the number of decimal places of each value; otherwise NULL. A date is its first second in UTC, a datetime
 * without a zone is in UTC, a time of day is the duration since midnight, a yearmonth is its first day, and a year is
 * an integer. Cells that are not of the type, NaN, infinities and durations with months are `uncomputed`. The values of
 * skipped rows and of `uncomputed` are 0. */
ASSAY_API void assay_row_values(const assay_type *type, const uint8_t *bytes,
                                const assay_cell *ASSAY_COUNTED_BY(count) cells, size_t count, const uint64_t *skip,
                                int64_t *ASSAY_COUNTED_BY(count) values, uint8_t *scales, uint64_t *uncomputed);

/* The conversion of numbers in memory to values of rows. The quotient of a number and `divisor` is multiplied by
 * `factor`; the result has `scale` decimal places.
 *
 *     days                        factor 86400
 *     milliseconds of whole days  factor 86400, divisor 86400000, rounds_down
 *     microseconds                divisor 1000000
 *     decimal128(12, 2)           scale 2 */
typedef struct assay_row_unit {
    int64_t factor;   /* at least 1 */
    int64_t divisor;  /* at least 1; 1 for floating-point numbers */
    bool rounds_down; /* whether a remainder is ignored; otherwise its row is `unread` */
    uint8_t scale;    /* at most ASSAY_ROW_MAX_SCALE; 0 for floating-point numbers */
} assay_row_unit;

/* Reads numbers of a column. `scales` may be NULL for numbers that are not floating-point; it receives the number of
 * decimal places of each value. A floating-point number is the decimal number with the fewest digits that rounds to it.
 * Sets the bits of `unread` for the values that do not fit, for NaN and infinities, and for floating-point numbers with
 * many digits, and clears the others. The values of `unread` rows are 0. */
ASSAY_API void assay_row_numbers(assay_number_form form, const assay_row_unit *unit, const void *numbers, size_t count,
                                 int64_t *ASSAY_COUNTED_BY(count) values, uint8_t *scales, uint64_t *unread);

/* Converts numbers to one scale, the maximum of theirs, and returns it. */
ASSAY_API unsigned assay_row_align(int64_t *ASSAY_COUNTED_BY(count) values,
                                   const uint8_t *ASSAY_COUNTED_BY(count) scales, size_t count, uint64_t *uncomputed);

/* Multiplies by 10^digits, with `digits` at most ASSAY_ROW_MAX_SCALE. */
ASSAY_API void assay_row_shift(const int64_t *ASSAY_COUNTED_BY(count) values, size_t count, unsigned digits,
                               int64_t *ASSAY_COUNTED_BY(count) result, uint64_t *uncomputed);

/* A value that may not fit 64 bits. */
typedef struct assay_row_exact {
    int64_t high; /* integer, number: the coefficient is high × 2^64 + low */
    uint64_t low;
    int32_t scale;       /* number: decimal places, at least 0 */
    int32_t nanoseconds; /* of a time, at least 0 */
    int64_t seconds;     /* of a time; 1 or 0 of a Boolean; a year */
} assay_row_exact;

/* Reads the value of one cell, of up to 36 digits, and nine of a second. Returns false if the text is not of the type
 * or does not fit. */
ASSAY_API bool assay_row_exact_value(const assay_type *type, const uint8_t *ASSAY_COUNTED_BY(count) bytes, size_t count,
                                     assay_row_exact *value);

/* ---------------------------------------------------------------------------------------------------------------
 * 2  Arithmetic
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum ASSAY_CLOSED_ENUM assay_row_operator {
    ASSAY_ROW_ADD = 0,
    ASSAY_ROW_SUBTRACT,
    ASSAY_ROW_MULTIPLY,
    ASSAY_ROW_DIVIDE, /* towards zero */
    ASSAY_ROW_MODULO, /* with the sign of the dividend */
} assay_row_operator;

/* Computes row by row. Rows with overflow or division by zero become `uncomputed`. `result` may be one of the operands.
 * */
ASSAY_API void assay_row_compute(assay_row_operator operation, const int64_t *ASSAY_COUNTED_BY(count) left,
                                 const int64_t *ASSAY_COUNTED_BY(count) right, size_t count,
                                 int64_t *ASSAY_COUNTED_BY(count) result, uint64_t *uncomputed);

/* The parts of a point in time, in UTC. */
typedef enum ASSAY_CLOSED_ENUM assay_row_part {
    ASSAY_ROW_YEAR = 0,
    ASSAY_ROW_MONTH,       /* 0 to 11 */
    ASSAY_ROW_DAY,         /* of the month, 1 to 31 */
    ASSAY_ROW_DAY_OF_WEEK, /* 0 is Sunday */
    ASSAY_ROW_DAY_OF_YEAR, /* 0 to 365 */
    ASSAY_ROW_HOUR,
    ASSAY_ROW_MINUTE,
    ASSAY_ROW_SECOND,
} assay_row_part;

ASSAY_API void assay_row_parts(assay_row_part part, const int64_t *ASSAY_COUNTED_BY(count) times, size_t count,
                               int64_t *ASSAY_COUNTED_BY(count) result);

/* ---------------------------------------------------------------------------------------------------------------
 * 3  Comparisons: all words of the masks are written
 * ------------------------------------------------------------------------------------------------------------- */

typedef enum ASSAY_CLOSED_ENUM assay_row_relation {
    ASSAY_ROW_EQUAL = 0,
    ASSAY_ROW_LESS,
    ASSAY_ROW_LESS_OR_EQUAL,
} assay_row_relation;

ASSAY_API void assay_row_compare(assay_row_relation relation, const int64_t *ASSAY_COUNTED_BY(count) left,
                                 const int64_t *ASSAY_COUNTED_BY(count) right, size_t count, uint64_t *mask);

/* A column of texts. */
typedef struct assay_row_texts {
    const uint8_t *bytes;
    const assay_cell *cells;
} assay_row_texts;

/* Compares by code points, which is the byte order of UTF-8. */
ASSAY_API void assay_row_compare_texts(assay_row_relation relation, assay_row_texts left, assay_row_texts right,
                                       size_t count, uint64_t *mask);

typedef enum ASSAY_CLOSED_ENUM assay_row_place {
    ASSAY_ROW_AT_START = 0,
    ASSAY_ROW_AT_END,
    ASSAY_ROW_ANYWHERE,
} assay_row_place;

/* Tests whether the left text has the right one at `place`. */
ASSAY_API void assay_row_find(assay_row_place place, assay_row_texts left, assay_row_texts right, size_t count,
                              uint64_t *mask);

/* Writes the lengths of texts in code points. */
ASSAY_API void assay_row_sizes(assay_row_texts texts, size_t count, int64_t *ASSAY_COUNTED_BY(count) sizes);

#ifdef __cplusplus
}
#endif

#endif
