/* Identifiers with check digits. The patterns check the form, and this file the arithmetic. */
#include "Types/Builtin/builtin_tests.h"

#include "Types/Builtin/builtin_tables.h"
#include "assay_error.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Arithmetic
 * ------------------------------------------------------------------------------------------------------------- */

/* The digit sum of twice a digit. */
static const uint8_t doubled[10] = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};

/* The Luhn check of ISO/IEC 7812-1, annex B. */
static bool luhn(const uint8_t *digits, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned digit = digits[count - 1 - i] - (unsigned)'0';
        sum += i % 2 == 1 ? doubled[digit] : digit;
    }
    return sum % 10 == 0;
}

/* The value of a digit, or 10 to 35 for A to Z. */
static unsigned value_of(uint8_t byte) { return byte - (unsigned)'0' - ('A' - '9' - 1) * (unsigned)(byte > '9'); }

/* Reads eight digits as a number, by combining adjacent digits in three steps. Returns false for other bytes. */
static bool read_eight(const uint8_t *bytes, uint64_t *number)
{
    uint64_t word;
    memcpy(&word, bytes, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    const uint64_t high = UINT64_C(0xF0F0F0F0F0F0F0F0);
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    if ((word & high) != zeros || ((word + UINT64_C(0x0606060606060606)) & high) != zeros) return false;
    word = ((word & UINT64_C(0x0F0F0F0F0F0F0F0F)) * 2561) >> 8;
    word = ((word & UINT64_C(0x00FF00FF00FF00FF)) * 6553601) >> 16;
    *number = ((word & UINT64_C(0x0000FFFF0000FFFF)) * UINT64_C(42949672960001)) >> 32;
    return true;
}

/* Continues a remainder of ISO/IEC 7064, MOD 97-10, with more bytes. Divides once per eight bytes, because division is
   slow. */
static uint64_t mod_97(uint64_t rest, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count;) {
        uint64_t number = 0;
        if (count - i >= 8 && read_eight(bytes + i, &number)) {
            rest = (rest * 100000000 + number) % 97;
            i += 8;
            continue;
        }
        for (size_t end = count - i > 8 ? i + 8 : count; i < end; i++) {
            /* Without a branch, because it would be unpredictable. */
            rest = rest * (10 + 90 * (unsigned)(bytes[i] > '9')) + value_of(bytes[i]);
        }
        rest %= 97; /* no overflow: `rest` is less than 97 × 100^8 */
    }
    return rest;
}

/* Whether a byte between digits is ignored. */
static bool is_separator(uint8_t byte) { return byte == '-'; }

/* The GS1 check: weights 1 and 3 from the right, including the check digit. */
static bool gs1(const uint8_t *digits, size_t count)
{
    unsigned sum = 0;
    unsigned weight = 1;
    while (count > 0) {
        uint8_t byte = digits[--count];
        if (is_separator(byte)) continue;
        sum += (byte - (unsigned)'0') * weight;
        weight = 4 - weight;
    }
    return sum % 10 == 0;
}

/* The check of ISO 2108 (ten digits) and ISO 3297: weights 1, 2, 3 … from the right, X is ten, modulo 11. */
static bool mod_11(const uint8_t *digits, size_t count)
{
    unsigned sum = 0;
    unsigned weight = 1;
    while (count > 0) {
        uint8_t byte = digits[--count];
        if (is_separator(byte)) continue;
        sum += (byte == 'X' ? 10 : byte - (unsigned)'0') * weight++;
    }
    return sum % 11 == 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Cards
 * ------------------------------------------------------------------------------------------------------------- */

assay_verdict builtin_luhn_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(luhn(value, count));
}

