/* Canonical forms: changed values, unchanged values, and that every result is a value of the type. */
#include "test_repair_support.h"

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

static assay_repaired *memory, *other;
static assay_scratch *scratch;

typedef struct canonical_case {
    const char *builtin; /* or NULL: use `kind` */
    assay_kind kind;
    const char *from[4];
    const char *region, *decimal, *group;
    const char *values[48]; /* pairs of input and result, up to the first NULL */
} canonical_case;

#define SAME ((const char *)"\x01same")

static const canonical_case cases[] = {
    {.builtin = "email",
     .values = {"Anna.Lee@Example.ORG", "Anna.Lee@example.org", "anna@example.org", SAME, "anna", SAME, "a@b", SAME,
                /* These would become other domains, because of U+0130 and the Kelvin sign. */
                "a@g\xC4\xB0thub.com", SAME, "a@\xE2\x84\xAA.com", SAME}},
    {.builtin = "email unicode",
     .values = {"\xC3\x84nna@B\xC3\xBC"
                "cher.DE",
                "\xC3\x84nna@b\xC3\xBC"
                "cher.de",
                "A@B\xC3\x9C"
                "CHER.example",
                "A@b\xC3\xBC"
                "cher.example",
                "A@bu\xCC\x88"
                "cher.example",
                "A@b\xC3\xBC"
                "cher.example"}},
    {.builtin = "email ip-literal", .values = {"A@[IPv6:2001:DB8::1]", SAME, "A@B.ORG", "A@b.org"}},
    {.builtin = "domain unicode",
     .values = {"B\xC3\x9C"
                "CHER.de",
                "b\xC3\xBC"
                "cher.de"}},
    {.builtin = "hostname", .values = {"WWW.Example.org", "www.example.org", "-A", SAME}},
    {.builtin = "idn-hostname",
     .values = {"B\xC3\x9C"
                "CHER.example",
                "b\xC3\xBC"
                "cher.example",
                "Bu\xCC\x88"
                "cher.example",
                "b\xC3\xBC"
                "cher.example",
                "g\xC4\xB0thub.com", SAME, "\xE2\x84\xAA.com", SAME,
                "stra\xE1\xBA\x9E"
                "e.example",
                SAME}},
    /* U+3002, U+FF0E and U+FF61 separate labels. */
    {.builtin = "idn-hostname",
     .values = {"\xE4\xBE\x8B\xE3\x81\x88\xE3\x80\x82jp", "\xE4\xBE\x8B\xE3\x81\x88.jp",
                "a\xEF\xBC\x8E"
                "B\xEF\xBD\xA1"
                "c",
                "a.b.c", "a\xE3\x80\x82", SAME,
                "a\xE3\x80\x81"
                "b",
                SAME}},
    {.builtin = "domain unicode", .values = {"\xE4\xBE\x8B\xE3\x81\x88\xE3\x80\x82jp", "\xE4\xBE\x8B\xE3\x81\x88.jp"}},
    {.builtin = "email unicode",
     .values = {"a\xE3\x80\x82"
                "b@\xE4\xBE\x8B\xE3\x81\x88\xEF\xBC\x8Ejp",
                "a\xE3\x80\x82"
                "b@\xE4\xBE\x8B\xE3\x81\x88.jp"}},
    {.builtin = "ipv6",
     .values = {"2001:DB8:0:0:0:0:0:1", "2001:db8::1", "2001:0db8:0001:0000:0000:0ab9:C0A8:0102",
                "2001:db8:1::ab9:c0a8:102", "0:0:0:0:0:0:0:0", "::", "2001:db8:0:1:1:1:1:1", SAME,
                "2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1", "2001:0:0:1:0:0:0:1", "2001:0:0:1::1",
                "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1",
                /* Each address has one form: the last 32 bits are an IPv4 address only after ::ffff:. */
                "::FFFF:192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "::ffff:192.0.2.1", "0:0:0:0:0:FFFF:0:0",
                "::ffff:0.0.0.0", "::fffe:192.0.2.1", "::fffe:c000:201", "2001:db8::192.0.2.1", "2001:db8::c000:201",
                "::192.0.2.1", "::c000:201", "1:2:3:4:5:6:0.0.0.0",
                "1:2:3:4:5:6::", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0", "::1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7", "1::2::3",
                SAME, "12345::", SAME, "::1", SAME}},
    {.builtin = "ip", .values = {"192.0.2.1", SAME, "192.0.2.01", SAME, "::0001", "::1"}},
    {.builtin = "cidr",
     .values = {"2001:DB8::/32", "2001:db8::/32", "192.0.2.0/24", SAME, "::ffff:c000:200/120", "::ffff:192.0.2.0/120"}},
    {.builtin = "mac",
     .values = {"00-00-5E-00-53-AF", "00:00:5e:00:53:af", "0000.5e00.53af", "00:00:5e:00:53:af", "00005E0053AF",
                "00:00:5e:00:53:af", "00:00:5e:00:53:af", SAME, "00:00-5e:00:53:af", SAME, "00:00:5e:00:53", SAME,
                "0:00:5e:00:53:af", SAME}},
    {.builtin = "port", .values = {"08080", "8080", "0", SAME, "000", "0", "65536", SAME}},
    {.builtin = "url",
     .values = {"HTTPS://User@Example.ORG/A%3ab?C#D", SAME, "HTTPS://WWW.Example.ORG:80/A%3ab?C#D",
                "https://www.example.org:80/A%3Ab?C#D", "https://www.example.org/a", SAME}},
    /* An international host has the same form as in idn-hostname. */
    {.builtin = "iri",
     .values = {"https://B\xC3\x9C"
                "CHER.example/",
                "https://b\xC3\xBC"
                "cher.example/",
                "HTTPS://Anna@B\xC3\x9C"
                "CHER.Example:80/\xC3\x84%3a?\xC3\x96",
                "https://Anna@b\xC3\xBC"
                "cher.example:80/\xC3\x84%3A?\xC3\x96",
                "https://bu\xCC\x88"
                "cher.example",
                "https://b\xC3\xBC"
                "cher.example",
                "https://\xE4\xBE\x8B\xE3\x81\x88\xE3\x80\x82jp/", "https://\xE4\xBE\x8B\xE3\x81\x88.jp/",
                "https://b\xC3\xBC"
                "cher.example/A",
                SAME, "https://example.org/\xC3\x84", SAME, "https://\xCE\xA3.example/", "https://\xCF\x83.example/",
                /* Capital letters that may change the name, and hosts that are not host names. */
                "https://g\xC4\xB0thub.com/", SAME, "https://\xE2\x84\xAA.com/", SAME,
                "https://stra\xE1\xBA\x9E"
                "e.example/",
                SAME, "https://\xC3\x84_b.example/", SAME, "https://\xC3\x84%41.example/", SAME,
                "https://\xEF\xBC\xA1.example/", SAME, "https://[2001:DB8::1]:80/\xC3\x84",
                "https://[2001:db8::1]:80/\xC3\x84", "urn:\xC3\x84", SAME}},
    {.builtin = "iri-reference",
     .values = {"//B\xC3\x9C"
                "CHER.example",
                "//b\xC3\xBC"
                "cher.example",
                "/B\xC3\x9C"
                "CHER",
                SAME, "//", SAME, "//@", SAME, "//:1", SAME}},
    {.builtin = "url idn",
     .values = {"https://B\xC3\x9C"
                "CHER.example/",
                "https://b\xC3\xBC"
                "cher.example/"}},
    {.builtin = "url unicode idn",
     .values = {"https://b\xC3\xBC"
                "cher.EXAMPLE/\xC3\x84",
                "https://b\xC3\xBC"
                "cher.example/\xC3\x84"}},
    {.builtin = "uri", .values = {"URN:isbn:0451450523", "urn:isbn:0451450523", "Mailto:A@B", "mailto:A@B"}},
    {.builtin = "uuid",
     .values = {"123E4567-E89B-42D3-A456-426614174000", "123e4567-e89b-42d3-a456-426614174000",
                "{123e4567-e89b-42d3-a456-426614174000}", "123e4567-e89b-42d3-a456-426614174000",
                "urn:uuid:123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174000",
                "123e4567e89b42d3a456426614174000", "123e4567-e89b-42d3-a456-426614174000",
                "123e4567-e89b42d3-a456-426614174000", SAME, "123e4567-e89b-42d3-a456-42661417400g", SAME}},
    {.builtin = "ulid", .values = {"01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAV"}},
    {.builtin = "date",
     .from = {"%d.%m.%Y", "%m/%d/%Y"},
     .values = {"31.12.1999", "1999-12-31", "12/31/1999", "1999-12-31", "1999-12-31", SAME, "31.13.1999", SAME,
                "30.02.2000", SAME, "1.2.2000", "2000-02-01"}},
    {.kind = ASSAY_KIND_DATE,
     .from = {"%d/%m/%Y", "%m/%d/%Y"},
     .values = {"31/12/1999", "1999-12-31", "12/31/1999", "1999-12-31", "02/03/2000", SAME, "03/03/2000", "2000-03-03",
                "2000-03-03", SAME, "", SAME}},
    /* Adjacent numbers are read only if all their digits are present. */
    {.kind = ASSAY_KIND_DATE,
     .from = {"%d%m%Y", "%y%j"},
     .values = {"31121999", "1999-12-31", "01122000", "2000-12-01", "1122000", SAME, "99365", "1999-12-31", "9936",
                SAME}},
    {.kind = ASSAY_KIND_TIME, .from = {"%H%M"}, .values = {"0204", "02:04:00", "234", SAME, "2345", "23:45:00"}},
    /* A valid ISO 8601 value is never read with another format. */
    {.kind = ASSAY_KIND_DATE, .from = {"%Y-%d-%m"}, .values = {"2000-02-03", SAME, "2000-31-12", "2000-12-31", NULL}},
    {.kind = ASSAY_KIND_TIME,
     .from = {"%H.%M", "%I:%M %p"},
     .values = {"13.45", "13:45:00", "01:45 PM", "13:45:00", "13:45:00", SAME}},
    {.kind = ASSAY_KIND_DATETIME,
     .from = {"%d.%m.%Y %H:%M", "%d/%b/%Y:%H:%M:%S %z"},
     .values = {"31.12.1999 23:59", "1999-12-31T23:59:00", "31/Dec/1999:23:59:59 -0100", "2000-01-01T00:59:59Z",
                "1999-12-31T23:59:00", SAME, "1999-12-31T23:59:00+01:00", SAME}},
    {.builtin = "date-time",
     .from = {"%d.%m.%Y %H:%M %z"},
     .values = {"2024-02-29t23:20:50.52z", "2024-02-29T23:20:50.52Z", "31.12.1999 23:59 +0100",
                "1999-12-31T22:59:00Z"}},
    {.builtin = "time", .from = {"%H:%M"}, .values = {"23:59:59z", "23:59:59Z", "2:05", SAME}},
    {.builtin = "time local",
     .from = {"%H:%M"},
     .values = {"2:05", "02:05:00", "23:59:59z", "23:59:59Z", "25:00", SAME}},
    {.builtin = "week", .values = {"2024-w09-4", "2024-W09-4"}},
    {.builtin = "duration", .values = {"p1y2m", "P1Y2M", "pt1x", SAME}},
    {.kind = ASSAY_KIND_BOOLEAN, .values = {"TRUE", "true", "0", "false", "1", "true", "yes", SAME, "true", SAME}},
    {.kind = ASSAY_KIND_INTEGER,
     .group = "'",
     .values = {"+7",
                "7",
                "007",
                "7",
                "1'234'567",
                "1234567",
                "12'34",
                SAME,
                "-0",
                "0",
                "-012",
                "-12",
                "1.0",
                SAME,
                "--1",
                SAME,
                "\xE2\x88\x92"
                "5",
                "-5",
                "\xE2\x80\x93"
                "5",
                SAME}},
    {.kind = ASSAY_KIND_NUMBER,
     .decimal = ",",
     .group = ".",
     .values = {"1.234,56",
                "1234.56",
                "1,5",
                "1.5",
                "1.5",
                SAME,
                "1234,5",
                "1234.5",
                "1.234.567",
                "1234567",
                "1.23.456",
                SAME,
                "12,345",
                SAME,
                ",5",
                "0.5",
                "5,",
                "5",
                "1,5E+3",
                "1.5e3",
                "-0,0",
                "0.0",
                "1,2,3",
                SAME,
                "12.345,6",
                "12345.6",
                "1234.567,8",
                SAME,
                "NaN",
                SAME,
                "INF",
                SAME,
                "\xC2\xA0"
                "1,5 ",
                "1.5"}},
    /* A point may separate the groups of whole numbers. */
    {.kind = ASSAY_KIND_INTEGER,
     .group = ".",
     .values = {"1.234.567", "1234567", "-12.345", "-12345", "1.5", SAME, "0.500", SAME, "1234", SAME, "1.234,5",
                SAME}},
    {.builtin = "integer", .group = ".", .values = {"12.345", "12345", "0.345", SAME}},
    /* A number that begins with 0 has no groups: 0,437 is less than one. */
    {.kind = ASSAY_KIND_NUMBER,
     .group = ",",
     .values = {"0,437", SAME, "-0,123", SAME, "00,123", SAME, "0,123,456", SAME, "012,345", SAME, "1,023", "1023",
                "1,000,000", "1000000", "0.437", SAME, "00.5", "0.5"}},
    {.kind = ASSAY_KIND_NUMBER,
     .decimal = ",",
     .group = ".",
     .values = {"0.500", SAME, "0,500", "0.500", "0,5", "0.5"}},
    {.kind = ASSAY_KIND_INTEGER, .group = ",", .values = {"0,500", SAME, "1,500", "1500"}},
    /* An exponent never follows groups, and groups must be complete. */
    {.kind = ASSAY_KIND_NUMBER,
     .decimal = ",",
     .group = ".",
     .values = {"7.067E+08", SAME, "7.067,5e3", SAME, "7067,5e3", "7067.5e3", "1.234", "1234", "1.23", SAME, "1,234.56",
                SAME, "1.23.45.678", SAME}},
    {.kind = ASSAY_KIND_NUMBER,
     .group = ",",
     .values = {"12,34,567", "1234567", "123,45,678", SAME, "1,234,56,789", SAME, "7,067E+08", SAME}},
    {.builtin = "money", .group = ",", .values = {"0,500 EUR", SAME, "EUR 1,500", "1500 EUR"}},
    {.builtin = "percent", .group = ",", .values = {"0,125%", SAME, "1,125%", "1125%"}},
    {.kind = ASSAY_KIND_NUMBER,
     .group = " ",
     .values = {"1 234.5", "1234.5",
                "1\xC2\xA0"
                "234",
                "1234",
                "1\xE2\x80\xAF"
                "234",
                "1234", "12 34", SAME}},
    {.builtin = "decimal", .group = ",", .values = {"1,234.50", "1234.50", "12,34,567", "1234567", "1,2", SAME}},
    {.builtin = "money",
     .decimal = ",",
     .group = ".",
     .values = {"1.234,50 EUR", "1234.50 EUR", "EUR 1.234,5", "1234.5 EUR", "eur12", "12 EUR", "12 XYZ", SAME}},
    {.builtin = "percent", .decimal = ",", .values = {"12,5 %", "12.5%", "12.5%", SAME, "12", SAME}},
    {.builtin = "latitude", .values = {"+05.50", "5.50", "-33.8688", SAME, "91", SAME}},
    {.builtin = "lat-long", .values = {"-33.8688, 151.2093", "-33.8688,151.2093"}},
    {.builtin = "card", .values = {"4111 1111 1111 1111", "4111111111111111", "4111-1111-1111-1112", SAME}},
    {.builtin = "iban",
     .values = {"de89 3704 0044 0532 0130 00", "DE89370400440532013000", "DE88 3704 0044 0532 0130 00", SAME}},
    {.builtin = "bic", .values = {"deutdeff", "DEUTDEFF"}},
    {.builtin = "isin", .values = {"us 037833100-5", "US0378331005"}},
    {.builtin = "vat", .values = {"de 136 695 976", "DE136695976"}},
    {.builtin = "isbn", .values = {"978-3-16-148410-0", "9783161484100", "0-8044-2957-x", "080442957X"}},
    {.builtin = "issn", .values = {"20493630", "2049-3630", "2434-561x", "2434-561X", "2049 3630", "2049-3630"}},
    {.builtin = "issn compact", .values = {"2049-3630", "20493630"}},
    {.builtin = "gtin", .values = {"4 006381 333931", "4006381333931"}},
    {.builtin = "country",
     .values = {"de",
                "DE",
                "DEU",
                "DE",
                "Germany",
                "DE",
                "276",
                "DE",
                "c\xC3\xB4te d'ivoire",
                "CI",
                "United Kingdom",
                "GB",
                "Federal Republic of Germany",
                "DE",
                "Deutschland",
                SAME,
                "XX",
                SAME,
                " de\xC2\xA0",
                "DE"}},
    {.builtin = "country-alpha3", .values = {"de", "DEU", "France", "FRA", "deu", "DEU"}},
    {.builtin = "country-numeric", .values = {"4", "004", "DE", "276", "36", "036", "00", SAME}},
    {.builtin = "currency", .values = {"eur", "EUR", "xxy", SAME}},
    {.builtin = "language", .values = {"DE", "de"}},
    {.builtin = "language-tag",
     .values = {"EN_us", "en-US", "zh-hant-tw", "zh-Hant-TW", "de-ch-1901", "de-CH-1901", "en-A-BBB-x-A-ccc",
                "en-a-bbb-x-a-ccc"}},
    {.builtin = "postal-code country=GB", .values = {"sw1a 1aa", "SW1A 1AA"}},
    {.builtin = "hex-color", .values = {"#F80", "#ff8800", "#FF8800", "#ff8800", "#abcd", "#aabbccdd", "ff8800", SAME}},
    {.builtin = "hash algorithm=md5",
     .values = {"D41D8CD98F00B204E9800998ECF8427E", "d41d8cd98f00b204e9800998ecf8427e"}},
    {.builtin = "mime-type", .values = {"Text/HTML; charset=UTF-8", "text/html; charset=UTF-8"}},
    {.builtin = "phone",
     .values = {"+44 20 7946 0018", "+442079460018", "0044 20 7946 0018", "+442079460018", "+44 (0)20 7946-0018",
                "+442079460018", "020 7946 0018", SAME, "+44 20 7946 0018 x5", SAME, "+442079460018", SAME, "00", SAME,
                "0099 123", SAME}},
    {.builtin = "phone",
     .region = "GB",
     .values = {"020 7946 0018", "+442079460018", "2079460018", "+442079460018", "(020) 7946 0018", "+442079460018",
                "+49 30 123456", "+4930123456", "0049 30 123456", "+4930123456", "12", SAME, "02", SAME}},
    {.builtin = "phone valid",
     .region = "US",
     .values = {"(212) 555-0123", "+12125550123", "1-212-555-0123", "+12125550123"}},
    /* The region of the type applies if it is a single one and the repair names no other. */
    {.builtin = "phone region=DE", .values = {"0171 1781527", "+491711781527"}},
    {.builtin = "phone valid region=DE mobile", .values = {"0171 1781527", "+491711781527", "030 123456", SAME}},
    {.builtin = "phone region=DE,FR", .values = {"0171 1781527", SAME}},
    {.builtin = "phone region=DE", .region = "GB", .values = {"020 7946 0018", SAME, "0171 1781527", SAME}},
    {.builtin = "phone", .region = "IT", .values = {"06 4882 1234", "+390648821234"}},
    /* (0) is either dialled only within the country, or part of the number. */
    {.builtin = "phone",
     .values = {"+39 (0)6 69812345", "+390669812345", "0039 (0)6 69812345", "+390669812345", "+225 (0)7 08 12 34 56",
                "+2250708123456", "+241 (0)1 44 12 34", "+24101441234", "+242 (0)6 612 3456", "+242066123456",
                "+378 (0)549 886377", "+3780549886377", "+49 (0)30 123456", "+4930123456", "0049(0)30/123456",
                "+4930123456", "+33 (0)1 42 68 53 00", "+33142685300", "+7 (0)912 345-67-89", "+79123456789",
                /* Both readings are valid: a landline and a mobile telephone. */
                "+39 (0)331 234567", SAME,
                /* Both readings are invalid. */
                "+39 (0)00 4882", SAME, "+44 (0)1", SAME, "+49 (0)(0)30 123456", SAME}},
    {.builtin = "phone region=IT valid", .values = {"+39 (0)331 234567", SAME, "+39 (0)6 4882 1234", "+390648821234"}},
    /* (0) elsewhere than after a complete country code is no known notation. */
    {.builtin = "phone", .region = "GB", .values = {"+3(0)212345371",        SAME,
                                                    "020 7946 0018(0)",      SAME,
                                                    "020 7946 001(0)8",      SAME,
                                                    "+4(0)4 20 7946 0018",   SAME,
                                                    "00(0)44 20 7946 0018",  SAME,
                                                    "0(0)44 20 7946 0018",   SAME,
                                                    "44 (0)20 7946 0018",    "+442079460018",
                                                    "(0)20 7946 0018",       "+442079460018",
                                                    "00 44 (0)20 7946 0018", "+442079460018",
                                                    "020 (0)7946 0018",      SAME}},
    {.builtin = "phone",
     .region = "US",
     .values = {"(201) 555-(0)123", SAME, "201-555-0(0)123", SAME, "201 555 0123 (0)", SAME, "011 44 (0)20 7946 0018",
                "+442079460018", "1 (0)201 555 0123", "+12015550123"}},
    {.builtin = "phone", .region = "DE", .values = {"030 901(0)820", SAME, "0(0)30 901820", SAME}},
    /* The national prefix after a country code is removed only if the number becomes valid by that alone. */
    {.builtin = "phone",
     .values = {"+44 020 7946 0018", "+442079460018", "+49 030 901820", "+4930901820", "+62 (0271) 659-5828",
                "+622716595828", "+4901701234567", "+491701234567", "+7 8 912 345-67-89", "+79123456789",
                "+39 0331 234567", "+390331234567", "+54 011 15-2345-6789", "+5491123456789",
                /* Both readings are valid: libphonenumber reads the 8 as the prefix of Belarus. */
                "+375 810 183 4563", SAME, "+3758101834563", SAME,
                /* Numbers outside every numbering plan. */
                "+44 20 7946 001", SAME, "+999 30 123456", SAME}},
    {.builtin = "phone",
     .region = "DE",
     .values =
         {/* A national number, and one with a missing plus sign. */
          "493004255784", SAME, "4917612345678", SAME,
          /* Decimal numbers. */
          "4930123456.0", SAME, "030123456.00", SAME, "+4930123456.0", SAME, "30123456.5", SAME, "030.901820",
          "+4930901820", "030.90.18.20", "+4930901820", "+49 0170 1234567", "+491701234567"}},
    /* Regions that share a country code: Jersey, the Isle of Man, Canada, Antigua, Kazakhstan, the Vatican. */
    {.builtin = "phone",
     .region = "GB",
     .values = {"07797 712345", "+447797712345", "07624 301234", "+447624301234", "442079460018", "+442079460018"}},
    {.builtin = "phone",
     .region = "US",
     .values = {"(416) 967-1111", "+14169671111", "011 44 20 7946 0018", "+442079460018",
                /* Not the international prefix of the United States. */
                "0044 20 7946 0018", SAME}},
    {.builtin = "phone", .region = "AG", .values = {"464-1234", "+12684641234", "268 464 1234", "+12684641234"}},
    {.builtin = "phone",
     .region = "RU",
     .values = {"8 776 819 4973", "+77768194973", "8 912 345-67-89", "+79123456789"}},
    {.builtin = "phone", .region = "IT", .values = {"06 698 12345", "+390669812345"}},
    /* In Brazil, 00 55 is the prefix of a carrier: +7 491 635 95 59 or +55 74 91635-9559. */
    {.builtin = "phone", .region = "BR", .values = {"00 55 74 91635-9559", SAME, "011 2345-6789", "+551123456789"}},
    {.builtin = "phone", .region = "AR", .values = {"011 15-2345-6789", "+5491123456789"}},
};

