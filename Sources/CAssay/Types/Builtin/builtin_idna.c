#include "Types/Builtin/builtin_idna.h"

#include "Bytes/assay_scalars.h"
#include "Bytes/assay_utf8.h"
#include "Types/Builtin/builtin_definition.h"
#include "Types/Builtin/builtin_tables.h"
#include "Unicode/assay_normal_form.h"
#include "Unicode/assay_unicode.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Properties of scalars: the fields of unicode_values, as packed by generate-tables.py
 * ------------------------------------------------------------------------------------------------------------- */

enum { IDNA_DISALLOWED = 0, IDNA_VALID = 1, IDNA_JOINER = 2, IDNA_IN_CONTEXT = 3 };
enum { BIDI_L = 0, BIDI_R, BIDI_AL, BIDI_AN, BIDI_EN, BIDI_ES, BIDI_CS, BIDI_ET, BIDI_ON, BIDI_BN, BIDI_NSM };
enum { JOINING_D = 1, JOINING_L, JOINING_R, JOINING_T };
enum { SCRIPT_GREEK = 1, SCRIPT_HEBREW, SCRIPT_HIRAGANA, SCRIPT_KATAKANA, SCRIPT_HAN };
enum { CLASS_VIRAMA = 9 };

static uint32_t properties_of(uint32_t scalar) { return assay_unicode_properties(scalar); }

static unsigned idna_class(uint32_t properties) { return properties & 3; }
static unsigned bidi_class(uint32_t properties) { return properties >> 2 & 15; }
static unsigned joining_type(uint32_t properties) { return properties >> 6 & 7; }
static bool is_mark(uint32_t properties) { return (properties >> 9 & 1) != 0; }
static unsigned script(uint32_t properties) { return properties >> 10 & 7; }

bool builtin_starts_identifier(uint32_t scalar) { return scalar <= 0x10FFFF && (properties_of(scalar) >> 22 & 1) != 0; }

