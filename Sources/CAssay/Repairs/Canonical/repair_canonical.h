/* Canonical forms: a single notation for each value of a type. Docs/types.md lists the sources.
 *
 *     repair_canonical.c    the form of each type; a value stays unchanged if the result is not of the type
 *     canonical_time.c      dates and times by formats        canonical_codes.c     letter case and separators
 *     canonical_numbers.c   numbers, money, coordinates       canonical_network.c   hosts, addresses, URIs
 *     canonical_look.c      values that are already canonical
 *     canonical_phone.c     telephone numbers                 canonical_country.c   countries by name */
#ifndef ASSAY_REPAIR_CANONICAL_H
#define ASSAY_REPAIR_CANONICAL_H

#include "Bytes/assay_ascii.h"
#include "Repairs/assay_repair.h"
#include "Types/Builtin/builtin_tables.h"
#include "Types/assay_format.h"

/* Returns NULL and fills *error if the type has no canonical form, an option is invalid, or memory runs out. */
repair_canonical *repair_canonical_create(const assay_canonical_description *description, assay_error *error);
void repair_canonical_free(repair_canonical *canonical);
repair_function repair_canonical_apply;

/* Adds the conditions of values that may change to a look. Returns false if memory runs out. */
bool repair_canonical_look(const repair_canonical *canonical, repair_look *look);

/* Whether values of the type change only in letter case: dates and times. */
bool repair_canonical_keeps_type(const repair_canonical *canonical);

/* Whether canonical values never change again. This is false for numbers with decimals if a point may separate groups,
 * because 12,345 would become 12.345, and that 12345. */
bool repair_canonical_is_settled(const repair_canonical *canonical);

/* Writes the canonical form of a value. `out` must be empty and have room for 2 × in.count + 64 bytes. Returns false if
 * the value has no canonical form; the contents of `out` are then meaningless. */
typedef bool canonical_form(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out);

struct repair_canonical {
    canonical_form *form;
    const assay_check *check;
    const assay_type *type; /* NULL: a built-in type */
    assay_kind kind;
    bool is_compact; /* the built-in type has the option compact */
    assay_format **formats;
    size_t format_count;
    uint8_t *storage;
    assay_text point; /* the decimal separator; empty: whole numbers only */
    assay_text group; /* empty: no groups */
    /* For phone numbers. */
    size_t phone_plan; /* the region of numbers without a country code; builtin_phone_plan_count: no region */
    struct phone_plans *phone_plans;
    assay_check *in_any_plan; /* passes numbers of any plan */
};

/* The reason why the formats do not convert a value to the type; NULL: no format reads the value. */
const assay_failure_reason *canonical_time_reason(const repair_canonical *canonical, assay_scratch *scratch,
                                                  assay_text in);

/* The reason why an invalid phone number has no canonical form; NULL: the type reports the reason. */
const assay_failure_reason *canonical_phone_reason(const repair_canonical *canonical, assay_scratch *scratch,
                                                   assay_text in);

canonical_form canonical_date, canonical_time, canonical_datetime, canonical_boolean;
canonical_form canonical_integer, canonical_number, canonical_money, canonical_percent, canonical_lat_long;
canonical_form canonical_upper, canonical_lower, canonical_code, canonical_digits, canonical_isbn, canonical_issn;
canonical_form canonical_uuid, canonical_mac, canonical_hex_color, canonical_language_tag, canonical_mime_type;
canonical_form canonical_email, canonical_idn, canonical_ipv6, canonical_ip, canonical_cidr, canonical_port;
canonical_form canonical_uri, canonical_phone, canonical_country, canonical_country3, canonical_country_numeric;

/* Prepares the options of phone numbers. Without a region, uses the region of the type. Returns false and fills *error
 * if the region is unknown or memory runs out. */
bool canonical_phone_prepare(repair_canonical *canonical, assay_text builtin, assay_text region, assay_error *error);
void canonical_phone_free(repair_canonical *canonical);

static inline void put(repair_text *out, uint8_t byte) { out->bytes[out->count++] = byte; }

static inline void put_bytes(repair_text *out, const uint8_t *bytes, size_t count)
{
    if (count > 0) memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

static inline void put_text(repair_text *out, const char *text) { put_bytes(out, (const uint8_t *)text, strlen(text)); }

static inline uint8_t upper_byte(uint8_t byte) { return byte >= 'a' && byte <= 'z' ? (uint8_t)(byte - 0x20) : byte; }
static inline uint8_t lower_byte(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + 0x20) : byte; }

/* The length of a space at a place: ASCII, no-break (U+00A0) or narrow no-break (U+202F); 0: not a space. */
static inline size_t space_at(assay_text in, size_t at)
{
    const uint8_t *bytes = in.bytes + at;
    const size_t left = in.count - at;
    if (left >= 1 && bytes[0] == ' ') return 1;
    if (left >= 2 && bytes[0] == 0xC2 && bytes[1] == 0xA0) return 2;
    return left >= 3 && bytes[0] == 0xE2 && bytes[1] == 0x80 && bytes[2] == 0xAF ? 3 : 0;
}

/* The length of a hyphen, dash or minus at a place: - U+2010 to U+2014 U+2212; 0: another character. */
static inline size_t dash_at(assay_text in, size_t at)
{
    const uint8_t *bytes = in.bytes + at;
    const size_t left = in.count - at;
    if (left >= 1 && bytes[0] == '-') return 1;
    if (left < 3 || bytes[0] != 0xE2) return 0;
    if (bytes[1] == 0x80 && bytes[2] >= 0x90 && bytes[2] <= 0x94) return 3;
    return bytes[1] == 0x88 && bytes[2] == 0x92 ? 3 : 0;
}

static inline size_t separator_at(assay_text in, size_t at)
{
    const size_t space = space_at(in, at);
    return space > 0 ? space : dash_at(in, at);
}

/* The text without leading and trailing spaces. */
static inline assay_text without_spaces(assay_text in)
{
    size_t length;
    while (in.count > 0 && (length = space_at(in, 0)) > 0) in.bytes += length, in.count -= length;
    while (in.count > 0) {
        const size_t max = in.count < 3 ? in.count : 3;
        for (length = max; length > 0 && space_at(in, in.count - length) != length; length--) continue;
        if (length == 0) break;
        in.count -= length;
    }
    return in;
}

#endif
