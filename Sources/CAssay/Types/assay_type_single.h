/* Types with a single value per text: all but LIST, ARRAY and OBJECT. The items of a list are of such a type. */
#ifndef ASSAY_TYPE_SINGLE_H
#define ASSAY_TYPE_SINGLE_H

#include "Types/assay_format.h"
#include "Types/assay_list.h"
#include "Types/assay_value.h"

#include <string.h>

struct assay_type {
    assay_kind kind;
    assay_decimal_style style; /* integer, number; the texts are in `storage` */
    assay_format *format;      /* NULL: the ISO form */
    assay_list list;           /* list; the delimiter is in `storage` */
    assay_type *item;          /* list: the type of the items; NULL: strings */
    bool is_json;              /* list */
    assay_text *words;         /* boolean: the true words, then the false words */
    size_t true_count;
    size_t word_count;
    uint8_t *storage;
};

/* assay_type_parse(), assay_type_equal() and assay_type_hash() for these types. */
bool assay_type_parse_single(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value);
bool assay_type_equal_singles(const assay_type *type, const assay_value *left, const assay_value *right);
uint64_t assay_type_hash_single(const assay_type *type, const assay_value *value);

static inline bool assay_type_same_text(assay_text left, assay_text right)
{
    return left.count == right.count && (left.count == 0 || memcmp(left.bytes, right.bytes, left.count) == 0);
}

#endif
