/* The order of the values of a sorted column. Each value is read once and compared with its predecessor. */
#include "assay/keys.h"

#include "Types/assay_type.h"

#include <string.h>

static bool is_text(const assay_type *type) { return type == NULL || assay_type_kind(type) == ASSAY_KIND_STRING; }

static assay_order order_of_texts(assay_text left, assay_text right)
{
    const size_t shorter = left.count < right.count ? left.count : right.count;
    const int difference = shorter == 0 ? 0 : memcmp(left.bytes, right.bytes, shorter);
    if (difference != 0) return difference < 0 ? ASSAY_LESS : ASSAY_GREATER;
    return assay_order_of((int64_t)left.count, (int64_t)right.count);
}

/* Whether a value may follow another whose order to it is `order`. Values without an order do not. */
static bool may_follow(assay_sort sort, assay_order order)
{
    if (order == ASSAY_EQUAL) return !sort.strict;
    return order == (sort.descending ? ASSAY_GREATER : ASSAY_LESS);
}

static bool parse(const assay_type *type, assay_text text, assay_value *value)
{
    static const uint8_t empty[1] = {0};
    return assay_type_parse(type, text.bytes == NULL ? empty : text.bytes, text.count, value);
}

bool assay_sorted_follows(const assay_type *type, assay_sort sort, assay_text earlier, assay_text later)
{
    if (is_text(type)) return may_follow(sort, order_of_texts(earlier, later));
    assay_value left = {0};
    assay_value right = {0};
    if (!parse(type, earlier, &left) || !parse(type, later, &right)) return false;
    return may_follow(sort, assay_type_compare(type, &left, &right));
}

static assay_text text_at(const uint8_t *bytes, const size_t *ends, size_t index)
{
    const size_t start = index == 0 ? 0 : ends[index - 1];
    return (assay_text){bytes + start, ends[index] - start};
}

size_t assay_sorted_first_break(const assay_type *type, assay_sort sort, const uint8_t *bytes, const size_t *ends,
                                size_t from, size_t count)
{
    if (is_text(type)) {
        for (size_t i = from; i < count; i++) {
            const assay_order order = order_of_texts(text_at(bytes, ends, i - 1), text_at(bytes, ends, i));
            if (!may_follow(sort, order)) return i;
        }
        return count;
    }
    if (from >= count) return count;
    assay_value values[2];
    memset(values, 0, sizeof values);
    if (!parse(type, text_at(bytes, ends, from - 1), &values[(from - 1) % 2])) return from;
    for (size_t i = from; i < count; i++) {
        assay_value *value = &values[i % 2];
        if (!parse(type, text_at(bytes, ends, i), value)) return i;
        if (!may_follow(sort, assay_type_compare(type, &values[(i - 1) % 2], value))) return i;
    }
    return count;
}

bool assay_sorted_has_order(const assay_type *type, assay_text text)
{
    if (is_text(type)) return true;
    assay_value value = {0};
    return parse(type, text, &value) && assay_type_compare(type, &value, &value) == ASSAY_EQUAL;
}

void assay_sorted_take_out_unordered(const assay_type *type, const uint8_t *bytes, const assay_cell *cells,
                                     size_t count, uint64_t *rows)
{
    const assay_kind kind = type == NULL ? ASSAY_KIND_STRING : assay_type_kind(type);
    if (kind != ASSAY_KIND_NUMBER && kind != ASSAY_KIND_DURATION) return;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            const int bit = __builtin_ctzll(bits);
            const assay_cell cell = cells[word * 64 + (size_t)bit];
            const assay_text text = {bytes + cell.start, cell.length};
            if (!assay_sorted_has_order(type, text)) rows[word] &= ~(UINT64_C(1) << bit);
        }
    }
}

/* Order keys: the first byte is the class of the value, which `descending` does not reverse. A body ends with a byte
   that is smaller than all bytes that could follow, so no body is a prefix of another.

       "a\0b"        01 | 61 00 01 62 00 00                      NUL is written as 00 01, the end as 00 00
       -125          01 | 01 ~(80 00 00 00 00 00 00 03) ~"125" ~00    sign, exponent, digits
       10:00:00.25   01 | 80 00 00 00 00 00 8c a0 "25" 00         seconds, digits of the fraction
*/
enum { class_usual = 1, class_without_zone = 2 };

static size_t write_text_key(assay_text text, uint8_t *into)
{
    size_t count = 0;
    for (size_t i = 0; i < text.count; i++) {
        into[count++] = text.bytes[i];
        if (text.bytes[i] == 0) into[count++] = 1;
    }
    into[count++] = 0;
    into[count++] = 0;
    return count;
}

static size_t write_integer_key(int64_t integer, uint8_t *into)
{
    const uint64_t biased = (uint64_t)integer ^ (UINT64_C(1) << 63);
    for (size_t i = 0; i < 8; i++) into[i] = (uint8_t)(biased >> (56 - 8 * i));
    return 8;
}

static size_t write_decimal_key(const assay_decimal *decimal, uint8_t *into)
{
    size_t count = 0;
    into[count++] = (uint8_t)(decimal->sign + 2);
    if (decimal->sign == 0) return count;
    const bool is_infinite = decimal->form == ASSAY_DECIMAL_INFINITE;
    count += write_integer_key(is_infinite ? INT64_MAX : decimal->exponent, into + count);
    if (!is_infinite) count += assay_decimal_write_digits(decimal, into + count);
    into[count++] = 0;
    for (size_t i = 1; i < count && decimal->sign < 0; i++) into[i] = (uint8_t)~into[i];
    return count;
}

static size_t write_body_key(const assay_type *type, const assay_value *value, uint8_t *into)
{
    const assay_kind kind = assay_type_kind(type);
    if (kind == ASSAY_KIND_INTEGER || kind == ASSAY_KIND_NUMBER) return write_decimal_key(&value->decimal, into);
    size_t count = write_integer_key(value->integer, into);
    if (value->fraction.count > 0) memcpy(into + count, value->fraction.digits, value->fraction.count);
    count += value->fraction.count;
    into[count++] = 0;
    return count;
}

size_t assay_sorted_key(const assay_type *type, bool descending, assay_text text, uint8_t *into)
{
    into[0] = class_usual;
    size_t count = 1;
    if (is_text(type)) {
        count += write_text_key(text, into + 1);
    } else {
        assay_value value = {0};
        if (!parse(type, text, &value) || assay_type_compare(type, &value, &value) != ASSAY_EQUAL) return 0;
        if (assay_type_kind(type) == ASSAY_KIND_DATETIME && !value.has_zone) into[0] = class_without_zone;
        count += write_body_key(type, &value, into + 1);
    }
    for (size_t i = 1; i < count && descending; i++) into[i] = (uint8_t)~into[i];
    return count;
}