static assay_repairs *compiled(const canonical_case *test, const assay_type *type, const assay_check *check,
                               assay_error *error)
{
    assay_text from[4];
    size_t from_count = 0;
    while (from_count < 4 && test->from[from_count] != NULL) {
        from[from_count] = text_of(test->from[from_count]);
        from_count++;
    }
    const assay_canonical_description canonical = {
        .kind = test->builtin != NULL ? ASSAY_KIND_STRING : test->kind,
        .type = type,
        .builtin = text_of(test->builtin == NULL ? "" : test->builtin),
        .check = check,
        .from = from,
        .from_count = from_count,
        .region = text_of(test->region == NULL ? "" : test->region),
        .decimal_char = text_of(test->decimal == NULL ? "" : test->decimal),
        .group_char = text_of(test->group == NULL ? "" : test->group),
    };
    const assay_repair_description list = {.kind = ASSAY_REPAIR_CANONICAL, .canonical = &canonical};
    size_t which = 0;
    return assay_repairs_create(&list, 1, NULL, 0, 0, &which, error);
}

static assay_repaired_value apply(const assay_repairs *repairs, assay_text value)
{
    return assay_repairs_value(repairs, memory, scratch, value.bytes, value.count, false);
}

static void check_value(const canonical_case *test, const assay_repairs *repairs, const assay_check *check,
                        const char *value, const char *expected)
{
    if (strcmp(expected, SAME) == 0) expected = value;
    const assay_repaired_value result = apply(repairs, text_of(value));
    const bool is_right = result.status == ASSAY_OK && result.text.count == strlen(expected) &&
                          memcmp(result.text.bytes, expected, result.text.count) == 0;
    CHECK(is_right);
    if (!is_right) {
        fprintf(stderr, "%s: '%s' became '%.*s', not '%s'\n", test->builtin == NULL ? "kind" : test->builtin, value,
                (int)result.text.count, (const char *)result.text.bytes, expected);
    }
    if (result.causes != 0) {
        CHECK_EQUAL(assay_check_value(check, scratch, result.text.bytes, result.text.count), ASSAY_PASS);
    }
}

