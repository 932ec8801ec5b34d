/* Codes that are valid if a list contains them. */
#include "Types/Builtin/builtin_tests.h"

#include "Types/Builtin/builtin_tables.h"

#include <stdlib.h>

assay_verdict builtin_country_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                   size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(builtin_letters_find(builtin_countries_2, value, count, false));
}

assay_verdict builtin_country_3_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                     size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(builtin_letters_find(builtin_countries_3, value, count, false));
}

assay_verdict builtin_country_numeric_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                           size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(builtin_digits_find(builtin_countries_numeric, value, count));
}

enum { CURRENCY_NUMERIC };

assay_verdict builtin_currency_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                    size_t count)
{
    (void)scratch;
    if (builtin_given(type, CURRENCY_NUMERIC)) {
        return builtin_verdict(builtin_digits_find(builtin_currencies_numeric, value, count));
    }
    return builtin_verdict(builtin_letters_find(builtin_currencies, value, count, false));
}

assay_verdict builtin_language_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                    size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(
        builtin_letters_find(count == 2 ? builtin_languages_2 : builtin_languages_3, value, count, true) &&
        builtin_lower(value[0]) == value[0] && builtin_lower(value[1]) == value[1] &&
        builtin_lower(value[count - 1]) == value[count - 1]);
}

assay_verdict builtin_zone_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(builtin_words_find(&builtin_zones, value, count) >= 0);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Language tags, RFC 5646
 * ------------------------------------------------------------------------------------------------------------- */

enum { TAG_REGISTERED };

/* Reads one subtag at `*at`, and advances `*at` past the hyphen after it. */
static assay_text next_subtag(const uint8_t *value, size_t count, size_t *at)
{
    size_t start = *at;
    size_t end = start;
    while (end < count && value[end] != '-') end++;
    *at = end + 1;
    return (assay_text){value + start, end - start};
}

static bool equal_folded(assay_text left, assay_text right)
{
    if (left.count != right.count) return false;
    for (size_t i = 0; i < left.count; i++) {
        if (builtin_lower(left.bytes[i]) != builtin_lower(right.bytes[i])) return false;
    }
    return true;
}

static bool is_singleton(assay_text subtag) { return subtag.count == 1 && builtin_lower(subtag.bytes[0]) != 'x'; }

static bool is_variant(assay_text subtag)
{
    return subtag.count >= 5 || (subtag.count == 4 && is_digit(subtag.bytes[0]));
}

/* Whether no variant or singleton is repeated before the private use (RFC 5646, 2.2.9). The loops are quadratic, but
   `max` in the definition limits tags to 35 subtags. */
static bool has_no_repetition(const uint8_t *value, size_t count)
{
    bool in_extension = false;
    for (size_t at = 0; at < count;) {
        assay_text one = next_subtag(value, count, &at);
        if (one.count == 1 && builtin_lower(one.bytes[0]) == 'x') return true;
        in_extension |= is_singleton(one);
        bool counts = is_singleton(one) || (!in_extension && is_variant(one) && one.bytes != value);
        bool other_in_extension = in_extension;
        for (size_t after = at; counts && after < count;) {
            assay_text other = next_subtag(value, count, &after);
            if (other.count == 1 && builtin_lower(other.bytes[0]) == 'x') break;
            other_in_extension |= is_singleton(other);
            bool same_kind = is_singleton(one) == is_singleton(other) && (is_singleton(one) || !other_in_extension);
            if (same_kind && equal_folded(one, other)) return false;
        }
    }
    return true;
}

enum { SUBTAG_SCRIPT = 1, SUBTAG_VARIANT = 2, SUBTAG_EXTENDED = 4, SUBTAG_FULL = 8 };

static bool has_mark(const uint8_t *bytes, size_t count, int mark)
{
    uint8_t lower[16];
    if (count > sizeof lower) return false;
    for (size_t i = 0; i < count && i < sizeof lower; i++) lower[i] = builtin_lower(bytes[i]);
    int marks = builtin_words_find(&builtin_subtags, lower, count);
    return marks >= 0 && (marks & mark) != 0;
}

