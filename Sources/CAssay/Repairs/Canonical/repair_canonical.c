/* The canonical form of each type. */
#include "Repairs/Canonical/repair_canonical.h"

#include "assay_error.h"

#include <stdlib.h>

typedef struct builtin_form {
    const char *name;
    canonical_form *form; /* NULL: every value has only one form */
    const char *words;    /* a short description; see Docs/types.md */
} builtin_form;

/* Built-in types outside this table have no canonical form. */
static const builtin_form builtin_forms[] = {
    {"email", canonical_email, "the domain in small letters"},
    {"email-html", canonical_email, "the domain in small letters"},
    {"hostname", canonical_lower, "small letters"},
    {"idn-hostname", canonical_idn, "small letters, normal form C, points between labels"},
    {"domain", canonical_idn, "small letters, normal form C, points between labels"},
    {"ipv4", NULL, ""},
    {"ipv6", canonical_ipv6, "as in RFC 5952: 2001:db8::1"},
    {"ip", canonical_ip, "as in RFC 5952: 2001:db8::1"},
    {"cidr", canonical_cidr, "the address as in RFC 5952: 2001:db8::/32"},
    {"mac", canonical_mac, "small letters with colons: 00:00:5e:00:53:af"},
    {"port", canonical_port, "without leading zeros"},
    {"url", canonical_uri,
     "scheme and host in small letters, an international host as in idn-hostname, %3A in capitals"},
    {"uri", canonical_uri, "scheme and host in small letters, %3A in capitals"},
    {"uri-reference", canonical_uri, "scheme and host in small letters, %3A in capitals"},
    {"iri", canonical_uri,
     "scheme and host in small letters, an international host as in idn-hostname, %3A in capitals"},
    {"iri-reference", canonical_uri,
     "scheme and host in small letters, an international host as in idn-hostname, %3A in capitals"},
    {"uuid", canonical_uuid, "small letters and hyphens: 123e4567-e89b-42d3-a456-426614174000"},
    {"ulid", canonical_upper, "capitals"},
    {"date", canonical_date, "ISO 8601, from the formats under from: 1999-12-31"},
    {"time", canonical_time, "T and Z as capitals; from the formats under from: 13:45:00"},
    {"date-time", canonical_datetime, "T and Z as capitals; from the formats under from: 1999-12-31T23:59:00Z"},
    {"week", canonical_upper, "capitals"},
    {"ordinal-date", NULL, ""},
    {"duration", canonical_upper, "capitals"},
    {"integer", canonical_integer, "without plus, leading zeros and groups: -1234"},
    {"decimal", canonical_number, "a point, no groups, a digit before the point: -1234.50"},
    {"money", canonical_money, "the number before the code: 1234.50 EUR"},
    {"percent", canonical_percent, "without a space: 12.5%"},
    {"latitude", canonical_number, "a point, no groups, a digit before the point: -33.8688"},
    {"longitude", canonical_number, "a point, no groups, a digit before the point: 151.2093"},
    {"lat-long", canonical_lat_long, "without spaces: -33.8688,151.2093"},
    {"card", canonical_digits, "digits"},
    {"iban", canonical_code, "capitals and digits"},
    {"bic", canonical_code, "capitals and digits"},
    {"isin", canonical_code, "capitals and digits"},
    {"lei", canonical_code, "capitals and digits"},
    {"vat", canonical_code, "capitals and digits"},
    {"isbn", canonical_isbn, "digits and X"},
    {"issn", canonical_issn, "with the hyphen; with compact without it: 2049-3630"},
    {"gtin", canonical_digits, "digits"},
    {"ean", canonical_digits, "digits"},
    {"country", canonical_country, "the two letters, also from names and other codes: DE"},
    {"country-alpha3", canonical_country3, "the three letters, also from names and other codes: DEU"},
    {"country-numeric", canonical_country_numeric, "the three digits, also from names and other codes: 276"},
    {"currency", canonical_upper, "capitals"},
    {"language", canonical_lower, "small letters"},
    {"language-tag", canonical_language_tag, "the case of RFC 5646: zh-Hant-TW"},
    {"postal-code", canonical_upper, "capitals"},
    {"phone", canonical_phone, "E.164: +442079460018"},
    {"hex-color", canonical_hex_color, "six or eight small digits: #ff8800"},
    {"hash", canonical_lower, "small letters"},
    {"mime-type", canonical_mime_type, "type and subtype in small letters"},
};