/* Makes a small, typical change to a value, and keeps it well-formed. */
static size_t edit(uint64_t *state, uint8_t *value, size_t count, size_t max)
{
    static const char *const pieces[] = {" ", "-", ".",        ",",        "0", "1", "'",  "/",
                                         ":", "+", "\xC2\xA0", "\xC3\x89", "Z", "x", "%3a"};
    const char *piece = pieces[random_below(state, sizeof pieces / sizeof pieces[0])];
    const size_t length = strlen(piece), at = random_below(state, count + 1);
    switch (random_below(state, 4)) {
    case 0: /* change the case */
        for (size_t i = at; i < count && random_below(state, 4) != 0; i++) {
            if ((value[i] | 0x20) >= 'a' && (value[i] | 0x20) <= 'z') value[i] ^= 0x20;
        }
        return count;
    case 1: /* delete a byte */
        if (at == count || value[at] >= 0x80) return count;
        memmove(value + at, value + at + 1, count - at - 1);
        return count - 1;
    default:
        if (count + length > max || (at < count && (value[at] & 0xC0) == 0x80)) return count;
        memmove(value + at + length, value + at, count - at);
        memcpy(value + at, piece, length);
        return count + length;
    }
}

static void check_generated(const canonical_case *test, const assay_repairs *repairs, const assay_check *check,
                            uint64_t *state)
{
    test_column column = {0};
    for (int round = 0; round < (test_is_slow() ? 40 : 10); round++) {
        for (size_t i = 0; column.count < max_rows; i++) {
            uint8_t value[256];
            const char *start = test->values[2 * random_below(state, i % 24 + 1)];
            if (start == NULL) start = test->values[0];
            size_t count = strlen(start);
            memcpy(value, start, count);
            for (size_t edits = random_below(state, 4); edits > 0; edits--) {
                count = edit(state, value, count, sizeof value);
            }
            column_add(&column, value, count);
            /* Valid values must remain valid. */
            const assay_text text = {value, count};
            if (assay_check_value(check, scratch, value, count) != ASSAY_PASS) continue;
            const assay_repaired_value result = apply(repairs, text);
            CHECK_EQUAL(assay_check_value(check, scratch, result.text.bytes, result.text.count), ASSAY_PASS);
        }
        check_column(repairs, memory, other, scratch, &column);
        column_clear(&column);
    }
    free(column.bytes);
}

