/* Repairs of single characters, with the Unicode data of utf8proc. */
#include "Repairs/assay_repair.h"
#include "Repairs/repair_characters.h"

#include <stdlib.h>
#if defined(__has_include)
#if !__has_include(<utf8proc.h>)
#error "utf8proc.h is missing: apt-get install libutf8proc-dev, or brew install utf8proc"
#endif
#endif
#include <utf8proc.h>

typedef uint32_t mapping(uint32_t character);

enum {
    longest_character = 4, /* the max length of a character in UTF-8 */
    max_points = 18,       /* the longest decomposition: U+FDFA in NFKD (UAX #15, table 9) */
    max_marks = 128,       /* the max number of consecutive marks; UAX #15 (Stream-Safe Text Format) allows 30 */
};

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

static uint32_t upper(uint32_t character)
{
    if (character < 0x80) return character >= 'a' && character <= 'z' ? character - 0x20 : character;
    /* ß has no uppercase of one character in UnicodeData.txt, but utf8proc returns U+1E9E. */
    if (character == 0xDF) return character;
    return (uint32_t)utf8proc_toupper((utf8proc_int32_t)character);
}

static uint32_t lower(uint32_t character)
{
    if (character < 0x80) return character >= 'A' && character <= 'Z' ? character + 0x20 : character;
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)character);
}

static bool is_decimal_digit(uint32_t character)
{
    return utf8proc_category((utf8proc_int32_t)character) == UTF8PROC_CATEGORY_ND;
}

/* Decimal digits are in runs that begin with a zero and have ten digits, or a multiple of ten (UAX #44,
 * Numeric_Type). */
static uint32_t ascii_digit(uint32_t character)
{
    if (character < 0x80 || !is_decimal_digit(character)) return character;
    uint32_t zero = character;
    while (is_decimal_digit(zero - 1)) zero--;
    return '0' + (character - zero) % 10;
}

repair_outcome repair_upper(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return map_letters('a', (uint8_t)-0x20, upper, in, out);
}

repair_outcome repair_lower(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return map_letters('A', 0x20, lower, in, out);
}

repair_outcome repair_ascii_digits(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return map_characters(ascii_digit, in, out);
}

bool repair_joins_neighbors(uint32_t character)
{
    return utf8proc_get_property((utf8proc_int32_t)character)->combining_class != 0;
}

/* Whether utf8proc can normalize a text quickly. Its time is quadratic in the number of consecutive combining marks
 * after decomposition. */
static bool has_few_marks(assay_text in, utf8proc_option_t options)
{
    size_t marks = 0;
    for (size_t i = 0, length; i < in.count; i += length) {
        const uint32_t character = character_at(in.bytes + i, &length);
        if (character < 0x80) {
            marks = 0;
            continue;
        }
        utf8proc_int32_t points[max_points];
        int bound = 0;
        const utf8proc_ssize_t count =
            utf8proc_decompose_char((utf8proc_int32_t)character, points, max_points, options, &bound);
        if (count < 0 || count > max_points) return false;
        for (utf8proc_ssize_t j = 0; j < count; j++) {
            marks = utf8proc_get_property(points[j])->combining_class != 0 ? marks + 1 : 0;
            if (marks > max_marks) return false;
        }
    }
    return true;
}

/* Normalizes into `out`. Not with utf8proc_map, because it allocates its result. */
static repair_outcome normalise_part(assay_text in, utf8proc_option_t options, repair_text *out)
{
    if (!has_few_marks(in, options)) return REPAIR_LEFT;
    const utf8proc_ssize_t count = (utf8proc_ssize_t)in.count;
    const utf8proc_ssize_t points = utf8proc_decompose(in.bytes, count, NULL, 0, options);
    if (points < 0) return REPAIR_LEFT;
    utf8proc_int32_t *buffer = malloc(((size_t)points + 1) * sizeof *buffer);
    if (buffer == NULL) return REPAIR_NO_MEMORY;
    utf8proc_decompose(in.bytes, count, buffer, points, options);
    const utf8proc_ssize_t composed = utf8proc_normalize_utf32(buffer, points, options);
    bool has_room = true;
    for (utf8proc_ssize_t i = 0; i < composed && has_room; i++) {
        uint8_t character[longest_character];
        has_room = repair_text_append(out, character, put_character((uint32_t)buffer[i], character));
    }
    free(buffer);
    return has_room ? REPAIR_WRITTEN : REPAIR_NO_MEMORY;
}

/* The place of the next U+11A7, or the end. */
static size_t find_lone_jamo(assay_text in, size_t from)
{
    static const uint8_t jamo[] = {0xE1, 0x86, 0xA7};
    for (size_t at = from; in.count - at >= sizeof jamo; at++) {
        if (memcmp(in.bytes + at, jamo, sizeof jamo) == 0) return at;
    }
    return in.count;
}

/* utf8proc 2.8 drops U+11A7 after a Hangul syllable. U+11A7 does not compose with other characters, so the parts
 * between its occurrences can be normalized separately. */
static repair_outcome normalise(assay_text in, utf8proc_option_t options, repair_text *out)
{
    if (assay_bytes_are_ascii(in.bytes, in.count)) return REPAIR_LEFT;
    for (size_t at = 0; at < in.count;) {
        const size_t jamo = find_lone_jamo(in, at), end = jamo < in.count ? jamo + 3 : in.count;
        if (jamo > at) {
            const repair_outcome outcome = normalise_part((assay_text){in.bytes + at, jamo - at}, options, out);
            if (outcome != REPAIR_WRITTEN) return outcome;
        }
        if (!repair_text_append(out, in.bytes + jamo, end - jamo)) return REPAIR_NO_MEMORY;
        at = end;
    }
    return REPAIR_WRITTEN;
}

repair_outcome repair_nfc(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return normalise(in, UTF8PROC_STABLE | UTF8PROC_COMPOSE, out);
}

repair_outcome repair_nfkc(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)step, (void)scratch;
    return normalise(in, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT, out);
}
