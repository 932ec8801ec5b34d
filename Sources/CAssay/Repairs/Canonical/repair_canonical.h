/* Canonical forms: the one way in which the values of a type are written. Docs/types.md has their sources.
 *
 *     repair_canonical.c    which type has which form; the result must be of the type, or the value stays
 *     canonical_time.c      dates and times by formats        canonical_codes.c     letter case and separators
 *     canonical_numbers.c   numbers, money, coordinates       canonical_network.c   hosts, addresses, URIs
 *     canonical_look.c      what is canonical already
 *     canonical_phone.c     telephone numbers                 canonical_country.c   countries by name */
#ifndef ASSAY_REPAIR_CANONICAL_H
#define ASSAY_REPAIR_CANONICAL_H

#include "Bytes/assay_ascii.h"
#include "Repairs/assay_repair.h"
#include "Types/Builtin/builtin_tables.h"
#include "Types/assay_format.h"

/* NULL with *error filled: the type has no canonical form, or an option is wrong. */
repair_canonical *repair_canonical_create(const assay_canonical_description *description, assay_error *error);
void repair_canonical_free(repair_canonical *canonical);
repair_function repair_canonical_apply;

/* Adds to a look which values may change. False: no memory. */
bool repair_canonical_look(const repair_canonical *canonical, repair_look *look);

/* Whether all values of the type stay as they are, but for letters of another case: dates and times. */
bool repair_canonical_keeps_type(const repair_canonical *canonical);

/* Whether a canonical value always stays as it is: not where a point may be between groups of a number that also has decimals, so
 * that 12,345 would become 12.345 and that 12345. */
bool repair_canonical_is_settled(const repair_canonical *canonical);

/* Writes the form of a value. `out` is empty and has room for 2 × in.count + 64 bytes. False: there is none, and what was written
 * means nothing. */
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
    assay_text point; /* of numbers; empty: of whole ones */
    assay_text group; /* empty: none */
    /* Of phone numbers. */
    size_t
        phone_plan; /* of the region whose numbers have no country code; builtin_phone_plan_count: no region is named */
    struct phone_plans *phone_plans;
    assay_check *in_any_plan; /* numbers that any plan has */
};

/* Why no format made a value of the type of one that is none; NULL: no format reads it. */
const assay_failure_reason *canonical_time_reason(const repair_canonical *canonical, assay_scratch *scratch,
                                                  assay_text in);

/* The reason why a value of the type phone that failed has no canonical form; NULL: the type knows it. */
const assay_failure_reason *canonical_phone_reason(const repair_canonical *canonical, assay_scratch *scratch,
                                                   assay_text in);

canonical_form canonical_date, canonical_time, canonical_datetime, canonical_boolean;
canonical_form canonical_integer, canonical_number, canonical_money, canonical_percent, canonical_lat_long;
canonical_form canonical_upper, canonical_lower, canonical_code, canonical_digits, canonical_isbn, canonical_issn;
canonical_form canonical_uuid, canonical_mac, canonical_hex_color, canonical_language_tag, canonical_mime_type;
canonical_form canonical_email, canonical_idn, canonical_ipv6, canonical_ip, canonical_cidr, canonical_port;
canonical_form canonical_uri, canonical_phone, canonical_country, canonical_country3, canonical_country_numeric;

/* Reads the options of phone numbers: without a region it is the one that the type names. False: *error says why. */
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

/* The bytes of a space at a place: an ASCII one, a no-break space (U+00A0) or a narrow one (U+202F); 0: none. */
static inline size_t space_at(assay_text in, size_t at)
{
    const uint8_t *bytes = in.bytes + at;
    const size_t left = in.count - at;
    if (left >= 1 && bytes[0] == ' ') return 1;
    if (left >= 2 && bytes[0] == 0xC2 && bytes[1] == 0xA0) return 2;
    return left >= 3 && bytes[0] == 0xE2 && bytes[1] == 0x80 && bytes[2] == 0xAF ? 3 : 0;
}

/* The bytes of a hyphen or dash at a place: - U+2010 to U+2014 U+2212; 0: none. */
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

/* Without spaces around. */
static inline assay_text without_spaces(assay_text in)
{
    size_t length;
    while (in.count > 0 && (length = space_at(in, 0)) > 0) in.bytes += length, in.count -= length;
    while (in.count > 0) {
        const size_t most = in.count < 3 ? in.count : 3;
        for (length = most; length > 0 && space_at(in, in.count - length) != length; length--) continue;
        if (length == 0) break;
        in.count -= length;
    }
    return in;
}

#endif