static void test_values(void)
{
    uint64_t state = test_random_of(25).state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const canonical_case *test = &cases[i];
        assay_error error = {.status = ASSAY_OK};
        const assay_type_description description = {.kind = test->kind};
        assay_type *type = test->builtin == NULL ? assay_type_create(&description, &error) : NULL;
        assay_check *check = type != NULL ? assay_check_create_type(type, 0)
                                          : assay_check_create_builtin(text_of(test->builtin), 0, &error);
        CHECK(check != NULL);
        assay_repairs *repairs = compiled(test, type, check, &error);
        CHECK(repairs != NULL);
        if (repairs == NULL) fprintf(stderr, "%s: %s\n", test->builtin == NULL ? "kind" : test->builtin, error.message);
        for (size_t j = 0; repairs != NULL && j + 1 < 48 && test->values[j] != NULL; j += 2) {
            check_value(test, repairs, check, test->values[j], test->values[j + 1]);
        }
        if (repairs != NULL) check_generated(test, repairs, check, &state);
        assay_repairs_free(repairs);
        assay_check_free(check);
        assay_type_free(type);
    }
}

static void check_refused(canonical_case test, assay_type_description description, const char *message)
{
    description.kind = test.kind;
    assay_error error = {.status = ASSAY_OK};
    assay_type *type = test.builtin == NULL ? assay_type_create(&description, &error) : NULL;
    assay_check *check = type != NULL           ? assay_check_create_type(type, 0)
                         : test.builtin[0] != 0 ? assay_check_create_builtin(text_of(test.builtin), 0, &error)
                                                : NULL;
    assay_repairs *repairs = compiled(&test, type, check, &error);
    CHECK(repairs == NULL);
    const bool is_right = strcmp(error.message, message) == 0;
    CHECK(is_right);
    if (!is_right) fprintf(stderr, "'%s', not '%s'\n", error.message, message);
    assay_repairs_free(repairs);
    assay_check_free(check);
    assay_type_free(type);
}

