/* Decimal numbers: parsing, and their order compared with an independent implementation. */
#include "Types/assay_decimal.h"
#include "test.h"

static assay_decimal_style style_of(const char *point, const char *group, bool extra)
{
    return (assay_decimal_style){.point = {(const uint8_t *)point, strlen(point)},
                                 .group = {(const uint8_t *)group, strlen(group)},
                                 .allow_extra = extra};
}

static bool read_as(const assay_decimal_style *style, const char *text, assay_decimal *decimal)
{
    return assay_decimal_parse(style, (const uint8_t *)text, strlen(text), decimal);
}

typedef struct reading {
    const char *text;
    bool integer;
    bool number;
} reading;

static const reading readings[] = {
    {"0", true, true},       {"7", true, true},          {"-7", true, true},
    {"+7", true, true},      {"007", true, true},        {"", false, false},
    {"+", false, false},     {"-", false, false},        {"1.5", false, true},
    {".5", false, true},     {"5.", false, true},        {".", false, false},
    {"-.5", false, true},    {"1e5", false, true},       {"1E+5", false, true},
    {"1e-5", false, true},   {"1e", false, false},       {"1e+", false, false},
    {"e5", false, false},    {".e5", false, false},      {"1.5.2", false, false},
    {"1,000", false, false}, {" 1", false, false},       {"1 ", false, false},
    {"1\n", false, false},   {"--1", false, false},      {"0x10", false, false},
    {"NaN", false, true},    {"nan", false, true},       {"INF", false, true},
    {"-inf", false, true},   {"+INF", false, false},     {"Infinity", false, false},
    {"1f", false, false},    {"\xd9\xa1", false, false}, /* an Arabic digit */
    {"1e5.0", false, false}, {"1_000", false, false},    {"123456789012345678901234567890", true, true},
};

static void test_readings(void)
{
    assay_decimal_style integer = style_of("", "", false);
    assay_decimal_style number = style_of(".", "", false);
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        assay_decimal decimal;
        bool right = CHECK(read_as(&integer, readings[i].text, &decimal) == readings[i].integer);
        right &= CHECK(read_as(&number, readings[i].text, &decimal) == readings[i].number);
        if (!right) fprintf(stderr, "    \"%s\"\n", readings[i].text);
    }
}

typedef struct styled {
    const char *point;
    const char *group;
    bool extra;
    const char *text;
    const char *equals; /* in plain style; NULL: not a number */
} styled;

