/* Repairs of white space, control characters and quotes. */
#include "Repairs/assay_repair.h"
#include "Repairs/repair_characters.h"

repair_outcome repair_trim(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    const uint8_t *start = in.bytes, *end = in.bytes + in.count;
    size_t length;
    while (start < end && is_trimmed(character_at(start, &length))) start += length;
    while (start < end && is_trimmed(character_before(end, &length))) end -= length;
    if ((size_t)(end - start) == in.count) return REPAIR_LEFT;
    return repair_text_append(out, start, (size_t)(end - start)) ? REPAIR_WRITTEN : REPAIR_NO_MEMORY;
}

repair_outcome repair_collapse(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    if (!repair_text_reserve(out, in.count)) return REPAIR_NO_MEMORY;
    bool is_after_space = false;
    for (size_t i = 0, length; i < in.count; i += length) {
        const bool is_space = is_white_space(character_at(in.bytes + i, &length));
        if (!is_space) {
            repair_text_append(out, in.bytes + i, length);
        } else if (!is_after_space) {
            repair_text_append(out, (const uint8_t *)" ", 1);
        }
        is_after_space = is_space;
    }
    return REPAIR_WRITTEN;
}

/* Whether strip-control removes a character. Joiners stay, because scripts need them. White space is left to
   collapse. */
static bool is_stripped(uint32_t character)
{
    return (is_control(character) && !is_white_space(character)) || is_direction_mark(character) ||
           character == 0x200B || character == 0x2060 || character == 0xFEFF;
}

repair_outcome repair_strip_control(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    if (!repair_text_reserve(out, in.count)) return REPAIR_NO_MEMORY;
    for (size_t i = 0, length; i < in.count; i += length) {
        if (!is_stripped(character_at(in.bytes + i, &length))) repair_text_append(out, in.bytes + i, length);
    }
    return REPAIR_WRITTEN;
}

/* The closing quotes of an opening quote, terminated by 0; NULL: not an opening quote. Source: CLDR's delimiters. */
static const uint32_t *closing_quotes(uint32_t opening)
{
    static const struct {
        uint32_t opening, closing[3];
    } quotes[] = {
        {'"', {'"'}},
        {'\'', {'\''}},
        {0x201C, {0x201D}},         /* “ ” */
        {0x201D, {0x201D}},         /* ” ” */
        {0x201E, {0x201C, 0x201D}}, /* „ “ and „ ” */
        {0x2018, {0x2019}},         /* ‘ ’ */
        {0x201A, {0x2018, 0x2019}}, /* ‚ ‘ and ‚ ’ */
        {0xAB, {0xBB}},             /* « » */
        {0xBB, {0xAB}},             /* » « */
        {0x2039, {0x203A}},         /* ‹ › */
        {0x300C, {0x300D}},         /* 「 」 */
        {0x300E, {0x300F}},         /* 『 』 */
    };
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        if (quotes[i].opening == opening) return quotes[i].closing;
    }
    return NULL;
}

/* Removes the pair of quotes that encloses a text. Returns false if there is no pair, or if the text also contains one
 * of the two quotes inside. */
static bool take_quotes(assay_text *text)
{
    if (text->count < 2) return false;
    size_t first, last;
    const uint32_t opening = character_at(text->bytes, &first);
    const uint32_t closing = character_before(text->bytes + text->count, &last);
    const uint32_t *fitting = closing_quotes(opening);
    if (fitting == NULL || first + last > text->count) return false;
    if (closing != fitting[0] && (fitting[1] == 0 || closing != fitting[1])) return false;
    const assay_text inside = {text->bytes + first, text->count - first - last};
    for (size_t i = 0, length; i < inside.count; i += length) {
        const uint32_t character = character_at(inside.bytes + i, &length);
        if (character == opening || character == closing) return false;
    }
    *text = inside;
    return true;
}

repair_outcome repair_unquote(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    assay_text text = in;
    while (take_quotes(&text)) continue;
    if (text.count == in.count) return REPAIR_LEFT;
    return repair_text_append(out, text.bytes, text.count) ? REPAIR_WRITTEN : REPAIR_NO_MEMORY;
}