static void test_refusals(void)
{
    const assay_type_description plain = {.kind = ASSAY_KIND_STRING};
    check_refused((canonical_case){.builtin = ""}, plain, "text without a format has no canonical form");
    check_refused((canonical_case){.builtin = "password"}, plain, "the format 'password' has no canonical form");
    check_refused((canonical_case){.builtin = "ipv4"}, plain,
                  "the format 'ipv4' has only one form, which needs no repair");
    check_refused(
        (canonical_case){.builtin = "decimal point=,"}, plain,
        "the format 'decimal' with point= or group= refuses canonical numbers, which have a point and no groups");
    check_refused((canonical_case){.builtin = "phone", .region = "XX"}, plain,
                  "'XX' is no region with telephone numbers, such as GB");
    check_refused((canonical_case){.builtin = "email", .region = "GB"}, plain, "'region' is for phone numbers");
    check_refused((canonical_case){.builtin = "email", .decimal = ","}, plain, "'decimalChar' is for numbers");
    check_refused((canonical_case){.builtin = "email", .from = {"%Y"}}, plain, "'from' is for dates and times");
    check_refused((canonical_case){.kind = ASSAY_KIND_NUMBER, .decimal = ".", .group = "."}, plain,
                  "decimalChar and groupChar are the same");
    check_refused((canonical_case){.kind = ASSAY_KIND_NUMBER, .group = "."}, plain,
                  "decimalChar and groupChar are the same");
    check_refused((canonical_case){.kind = ASSAY_KIND_INTEGER, .decimal = ",", .group = "."}, plain,
                  "'decimalChar' is for numbers");
    check_refused((canonical_case){.kind = ASSAY_KIND_NUMBER}, (assay_type_description){.decimal_char = text_of(",")},
                  "the type with a decimalChar of its own refuses canonical numbers, which have a point");
    check_refused((canonical_case){.kind = ASSAY_KIND_INTEGER}, (assay_type_description){.allow_extra = true},
                  "the type with bareNumber: false has no canonical form");
    check_refused((canonical_case){.kind = ASSAY_KIND_DATE}, (assay_type_description){.format = text_of("%d/%m/%Y")},
                  "the type with a format of its own refuses canonical values, which are ISO 8601");
    check_refused((canonical_case){.kind = ASSAY_KIND_YEAR}, plain,
                  "the type has only one form, which needs no repair");
}

