/* VAT identification numbers of the European Union and Northern Ireland: the forms that VIES accepts, and the check
   digits of each country. */
#include "Types/Builtin/builtin_tests.h"

#include "Types/assay_calendar.h"
#include "assay_error.h"

#include <stdlib.h>

/* Checks the number after the country code. The pattern has already checked its form. */
typedef bool vat_check(const uint8_t *number, size_t count);

static unsigned digit(uint8_t byte) { return byte - (unsigned)'0'; }

static uint64_t number_of(const uint8_t *digits, size_t count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) number = number * 10 + digit(digits[i]);
    return number;
}

static unsigned weighted(const uint8_t *digits, const uint8_t *weights, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) sum += digit(digits[i]) * weights[i];
    return sum;
}

/* The sum with the weights first, first + step, first + 2 × step … */
static unsigned rising(const uint8_t *digits, size_t count, unsigned first, int step)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) sum += digit(digits[i]) * (unsigned)((int)first + (int)i * step);
    return sum;
}

/* The sum of ISO/IEC 7812-1 annex B. If `open`, the digits do not include the check digit. */
static unsigned luhn_sum(const uint8_t *digits, size_t count, bool open)
{
    static const uint8_t doubled[10] = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned value = digit(digits[count - 1 - i]);
        sum += (i % 2 == 1) != open ? doubled[value] : value;
    }
    return sum;
}

/* The check of ISO/IEC 7064, MOD 11,10. */
static bool mod_11_10(const uint8_t *digits, size_t count)
{
    static const uint8_t doubled[10] = {9, 2, 4, 6, 8, 10, 1, 3, 5, 7}; /* 0 counts as 10; modulo 11 */
    unsigned check = 5;
    for (size_t i = 0; i < count; i++) {
        check = doubled[check] + digit(digits[i]);
        if (check >= 10) check -= 10;
    }
    return check == 1;
}

static bool is_date(unsigned year, unsigned month, unsigned day)
{
    return month >= 1 && month <= 12 && day >= 1 && (int)day <= assay_days_in_month(year, (int)month);
}

static bool at(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {1, 2, 1, 2, 1, 2, 1};
    unsigned sum = 0;
    for (size_t i = 0; i < 7; i++) {
        unsigned product = digit(number[i + 1]) * weights[i];
        sum += product / 10 + product % 10;
    }
    return (96 - sum) % 10 == digit(number[count - 1]);
}

static bool be(const uint8_t *number, size_t count)
{
    uint64_t value = number_of(number, count);
    return value > 0 && (value / 100 + value % 100) % 97 == 0;
}

static bool bg(const uint8_t *number, size_t count)
{
    unsigned last = digit(number[count - 1]);
    if (count == 9) {
        unsigned check = rising(number, 8, 1, 1) % 11;
        if (check == 10) check = rising(number, 8, 3, 1) % 11;
        return check % 10 == last;
    }
    static const uint8_t citizen[] = {2, 4, 8, 5, 10, 9, 7, 3, 6};
    static const uint8_t foreigner[] = {21, 19, 17, 13, 11, 9, 7, 3, 1};
    static const uint8_t other[] = {4, 3, 2, 7, 6, 5, 4, 3, 2};
    unsigned year = 1900 + (unsigned)number_of(number, 2);
    unsigned month = (unsigned)number_of(number + 2, 2);
    unsigned day = (unsigned)number_of(number + 4, 2);
    if (month > 40) {
        year += 100;
        month -= 40;
    } else if (month > 20) {
        year -= 100;
        month -= 20;
    }
    if (is_date(year, month, day) && weighted(number, citizen, 9) % 11 % 10 == last) return true;
    if (weighted(number, foreigner, 9) % 10 == last) return true;
    return (11 - weighted(number, other, 9) % 11) % 11 == last;
}

static bool cy(const uint8_t *number, size_t count)
{
    static const uint8_t odd[] = {1, 0, 5, 7, 9, 13, 15, 17, 19, 21};
    unsigned sum = 0;
    for (size_t i = 0; i < 8; i++) sum += i % 2 == 0 ? odd[digit(number[i])] : digit(number[i]);
    return number[count - 1] == 'A' + sum % 26;
}

