/* Host names, addresses, e-mail addresses and URIs. */
#include "Repairs/Canonical/repair_canonical.h"

#include "Repairs/repair_characters.h"
#include "Types/Builtin/builtin_host.h"

#include <stdio.h>
#include <string.h>

/* Writes the domain in lowercase (RFC 5321 section 2.4), as idn-hostname does. Keeps the local part, because only the
 * receiver may interpret it. */
bool canonical_email(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    size_t at = in.count;
    while (at > 0 && in.bytes[at - 1] != '@') at--;
    if (at == 0) return false;
    put_bytes(out, in.bytes, at);
    const assay_text domain = {in.bytes + at, in.count - at};
    if (domain.count == 0 || domain.bytes[0] != '[') return canonical_idn(canonical, scratch, domain, out);
    put_bytes(out, domain.bytes, domain.count);
    return true;
}

/* Whether a name has capitals that may change the name in lowercase: U+0130 and the Kelvin sign become ASCII letters,
 * and editions of UTS #46 map U+1E9E to U+00DF or to "ss". */
static bool has_uncertain_capitals(assay_text in)
{
    for (size_t i = 0; i + 1 < in.count; i++) {
        if (in.bytes[i] == 0xC4 && in.bytes[i + 1] == 0xB0) return true;
        if (i + 2 == in.count) break;
        if (memcmp(in.bytes + i, "\xE2\x84\xAA", 3) == 0 || memcmp(in.bytes + i, "\xE1\xBA\x9E", 3) == 0) return true;
    }
    return false;
}

/* Replaces dots of other scripts with ASCII dots. */
static void write_points(repair_text *text)
{
    size_t kept = 0;
    for (size_t at = 0; at < text->count; kept++) {
        const size_t dot = builtin_host_other_dot(text->bytes + at, text->count - at);
        text->bytes[kept] = dot > 0 ? '.' : text->bytes[at];
        at += dot > 0 ? dot : 1;
    }
    text->count = kept;
}

/* Writes a name in lowercase and normal form C, with ASCII dots between labels (RFC 5895 section 2). */
bool canonical_idn(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical;
    if (has_uncertain_capitals(in)) return false;
    repair_text lower = {NULL, 0, 0};
    if (repair_lower(NULL, scratch, in, &lower) != REPAIR_WRITTEN) return false;
    write_points(&lower);
    const repair_outcome outcome = repair_nfc(NULL, scratch, (assay_text){lower.bytes, lower.count}, out);
    const bool is_written =
        outcome == REPAIR_WRITTEN || (outcome == REPAIR_LEFT && repair_text_append(out, lower.bytes, lower.count));
    repair_text_free(&lower);
    return is_written;
}

