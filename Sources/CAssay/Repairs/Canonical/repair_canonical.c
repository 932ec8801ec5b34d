/* Which type has which canonical form. */
#include "Repairs/Canonical/repair_canonical.h"

#include "assay_error.h"

#include <stdlib.h>

typedef struct builtin_form {
    const char *name;
    canonical_form *form; /* NULL: its values have one form only */
} builtin_form;

/* Built-in types that are not here have no canonical form. */
static const builtin_form builtin_forms[] = {
    {"email", canonical_email},
    {"email-html", canonical_email},
    {"hostname", canonical_lower},
    {"idn-hostname", canonical_idn},
    {"domain", canonical_lower},
    {"ipv4", NULL},
    {"ipv6", canonical_ipv6},
    {"ip", canonical_ip},
    {"cidr", canonical_cidr},
    {"mac", canonical_mac},
    {"port", canonical_port},
    {"url", canonical_uri},
    {"uri", canonical_uri},
    {"uri-reference", canonical_uri},
    {"iri", canonical_uri},
    {"iri-reference", canonical_uri},
    {"uuid", canonical_uuid},
    {"ulid", canonical_upper},
    {"date", canonical_date},
    {"time", canonical_time},
    {"date-time", canonical_datetime},
    {"week", canonical_upper},
    {"ordinal-date", NULL},
    {"duration", canonical_upper},
    {"integer", canonical_integer},
    {"decimal", canonical_number},
    {"money", canonical_money},
    {"percent", canonical_percent},
    {"latitude", canonical_number},
    {"longitude", canonical_number},
    {"lat-long", canonical_lat_long},
    {"card", canonical_digits},
    {"iban", canonical_code},
    {"bic", canonical_code},
    {"isin", canonical_code},
    {"lei", canonical_code},
    {"vat", canonical_code},
    {"isbn", canonical_isbn},
    {"issn", canonical_issn},
    {"gtin", canonical_digits},
    {"ean", canonical_digits},
    {"country", canonical_country},
    {"country-alpha3", canonical_country3},
    {"country-numeric", canonical_country_numeric},
    {"currency", canonical_upper},
    {"language", canonical_lower},
    {"language-tag", canonical_language_tag},
    {"postal-code", canonical_upper},
    {"phone", canonical_phone},
    {"hex-color", canonical_hex_color},
    {"hash", canonical_lower},
    {"mime-type", canonical_mime_type},
};

static bool refuse(assay_error *error, const char *what, const char *why)
{
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "%s %s", what, why);
    return false;
}

/* Whether the options of a built-in type have a word, or begin with it if it ends in '='. */
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
    for (size_t i = 0; i < sizeof builtin_forms / sizeof builtin_forms[0]; i++) {
        if (strcmp(builtin_forms[i].name, info->name) != 0) continue;
        canonical->form = builtin_forms[i].form;
        if (canonical->form == NULL) return refuse(error, name, "has one form only, and nothing to repair");
        if (has_option(description->builtin, "point=") || has_option(description->builtin, "group=")) {
            return refuse(error, name,
                          "with point= or group= refuses canonical numbers, which have a point and no groups");
        }
        return true;
    }
    return refuse(error, name, "has no canonical form");
}

/* Whether the type reads a text. */
static bool reads(const assay_canonical_description *description, const char *text)
{
    return assay_check_value(description->check, NULL, (const uint8_t *)text, strlen(text)) == ASSAY_PASS;
}

/* What stands around a number may say what it means, as € and % do. */
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
        return refuse(error, "the type", "has one form only, and nothing to repair");
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
    const assay_text point = description->decimal_char, group = description->group_char;
    canonical->storage = malloc(point.count + group.count + 2);
    if (canonical->storage == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    uint8_t *end = canonical->storage;
    canonical->point = (assay_text){end, point.count > 0 ? point.count : 1};
    memcpy(end, point.count > 0 ? point.bytes : (const uint8_t *)".", canonical->point.count);
    end += canonical->point.count;
    canonical->group = (assay_text){end, group.count};
    if (group.count > 0) memcpy(end, group.bytes, group.count);
    if (repair_text_equal(canonical->point, canonical->group)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "decimalChar and groupChar are the same");
        return false;
    }
    return true;
}

/* What a format is read as. */
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

/* Options that say nothing about values of the type. */
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
        canonical_phone_prepare(canonical, description->region, error)) {
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

/* No value of a type that has a canonical form is longer, but URIs. */
enum { longest_value = 1 << 16 };

repair_outcome repair_canonical_apply(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    const repair_canonical *canonical = step->canonical;
    if (in.count == 0 || in.count > longest_value) return REPAIR_LEFT;
    if (!repair_text_reserve(out, 2 * in.count + 64)) return REPAIR_NO_MEMORY;
    if (!canonical->form(canonical, scratch, in, out)) return REPAIR_LEFT;
    if (repair_text_equal((assay_text){out->bytes, out->count}, in)) return REPAIR_LEFT;
    /* Dates and times that a format has read are of their type. */
    if (canonical->kind != ASSAY_KIND_STRING && repair_canonical_keeps_type(canonical)) return REPAIR_WRITTEN;
    /* What is no value of the type is not made one of another kind. */
    const assay_verdict verdict = assay_check_value(canonical->check, scratch, out->bytes, out->count);
    return verdict == ASSAY_PASS ? REPAIR_WRITTEN : REPAIR_LEFT;
}