/* Issuer ranges and lengths, as published by the networks. */
static const struct brand {
    const char *name;
    const char *pattern;
} brands[] = {
    {"visa", "4[0-9]{12}(?:[0-9]{3}){0,2}"},
    {"mastercard", "(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"},
    {"amex", "3[47][0-9]{13}"},
    {"discover", "(?:6011|64[4-9][0-9]|65[0-9]{2})[0-9]{12,15}"},
    {"diners", "3(?:0[0-5][0-9]|095|[689][0-9]{2})[0-9]{10,15}"},
    {"jcb", "35(?:2[89]|[3-8][0-9])[0-9]{12,15}"},
    {"unionpay", "(?:62|81)[0-9]{14,17}"},
    {"maestro", "(?:50|5[6-8]|63|67)[0-9]{10,17}"},
    {"mir", "220[0-4][0-9]{12,15}"},
    {"rupay", "(?:(?:60|65|8[12])[0-9]|508)[0-9]{13}"},
    {"troy", "9792[0-9]{12}"},
};

enum { brand_count = sizeof brands / sizeof brands[0] };
enum { CARD_BRAND, CARD_ANY };

bool builtin_card_prepare(assay_builtin *type, assay_error *error)
{
    if (builtin_given(type, CARD_ANY)) {
        type->pattern_text = "[0-9]{12,19}";
        return true;
    }
    uint32_t chosen = builtin_given(type, CARD_BRAND) ? 0 : UINT32_MAX;
    assay_text rest = type->texts[CARD_BRAND];
    assay_text word;
    while (builtin_next_word(&rest, &word)) {
        size_t i = 0;
        while (i < brand_count && !builtin_is(word, brands[i].name)) i++;
        if (i == brand_count) {
            return builtin_refuse(type, CARD_BRAND, error,
                                  "known are visa, mastercard, amex, discover, diners, jcb, unionpay, maestro, mir, "
                                  "rupay, troy");
        }
        chosen |= 1u << i;
    }
    const char *before = "";
    for (size_t i = 0; i < brand_count; i++) {
        if ((chosen >> i & 1) == 0) continue;
        builtin_append(type, before);
        builtin_append(type, brands[i].pattern);
        before = "|";
    }
    return true;
}

builtin_reason builtin_card_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (has_shape) return REASON_CHECK_DIGITS;
    for (size_t i = 0; i < count; i++) {
        if (!is_digit(value[i])) return REASON_NONE;
    }
    return count < type->min || count > type->max ? REASON_NONE : REASON_BRAND;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Books, serials, articles
 * ------------------------------------------------------------------------------------------------------------- */

static assay_verdict isbn_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    /* Ten digits with three hyphens have the same length as thirteen without hyphens. */
    bool is_ten = count == 10 || (count == 13 && is_separator(value[count - 2]));
    return builtin_verdict(is_ten ? mod_11(value, count) : gs1(value, count));
}

enum { ISBN_LENGTH, ISBN_HYPHENS };

bool builtin_isbn_prepare(assay_builtin *type, assay_error *error)
{
    int64_t length = type->numbers[ISBN_LENGTH];
    bool has_length = builtin_given(type, ISBN_LENGTH);
    if (has_length && length != 10 && length != 13) {
        return builtin_refuse(type, ISBN_LENGTH, error, "an ISBN has 10 digits or 13");
    }
    bool ten = !has_length || length == 10;
    bool thirteen = !has_length || length == 13;
    bool hyphens = builtin_given(type, ISBN_HYPHENS);
    if (ten) builtin_append(type, "[0-9]{9}[0-9X]");
    if (ten && hyphens) builtin_append(type, "|(?=[0-9X-]{13}\\z)[0-9]{1,5}-[0-9]{1,7}-[0-9]{1,6}-[0-9X]");
    if (ten && thirteen) builtin_append(type, "|");
    /* 979-0 is printed music, an ISMN. */
    if (thirteen) builtin_append(type, "97(?:8|9(?!0))[0-9]{10}");
    if (thirteen && hyphens) {
        builtin_append(type, "|(?=[0-9-]{17}\\z)97(?:8|9(?!-0))-[0-9]{1,5}-[0-9]{1,7}-[0-9]{1,6}-[0-9]");
    }
    type->test = isbn_test;
    return true;
}

