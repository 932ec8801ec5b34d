/* Countries: converts names and codes of ISO 3166-1 to two letters, three letters or three digits. */
#include "Repairs/Canonical/repair_canonical.h"

enum { longest_name = 255 };

/* The index in builtin_country_codes of a country, by any code or name in any case, or −1 if it is unknown. */
static int find_country(assay_scratch *scratch, assay_text in)
{
    in = without_spaces(in);
    if (in.count == 0 || in.count > longest_name) return -1;
    repair_text lower = {NULL, 0, 0};
    if (repair_lower(NULL, scratch, in, &lower) != REPAIR_WRITTEN) return -1;
    const int found = builtin_words_find(&builtin_country_names, lower.bytes, lower.count);
    repair_text_free(&lower);
    return found;
}

bool canonical_country(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical;
    const int country = find_country(scratch, in);
    if (country < 0) return false;
    put_text(out, builtin_country_codes[country].two_letters);
    return true;
}

bool canonical_country3(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical;
    const int country = find_country(scratch, in);
    if (country < 0) return false;
    put_text(out, builtin_country_codes[country].three_letters);
    return true;
}

/* Restores leading zeros of one or two digits, because spreadsheets remove them. */
bool canonical_country_numeric(const repair_canonical *canonical, assay_scratch *scratch, assay_text in,
                               repair_text *out)
{
    (void)canonical;
    in = without_spaces(in);
    if (in.count > 0 && in.count < 3 && is_digit(in.bytes[0]) && is_digit(in.bytes[in.count - 1])) {
        put_text(out, in.count == 1 ? "00" : "0");
        put_bytes(out, in.bytes, in.count);
        return true;
    }
    const int country = find_country(scratch, in);
    if (country < 0) return false;
    put_text(out, builtin_country_codes[country].digits);
    return true;
}
