/* The state of the profile of a column, shared by the files that add, examine and merge values. */
#ifndef ASSAY_PROFILE_STATE_H
#define ASSAY_PROFILE_STATE_H

#include "assay/profile.h"

#include "Profile/profile_distinct.h"
#include "Profile/profile_keys.h"
#include "Profile/profile_number.h"
#include "Profile/profile_shape.h"
#include "Profile/profile_table.h"
#include "Profile/profile_values.h"
#include "Profile/profile_words.h"

#include <stdbool.h>

enum { profile_short_length = 256 };

/* A shape of earlier values, by their classes. */
typedef struct profile_known_shape {
    uint64_t classes[4];
    uint16_t length, scalars; /* scalars 0: not counted */
    uint32_t shape;           /* 1 + its index in `shapes`; 0: unknown */
} profile_known_shape;

/* A value in `values`. The words of a value of up to 16 bytes contain it, those of others its first and last bytes. */
typedef struct profile_known_value {
    uint64_t words[2];
    uint32_t length;
    uint32_t index; /* 1 + its index in `values`; 0: free */
} profile_known_value;

enum { profile_max_known_shape_bits = 9, profile_max_known_value_bits = 12 };

struct assay_profile {
    assay_profile_options options;
    assay_profile_counts counts;
    assay_profile_anomalies anomalies;
    assay_profile_placeholders placeholders;
    uint64_t words[profile_word_count];
    profile_table values;
    bool is_deferred; /* values in `values` are examined later */
    /* Gets the values that are examined later; NULL: no function. */
    void (*visit)(void *context, const assay_profile_deferred *values);
    void *visit_context;
    profile_known_value *known_values; /* 1 << known_value_bits entries, or NULL */
    unsigned known_value_bits;
    assay_distinct *sketch; /* NULL: `values` counts them exactly */
    profile_keys keys;
    profile_table shapes;
    unsigned shape_level;
    uint32_t last_shape; /* 1 + the index of the shape that was counted last; 0: it has no index */
    /* 1 << known_shape_bits entries, because writing and finding a shape takes long. */
    profile_known_shape *known_shapes;
    unsigned known_shape_bits;
    /* 1 + the index of the shape of a short number; 0: unknown. */
    uint32_t number_shapes[profile_number_forms];
    assay_histogram *lengths;
    assay_histogram *numbers;
    /* The extremes of the integers beyond ±2^53. */
    profile_integer min, greatest;
    bool has_large_fraction; /* a number beyond ±2^53 with a decimal separator or an exponent */
};

/* The counts of one call, which are added to the histograms at its end. */
typedef struct profile_parts {
    uint64_t lengths[profile_short_length]; /* the number of values of each length */
    size_t max_length;
    double numbers[profile_group_rows];
    size_t number_count;
} profile_parts;

/* A value that is not empty. */
typedef struct profile_cell {
    const uint8_t *text;
    size_t count, scalars;
    unsigned facts;  /* profile_is_… */
    bool has_ascii;  /* some characters are ASCII */
    uint32_t *shape; /* the place of its shape (known_shapes, number_shapes); NULL: it has no place */
    uint64_t record;
} profile_cell;

static inline void profile_note_first(uint64_t *first, uint64_t record)
{
    if (record < *first) *first = record;
}

static inline bool profile_may_begin_number(const assay_profile *profile, uint8_t first)
{
    return (first >= '0' && first <= '9') || first == '-' || first == '+' || first == profile->options.decimal;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Shapes: profile_shapes.c
 * ------------------------------------------------------------------------------------------------------------- */

/* The place of a shape. The shape is 0 if it is unknown. */
static inline profile_known_shape *profile_shape_place(assay_profile *profile, const uint64_t classes[4],
                                                       uint32_t length)
{
    const uint64_t mixed =
        (classes[0] + (classes[1] << 23 | classes[1] >> 41)) ^ (3 * classes[2] + classes[3]) ^ length;
    profile_known_shape *known =
        &profile->known_shapes[mixed * UINT64_C(0x9E3779B97F4A7C15) >> (64 - profile->known_shape_bits)];
    if (((known->classes[0] ^ classes[0]) | (known->classes[1] ^ classes[1]) | (known->classes[2] ^ classes[2]) |
         (known->classes[3] ^ classes[3]) | (known->length ^ length)) != 0) {
        *known = (profile_known_shape){{classes[0], classes[1], classes[2], classes[3]}, (uint16_t)length, 0, 0};
    }
    return known;
}

/* The place of the shape of a value with classes; NULL: it has no place. */
static inline profile_known_shape *profile_shape_place_of(assay_profile *profile, const uint64_t classes[4],
                                                          unsigned facts, size_t count)
{
    /* Only truncated shapes depend on the first characters alone. */
    const bool is_longer = count > profile_whole_length;
    if ((facts & profile_is_long) != 0 || (is_longer && !profile->options.has_no_runs)) return NULL;
    return profile_shape_place(profile, classes, is_longer ? profile_whole_length + 1 : (uint32_t)count);
}

/* Adds a shape `count` times. `profile->last_shape` becomes its place. Returns false if memory runs out. */
bool profile_add_shape(assay_profile *profile, const uint8_t *shape, size_t length, uint64_t count, uint64_t record);
/* Adds the shape of a value `times` times. */
bool profile_add_shape_of(assay_profile *profile, const profile_cell *value, uint64_t times);
/* Continues with the next level of shapes: recounts all shapes with runs, or discards them. */
bool profile_coarsen(assay_profile *profile);

/* ---------------------------------------------------------------------------------------------------------------
 * Single values: profile_examine.c
 * ------------------------------------------------------------------------------------------------------------- */

/* The facts of a value that is not empty. */
profile_cell profile_cell_of(const uint8_t *text, size_t count, unsigned facts, uint64_t record);
/* Updates all parts of the profile except the distinct values, and the count of `word` (profile_word_of), for a value
   that occurs `times` times. */
bool profile_examine(assay_profile *profile, const profile_cell *value, size_t word, uint64_t times, profile_parts *to);
/* Adds a number to the histogram, or to `to` for later. */
bool profile_count_number(assay_profile *profile, double number, uint64_t times, profile_parts *to);
/* Includes an integer beyond ±2^53 in the extremes, unless it is empty. */
void profile_widen(assay_profile *profile, const profile_integer *integer);
void profile_parts_begin(profile_parts *of);
/* Adds the counts that are kept during a call. */
bool profile_parts_add(assay_profile *profile, profile_parts *from);

/* ---------------------------------------------------------------------------------------------------------------
 * Distinct values, and deferred ones: profile_deferral.c
 * ------------------------------------------------------------------------------------------------------------- */

/* Adds the hash of an entry to the sketch `context`. */
void profile_pour(void *context, const profile_entry *entry);
/* Creates the sketch, which replaces exact counting when `values` overflows. */
bool profile_make_sketch(assay_profile *profile);
/* Adds a value `count` times to the distinct values. */
bool profile_add_value(assay_profile *profile, uint64_t hash, const uint8_t *text, size_t length, bool is_cut,
                       uint64_t count, uint64_t record);
/* Examines the values in a table that have not been examined. */
bool profile_examine_table(assay_profile *profile, const profile_table *table);
/* Examines all deferred values. */
bool profile_settle(assay_profile *profile);

#endif
