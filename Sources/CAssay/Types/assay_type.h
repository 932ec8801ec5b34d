/* Reading and comparing values of types. */
#ifndef ASSAY_TYPE_H
#define ASSAY_TYPE_H

#include "Types/assay_format.h"
#include "Types/assay_prefilter.h"
#include "Types/assay_value.h"

assay_kind assay_type_kind(const assay_type *type);

/* The style of an INTEGER or NUMBER. */
const assay_decimal_style *assay_type_style(const assay_type *type);

/* The format; NULL for the ISO form, and for types other than dates and times. */
const assay_format *assay_type_format(const assay_type *type);

/* One end of a range of values. */
typedef struct assay_type_bound {
    bool is_open;
    bool exclusive;
    assay_value value;
} assay_type_bound;

/* Write a prefilter for values of the type, or for its values in a range, if one exists (assay_type_prefilter.c). */
void assay_type_write_prefilter(const assay_type *type, assay_prefilter *into);
void assay_type_write_range_prefilter(const assay_type *type, const assay_type_bound *lower,
                                      const assay_type_bound *upper, assay_prefilter *into);

/* Reads the whole text as a value of the type. Returns false if the text is not a value. `bytes` must not be NULL. The
   value points into `bytes`. Every text is a STRING; its value is not written. */
bool assay_type_parse(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value);

/* assay_type_parse() for values in rules, which write a LIST with delimiters, even if the cells are JSON. */
bool assay_type_parse_written(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value);

/* Whether the text is of the type; ARRAY, OBJECT and LIST may be undecided. */
assay_verdict assay_type_evaluate(const assay_type *type, const uint8_t *bytes, size_t count);

/* Whether values have items, elements or members, and the number in one value. */
bool assay_type_has_members(const assay_type *type);
assay_verdict assay_type_count_members(const assay_type *type, const uint8_t *bytes, size_t count, size_t *members);

/* The order of two values of the type. Not for STRING, BOOLEAN and types with members
   (assay_type_single.c). */
assay_order assay_type_compare(const assay_type *type, const assay_value *left, const assay_value *right);

/* Whether two values are equal as members of a set: NaN equals NaN, and a datetime with a zone never equals one
   without. Not for ARRAY and OBJECT; compare their canonical forms instead (assay_json_text.h). */
bool assay_type_equal(const assay_type *type, const assay_value *left, const assay_value *right);

/* A hash that is the same for equal values. Not for STRING, ARRAY and OBJECT. */
uint64_t assay_type_hash(const assay_type *type, const assay_value *value);

#endif
