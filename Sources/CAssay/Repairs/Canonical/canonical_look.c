/* Values that are already canonical: for each form, a pattern of values that it does not change. */
#include "Repairs/Canonical/repair_canonical.h"

#define NUMBER "(?:0|-?[1-9][0-9]*)"
#define DECIMAL "(?:0(?:\\.[0-9]+)?|-?[1-9][0-9]*(?:\\.[0-9]+)?)"

static bool is_point(assay_text text) { return text.count == 1 && text.bytes[0] == '.'; }

static const char *pattern_of(const repair_canonical *canonical)
{
    const struct {
        canonical_form *form;
        const char *pattern;
        const char *grouped; /* the pattern if a point may separate groups; NULL: the same */
    } patterns[] = {
        {canonical_boolean, "true|false", NULL},
        {canonical_integer, NUMBER, NULL},
        {canonical_number, DECIMAL, "(?:0|[1-9][0-9]*)(?:\\.[0-9]{1,2})?"},
        {canonical_money, DECIMAL " [A-Z]{3}", "[1-9][0-9]*(?:\\.[0-9]{1,2})? [A-Z]{3}"},
        {canonical_percent, DECIMAL "%", "[1-9][0-9]*(?:\\.[0-9]{1,2})?%"},
        {canonical_lat_long, DECIMAL "," DECIMAL, NULL},
        {canonical_upper, "[^a-z]*", NULL},
        {canonical_lower, "[^A-Z]*", NULL},
        {canonical_code, "[A-Z0-9]*", NULL},
        {canonical_isbn, "[A-Z0-9]*", NULL},
        {canonical_digits, "[0-9]*", NULL},
        {canonical_issn, canonical->is_compact ? "[0-9]{7}[0-9X]" : "[0-9]{4}-[0-9]{3}[0-9X]", NULL},
        {canonical_uuid, "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", NULL},
        {canonical_mac, "[0-9a-f]{2}(?::[0-9a-f]{2}){5}", NULL},
        {canonical_hex_color, "#(?:[0-9a-f]{6}|[0-9a-f]{8})", NULL},
        {canonical_language_tag, "[a-z]{2,3}(?:-[A-Z]{2})?", NULL},
        {canonical_mime_type, "[^A-Z;]*", NULL},
        {canonical_email, "[^@]*@[a-z0-9.\\-]*", NULL},
        {canonical_idn, "[a-z0-9.\\-]*", NULL},
        {canonical_ip, "[0-9.]*", NULL},
        {canonical_cidr, "[0-9./]*", NULL},
        {canonical_port, "0|[1-9][0-9]*", NULL},
        {canonical_uri, "[a-z][a-z0-9+.\\-]*://[^/?#%A-Z\\x{80}-\\x{10FFFF}]*(?:[/?#][^%]*)?", NULL},
        {canonical_phone, builtin_phone_settled, NULL},
        {canonical_country, "[A-Z]{2}", NULL},
        {canonical_country3, "[A-Z]{3}", NULL},
        {canonical_country_numeric, "[0-9]{3}", NULL},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (patterns[i].form != canonical->form) continue;
        return is_point(canonical->group) && patterns[i].grouped != NULL ? patterns[i].grouped : patterns[i].pattern;
    }
    return NULL;
}

bool repair_canonical_is_settled(const repair_canonical *canonical)
{
    return !is_point(canonical->group) || canonical->form == canonical_integer;
}

bool repair_canonical_keeps_type(const repair_canonical *canonical)
{
    canonical_form *form = canonical->form;
    return form == canonical_date || form == canonical_time || form == canonical_datetime;
}

bool repair_canonical_look(const repair_canonical *canonical, repair_look *look)
{
    if (repair_canonical_keeps_type(canonical)) {
        /* Values of the type stay, except for the letters t and z. */
        repair_look_add_check(look, canonical->check, false);
        if (canonical->kind == ASSAY_KIND_STRING && canonical->form != canonical_date) {
            repair_look_add_rough_range(look, 't', 't');
            repair_look_add_rough_range(look, 'z', 'z');
        }
        return true;
    }
    const char *pattern = pattern_of(canonical);
    /* No pattern describes canonical IPv6 addresses. */
    if (pattern != NULL) return repair_look_add_pattern(look, pattern);
    repair_look_add_rough_range(look, 0, 0xFF);
    return true;
}