bool canonical_port(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    while (in.count > 1 && in.bytes[0] == '0') in.bytes++, in.count--;
    put_bytes(out, in.bytes, in.count);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * IPv6
 * ------------------------------------------------------------------------------------------------------------- */

enum { groups_of_address = 8 };

/* Reads a dotted IPv4 address as two groups. */
static bool read_ipv4(const uint8_t *bytes, size_t count, uint16_t *groups)
{
    size_t at = 0;
    uint32_t address = 0;
    for (int part = 0; part < 4; part++) {
        uint32_t number = 0;
        const size_t start = at;
        while (at < count && is_digit(bytes[at]) && at - start < 3)
            number = number * 10 + (bytes[at++] - (uint32_t)'0');
        if (at == start || number > 255 || (at - start > 1 && bytes[start] == '0')) return false;
        address = address << 8 | number;
        if (part < 3 && (at == count || bytes[at++] != '.')) return false;
    }
    groups[0] = (uint16_t)(address >> 16);
    groups[1] = (uint16_t)address;
    return at == count;
}

/* Reads the text of an IPv6 address (RFC 4291 section 2.2). */
static bool read_ipv6(const uint8_t *bytes, size_t count, uint16_t *groups)
{
    size_t at = 0, found = 0, gap = SIZE_MAX;
    uint16_t read[groups_of_address] = {0};
    if (count >= 2 && bytes[0] == ':' && bytes[1] == ':') {
        gap = 0;
        at = 2;
    }
    while (at < count) {
        size_t length = 0;
        uint32_t group = 0;
        while (at + length < count && is_hex_digit(bytes[at + length]) && length < 5) {
            group = group << 4 | hex_value(bytes[at + length++]);
        }
        if (at + length < count && bytes[at + length] == '.') {
            if (found > 6 || !read_ipv4(bytes + at, count - at, read + found)) return false;
            found += 2;
            break;
        }
        if (length == 0 || length > 4 || found == groups_of_address) return false;
        read[found++] = (uint16_t)group;
        at += length;
        if (at == count) break;
        if (bytes[at++] != ':' || at == count) return false;
        if (bytes[at] == ':') {
            if (gap != SIZE_MAX) return false;
            gap = found;
            at++;
        }
    }
    if (gap == SIZE_MAX ? found != groups_of_address : found >= groups_of_address) return false;
    const size_t behind = gap == SIZE_MAX ? 0 : found - gap;
    for (size_t i = 0; i < groups_of_address; i++) groups[i] = 0;
    for (size_t i = 0; i < found - behind; i++) groups[i] = read[i];
    for (size_t i = 0; i < behind; i++) groups[groups_of_address - behind + i] = read[found - behind + i];
    return true;
}

/* Whether an address is an IPv4-mapped one: ::ffff:0:0/96 (RFC 4291 section 2.5.5.2). */
static bool is_mapped(const uint16_t *groups)
{
    static const uint16_t prefix[6] = {0, 0, 0, 0, 0, 0xFFFF};
    return memcmp(groups, prefix, sizeof prefix) == 0;
}

/* Writes the form of RFC 5952: lowercase digits without leading zeros, and :: for the longest run of two or more zero
 * groups, the first one if several are equally long (section 4). Only IPv4-mapped addresses contain a dotted IPv4
 * address (section 5). */
static bool write_ipv6(const uint8_t *bytes, size_t count, repair_text *out)
{
    uint16_t groups[groups_of_address];
    if (!read_ipv6(bytes, count, groups)) return false;
    const size_t end = is_mapped(groups) ? 6 : groups_of_address;
    size_t run = 0, longest = 1;
    for (size_t i = 0; i < end; i++) {
        size_t length = 0;
        while (i + length < end && groups[i + length] == 0) length++;
        if (length > longest) {
            run = i;
            longest = length;
        }
        if (length > 0) i += length - 1;
    }
    char text[16];
    for (size_t i = 0; i < end; i++) {
        if (longest > 1 && i == run) {
            put_text(out, "::");
            i += longest - 1;
            continue;
        }
        if (i > 0 && out->bytes[out->count - 1] != ':') put(out, ':');
        snprintf(text, sizeof text, "%x", groups[i]);
        put_text(out, text);
    }
    if (end == groups_of_address) return true;
    if (out->bytes[out->count - 1] != ':') put(out, ':');
    snprintf(text, sizeof text, "%d.%d.%d.%d", groups[6] >> 8, groups[6] & 0xFF, groups[7] >> 8, groups[7] & 0xFF);
    put_text(out, text);
    return true;
}

/* Writes an address in the form of RFC 5952. Does not change the zone. */
bool canonical_ipv6(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)canonical, (void)scratch;
    const uint8_t *zone = memchr(in.bytes, '%', in.count);
    const size_t count = zone == NULL ? in.count : (size_t)(zone - in.bytes);
    if (!write_ipv6(in.bytes, count, out)) return false;
    put_bytes(out, in.bytes + count, in.count - count);
    return true;
}

bool canonical_ip(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    return memchr(in.bytes, ':', in.count) != NULL && canonical_ipv6(canonical, scratch, in, out);
}