static const styled styled_cases[] = {
    {".", ",", false, "1,234,567.5", "1234567.5"},
    {",", ".", false, "1.234.567,5", "1234567.5"},
    {",", " ", false, "-1 234,5", "-1234.5"},
    {".", "\xc2\xa0", false,
     "1\xc2\xa0"
     "234",
     "1234"}, /* no-break space */
    {"\xd9\xab", "\xd9\xac", false,
     "1\xd9\xac"
     "234\xd9\xab"
     "5",
     "1234.5"},                                    /* Arabic separators */
    {".", ",", false, "12,34,567.5", "1234567.5"}, /* groups as in India */
    {".", ",", false, "1,23,45,678", "12345678"},
    {",", ".", false, "1.23.45.678", NULL},
    {".", " ", false, "12 34 567", NULL},
    /* Incomplete groups. */
    {".", ",", false, "12,34", NULL},
    {".", ",", false, "1234,567", NULL},
    {".", ",", false, "1,2345", NULL},
    {".", ",", false, "123,45,678", NULL},
    {".", ",", false, "1,234,56,789", NULL},
    {".", ",", false, "0,123", NULL},
    {",", ".", false, "1.5", NULL},
    {",", ".", true, "1.5 EUR", NULL},
    {",", ".", false, "1,234.56", NULL},
    {",", ".", true, "EUR 1,234.56", NULL},
    {",", ".", false, "1,234.567", NULL},
    /* An exponent after groups. */
    {",", ".", false, "7.067E+08", NULL},
    {",", ".", true, "7.067E+08", NULL},
    {",", ".", false, "7.067,5E+08", NULL},
    {",", ".", false, "7067,5E+08", "7067.5E+08"},
    {".", ",", false, "1,,234", NULL},
    {".", ",", false, ",234", NULL},
    {".", ",", false, "234,", NULL},
    {".", ",", false, "1,.5", NULL},
    {".", ",", false, "1.,5", NULL},
    {".", ",", false, "1e1,0", NULL},
    {"", ",", false, "1,000", "1000"},
    {".", "", true, "95%", "95"},
    {".", "", true, "€95", "95"},
    {".", "", true, "EUR 95.50", "95.5"},
    {".", "", true, "-€5", "-5"},
    {".", "", true, "€-5", "-5"},
    {".", "", true, "5 kg", "5"},
    {".", "", true, "5eur", "5"},
    {".", "", true, "1e3 m", "1000"},
    {".", "", true, "Nr.5", "5"},
    {".", "", true, "$.5", ".5"},
    {".", "", true, "\xd0\xa0\xd1\x83\xd0\xb1.5", "5"}, /* a point after a Cyrillic word */
    {".", "", true, "approx. 7", "7"},
    /* A separator directly before the digits. */
    {"", "", true, "$.50", NULL},
    {"", "", true, "EUR,50", NULL},
    {"", "", true, "No.50", "50"},
    {",", "", true, "$.5", NULL},
    {",", "", true, "EUR ,5", ".5"},
    {",", "", true, "EUR,5", ".5"},
    {",", ".", true, "\xe2\x82\xac .500", NULL},
    {".", ",", true, ",5", NULL},
    {".", ",", true, "$,500", NULL},
    {".", "", true,
     "\xd9\xab"
     "5",
     NULL}, /* Arabic decimal separator */
    {".", "", true, "-.-5", NULL},
    /* Digits and numbers that are not ASCII. */
    {".", "", true, "1\xef\xbc\x90", NULL},
    {".", "", true, "1\xd9\xa1", NULL},
    {".", "", true, "5\xc2\xbd", NULL},
    {".", "", true, "\xe2\x85\xa7 5", NULL},
    {".", "", true, "5\xc2\xb2", NULL},
    {".", "", true, "5 m\xc2\xb2", "5"},
    {".", "", true, "5 km\xc2\xb2\xe2\x81\xb0", "5"},
    {".", "", true, "5 \xc2\xb2", NULL},
    {".", "", true, "12.5 t CO\xe2\x82\x82", "12.5"},
    {".", "", true, "5 \xff\xc2", "5"}, /* ill-formed bytes are text */
    {".", "", true, "5 km2", NULL},
    {".", "", true,
     "\xe2\x88\x92"
     "5",
     "-5"}, /* U+2212 */
    {".", "", true, "EUR\xe2\x88\x92.5 net", "-.5"},
    {".", "", true,
     "\xe2\x88\x92\xe2\x82\xac"
     "5",
     "-5"}, /* and a euro sign */
    {".", "", true, "- 5", "-5"},
    {".", "", true, "net-price 5 (approx)", "5"},
    {".", "", true, "(net) 5", "5"},
    {".", "", true, "1) ", "1"},
    {".", "", true, "5-", NULL},
    {".", "", true, "5 \xe2\x88\x92", NULL},
    {".", "", true, "5 EUR-", NULL},
    {".", "", true, "(5)", NULL},
    {".", "", true, "(EUR 5)", NULL},
    {".", "", true, "EUR - 5", NULL},
    {".", "", true,
     " -\xe2\x82\xac"
     "5",
     NULL},
    {".", "", true, "--5", NULL},
    {".", "", true, "-EUR -5", NULL},
    {".", "", true,
     "\xe2\x80\x93"
     "5",
     NULL}, /* an en dash */
    {".", "", true,
     "\xef\xbc\x8d"
     "5",
     NULL}, /* U+FF0D */
    {"", "", true,
     "EUR\xe2\x88\x92"
     "5",
     "-5"},
    {"", "", true, "5-", NULL},
    {".", "", true, "1-2", NULL},
    {".", "", true, "€", NULL},
    {".", "", true, "", NULL},
    {".", ",", true, "$1,234.50 USD", "1234.5"},
    {"", "", true, "12.5 kg", NULL},
    {"", "", true, "12 kg", "12"},
};

static void test_styles(void)
{
    assay_decimal_style plain = style_of(".", "", false);
    for (size_t i = 0; i < sizeof styled_cases / sizeof styled_cases[0]; i++) {
        const styled *it = &styled_cases[i];
        assay_decimal_style style = style_of(it->point, it->group, it->extra);
        assay_decimal left;
        assay_decimal right;
        bool is_number = read_as(&style, it->text, &left);
        bool expected = it->equals != NULL;
        if (!CHECK(is_number == expected)) fprintf(stderr, "    \"%s\"\n", it->text);
        if (!is_number || !expected) continue;
        CHECK(read_as(&plain, it->equals, &right));
        if (!CHECK(assay_decimal_compare(&left, &right) == 0)) fprintf(stderr, "    \"%s\"\n", it->text);
        CHECK(assay_decimal_hash(&left) == assay_decimal_hash(&right));
    }
}

