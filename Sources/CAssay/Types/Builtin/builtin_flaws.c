/* What is wrong with a value that failed. What can be said is proved: a value is said to have white space around it when
   it would pass without. */
#include "Types/Builtin/builtin_flaws.h"

#include "Types/Builtin/builtin_definition.h"

static const assay_flaw flaws[] = {
#define BUILTIN_FLAW_TEXT(name, key, text) {key, text},
    BUILTIN_FLAWS(BUILTIN_FLAW_TEXT)
#undef BUILTIN_FLAW_TEXT
};

enum { flaw_count = sizeof flaws / sizeof flaws[0], mended_capacity = 256 };

const assay_flaw *assay_flaw_at(size_t index) { return index < flaw_count ? &flaws[index] : NULL; }

/* The digit that a scalar of UTF-8 with two or three bytes is, −1 if none: of the scripts that keyboards write. */
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

/* Writes the value with what the flaw says mended. Returns its length; `count` itself when there is nothing to mend. */
static size_t mend(builtin_flaw flaw, const uint8_t *value, size_t count, uint8_t *mended, bool *differs)
{
    size_t used = 0;
    *differs = false;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = value[i];
        size_t length = 0;
        int digit = -1;
        if (flaw == FLAW_SEPARATORS && (byte == ' ' || byte == '-' || byte == '.' || byte == '/')) continue;
        if (flaw == FLAW_CAPITALS) byte = builtin_lower(byte);
        if (flaw == FLAW_SMALL_LETTERS && byte >= 'a' && byte <= 'z') byte &= 0xDF;
        if (flaw == FLAW_OTHER_DIGITS) digit = digit_of(value + i, count - i, &length);
        if (digit >= 0) {
            byte = (uint8_t)('0' + digit);
            i += length - 1;
        }
        mended[used++] = byte;
    }
    *differs = used != count || memcmp(mended, value, count) != 0;
    return used;
}

static bool is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* The flaw without which the value would pass. */
static builtin_flaw mendable(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    size_t start = 0;
    size_t end = count;
    while (end > start && (value[end - 1] == '\n' || value[end - 1] == '\r')) end--;
    if (end < count && assay_builtin_judge(type, scratch, value, end) == ASSAY_PASS) return FLAW_LINE_END;
    while (end > start && is_space(value[end - 1])) end--;
    while (start < end && is_space(value[start])) start++;
    if (end - start < count && assay_builtin_judge(type, scratch, value + start, end - start) == ASSAY_PASS) {
        return FLAW_SPACE_AROUND;
    }
    uint8_t mended[mended_capacity];
    if (count > sizeof mended) return FLAW_NONE;
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++) all |= value[i];
    const uint32_t tried = type->definition->mends | (all < 0x80 ? 0 : BUILTIN_MENDS(FLAW_OTHER_DIGITS));
    for (builtin_flaw flaw = FLAW_SEPARATORS; flaw <= FLAW_OTHER_DIGITS; flaw++) {
        if ((tried & BUILTIN_MENDS(flaw)) == 0) continue;
        bool differs;
        size_t length = mend(flaw, value, count, mended, &differs);
        if (differs && assay_builtin_judge(type, scratch, mended, length) == ASSAY_PASS) return flaw;
    }
    return FLAW_NONE;
}

static builtin_flaw find(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    const builtin_definition *definition = type->definition;
    if (count == 0) return FLAW_EMPTY;
    builtin_flaw flaw = mendable(type, scratch, value, count);
    if (flaw != FLAW_NONE) return flaw;
    bool has_shape = count >= type->fewest && count <= type->most;
    if (has_shape && type->pattern != NULL) {
        has_shape = assay_pattern_match(type->pattern, scratch, value, count) == ASSAY_PASS;
    }
    if (definition->flaw_of != NULL) {
        flaw = definition->flaw_of(type, value, count, has_shape);
    } else if (has_shape) {
        flaw = definition->test_flaw;
    }
    if (flaw != FLAW_NONE) return flaw;
    return count < type->fewest ? FLAW_TOO_SHORT : count > type->most ? FLAW_TOO_LONG : FLAW_NONE;
}

const assay_flaw *assay_builtin_flaw(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                     size_t count)
{
    if (assay_builtin_judge(type, scratch, value, count) != ASSAY_FAIL) return NULL;
    builtin_flaw flaw = find(type, scratch, value, count);
    return flaw == FLAW_NONE ? NULL : &flaws[flaw - 1];
}
