/* The reasons why values fail. Each reason is verified: white space around a value is the reason only if the value
   would pass without it. */
#include "Types/Builtin/builtin_reasons.h"

#include "Patterns/assay_scratch.h"
#include "Types/Builtin/builtin_definition.h"

static const assay_failure_reason reasons[] = {
#define BUILTIN_REASON_TEXT(name, key, text) {key, text},
    BUILTIN_REASONS(BUILTIN_REASON_TEXT)
#undef BUILTIN_REASON_TEXT
};

enum { reason_count = sizeof reasons / sizeof reasons[0], mended_capacity = 256 };

const assay_failure_reason *assay_failure_reason_at(size_t index)
{
    return index < reason_count ? &reasons[index] : NULL;
}

/* The value of a non-ASCII digit of two or three bytes, for the scripts of common keyboards; −1 for other
   characters. */
static int digit_of(const uint8_t *bytes, size_t count, size_t *length)
{
    *length = 0;
    if (count >= 2 && (bytes[0] == 0xD9 || bytes[0] == 0xDB)) {
        uint8_t zero = bytes[0] == 0xD9 ? 0xA0 : 0xB0; /* Arabic-Indic, and its eastern form */
        *length = 2;
        return bytes[1] >= zero && bytes[1] < zero + 10 ? bytes[1] - zero : -1;
    }
    if (count < 3) return -1;
    *length = 3;
    if (bytes[0] == 0xEF && bytes[1] == 0xBC && bytes[2] >= 0x90 && bytes[2] <= 0x99) return bytes[2] - 0x90;
    if (bytes[0] == 0xE0 && bytes[1] == 0xA5 && bytes[2] >= 0xA6 && bytes[2] <= 0xAF) return bytes[2] - 0xA6;
    return -1;
}

static bool is_separator(uint8_t byte) { return byte == ' ' || byte == '-' || byte == '.' || byte == '/'; }

/* Writes the value with the mistake of the reason corrected. Returns its length. */
static size_t mend(builtin_reason reason, const uint8_t *value, size_t count, uint8_t *mended)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = value[i];
        size_t length = 0;
        int digit = -1;
        if (reason == REASON_SEPARATORS && is_separator(byte)) continue;
        if (reason == REASON_CAPITALS) byte = builtin_lower(byte);
        if (reason == REASON_SMALL_LETTERS && byte >= 'a' && byte <= 'z') byte &= 0xDF;
        if (reason == REASON_OTHER_DIGITS) digit = digit_of(value + i, count - i, &length);
        if (digit >= 0) {
            byte = (uint8_t)('0' + digit);
            i += length - 1;
        }
        mended[used++] = byte;
    }
    return used;
}

static bool is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static const uint64_t each_one = UINT64_C(0x0101010101010101);
static const uint64_t each_high_bit = UINT64_C(0x8080808080808080);

/* Loads eight bytes of the value from `at` on, or its last eight bytes; a shorter value is padded with zeros. */
static inline uint64_t load(const uint8_t *value, size_t count, size_t at)
{
    uint64_t word = 0;
    if (count >= sizeof word) {
        memcpy(&word, value + (at < count - sizeof word ? at : count - sizeof word), sizeof word);
    } else {
        for (; at < count; at++) word = word << 8 | value[at];
    }
    return word;
}

/* Whether the value contains a byte from `low` to `high`, which must be ASCII and not NUL. */
static bool has_between(const uint8_t *value, size_t count, unsigned low, unsigned high)
{
    uint64_t found = 0;
    for (size_t at = 0; at < count; at += sizeof found) {
        const uint64_t word = load(value, count, at);
        const uint64_t ascii = word & ~each_high_bit;
        found |= (ascii + (0x80 - low) * each_one) & ~(ascii + (0x7F - high) * each_one) & ~word & each_high_bit;
    }
    return found != 0;
}

/* Whether mend() may change the value. */
static bool is_possible(builtin_reason reason, const uint8_t *value, size_t count)
{
    uint64_t all = 0;
    switch (reason) {
    case REASON_SEPARATORS:
        return has_between(value, count, ' ', ' ') || has_between(value, count, '-', '/');
    case REASON_CAPITALS:
        return has_between(value, count, 'A', 'Z');
    case REASON_SMALL_LETTERS:
        return has_between(value, count, 'a', 'z');
    default:
        for (size_t at = 0; at < count; at += sizeof all) all |= load(value, count, at);
        return (all & each_high_bit) != 0;
    }
}