bool canonical_cidr(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    const uint8_t *slash = memchr(in.bytes, '/', in.count);
    if (slash == NULL) return false;
    const size_t count = (size_t)(slash - in.bytes);
    if (!canonical_ip(canonical, scratch, (assay_text){in.bytes, count}, out)) return false;
    put_bytes(out, slash, in.count - count);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * URIs
 * ------------------------------------------------------------------------------------------------------------- */

/* The end of the authority that begins at a place. */
static size_t authority_end(assay_text in, size_t at)
{
    while (at < in.count && !is_one_of(in.bytes[at], "/?#")) at++;
    return at;
}

static bool is_ascii(assay_text in)
{
    for (size_t i = 0; i < in.count; i++) {
        if (in.bytes[i] >= 0x80) return false;
    }
    return true;
}

/* Writes a host with non-ASCII letters in the form of the type idn-hostname (RFC 3987 section 5.3.3). Returns false if
 * the result is not a host name, or if the host has uncertain capitals. */
static bool write_idn(const repair_canonical *canonical, assay_scratch *scratch, assay_text host, repair_text *out)
{
    const uint32_t flags = HOST_U_LABELS | HOST_A_LABELS | HOST_TRAILING_DOT;
    repair_text name = {NULL, 0, 0};
    bool is_written = repair_text_reserve(&name, 2 * host.count) && canonical_idn(canonical, scratch, host, &name);
    const bool is_same = is_written && repair_text_equal((assay_text){name.bytes, name.count}, host);
    is_written &= is_same || (name.count <= 2 * host.count && builtin_host_name(name.bytes, name.count, flags));
    if (is_written) put_bytes(out, name.bytes, name.count);
    repair_text_free(&name);
    return is_written;
}

/* Writes bytes with the digits of percent-encodings in capitals, and with other ASCII letters in lowercase if
 * `is_lower`. */
static void write_encoded(assay_text in, bool is_lower, repair_text *out)
{
    for (size_t at = 0; at < in.count; at++) {
        const uint8_t byte = in.bytes[at];
        if (byte == '%' && in.count - at > 2 && is_hex_digit(in.bytes[at + 1]) && is_hex_digit(in.bytes[at + 2])) {
            put(out, '%');
            put(out, upper_byte(in.bytes[++at]));
            put(out, upper_byte(in.bytes[++at]));
        } else {
            put(out, is_lower ? lower_byte(byte) : byte);
        }
    }
}

/* Writes scheme and host in lowercase, and the digits of percent-encodings in capitals (RFC 3986 section 6.2.2.1). */
bool canonical_uri(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    size_t scheme = 0;
    while (scheme < in.count &&
           (is_letter(in.bytes[scheme]) || is_digit(in.bytes[scheme]) || is_one_of(in.bytes[scheme], "+-."))) {
        scheme++;
    }
    const bool has_scheme = scheme > 0 && scheme < in.count && in.bytes[scheme] == ':' && is_letter(in.bytes[0]);
    const size_t start = has_scheme ? scheme + 1 : 0;
    size_t host = start, host_end = start;
    if (in.count - start >= 2 && in.bytes[start] == '/' && in.bytes[start + 1] == '/') {
        const size_t end = authority_end(in, start + 2);
        host = end;
        while (host > start + 2 && in.bytes[host - 1] != '@') host--;
        host_end = end;
        const uint8_t *port = host < end && in.bytes[host] != '[' ? memchr(in.bytes + host, ':', end - host) : NULL;
        if (port != NULL) host_end = (size_t)(port - in.bytes);
    }
    const assay_text name = {in.bytes + host, host_end - host};
    for (size_t i = 0; i < start; i++) put(out, lower_byte(in.bytes[i]));
    write_encoded((assay_text){in.bytes + start, host - start}, false, out);
    if (is_ascii(name)) {
        write_encoded(name, true, out);
    } else if (!write_idn(canonical, scratch, name, out)) {
        return false;
    }
    write_encoded((assay_text){in.bytes + host_end, in.count - host_end}, false, out);
    return true;
}