/* Whether a number is a Czech or Slovak birth number. 50 is added to the month for women, and 20 in later series. */
static bool is_birth_number(const uint8_t *number, size_t count)
{
    unsigned year = 1900 + (unsigned)number_of(number, 2);
    unsigned month = (unsigned)number_of(number + 2, 2) % 50 % 20;
    if (count == 9) {
        if (year >= 1980) year -= 100;
        if (year > 1953) return false;
    } else if (year < 1954) {
        year += 100;
    }
    if (!is_date(year, month, (unsigned)number_of(number + 4, 2))) return false;
    return count == 9 || number_of(number, 9) % 11 % 10 == digit(number[9]);
}

static bool cz(const uint8_t *number, size_t count)
{
    if (count == 8) {
        unsigned check = (11 - rising(number, 7, 8, -1) % 11) % 11;
        return (check == 0 ? 1 : check % 10) == digit(number[7]);
    }
    if (count == 9 && number[0] == '6') {
        unsigned rest = (10 + 11 - rising(number + 1, 7, 8, -1) % 11) % 11;
        return (18 - rest) % 10 == digit(number[8]);
    }
    return is_birth_number(number, count);
}

static bool dk(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {2, 7, 6, 5, 4, 3, 2, 1};
    return weighted(number, weights, count) % 11 == 0;
}

static bool ee(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {3, 7, 1, 3, 7, 1, 3, 7, 1};
    return weighted(number, weights, count) % 10 == 0;
}

static bool el(const uint8_t *number, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i + 1 < count; i++) sum = sum * 2 + digit(number[i]);
    return sum * 2 % 11 % 10 == digit(number[count - 1]);
}

static bool es(const uint8_t *number, size_t count)
{
    static const char letters[] = "TRWAGMYFPDXBNJZSQVHLCKE";
    uint8_t first = number[0];
    uint8_t last = number[count - 1];
    if (is_digit(first)) return last == (uint8_t)letters[number_of(number, 8) % 23];
    uint64_t rest = number_of(number + 1, 7);
    if (first >= 'X') return last == (uint8_t)letters[((uint64_t)(first - 'X') * 10000000 + rest) % 23];
    if (first >= 'K' && first <= 'M') return last == (uint8_t)letters[rest % 23];
    /* For companies, accept both a digit and a letter, because sources disagree about some kinds. */
    unsigned check = (10 - luhn_sum(number + 1, 7, true) % 10) % 10;
    return last == '0' + check || last == (uint8_t) "JABCDEFGHI"[check];
}

static bool fi(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {7, 9, 10, 5, 8, 4, 2, 1};
    return weighted(number, weights, count) % 11 == 0;
}

/* The value of a character of the key, which may be a letter except I and O. */
static unsigned french_value(uint8_t byte)
{
    if (is_digit(byte)) return digit(byte);
    return byte - (unsigned)'A' + 10 - (byte > 'I') - (byte > 'O');
}

static bool fr(const uint8_t *number, size_t count)
{
    (void)count;
    uint64_t siren = number_of(number + 2, 9);
    bool is_monaco = number_of(number + 2, 3) == 0;
    if (!is_monaco && luhn_sum(number + 2, 9, false) % 10 != 0) return false;
    unsigned first = french_value(number[0]);
    unsigned second = french_value(number[1]);
    if (first < 10 && second < 10) return first * 10 + second == (siren * 100 + 12) % 97;
    unsigned check = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
    return (siren + 1 + check / 11) % 11 == check % 11;
}

static bool hu(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {9, 7, 3, 1, 9, 7, 3, 1};
    return weighted(number, weights, count) % 10 == 0;
}

static bool ie(const uint8_t *number, size_t count)
{
    static const char letters[] = "WABCDEFGHIJKLMNOPQRSTUV";
    unsigned sum = 0;
    if (is_digit(number[1])) {
        sum = rising(number, 7, 8, -1);
        if (count == 9) sum += 9 * (unsigned)(strchr(letters, number[8]) - letters);
    } else { /* until 2013: the first digit counts after the others, and the letter at the second place is ignored */
        sum = rising(number + 2, 5, 7, -1) + digit(number[0]) * 2;
    }
    return number[7] == (uint8_t)letters[sum % 23];
}