static assay_verdict issn_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(mod_11(value, count));
}

enum { ISSN_COMPACT };

bool builtin_issn_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    type->pattern_text = builtin_given(type, ISSN_COMPACT) ? "[0-9]{7}[0-9X]" : "[0-9]{4}-[0-9]{3}[0-9X]";
    type->test = issn_test;
    return true;
}

static assay_verdict gtin_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(gs1(value, count));
}

enum { GTIN_LENGTH };

bool builtin_gtin_prepare(assay_builtin *type, assay_error *error)
{
    static const char any[] = "[0-9]{8}(?:[0-9]{4}[0-9]{0,2})?";
    const bool is_ean = type->pattern_text != NULL;
    type->test = gtin_test;
    if (!is_ean) type->pattern_text = any;
    if (!builtin_given(type, GTIN_LENGTH)) return true;
    int64_t length = type->numbers[GTIN_LENGTH];
    if (is_ean && length != 8 && length != 13) {
        return builtin_refuse(type, GTIN_LENGTH, error, "an EAN has 8 or 13 digits");
    }
    if (length != 8 && (length < 12 || length > 14)) {
        return builtin_refuse(type, GTIN_LENGTH, error, "a GTIN has 8, 12, 13 or 14 digits");
    }
    type->pattern_text = length == 8    ? "[0-9]{8}"
                         : length == 12 ? "[0-9]{12}"
                         : length == 13 ? "[0-9]{13}"
                                        : "[0-9]{14}";
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Banks and securities
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether two capitals are a country of ISO 3166, or one of `other_countries`, such as XK. */
static bool is_country(const uint8_t *code, const char *other_countries)
{
    unsigned index = (code[0] - (unsigned)'A') * 26 + (code[1] - (unsigned)'A');
    if ((builtin_countries_2[index / 8] >> index % 8 & 1) != 0) return true;
    for (; *other_countries != 0; other_countries += 2) {
        if (code[0] == (uint8_t)other_countries[0] && code[1] == (uint8_t)other_countries[1]) return true;
    }
    return false;
}

static const builtin_iban_country *iban_country(const uint8_t *code)
{
    unsigned place = builtin_iban_places[(code[0] - (unsigned)'A') * 26 + (code[1] - (unsigned)'A')];
    return place == 0 ? NULL : &builtin_iban_countries[place - 1];
}

/* Whether an account has digits, capitals, or either at the places that its country defines: "n4a2c12". */
static bool has_structure(const char *structure, const uint8_t *bytes)
{
    while (*structure != 0) {
        char kind = *structure++;
        unsigned count = 0;
        while (*structure >= '0' && *structure <= '9') count = count * 10 + (unsigned)(*structure++ - '0');
        const uint8_t *end = bytes + count;
        for (; kind == 'n' && bytes < end; bytes++) {
            if (!is_digit(*bytes)) return false;
        }
        for (; kind == 'a' && bytes < end; bytes++) {
            if (is_digit(*bytes)) return false;
        }
        bytes = end;
    }
    return true;
}

enum { IBAN_COUNTRY, IBAN_EXPERIMENTAL };

assay_verdict builtin_iban_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    const builtin_iban_country *country = iban_country(value);
    if (country == NULL || country->length != count) return ASSAY_FAIL;
    if (country->experimental && !builtin_given(type, IBAN_EXPERIMENTAL)) return ASSAY_FAIL;
    if (!has_structure(country->structure, value + 4)) return ASSAY_FAIL;
    /* Check digits are 98 minus the remainder, so 00, 01 and 99 are invalid, although they pass the modulo check. */
    unsigned check = value_of(value[2]) * 10 + value_of(value[3]);
    if (check < 2 || check > 98) return ASSAY_FAIL;
    return builtin_verdict(mod_97(mod_97(0, value + 4, count - 4), value, 4) == 1);
}

static bool is_code(assay_text word)
{
    if (word.count != 2) return false;
    return word.bytes[0] >= 'A' && word.bytes[0] <= 'Z' && word.bytes[1] >= 'A' && word.bytes[1] <= 'Z';
}