static const builtin_form *find_form(const char *name)
{
    for (size_t i = 0; i < sizeof builtin_forms / sizeof builtin_forms[0]; i++) {
        if (strcmp(builtin_forms[i].name, name) == 0) return &builtin_forms[i];
    }
    return NULL;
}

const char *assay_canonical_form(assay_text builtin)
{
    const assay_builtin_info *info = assay_builtin_find(builtin);
    const builtin_form *form = info == NULL ? NULL : find_form(info->name);
    return form == NULL ? "" : form->words;
}

static bool refuse(assay_error *error, const char *what, const char *why)
{
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "%s %s", what, why);
    return false;
}

/* Whether a built-in type has an option: the word itself, or an option that begins with it if it ends in '='. */
static bool has_option(assay_text builtin, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i < builtin.count; i++) {
        if (builtin.bytes[i] != ' ' || builtin.count - i - 1 < length) continue;
        if (memcmp(builtin.bytes + i + 1, word, length) != 0) continue;
        const size_t end = i + 1 + length;
        if (word[length - 1] == '=' || end == builtin.count || builtin.bytes[end] == ' ') return true;
    }
    return false;
}

static bool choose_builtin(repair_canonical *canonical, const assay_canonical_description *description,
                           assay_error *error)
{
    const assay_builtin_info *info = assay_builtin_find(description->builtin);
    if (info == NULL) return refuse(error, "text without a format", "has no canonical form");
    char name[64] = "";
    strcat(strcat(strcat(name, "the format '"), info->name), "'");
    canonical->is_compact = has_option(description->builtin, "compact");
    const builtin_form *form = find_form(info->name);
    if (form == NULL) return refuse(error, name, "has no canonical form");
    canonical->form = form->form;
    if (canonical->form == NULL) return refuse(error, name, "has only one form, which needs no repair");
    if (has_option(description->builtin, "point=") || has_option(description->builtin, "group=")) {
        return refuse(error, name, "with point= or group= refuses canonical numbers, which have a point and no groups");
    }
    return true;
}

/* Whether a text is a value of the type. */
static bool reads(const assay_canonical_description *description, const char *text)
{
    return assay_check_value(description->check, NULL, (const uint8_t *)text, strlen(text)) == ASSAY_PASS;
}

/* Refuses types with text around numbers, because the text may be part of the meaning, as € and % are. */
static bool are_bare(const assay_canonical_description *description, assay_error *error)
{
    return !reads(description, "1 x") || refuse(error, "the type with bareNumber: false", "has no canonical form");
}

static bool choose_kind(repair_canonical *canonical, const assay_canonical_description *description, assay_error *error)
{
    const char *iso = "the type with a format of its own";
    switch (description->kind) {
    case ASSAY_KIND_STRING:
        return choose_builtin(canonical, description, error);
    case ASSAY_KIND_INTEGER:
        canonical->form = canonical_integer;
        return are_bare(description, error);
    case ASSAY_KIND_NUMBER:
        canonical->form = canonical_number;
        if (!reads(description, "1000.5")) {
            return refuse(error, "the type with a decimalChar of its own",
                          "refuses canonical numbers, which have a point");
        }
        return are_bare(description, error);
    case ASSAY_KIND_BOOLEAN:
        canonical->form = canonical_boolean;
        return (reads(description, "true") && reads(description, "false")) ||
               refuse(error, "the type", "refuses true or false, which are the canonical forms");
    case ASSAY_KIND_DATE:
        canonical->form = canonical_date;
        return reads(description, "2024-02-29") || refuse(error, iso, "refuses canonical values, which are ISO 8601");
    case ASSAY_KIND_TIME:
        canonical->form = canonical_time;
        return reads(description, "23:59:59") || refuse(error, iso, "refuses canonical values, which are ISO 8601");
    case ASSAY_KIND_DATETIME:
        canonical->form = canonical_datetime;
        return reads(description, "2024-02-29T23:59:59") ||
               refuse(error, iso, "refuses canonical values, which are ISO 8601");
    case ASSAY_KIND_DURATION:
        canonical->form = canonical_upper;
        return true;
    case ASSAY_KIND_YEAR:
    case ASSAY_KIND_YEARMONTH:
        return refuse(error, "the type", "has only one form, which needs no repair");
    case ASSAY_KIND_LIST:
    case ASSAY_KIND_ARRAY:
    case ASSAY_KIND_OBJECT:
        break;
    }
    return refuse(error, "the type", "has no canonical form");
}