static bool it(const uint8_t *number, size_t count)
{
    uint64_t province = number_of(number + 7, 3);
    bool is_known =
        (province >= 1 && province <= 100) || province == 120 || province == 121 || province == 888 || province == 999;
    return is_known && number_of(number, 7) > 0 && luhn_sum(number, count, false) % 10 == 0;
}

static bool lt(const uint8_t *number, size_t count)
{
    unsigned first = 0;
    unsigned second = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        first += digit(number[i]) * (unsigned)(1 + i % 9);
        second += digit(number[i]) * (unsigned)(1 + (i + 2) % 9);
    }
    unsigned check = first % 11 == 10 ? second % 11 : first % 11;
    return number[count - 2] == '1' && check % 10 == digit(number[count - 1]);
}

static bool lu(const uint8_t *number, size_t count)
{
    (void)count;
    return number_of(number, 6) % 89 == number_of(number + 6, 2);
}

static bool lv(const uint8_t *number, size_t count)
{
    static const uint8_t legal[] = {9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1};
    static const uint8_t person[] = {10, 5, 8, 4, 2, 1, 6, 3, 7, 9};
    if (number[0] > '3') return weighted(number, legal, count) % 11 == 3;
    if ((1 + weighted(number, person, 10)) % 11 % 10 != digit(number[10])) return false;
    if (number[0] == '3' && number[1] == '2') return true; /* since 2017, without the day of birth */
    unsigned year = 1800 + digit(number[6]) * 100 + (unsigned)number_of(number + 4, 2);
    return is_date(year, (unsigned)number_of(number + 2, 2), (unsigned)number_of(number, 2));
}

static bool mt(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {3, 4, 6, 7, 8, 9, 10, 1};
    return weighted(number, weights, count) % 37 == 0;
}

/* Companies have the old check of nine digits. Natural persons since 2020 have MOD 97-10 of the whole number with
   NL. */
static bool nl(const uint8_t *number, size_t count)
{
    if (number_of(number, 9) == 0 || number_of(number + 10, 2) == 0) return false;
    if (rising(number, 8, 9, -1) % 11 == digit(number[8])) return true;
    unsigned rest = 2321 % 97; /* N is 23, L is 21 */
    for (size_t i = 0; i < count; i++) {
        rest = number[i] == 'B' ? (rest * 100 + 11) % 97 : (rest * 10 + digit(number[i])) % 97;
    }
    return rest == 1;
}

static bool pl(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {6, 5, 7, 2, 3, 4, 5, 6, 7};
    return weighted(number, weights, 9) % 11 == digit(number[count - 1]);
}

static bool pt(const uint8_t *number, size_t count)
{
    return (11 - rising(number, 8, 9, -1) % 11) % 11 % 10 == digit(number[count - 1]);
}

static bool ro(const uint8_t *number, size_t count)
{
    static const uint8_t weights[] = {7, 5, 3, 2, 1, 7, 5, 3, 2};
    unsigned sum = weighted(number, weights + (10 - count), count - 1);
    return sum * 10 % 11 % 10 == digit(number[count - 1]);
}

static bool se(const uint8_t *number, size_t count)
{
    (void)count;
    return luhn_sum(number, 10, false) % 10 == 0;
}

static bool si(const uint8_t *number, size_t count)
{
    unsigned check = 11 - rising(number, 7, 8, -1) % 11;
    return check != 11 && check % 10 == digit(number[count - 1]);
}

static bool sk(const uint8_t *number, size_t count) { return number_of(number, count) % 11 == 0; }

static bool xi(const uint8_t *number, size_t count)
{
    if (count == 5) return number[0] == 'G' ? number_of(number + 2, 3) < 500 : number_of(number + 2, 3) >= 500;
    static const uint8_t weights[] = {8, 7, 6, 5, 4, 3, 2, 10, 1};
    unsigned rest = weighted(number, weights, 9) % 97;
    return rest == 0 || (number[0] != '0' && (rest == 42 || rest == 55));
}

