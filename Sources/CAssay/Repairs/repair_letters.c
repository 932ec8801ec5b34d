/* Repairs of single characters and of normal forms. */
#include "Memory/assay_grow.h"
#include "Repairs/assay_repair.h"
#include "Repairs/repair_characters.h"
#include "Unicode/assay_letter_case.h"
#include "Unicode/assay_normal_form.h"
#include "Unicode/assay_unicode.h"

#include <stdlib.h>

typedef uint32_t mapping(uint32_t character);

enum { longest_character = 4 }; /* the max length of a character in UTF-8 */

static repair_outcome map_characters(mapping *map, assay_text in, repair_text *out)
{
    for (size_t i = 0, length; i < in.count; i += length) {
        uint8_t mapped[longest_character];
        const size_t count = put_character(map(character_at(in.bytes + i, &length)), mapped);
        if (!repair_text_append(out, mapped, count)) return REPAIR_NO_MEMORY;
    }
    return REPAIR_WRITTEN;
}

/* map_characters(), with a fast path for ASCII: maps the 26 letters from `first` on by adding `step`. */
static repair_outcome map_letters(uint8_t first, uint8_t step, mapping *map, assay_text in, repair_text *out)
{
    if (!repair_text_reserve(out, in.count)) return REPAIR_NO_MEMORY;
    size_t ascii = 0;
    for (; ascii < in.count && in.bytes[ascii] < 0x80; ascii++) {
        const uint8_t byte = in.bytes[ascii];
        out->bytes[ascii] = (uint8_t)(byte + ((uint8_t)(byte - first) < 26 ? step : 0));
    }
    out->count = ascii;
    return map_characters(map, (assay_text){in.bytes + ascii, in.count - ascii}, out);
}

repair_outcome repair_upper(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return map_letters('a', (uint8_t)-0x20, assay_letter_to_capital, in, out);
}

repair_outcome repair_lower(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return map_letters('A', 0x20, assay_letter_to_small, in, out);
}

repair_outcome repair_ascii_digits(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return map_characters(assay_digit_to_ascii, in, out);
}

bool repair_joins_neighbors(uint32_t character)
{
    return assay_unicode_combining_class(assay_unicode_properties(character)) != 0;
}

/* The scalars between two boundaries, decomposed, and as many more for sorting. */
typedef struct part {
    uint32_t *scalars;
    uint32_t *spare;
    size_t count;
    size_t capacity;
    size_t spare_capacity;
} part;

static bool part_add(part *text, uint32_t character, bool compatible)
{
    if (!assay_grow(&text->scalars, &text->capacity, sizeof *text->scalars, text->count + ASSAY_DECOMPOSITION_MAX)) {
        return false;
    }
    text->count += assay_normal_form_decompose(character, compatible, text->scalars + text->count);
    return true;
}

/* Normalizes and writes the part, and empties it. */
static bool part_write(part *text, repair_text *out)
{
    if (!assay_grow(&text->spare, &text->spare_capacity, sizeof *text->spare, text->count)) return false;
    assay_normal_form_order(text->scalars, text->spare, text->count);
    const size_t count = assay_normal_form_compose(text->scalars, text->count);
    text->count = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t character[longest_character];
        if (!repair_text_append(out, character, put_character(text->scalars[i], character))) return false;
    }
    return true;
}

/* Writes the normal form. Characters between two boundaries are copied; all others are normalized from the boundary
 * before them on. */
static bool write_normal_form(assay_text in, bool compatible, part *text, repair_text *out)
{
    size_t copied = 0;          /* the end of the input that is written or in the part */
    size_t boundary = in.count; /* the latest one, if it is not in the part */
    for (size_t at = 0, length; at < in.count; at += length) {
        const uint32_t character = character_at(in.bytes + at, &length);
        if (assay_normal_form_is_boundary(character, compatible)) {
            if (text->count > 0) {
                if (!part_write(text, out)) return false;
                copied = at;
            }
            boundary = at;
            continue;
        }
        if (text->count == 0) {
            const size_t from = boundary < in.count ? boundary : at;
            size_t first = 0;
            if (!repair_text_append(out, in.bytes + copied, from - copied)) return false;
            if (from < at && !part_add(text, character_at(in.bytes + from, &first), compatible)) return false;
        }
        boundary = in.count;
        if (!part_add(text, character, compatible)) return false;
    }
    if (text->count > 0) return part_write(text, out);
    return repair_text_append(out, in.bytes + copied, in.count - copied);
}

static bool is_normal(assay_text in, bool compatible)
{
    for (size_t at = 0, length; at < in.count; at += length) {
        if (!assay_normal_form_is_boundary(character_at(in.bytes + at, &length), compatible)) return false;
    }
    return true;
}

static repair_outcome normalise(assay_text in, bool compatible, repair_text *out)
{
    if (assay_bytes_are_ascii(in.bytes, in.count) || is_normal(in, compatible)) return REPAIR_LEFT;
    part text = {.count = 0};
    const bool is_written = write_normal_form(in, compatible, &text, out);
    free(text.scalars);
    free(text.spare);
    return is_written ? REPAIR_WRITTEN : REPAIR_NO_MEMORY;
}

repair_outcome repair_nfc(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return normalise(in, false, out);
}

repair_outcome repair_nfkc(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return normalise(in, true, out);
}