static bool is_registered_language(assay_text subtag)
{
    if (subtag.count > 3) return false;
    return builtin_letters_find(subtag.count == 2 ? builtin_subtag_languages_2 : builtin_subtag_languages_3,
                                subtag.bytes, subtag.count, true);
}

/* Whether a tag is "valid" (RFC 5646, 2.2.9): each subtag before extensions and private use is in IANA's registry, and
   an extended language follows its own prefix (2.2.2). `tag` must be well-formed. */
static bool is_registered(const uint8_t *tag, size_t count)
{
    size_t at = 0;
    assay_text subtag = next_subtag(tag, count, &at);
    if (subtag.count == 1 && builtin_lower(subtag.bytes[0]) == 'x') return true;
    if (has_mark(tag, count, SUBTAG_FULL)) return true;
    if (!is_registered_language(subtag)) return false;
    const size_t language = subtag.count;
    while (at < count) {
        size_t start = at;
        subtag = next_subtag(tag, count, &at);
        bool known = false;
        if (subtag.count == 1) return true;
        if (is_variant(subtag)) {
            known = has_mark(subtag.bytes, subtag.count, SUBTAG_VARIANT);
        } else if (subtag.count == 4) {
            known = has_mark(subtag.bytes, 4, SUBTAG_SCRIPT);
        } else if (subtag.count == 2) {
            known = builtin_letters_find(builtin_subtag_regions, subtag.bytes, 2, true);
        } else if (is_digit(subtag.bytes[0])) {
            known = builtin_digits_find(builtin_subtag_areas, subtag.bytes, 3);
        } else { /* only the first subtag after the language can be an extended language */
            known = start == language + 1 && has_mark(tag, start + 3, SUBTAG_EXTENDED);
        }
        if (!known) return false;
    }
    return true;
}

assay_verdict builtin_language_tag_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                        size_t count)
{
    (void)scratch;
    for (size_t i = 0; i < count; i++) {
        /* The pattern ignores case, so U+212A matches k and U+017F matches s. */
        if (value[i] >= 0x80) return ASSAY_FAIL;
    }
    if (!has_no_repetition(value, count)) return ASSAY_FAIL;
    return builtin_verdict(!builtin_given(type, TAG_REGISTERED) || is_registered(value, count));
}

/* ---------------------------------------------------------------------------------------------------------------
 * Postal codes
 * ------------------------------------------------------------------------------------------------------------- */

enum { POSTAL_COUNTRY };

/* Appends the forms of all countries without duplicates. */
static void append_every_form(assay_builtin *type)
{
    const char *before = "";
    for (size_t i = 0; i < builtin_postal_code_count; i++) {
        size_t earlier = 0;
        while (strcmp(builtin_postal_codes[earlier].pattern, builtin_postal_codes[i].pattern) != 0) earlier++;
        if (earlier < i) continue;
        builtin_append(type, before);
        builtin_append(type, builtin_postal_codes[i].pattern);
        before = "|";
    }
}

bool builtin_postal_prepare(assay_builtin *type, assay_error *error)
{
    if (!builtin_given(type, POSTAL_COUNTRY)) {
        append_every_form(type);
        return true;
    }
    assay_text rest = type->texts[POSTAL_COUNTRY];
    assay_text word;
    const char *before = "";
    while (builtin_next_word(&rest, &word)) {
        const char *pattern = NULL;
        for (size_t i = 0; i < builtin_postal_code_count; i++) {
            if (builtin_is(word, builtin_postal_codes[i].country)) pattern = builtin_postal_codes[i].pattern;
        }
        if (pattern == NULL) return builtin_refuse(type, POSTAL_COUNTRY, error, "no postal codes of such a country");
        builtin_append(type, before);
        builtin_append(type, pattern);
        before = "|";
    }
    return true;
}
