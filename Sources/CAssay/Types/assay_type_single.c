#include "Types/assay_type_single.h"

#include "Bytes/assay_hash.h"
#include "Types/assay_temporal.h"
#include "Types/assay_type.h"

static bool is_decimal(const assay_type *type)
{
    return type->kind == ASSAY_KIND_INTEGER || type->kind == ASSAY_KIND_NUMBER;
}

static bool parse_boolean(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value)
{
    for (size_t i = 0; i < type->word_count; i++) {
        if (assay_type_same_text(type->words[i], (assay_text){bytes, count})) {
            value->integer = i < type->true_count;
            return true;
        }
    }
    return false;
}

bool assay_type_parse_single(const assay_type *type, const uint8_t *bytes, size_t count, assay_value *value)
{
    if (is_decimal(type)) {
        return assay_decimal_parse(&type->style, bytes, count, &value->decimal);
    }
    value->has_zone = false;
    value->fraction = (assay_fraction){NULL, 0};
    if (type->format != NULL) return assay_format_parse(type->format, bytes, count, value);
    switch (type->kind) {
    case ASSAY_KIND_STRING:
        return true;
    case ASSAY_KIND_INTEGER:
    case ASSAY_KIND_NUMBER:
        break; /* above */
    case ASSAY_KIND_BOOLEAN:
        return parse_boolean(type, bytes, count, value);
    case ASSAY_KIND_DATE:
        return assay_date_parse(bytes, count, value);
    case ASSAY_KIND_TIME:
        return assay_time_parse(bytes, count, value);
    case ASSAY_KIND_DATETIME:
        return assay_datetime_parse(bytes, count, value);
    case ASSAY_KIND_YEAR:
        return assay_year_parse(bytes, count, value);
    case ASSAY_KIND_YEARMONTH:
        return assay_yearmonth_parse(bytes, count, value);
    case ASSAY_KIND_DURATION:
        return assay_duration_parse(bytes, count, value);
    case ASSAY_KIND_LIST:
    case ASSAY_KIND_ARRAY:
    case ASSAY_KIND_OBJECT:
        break; /* assay_type_parse() */
    }
    return false;
}

assay_order assay_type_compare(const assay_type *type, const assay_value *left, const assay_value *right)
{
    if (is_decimal(type)) {
        bool has_nan = left->decimal.form == ASSAY_DECIMAL_NAN || right->decimal.form == ASSAY_DECIMAL_NAN;
        return has_nan ? ASSAY_UNORDERED : (assay_order)assay_decimal_compare(&left->decimal, &right->decimal);
    }
    if (type->kind == ASSAY_KIND_DURATION) return assay_duration_compare(left, right);
    if (left->has_zone != right->has_zone) return ASSAY_UNORDERED;
    if (left->integer != right->integer) return assay_order_of(left->integer, right->integer);
    return assay_fraction_compare(left->fraction, right->fraction);
}

bool assay_type_equal_singles(const assay_type *type, const assay_value *left, const assay_value *right)
{
    if (is_decimal(type)) {
        bool left_nan = left->decimal.form == ASSAY_DECIMAL_NAN;
        bool right_nan = right->decimal.form == ASSAY_DECIMAL_NAN;
        if (left_nan || right_nan) return left_nan && right_nan;
        return assay_decimal_compare(&left->decimal, &right->decimal) == 0;
    }
    if (type->kind == ASSAY_KIND_DURATION) {
        if (left->too_large || right->too_large) return false;
        if (left->sign != right->sign || left->months != right->months) return false;
    }
    return left->has_zone == right->has_zone && left->integer == right->integer &&
           assay_fraction_compare(left->fraction, right->fraction) == ASSAY_EQUAL;
}

uint64_t assay_type_hash_single(const assay_type *type, const assay_value *value)
{
    if (is_decimal(type)) return assay_decimal_hash(&value->decimal);
    uint64_t hash = assay_hash_mix((uint64_t)value->integer, value->has_zone);
    if (type->kind == ASSAY_KIND_DURATION) {
        hash = assay_hash_mix(hash, (uint64_t)value->months * 4 + (uint64_t)(value->sign + 1));
    }
    return assay_hash_mix(hash, assay_hash_bytes(value->fraction.digits, value->fraction.count));
}