bool builtin_continues_identifier(uint32_t scalar)
{
    return scalar <= 0x10FFFF && (properties_of(scalar) >> 23 & 1) != 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Reading
 * ------------------------------------------------------------------------------------------------------------- */

bool idna_label_read(const uint8_t *bytes, size_t count, idna_label *label)
{
    label->count = 0;
    for (size_t at = 0; at < count;) {
        if (label->count == IDNA_LABEL_SCALARS) return false;
        size_t length = assay_utf8_character(bytes + at, count - at);
        if (length == 0) return false;
        label->scalars[label->count++] = character_at(bytes + at, &length);
        at += length;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Normalization form C
 * ------------------------------------------------------------------------------------------------------------- */

bool idna_label_compose(idna_label *label)
{
    enum { MAX = ASSAY_CANONICAL_DECOMPOSITION_MAX * IDNA_LABEL_SCALARS };
    size_t stable = 0;
    while (stable < label->count && assay_unicode_is_stable(properties_of(label->scalars[stable]))) stable++;
    if (stable == label->count) return true;
    uint32_t text[MAX];
    uint32_t spare[MAX];
    size_t count = 0;
    for (size_t i = 0; i < label->count; i++) {
        count += assay_normal_form_decompose(label->scalars[i], false, text + count);
    }
    assay_normal_form_order(text, spare, count);
    count = assay_normal_form_compose(text, count);
    if (count > IDNA_LABEL_SCALARS) return false;
    memcpy(label->scalars, text, count * sizeof text[0]);
    label->count = count;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Lowercase
 * ------------------------------------------------------------------------------------------------------------- */

static uint32_t small_letter(uint32_t scalar)
{
    if (scalar < 0x80) return builtin_lower((uint8_t)scalar);
    if (idna_class(properties_of(scalar)) != IDNA_DISALLOWED) return scalar;
    size_t low = 0;
    size_t high = builtin_capital_run_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const builtin_capitals *run = &builtin_capital_runs[middle];
        if (scalar < run->first) {
            high = middle;
        } else if (scalar > run->last) {
            low = middle + 1;
        } else {
            return (scalar - run->first) % run->step == 0 ? (uint32_t)((int32_t)scalar + run->to_small) : scalar;
        }
    }
    return scalar;
}

bool idna_label_map(idna_label *label)
{
    for (size_t i = 0; i < label->count; i++) label->scalars[i] = small_letter(label->scalars[i]);
    return idna_label_compose(label);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Labels
 * ------------------------------------------------------------------------------------------------------------- */

/* A label with the Unicode properties of each scalar. */
typedef struct described {
    const uint32_t *scalars;
    uint32_t properties[IDNA_LABEL_SCALARS];
    size_t count;
} described;

/* Whether a joiner is valid at its place (RFC 5892, appendix A.1 and A.2). */
static bool joiner_fits(const described *label, size_t place)
{
    if (place == 0) return false;
    if (assay_unicode_combining_class(label->properties[place - 1]) == CLASS_VIRAMA) return true;
    if (label->scalars[place] != 0x200C) return false;
    size_t before = place;
    while (before > 0 && joining_type(label->properties[before - 1]) == JOINING_T) before--;
    unsigned left = before == 0 ? 0 : joining_type(label->properties[before - 1]);
    size_t after = place + 1;
    while (after < label->count && joining_type(label->properties[after]) == JOINING_T) after++;
    unsigned right = after == label->count ? 0 : joining_type(label->properties[after]);
    return (left == JOINING_L || left == JOINING_D) && (right == JOINING_R || right == JOINING_D);
}

static bool has_scalar_in(const described *label, uint32_t first, uint32_t last)
{
    for (size_t i = 0; i < label->count; i++) {
        if (label->scalars[i] >= first && label->scalars[i] <= last) return true;
    }
    return false;
}

static bool has_japanese(const described *label)
{
    for (size_t i = 0; i < label->count; i++) {
        if (script(label->properties[i]) >= SCRIPT_HIRAGANA) return true;
    }
    return false;
}

/* Whether a scalar with a context rule is valid at its place (RFC 5892, appendix A.3 to A.9). */
static bool context_fits(const described *label, size_t place)
{
    bool has_before = place > 0;
    bool has_after = place + 1 < label->count;
    switch (label->scalars[place]) {
    case 0xB7:
        return has_before && has_after && label->scalars[place - 1] == 'l' && label->scalars[place + 1] == 'l';
    case 0x375:
        return has_after && script(label->properties[place + 1]) == SCRIPT_GREEK;
    case 0x5F3:
    case 0x5F4:
        return has_before && script(label->properties[place - 1]) == SCRIPT_HEBREW;
    case 0x30FB:
        return has_japanese(label);
    default: /* a label must not contain both kinds of Arabic digits */
        if (label->scalars[place] <= 0x669) return !has_scalar_in(label, 0x6F0, 0x6F9);
        return !has_scalar_in(label, 0x660, 0x669);
    }
}

static bool is_valid(const described *label)
{
    const uint32_t *scalars = label->scalars;
    size_t count = label->count;
    if (count == 0 || scalars[0] == '-' || scalars[count - 1] == '-' || is_mark(label->properties[0])) return false;
    if (count >= 4 && scalars[2] == '-' && scalars[3] == '-') return false;
    for (size_t i = 0; i < count; i++) {
        unsigned class = idna_class(label->properties[i]);
        if (class == IDNA_DISALLOWED) return false;
        if (class == IDNA_JOINER && !joiner_fits(label, i)) return false;
        if (class == IDNA_IN_CONTEXT && !context_fits(label, i)) return false;
    }
    return true;
}

static bool is_composed(const described *label)
{
    size_t stable = 0;
    while (stable < label->count && assay_unicode_is_stable(label->properties[stable])) stable++;
    if (stable == label->count) return true;
    idna_label copy = {.count = label->count};
    memcpy(copy.scalars, label->scalars, label->count * sizeof copy.scalars[0]);
    return idna_label_compose(&copy) && copy.count == label->count &&
           memcmp(copy.scalars, label->scalars, copy.count * sizeof copy.scalars[0]) == 0;
}

/* Whether a label obeys RFC 5893, section 2, conditions 1 to 6. */
static bool obeys_bidi(const described *label)
{
    static const uint32_t in_rtl = 1u << BIDI_R | 1u << BIDI_AL | 1u << BIDI_AN | 1u << BIDI_EN | 1u << BIDI_ES |
                                   1u << BIDI_CS | 1u << BIDI_ET | 1u << BIDI_ON | 1u << BIDI_BN | 1u << BIDI_NSM;
    static const uint32_t in_ltr = 1u << BIDI_L | 1u << BIDI_EN | 1u << BIDI_ES | 1u << BIDI_CS | 1u << BIDI_ET |
                                   1u << BIDI_ON | 1u << BIDI_BN | 1u << BIDI_NSM;
    static const uint32_t ends_rtl = 1u << BIDI_R | 1u << BIDI_AL | 1u << BIDI_EN | 1u << BIDI_AN;
    static const uint32_t ends_ltr = 1u << BIDI_L | 1u << BIDI_EN;
    if (label->count == 0) return true;
    unsigned first = bidi_class(label->properties[0]);
    if (first != BIDI_L && first != BIDI_R && first != BIDI_AL) return false;
    uint32_t seen = 0;
    unsigned last = first;
    for (size_t i = 0; i < label->count; i++) {
        unsigned class = bidi_class(label->properties[i]);
        seen |= 1u << class;
        if (class != BIDI_NSM) last = class;
    }
    if (first == BIDI_L) return (seen & ~in_ltr) == 0 && (ends_ltr >> last & 1) != 0;
    bool mixes_digits = (seen >> BIDI_EN & 1) != 0 && (seen >> BIDI_AN & 1) != 0;
    return (seen & ~in_rtl) == 0 && (ends_rtl >> last & 1) != 0 && !mixes_digits;
}

idna_findings idna_label_evaluate(const idna_label *label)
{
    described full = {.scalars = label->scalars, .count = label->count};
    uint32_t classes = 0;
    for (size_t i = 0; i < label->count; i++) {
        full.properties[i] = properties_of(label->scalars[i]);
        classes |= 1u << bidi_class(full.properties[i]);
    }
    return (idna_findings){
        .is_valid = is_valid(&full) && is_composed(&full),
        .is_bidi = (classes & (1u << BIDI_R | 1u << BIDI_AL | 1u << BIDI_AN)) != 0,
        .breaks_bidi = !obeys_bidi(&full),
    };
}