static void check_reason(canonical_case test, const char *value, const char *name)
{
    assay_error error = {.status = ASSAY_OK};
    const assay_type_description description = {.kind = test.kind};
    assay_type *type = test.builtin == NULL ? assay_type_create(&description, &error) : NULL;
    assay_check *check =
        type != NULL ? assay_check_create_type(type, 0) : assay_check_create_builtin(text_of(test.builtin), 0, &error);
    assay_repairs *repairs = compiled(&test, type, check, &error);
    if (CHECK(repairs != NULL)) {
        const assay_failure_reason *reason =
            assay_repairs_failure_reason(repairs, scratch, (const uint8_t *)value, strlen(value));
        const char *found = reason == NULL ? "-" : reason->name;
        if (!CHECK(strcmp(found, name) == 0)) fprintf(stderr, "'%s': %s, not %s\n", value, found, name);
    }
    assay_repairs_free(repairs);
    assay_check_free(check);
    assay_type_free(type);
}

/* The reason for which a repair does not turn an invalid value into a valid one. */
static void test_reasons(void)
{
    const canonical_case date = {.kind = ASSAY_KIND_DATE, .from = {"%d/%m/%Y", "%m/%d/%Y"}};
    check_reason(date, "02/03/2000", "ambiguous");
    check_reason(date, "13/13/2000", "-");
    check_reason(date, "", "-");
    const canonical_case moment = {.builtin = "date-time", .from = {"%d.%m.%Y %H:%M"}};
    check_reason(moment, "31.12.1999 23:59", "no-offset");
    check_reason(moment, "31.12.1999", "-");
    check_reason((canonical_case){.builtin = "time", .from = {"%H:%M"}}, "2:05", "no-offset");
    const canonical_case past = {.builtin = "date past on=2000-01-01", .from = {"%d.%m.%Y"}};
    check_reason(past, "01.01.2000", "not-past");
    check_reason(past, "32.01.2000", "-");
    check_reason((canonical_case){.kind = ASSAY_KIND_NUMBER}, "x", "-");
    const canonical_case phone = {.builtin = "phone", .region = "DE"};
    check_reason(phone, "493004255784", "ambiguous");
    check_reason(phone, "4930123456.0", "separators");
    check_reason(phone, "0171", "plan");
    check_reason(phone, "+49 171", "plan");
    check_reason(phone, "+999 30 123456", "country");
    check_reason(phone, "+49", "-");
    check_reason(phone, "x", "-");
    check_reason((canonical_case){.builtin = "phone"}, "0171 1781527", "-");
    check_reason((canonical_case){.builtin = "phone"}, "0049 30", "plan");
}

/* For every built-in type, the example is unchanged, valid values remain valid, and a second repair has no effect. */
static void test_examples(void)
{
    for (size_t i = 0; assay_builtin_at(i) != NULL; i++) {
        const assay_builtin_info *info = assay_builtin_at(i);
        assay_error error = {.status = ASSAY_OK};
        const canonical_case test = {.builtin = info->name};
        assay_check *check = assay_check_create_builtin(text_of(info->name), 0, &error);
        assay_repairs *repairs = compiled(&test, NULL, check, &error);
        if (repairs != NULL) check_value(&test, repairs, check, info->example, SAME);
        assay_repairs_free(repairs);
        assay_check_free(check);
    }
}

int main(void)
{
    memory = assay_repaired_create();
    other = assay_repaired_create();
    scratch = assay_scratch_create(NULL);
    test_values();
    test_refusals();
    test_reasons();
    test_examples();
    assay_scratch_free(scratch);
    assay_repaired_free(memory);
    assay_repaired_free(other);
    return test_result();
}