bool builtin_iban_prepare(assay_builtin *type, assay_error *error)
{
    if (!builtin_given(type, IBAN_COUNTRY)) return true;
    assay_text rest = type->texts[IBAN_COUNTRY];
    assay_text word;
    const char *before = "(?:";
    while (builtin_next_word(&rest, &word)) {
        const builtin_iban_country *country = is_code(word) ? iban_country(word.bytes) : NULL;
        if (country == NULL) return builtin_refuse(type, IBAN_COUNTRY, error, "no such country has IBANs");
        builtin_append(type, before);
        builtin_append(type, country->country);
        before = "|";
    }
    builtin_append(type, ")[0-9]{2}[A-Z0-9]{11,30}");
    return true;
}

builtin_reason builtin_iban_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (!is_code((assay_text){value, count < 2 ? count : 2})) return REASON_NONE;
    const builtin_iban_country *country = iban_country(value);
    if (country == NULL) return REASON_COUNTRY;
    if (country->experimental && !builtin_given(type, IBAN_EXPERIMENTAL)) return REASON_COUNTRY;
    if (country->length != count) return REASON_COUNTRY_LENGTH;
    if (!has_shape) return REASON_NONE;
    return has_structure(country->structure, value + 4) ? REASON_CHECK_DIGITS : REASON_COUNTRY_FORM;
}

assay_verdict builtin_bic_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch, (void)count;
    return builtin_verdict(is_country(value + 4, "XK"));
}

/* The contribution of the characters 0 to Z to the Luhn sum, if the last digit counts once, and if it counts twice. A
   letter has two digits, from 10 to 35. */
static const uint8_t expanded[2]['Z' - '0' + 1] = {
    {0, 1, 2, 3,  4,  5, 6, 7, 8, 9, 0, 0,  0,  0,  0,  0, 0, 2, 3, 4,  5, 6,
     7, 8, 9, 10, 11, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 6, 7, 8, 9, 10, 11},
    {0, 2, 4, 6, 8,  1, 3, 5, 7, 9,  0, 0, 0, 0, 0,  0, 0, 1, 3, 5,  7, 9,
     2, 4, 6, 8, 10, 2, 4, 6, 8, 10, 3, 5, 7, 9, 11, 3, 5, 7, 9, 11, 4},
};

/* Prefixes of ISO 6166 that are not countries: XS and other codes of agencies for several countries, XT for digital
   tokens, and AN, the Netherlands Antilles, because securities with this prefix are still traded. */
static const char isin_agencies[] = "XSXAXBXCXDXFXKXTEUEZQSQTQYXXAN";

assay_verdict builtin_isin_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    if (!is_country(value, isin_agencies)) return ASSAY_FAIL;
    unsigned sum = 0;
    bool doubles = false;
    while (count > 0) {
        uint8_t byte = value[--count];
        sum += expanded[doubles][byte - '0'];
        doubles ^= byte <= '9'; /* a letter has two digits, so the parity does not change */
    }
    return builtin_verdict(sum % 10 == 0);
}

builtin_reason builtin_isin_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)type, (void)count;
    if (!has_shape) return REASON_NONE;
    return is_country(value, isin_agencies) ? REASON_CHECK_DIGITS : REASON_COUNTRY;
}

assay_verdict builtin_lei_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    unsigned check = value_of(value[18]) * 10 + value_of(value[19]);
    return builtin_verdict(check >= 2 && check <= 98 && mod_97(0, value, count) == 1);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Identifiers without check digits
 * ------------------------------------------------------------------------------------------------------------- */

enum { UUID_VERSION, UUID_ANY_VERSION };

#define UUID_NIL "0{8}-(?:0{4}-){3}0{12}"
#define UUID_MAX "f{8}-(?:f{4}-){3}f{12}"