static bool copy_separators(repair_canonical *canonical, const assay_canonical_description *description,
                            assay_error *error)
{
    static const uint8_t usual_point[1] = {'.'};
    assay_text point = description->decimal_char;
    const assay_text group = description->group_char;
    /* Whole numbers have no decimal point, so a point may separate their groups. */
    if (point.count == 0 && canonical->form != canonical_integer) point = (assay_text){usual_point, sizeof usual_point};
    canonical->storage = malloc(point.count + group.count + 1);
    if (canonical->storage == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    uint8_t *end = canonical->storage;
    canonical->point = (assay_text){end, point.count};
    if (point.count > 0) memcpy(end, point.bytes, point.count);
    end += point.count;
    canonical->group = (assay_text){end, group.count};
    if (group.count > 0) memcpy(end, group.bytes, group.count);
    if (group.count > 0 && repair_text_equal(point, group)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "decimalChar and groupChar are the same");
        return false;
    }
    return true;
}

/* The kind of the values of a format. */
static assay_kind kind_of_time(const repair_canonical *canonical)
{
    if (canonical->form == canonical_date) return ASSAY_KIND_DATE;
    return canonical->form == canonical_time ? ASSAY_KIND_TIME : ASSAY_KIND_DATETIME;
}

static bool make_formats(repair_canonical *canonical, const assay_canonical_description *description,
                         assay_error *error)
{
    if (description->from_count == 0) return true;
    canonical->formats = calloc(description->from_count, sizeof *canonical->formats);
    if (canonical->formats == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    for (size_t i = 0; i < description->from_count; i++) {
        assay_format *format = assay_format_create(description->from[i], kind_of_time(canonical), error);
        if (format == NULL) return false;
        canonical->formats[canonical->format_count++] = format;
    }
    return true;
}

/* Whether the description has options that do not apply to the type. */
static bool has_strangers(const repair_canonical *canonical, const assay_canonical_description *description,
                          assay_error *error)
{
    canonical_form *form = canonical->form;
    const bool is_time = form == canonical_date || form == canonical_time || form == canonical_datetime;
    const bool is_number = form == canonical_number || form == canonical_money || form == canonical_percent;
    if (description->from_count > 0 && !is_time) return !refuse(error, "'from'", "is for dates and times");
    if (description->region.count > 0 && form != canonical_phone)
        return !refuse(error, "'region'", "is for phone numbers");
    if (description->decimal_char.count > 0 && !is_number) return !refuse(error, "'decimalChar'", "is for numbers");
    if (description->group_char.count > 0 && !is_number && form != canonical_integer) {
        return !refuse(error, "'groupChar'", "is for numbers");
    }
    return false;
}

repair_canonical *repair_canonical_create(const assay_canonical_description *description, assay_error *error)
{
    repair_canonical *canonical = calloc(1, sizeof *canonical);
    if (canonical == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    canonical->check = description->check;
    canonical->type = description->type;
    canonical->kind = description->kind;
    if (choose_kind(canonical, description, error) && !has_strangers(canonical, description, error) &&
        copy_separators(canonical, description, error) && make_formats(canonical, description, error) &&
        canonical_phone_prepare(canonical, description->builtin, description->region, error)) {
        return canonical;
    }
    repair_canonical_free(canonical);
    return NULL;
}

void repair_canonical_free(repair_canonical *canonical)
{
    if (canonical == NULL) return;
    for (size_t i = 0; i < canonical->format_count; i++) assay_format_free(canonical->formats[i]);
    free(canonical->formats);
    free(canonical->storage);
    canonical_phone_free(canonical);
    free(canonical);
}

/* Longer values are left unchanged. Among the types with a canonical form, only URIs can be longer. */
enum { longest_value = 1 << 16 };

repair_outcome repair_canonical_apply(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    const repair_canonical *canonical = step->canonical;
    if (in.count == 0 || in.count > longest_value) return REPAIR_LEFT;
    if (!repair_text_reserve(out, 2 * in.count + 64)) return REPAIR_NO_MEMORY;
    if (!canonical->form(canonical, scratch, in, out)) return REPAIR_LEFT;
    if (repair_text_equal((assay_text){out->bytes, out->count}, in)) return REPAIR_LEFT;
    /* Dates and times that a format reads are values of their type. */
    if (canonical->kind != ASSAY_KIND_STRING && repair_canonical_keeps_type(canonical)) return REPAIR_WRITTEN;
    /* The result must be a value of the type, because an invalid value must not become another invalid value. */
    const assay_verdict verdict = assay_check_value(canonical->check, scratch, out->bytes, out->count);
    return verdict == ASSAY_PASS ? REPAIR_WRITTEN : REPAIR_LEFT;
}