static const struct vat_country {
    char country[3];
    const char *pattern;
    vat_check *check;
} countries[] = {
    {"AT", "U[0-9]{8}", at},
    {"BE", "[01][0-9]{9}", be},
    {"BG", "[0-9]{9,10}", bg},
    {"CY", "(?:[02-9][0-9]|1[013-9])[0-9]{6}[A-Z]", cy},
    {"CZ", "[0-8][0-9]{7}|[0-9]{9,10}", cz},
    {"DE", "[1-9][0-9]{8}", mod_11_10},
    {"DK", "[1-9][0-9]{7}", dk},
    {"EE", "[0-9]{9}", ee},
    {"EL", "[0-9]{9}", el},
    {"ES", "(?:[0-9]{8}|[XYZKLM][0-9]{7})[A-Z]|[A-HJNP-SUVW][0-9]{7}[0-9A-J]", es},
    {"FI", "[0-9]{8}", fi},
    {"FR", "[0-9A-HJ-NP-Z]{2}[0-9]{9}", fr},
    {"HR", "[0-9]{11}", mod_11_10},
    {"HU", "[0-9]{8}", hu},
    {"IE", "[0-9]{7}[A-W][A-W]?|[0-9][A-Z+*][0-9]{5}[A-W]", ie},
    {"IT", "[0-9]{11}", it},
    {"LT", "[0-9]{9}(?:[0-9]{3})?", lt},
    {"LU", "[0-9]{8}", lu},
    {"LV", "[0-9]{11}", lv},
    {"MT", "[1-9][0-9]{7}", mt},
    {"NL", "[0-9]{9}B[0-9]{2}", nl},
    {"PL", "[0-9]{10}", pl},
    {"PT", "[1-9][0-9]{8}", pt},
    {"RO", "[1-9][0-9]{1,9}", ro},
    {"SE", "[0-9]{10}01", se},
    {"SI", "[1-9][0-9]{7}", si},
    {"SK", "[1-9][0-9][2-47-9][0-9]{7}", sk},
    {"XI", "[0-9]{9}(?:[0-9]{3})?|GD[0-4][0-9]{2}|HA[5-9][0-9]{2}", xi},
    /* Only if the option names it: the same numbers as XI, but not in VIES. */
    {"GB", "[0-9]{9}(?:[0-9]{3})?|GD[0-4][0-9]{2}|HA[5-9][0-9]{2}", xi},
};

enum { country_count = sizeof countries / sizeof countries[0] };
enum { vies_count = country_count - 1 };
enum { VAT_COUNTRY };

static size_t country_of(assay_text code)
{
    size_t i = 0;
    if (code.count != 2) return country_count;
    while (i < country_count && memcmp(code.bytes, countries[i].country, 2) != 0) i++;
    return i;
}

/* The index of two capitals. */
static size_t letters_of(const uint8_t *code) { return (size_t)(code[0] - 'A') * 26 + (size_t)(code[1] - 'A'); }

static assay_verdict vat_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    const uint8_t *places = type->data;
    return builtin_verdict(countries[places[letters_of(value)]].check(value + 2, count - 2));
}

/* Creates the index of countries by two capitals. The pattern rejects other capitals. */
static bool make_places(assay_builtin *type, assay_error *error)
{
    uint8_t *places = calloc(26 * 26, 1);
    if (places == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    type->data = places;
    type->free_data = free;
    for (size_t i = 0; i < country_count; i++) {
        places[letters_of((const uint8_t *)countries[i].country)] = (uint8_t)i;
    }
    return true;
}

static void append_country(assay_builtin *type, size_t index)
{
    builtin_append(type, type->built[0] == 0 ? "" : "|");
    builtin_append(type, countries[index].country);
    builtin_append(type, "(?:");
    builtin_append(type, countries[index].pattern);
    builtin_append(type, ")");
}

bool builtin_vat_prepare(assay_builtin *type, assay_error *error)
{
    type->test = vat_test;
    if (!make_places(type, error)) return false;
    if (!builtin_given(type, VAT_COUNTRY)) {
        for (size_t i = 0; i < vies_count; i++) append_country(type, i);
        return true;
    }
    assay_text rest = type->texts[VAT_COUNTRY];
    assay_text word;
    while (builtin_next_word(&rest, &word)) {
        size_t index = country_of(word);
        if (index == country_count) {
            return builtin_refuse(type, VAT_COUNTRY, error,
                                  "known are the countries of VIES (EL for Greece), XI and GB");
        }
        append_country(type, index);
    }
    return true;
}
