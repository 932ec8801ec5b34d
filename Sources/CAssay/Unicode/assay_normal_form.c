#include "Unicode/assay_normal_form.h"

#include "Unicode/assay_unicode.h"

#include <string.h>

enum {
    HANGUL_FIRST = 0xAC00,
    HANGUL_COUNT = 11172,
    JAMO_L = 0x1100,
    JAMO_V = 0x1161,
    JAMO_T = 0x11A7,
    JAMO_L_COUNT = 19,
    JAMO_V_COUNT = 21,
    JAMO_T_COUNT = 28,
};

static const unicode_decomposition *decomposition(uint32_t scalar)
{
    size_t low = 0;
    size_t high = unicode_decomposition_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (unicode_decompositions[middle].scalar == scalar) return &unicode_decompositions[middle];
        if (unicode_decompositions[middle].scalar < scalar) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static size_t decompose_syllable(uint32_t index, uint32_t *out)
{
    out[0] = JAMO_L + index / (JAMO_V_COUNT * JAMO_T_COUNT);
    out[1] = JAMO_V + index % (JAMO_V_COUNT * JAMO_T_COUNT) / JAMO_T_COUNT;
    if (index % JAMO_T_COUNT == 0) return 2;
    out[2] = JAMO_T + index % JAMO_T_COUNT;
    return 3;
}

static size_t decompose_canonically(uint32_t scalar, uint32_t *out)
{
    if (scalar - HANGUL_FIRST < HANGUL_COUNT) return decompose_syllable(scalar - HANGUL_FIRST, out);
    /* Only the first part may decompose further, at most three times in total. */
    uint32_t tail[ASSAY_CANONICAL_DECOMPOSITION_MAX];
    size_t tail_count = 0;
    const unicode_decomposition *found;
    while (tail_count + 1 < ASSAY_CANONICAL_DECOMPOSITION_MAX && (found = decomposition(scalar)) != NULL) {
        if (found->second != 0) tail[tail_count++] = found->second;
        scalar = found->first;
    }
    size_t count = 0;
    out[count++] = scalar;
    while (tail_count > 0) out[count++] = tail[--tail_count];
    return count;
}

/* Writes the compatible decomposition; 0: the scalar has none. */
static size_t decompose_compatibly(uint32_t scalar, uint32_t *out)
{
    size_t low = 0;
    size_t high = unicode_compatible_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (unicode_compatible_scalars[middle] == scalar) {
            const size_t from = unicode_compatible_starts[middle];
            const size_t count = unicode_compatible_starts[middle + 1] - from;
            memcpy(out, unicode_compatible_texts + from, count * sizeof *out);
            return count;
        }
        if (unicode_compatible_scalars[middle] < scalar) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

size_t assay_normal_form_decompose(uint32_t scalar, bool compatible, uint32_t *out)
{
    if (scalar < 0x80) {
        out[0] = scalar;
        return 1;
    }
    if (!compatible) return decompose_canonically(scalar, out);
    uint32_t parts[ASSAY_CANONICAL_DECOMPOSITION_MAX];
    const size_t part_count = decompose_canonically(scalar, parts);
    size_t count = 0;
    for (size_t i = 0; i < part_count; i++) {
        const size_t more = decompose_compatibly(parts[i], out + count);
        if (more == 0) out[count] = parts[i];
        count += more == 0 ? 1 : more;
    }
    return count;
}

static unsigned class_of(uint32_t scalar) { return assay_unicode_combining_class(assay_unicode_properties(scalar)); }

/* Sorts marks by insertion. */
static void order_few(uint32_t *marks, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint32_t mark = marks[i];
        const unsigned class = class_of(mark);
        size_t place = i;
        for (; place > 0 && class_of(marks[place - 1]) > class; place--) marks[place] = marks[place - 1];
        marks[place] = mark;
    }
}

/* Sorts marks by counting their classes. */
static void order_many(uint32_t *marks, uint32_t *spare, size_t count)
{
    size_t places[256] = {0};
    for (size_t i = 0; i < count; i++) places[class_of(marks[i])]++;
    size_t before = 0;
    for (size_t class = 0; class < 256; class ++) {
        const size_t these = places[class];
        places[class] = before;
        before += these;
    }
    for (size_t i = 0; i < count; i++) spare[places[class_of(marks[i])]++] = marks[i];
    memcpy(marks, spare, count * sizeof *marks);
}

void assay_normal_form_order(uint32_t *scalars, uint32_t *spare, size_t count)
{
    enum { FEW = 32 };
    for (size_t from = 0; from < count;) {
        if (class_of(scalars[from]) == 0) {
            from++;
            continue;
        }
        size_t end = from + 1;
        while (end < count && class_of(scalars[end]) != 0) end++;
        if (end - from <= FEW) {
            order_few(scalars + from, end - from);
        } else {
            order_many(scalars + from, spare, end - from);
        }
        from = end;
    }
}

/* The composition of two scalars, or 0 if they do not compose. */
static uint32_t composition(uint32_t first, uint32_t second)
{
    if (first - JAMO_L < JAMO_L_COUNT && second - JAMO_V < JAMO_V_COUNT) {
        return HANGUL_FIRST + ((first - JAMO_L) * JAMO_V_COUNT + (second - JAMO_V)) * JAMO_T_COUNT;
    }
    const bool is_open_syllable = first - HANGUL_FIRST < HANGUL_COUNT && (first - HANGUL_FIRST) % JAMO_T_COUNT == 0;
    if (is_open_syllable && second > JAMO_T && second < JAMO_T + JAMO_T_COUNT) return first + (second - JAMO_T);
    size_t low = 0;
    size_t high = unicode_composition_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const unicode_decomposition *entry = &unicode_decompositions[unicode_compositions[middle]];
        if (entry->first == first && entry->second == second) return entry->scalar;
        if (entry->first < first || (entry->first == first && entry->second < second)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

size_t assay_normal_form_compose(uint32_t *scalars, size_t count)
{
    size_t starter = SIZE_MAX;
    size_t kept = 0;
    unsigned last_class = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t scalar = scalars[i];
        const unsigned class = class_of(scalar);
        /* A scalar between with the same or a higher class, or another starter, blocks composition. */
        const bool is_blocked = kept > starter + 1 && (last_class == 0 || last_class >= class);
        const uint32_t full = starter == SIZE_MAX || is_blocked ? 0 : composition(scalars[starter], scalar);
        if (full != 0) {
            scalars[starter] = full;
            continue;
        }
        if (class == 0) starter = kept;
        last_class = class;
        scalars[kept++] = scalar;
    }
    return kept;
}

bool assay_normal_form_is_boundary(uint32_t scalar, bool compatible)
{
    if (scalar < 0x80) return true;
    if (!assay_unicode_is_stable(assay_unicode_properties(scalar))) return false;
    if (!compatible) return true;
    uint32_t parts[ASSAY_DECOMPOSITION_MAX];
    return assay_normal_form_decompose(scalar, true, parts) == 1 && parts[0] == scalar;
}