/* In ascending order; numbers on one line are equal. */
static const char *const ladder[][6] = {
    {"-INF", "-inf"},
    {"-1e999999999999999999999999", "-1e99999999999999999999999999"}, /* too small to be distinguished */
    {"-123456789012345678901234567890.5"},
    {"-123456789012345678901234567890.4", "-1234567890123456789012345678904e-1"},
    {"-10", "-1e1", "-010.0", "-100e-1"},
    {"-9.99999999999999999999999999"},
    {"-0.1", "-.1", "-1e-1"},
    {"-1e-400"},
    {"0", "-0", "+0", "0.000", "0e5", "-0.0e-999999999999999999999999999999"},
    {"1e-99999999999999999999999999999", "1e-99999999999999999999999999999999"}, /* too close to 0 to be
                                                                                    distinguished */
    {"1e-400", "10e-401", "0.1e-399"},
    {"0.1", ".1", "0.10", "1e-1"},
    {"0.1000000000000000055511151231257827"}, /* the double nearest to 0.1 */
    {"0.11"},
    {"1", "1.0", "1.", "01", "1e0", "0.1e1"},
    {"9007199254740992"},
    {"9007199254740993"}, /* equal to the previous one as doubles */
    {"1e400"},
    {"1.0000000000000000000000000000000000001e400"},
    {"INF", "inf"},
};

static void test_ladder(void)
{
    assay_decimal_style number = style_of(".", "", false);
    size_t rungs = sizeof ladder / sizeof ladder[0];
    for (size_t i = 0; i < rungs; i++) {
        for (size_t j = 0; j < rungs; j++) {
            for (size_t a = 0; a < 6 && ladder[i][a] != NULL; a++) {
                for (size_t b = 0; b < 6 && ladder[j][b] != NULL; b++) {
                    assay_decimal left;
                    assay_decimal right;
                    CHECK(read_as(&number, ladder[i][a], &left) && read_as(&number, ladder[j][b], &right));
                    int expected = i < j ? -1 : i > j ? 1 : 0;
                    if (!CHECK(assay_decimal_compare(&left, &right) == expected)) {
                        fprintf(stderr, "    %s and %s\n", ladder[i][a], ladder[j][b]);
                    }
                    if (i == j) CHECK(assay_decimal_hash(&left) == assay_decimal_hash(&right));
                }
            }
        }
    }
}

/* The reference: writes both numbers without exponents into fields with fixed numbers of digits before and after the
   point, and compares the fields as text. */
enum { PLACES = 64, FIELD = 2 * PLACES };

static int written_out(const char *text, char field[FIELD])
{
    memset(field, '0', FIELD);
    int sign = 1;
    if (*text == '+' || *text == '-') sign = *text++ == '-' ? -1 : 1;
    const char *exponent_at = strpbrk(text, "eE");
    int exponent = exponent_at == NULL ? 0 : atoi(exponent_at + 1);
    size_t length = exponent_at == NULL ? strlen(text) : (size_t)(exponent_at - text);
    const char *point = memchr(text, '.', length);
    int before = (int)(point == NULL ? length : (size_t)(point - text));
    int place = PLACES - before - exponent;
    bool is_zero = true;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') continue;
        field[place++] = text[i];
        is_zero &= text[i] == '0';
    }
    return is_zero ? 0 : sign;
}

static void test_against_reference(void)
{
    assay_decimal_style number = style_of(".", "", false);
    test_random random = test_random_of(20240229);
    for (int round = 0; round < 200000; round++) {
        char texts[2][64];
        for (int side = 0; side < 2; side++) {
            size_t n = 0;
            uint32_t sign = test_random_below(&random, 4);
            if (sign < 2) texts[side][n++] = sign == 0 ? '-' : '+';
            uint32_t integer = test_random_below(&random, 6);
            uint32_t fraction = test_random_below(&random, 6);
            if (integer + fraction == 0) integer = 1;
            for (uint32_t i = 0; i < integer; i++) texts[side][n++] = (char)('0' + test_random_below(&random, 3) % 2);
            if (fraction > 0 || test_random_below(&random, 4) == 0) texts[side][n++] = '.';
            for (uint32_t i = 0; i < fraction; i++) texts[side][n++] = (char)('0' + test_random_below(&random, 3) % 2);
            if (test_random_below(&random, 2) == 0) {
                n += (size_t)snprintf(texts[side] + n, 8, "e%d", (int)test_random_below(&random, 9) - 4);
            }
            texts[side][n] = '\0';
        }
        char fields[2][FIELD];
        int left_sign = written_out(texts[0], fields[0]);
        int right_sign = written_out(texts[1], fields[1]);
        int digits = memcmp(fields[0], fields[1], FIELD);
        int expected = left_sign != right_sign ? (left_sign < right_sign ? -1 : 1)
                                               : left_sign * (digits < 0   ? -1
                                                              : digits > 0 ? 1
                                                                           : 0);
        assay_decimal left;
        assay_decimal right;
        CHECK(read_as(&number, texts[0], &left) && read_as(&number, texts[1], &right));
        if (!CHECK(assay_decimal_compare(&left, &right) == expected)) {
            fprintf(stderr, "    %s and %s\n", texts[0], texts[1]);
        }
        if (expected == 0) CHECK(assay_decimal_hash(&left) == assay_decimal_hash(&right));
    }
}

int main(void)
{
    test_readings();
    test_styles();
    test_ladder();
    test_against_reference();
    return test_result();
}