/* The mistake that, once corrected, makes the value pass; REASON_NONE if no single correction does. */
static builtin_reason mendable(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    size_t start = 0;
    size_t end = count;
    while (end > start && (value[end - 1] == '\n' || value[end - 1] == '\r')) end--;
    if (end < count && assay_builtin_evaluate(type, scratch, value, end) == ASSAY_PASS) return REASON_LINE_END;
    while (end > start && is_space(value[end - 1])) end--;
    while (start < end && is_space(value[start])) start++;
    if (end - start < count && assay_builtin_evaluate(type, scratch, value + start, end - start) == ASSAY_PASS) {
        return REASON_SPACE_AROUND;
    }
    uint8_t mended[mended_capacity];
    if (count > sizeof mended) return REASON_NONE;
    const uint32_t tried = type->definition->mends | BUILTIN_MENDS(REASON_OTHER_DIGITS);
    for (builtin_reason reason = REASON_SEPARATORS; reason <= REASON_OTHER_DIGITS; reason++) {
        if ((tried & BUILTIN_MENDS(reason)) == 0 || !is_possible(reason, value, count)) continue;
        size_t length = mend(reason, value, count, mended);
        if (assay_builtin_evaluate(type, scratch, mended, length) == ASSAY_PASS) return reason;
    }
    return REASON_NONE;
}

static bool has_length(const assay_builtin *type, size_t count) { return count >= type->min && count <= type->max; }

/* Finds the reason. `has_shape`: length and pattern of the value are valid. */
static builtin_reason find(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count,
                           bool has_shape)
{
    const builtin_definition *definition = type->definition;
    if (count == 0) return REASON_EMPTY;
    builtin_reason reason = mendable(type, scratch, value, count);
    if (reason != REASON_NONE) return reason;
    if (definition->reason_of != NULL) {
        reason = definition->reason_of(type, value, count, has_shape);
    } else if (has_shape) {
        reason = definition->test_reason;
    }
    if (reason != REASON_NONE) return reason;
    return count < type->min ? REASON_TOO_SHORT : count > type->max ? REASON_TOO_LONG : REASON_NONE;
}

const assay_failure_reason *assay_builtin_reason(const assay_builtin *type, assay_scratch *scratch,
                                                 const uint8_t *value, size_t count)
{
    if (assay_builtin_evaluate(type, scratch, value, count) != ASSAY_FAIL) return NULL;
    bool has_shape = has_length(type, count);
    if (has_shape && type->pattern != NULL) {
        has_shape = assay_pattern_match(type->pattern, scratch, value, count) == ASSAY_PASS;
    }
    builtin_reason reason = find(type, scratch, value, count, has_shape);
    return reason == REASON_NONE ? NULL : &reasons[reason - 1];
}

const assay_failure_reason *assay_builtin_reason_beyond_form(const assay_builtin *type, assay_scratch *scratch,
                                                             const uint8_t *value, size_t count)
{
    const assay_failure_reason *reason = assay_builtin_reason(type, scratch, value, count);
    if (reason == NULL) return NULL;
    const ptrdiff_t code = reason - reasons + 1;
    return code >= REASON_EMPTY && code <= REASON_TOO_LONG ? NULL : reason;
}

/* The rows, among at most 64, with a valid length and pattern. */
static uint64_t rows_with_shape(const assay_builtin *type, assay_scratch *scratch, assay_column_view block,
                                uint64_t rows)
{
    uint64_t closed = ~rows;
    for (uint64_t rest = rows; rest != 0; rest &= rest - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rest);
        closed |= (uint64_t)!has_length(type, block.cells[row].length) << row;
    }
    if (type->pattern == NULL || closed == UINT64_MAX) return ~closed;
    uint64_t mismatched, unsure;
    block.skip = &closed;
    assay_pattern_column(type->pattern, scratch, &block, (assay_verdict_masks){&mismatched, &unsure});
    return ~(closed | mismatched | unsure);
}

void assay_builtin_reasons(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column,
                           const uint64_t *failed, uint8_t *found)
{
    for (size_t base = 0; base < column->count; base += 64) {
        uint64_t rows = failed[base / 64];
        if (rows == 0) continue;
        const uint64_t shaped = rows_with_shape(type, scratch, assay_column_part(column, base, 64), rows);
        for (; rows != 0; rows &= rows - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(rows);
            const assay_cell cell = column->cells[base + bit];
            const uint8_t *value = column->bytes + cell.start;
            found[base + bit] = (uint8_t)find(type, scratch, value, cell.length, (shaped >> bit & 1) != 0);
        }
    }
}