bool builtin_uuid_prepare(assay_builtin *type, assay_error *error)
{
    type->pattern_options |= ASSAY_PATTERN_CASE_INSENSITIVE;
    if (builtin_given(type, UUID_ANY_VERSION)) {
        type->pattern_text = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
        return true;
    }
    if (!builtin_given(type, UUID_VERSION)) {
        type->pattern_text = "[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
                             "|" UUID_NIL "|" UUID_MAX;
        return true;
    }
    /* Versions as the digits of a class, then nil and max as alternatives. */
    char versions[10] = "";
    bool has_nil = false;
    bool has_max = false;
    assay_text rest = type->texts[UUID_VERSION];
    assay_text word;
    while (builtin_next_word(&rest, &word)) {
        bool is_version = word.count == 1 && word.bytes[0] >= '1' && word.bytes[0] <= '8';
        has_nil |= builtin_is(word, "nil");
        has_max |= builtin_is(word, "max");
        if (is_version && strchr(versions, word.bytes[0]) == NULL) {
            versions[strlen(versions)] = (char)word.bytes[0];
        } else if (!is_version && !builtin_is(word, "nil") && !builtin_is(word, "max")) {
            return builtin_refuse(type, UUID_VERSION, error, "versions are 1 to 8, nil and max");
        }
    }
    if (versions[0] != 0) {
        builtin_append(type, "[0-9a-f]{8}-[0-9a-f]{4}-[");
        builtin_append(type, versions);
        builtin_append(type, "][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }
    if (has_nil) builtin_append(type, type->built[0] == 0 ? UUID_NIL : "|" UUID_NIL);
    if (has_max) builtin_append(type, type->built[0] == 0 ? UUID_MAX : "|" UUID_MAX);
    return true;
}

builtin_reason builtin_uuid_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)type, (void)has_shape;
    for (size_t i = 0; i < count; i++) {
        bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_hyphen ? value[i] != '-' : !is_hex_digit(value[i])) return REASON_NONE;
    }
    if (count != 36) return REASON_NONE;
    /* Nil and max do not have a variant. */
    size_t same = 1;
    while (same < count && (value[same] == '-' || builtin_lower(value[same]) == builtin_lower(value[0]))) same++;
    if (same == count && (value[0] == '0' || builtin_lower(value[0]) == 'f')) return REASON_VERSION;
    uint8_t variant = builtin_lower(value[19]);
    return variant == '8' || variant == '9' || variant == 'a' || variant == 'b' ? REASON_VERSION : REASON_VARIANT;
}

static const struct algorithm {
    const char *name;
    const char *pattern;
} algorithms[] = {
    {"md5", "[0-9a-f]{32}"},    {"sha1", "[0-9a-f]{40}"},   {"sha224", "[0-9a-f]{56}"},
    {"sha256", "[0-9a-f]{64}"}, {"sha384", "[0-9a-f]{96}"}, {"sha512", "[0-9a-f]{128}"},
};

enum { HASH_ALGORITHM };

bool builtin_hash_prepare(assay_builtin *type, assay_error *error)
{
    enum { algorithm_count = sizeof algorithms / sizeof algorithms[0] };
    type->pattern_options |= ASSAY_PATTERN_CASE_INSENSITIVE;
    uint32_t chosen = builtin_given(type, HASH_ALGORITHM) ? 0 : UINT32_MAX;
    assay_text rest = type->texts[HASH_ALGORITHM];
    assay_text word;
    while (builtin_next_word(&rest, &word)) {
        size_t i = 0;
        while (i < algorithm_count && !builtin_is(word, algorithms[i].name)) i++;
        if (i == algorithm_count) {
            return builtin_refuse(type, HASH_ALGORITHM, error, "known are md5, sha1, sha224, sha256, sha384, sha512");
        }
        chosen |= 1u << i;
    }
    const char *before = "";
    for (size_t i = 0; i < algorithm_count; i++) {
        if ((chosen >> i & 1) == 0) continue;
        builtin_append(type, before);
        builtin_append(type, algorithms[i].pattern);
        before = "|";
    }
    return true;
}
