/* Types at work: reading values, comparing them. */
#ifndef ASSAY_TYPE_H
#define ASSAY_TYPE_H

#include "Types/assay_format.h"
#include "Types/assay_prefilter.h"
#include "Types/assay_value.h"

assay_kind assay_type_kind(const assay_type *type);

/* Of INTEGER and NUMBER. */
const assay_decimal_style *assay_type_style(const assay_type *type);

/* NULL: the ISO form, or no type of time. */
const assay_format *assay_type_format(const assay_type *type);

/* One end of a range of values. */
typedef struct assay_type_bound {
    bool is_open;
    bool exclusive;
    assay_value value;
} assay_type_bound;

/* Writes a prefilter for values of the type, or for those in a range, if there is one
 * (assay_type_prefilter.c). */
void assay_type_write_prefilter(const assay_type *type, assay_prefilter *into);
void assay_type_write_range_prefilter(const assay_type *type, const assay_type_bound *lower,
                                      const assay_type_bound *upper, assay_prefilter *into);

/* Reads the whole text as the type means it; false if it is not of the type. `bytes` is not NULL. The value points into
   `bytes`. Any text is a STRING, and nothing is then written. */
bool assay_type_parse(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value);

/* The same for a value as rules write it: of a LIST in JSON the one with delimiters. */
bool assay_type_parse_written(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value);

/* Whether the text is of the type; ARRAY, OBJECT and LIST may be undecided. */
assay_verdict assay_type_judge(const assay_type *type, const uint8_t *bytes, size_t count);

/* Whether values have items, elements or members; and how many one has. */
bool assay_type_has_members(const assay_type *type);
assay_verdict assay_type_count_members(const assay_type *type, const uint8_t *bytes, size_t count, size_t *members);

/* The order of two values of the type. Not for STRING, BOOLEAN and those with members. */
assay_order assay_type_compare(const assay_type *type, const assay_value *left, const assay_value *right);

/* Whether two values mean the same: for sets, so NaN equals NaN, and a datetime with a zone never one without. Not for ARRAY
   and OBJECT, whose canonical forms are compared (assay_json_text.h). */
bool assay_type_equal(const assay_type *type, const assay_value *left, const assay_value *right);

/* Equal values have equal hashes. Not for STRING, ARRAY and OBJECT. */
uint64_t assay_type_hash(const assay_type *type, const assay_value *value);

#endif
