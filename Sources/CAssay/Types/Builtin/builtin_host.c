#include "Types/Builtin/builtin_host.h"

#include "Bytes/assay_scalars.h"
#include "Types/Builtin/builtin_definition.h"
#include "Types/Builtin/builtin_idna.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Addresses
 * ------------------------------------------------------------------------------------------------------------- */

/* Reads one to three digits without a leading zero, at most 255. Returns the number of digits, or 0 for other bytes. */
static size_t read_octet(const uint8_t *bytes, size_t count, uint8_t *octet)
{
    unsigned number = 0;
    size_t digits = 0;
    while (digits < count && digits < 3 && is_digit(bytes[digits])) {
        number = number * 10 + (unsigned)(bytes[digits] - '0');
        digits++;
    }
    if (digits == 0 || number > 255 || (digits > 1 && bytes[0] == '0')) return 0;
    *octet = (uint8_t)number;
    return digits;
}

static bool read_ipv4(const uint8_t *bytes, size_t count, uint8_t *octets)
{
    size_t at = 0;
    for (int i = 0; i < 4; i++) {
        if (i > 0 && (at >= count || bytes[at++] != '.')) return false;
        size_t length = read_octet(bytes + at, count - at, &octets[i]);
        if (length == 0) return false;
        at += length;
    }
    return at == count;
}

bool builtin_host_ipv4(const uint8_t *bytes, size_t count, uint8_t *address)
{
    uint8_t octets[4];
    return read_ipv4(bytes, count, address == NULL ? octets : address);
}

bool builtin_host_is_public_ipv4(const uint8_t *address)
{
    static const struct {
        uint32_t first;
        uint8_t bits;
    } special[] = {
        {0x00000000, 8},  {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},  {0xA9FE0000, 16},
        {0xAC100000, 12}, {0xC0000000, 24}, {0xC0000200, 24}, {0xC0A80000, 16}, {0xC6120000, 15},
        {0xC6336400, 24}, {0xCB007100, 24}, {0xE0000000, 4},  {0xF0000000, 4},
    };
    uint32_t value = (uint32_t)address[0] << 24 | (uint32_t)address[1] << 16 | (uint32_t)address[2] << 8 | address[3];
    /* 192.0.0.9 and 192.0.0.10 are public anycast addresses in a block that is not public (RFC 7723, RFC 8155). */
    if (value == 0xC0000009 || value == 0xC000000A) return true;
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if ((value ^ special[i].first) >> (32 - special[i].bits) == 0) return false;
    }
    return true;
}

/* Whether an address begins with the bits of a block. */
static bool is_in_block(const uint8_t *address, const uint8_t *block, unsigned bits)
{
    const unsigned rest = bits % 8;
    if (memcmp(address, block, bits / 8) != 0) return false;
    return rest == 0 || (address[bits / 8] ^ block[bits / 8]) >> (8 - rest) == 0;
}

bool builtin_host_is_public_ipv6(const uint8_t *address)
{
    enum { IS_PUBLIC, IS_NOT, AS_IPV4 };
    /* The first block that contains the address decides. */
    static const struct {
        uint8_t block[12];
        uint8_t bits;
        uint8_t answer;
        uint8_t ipv4; /* the offset of an embedded IPv4 address */
    } special[] = {
        {{0x00, 0x64, 0xFF, 0x9B}, 96, AS_IPV4, 12},              /* RFC 6052 */
        {{0x20, 0x02}, 16, AS_IPV4, 2},                           /* 6to4, RFC 3056 */
        {{0x20, 0x01, 0x0D, 0xB8}, 32, IS_NOT, 0},                /* documentation, RFC 3849 */
        {{0x20, 0x01, 0x00, 0x03}, 32, IS_PUBLIC, 0},             /* AMT, RFC 7450 */
        {{0x20, 0x01, 0x00, 0x04, 0x01, 0x12}, 48, IS_PUBLIC, 0}, /* AS112, RFC 7535 */
        {{0x20, 0x01, 0x00, 0x20}, 28, IS_PUBLIC, 0},             /* ORCHIDv2, RFC 7343 */
        {{0x20, 0x01, 0x00, 0x30}, 28, IS_PUBLIC, 0},             /* remote identification, RFC 9374 */
        {{0x20, 0x01, 0x00, 0x00}, 23, IS_NOT, 0},                /* other protocols, Teredo among them, RFC 2928 */
        {{0x3F, 0xFF}, 20, IS_NOT, 0},                            /* documentation, RFC 9637 */
        {{0x20}, 3, IS_PUBLIC, 0},                                /* global unicast */
    };
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (!is_in_block(address, special[i].block, special[i].bits)) continue;
        if (special[i].answer == AS_IPV4) return builtin_host_is_public_ipv4(address + special[i].ipv4);
        return special[i].answer == IS_PUBLIC;
    }
    return false;
}

bool builtin_host_ipv6(const uint8_t *bytes, size_t count, uint8_t *address)
{
    uint8_t groups[16] = {0};
    size_t used = 0;       /* the number of bytes in `groups` */
    size_t gap = SIZE_MAX; /* the offset of "::" in `groups` */
    size_t at = 0;
    if (count < 2 || count > 45) return false;
    if (bytes[0] == ':') {
        if (bytes[1] != ':') return false;
        gap = 0;
        at = 2;
    }
    while (at < count) {
        if (used == 16) return false;
        unsigned group = 0;
        size_t start = at;
        for (; at < count && at < start + 4 && is_hex_digit(bytes[at]); at++) group = group << 4 | hex_value(bytes[at]);
        if (at < count && bytes[at] == '.') {
            if (used > 12 || !read_ipv4(bytes + start, count - start, groups + used)) return false;
            used += 4;
            break;
        }
        if (at == start) return false;
        groups[used++] = (uint8_t)(group >> 8);
        groups[used++] = (uint8_t)group;
        if (at == count) break;
        if (bytes[at++] != ':' || at == count) return false;
        if (bytes[at] == ':') {
            if (gap != SIZE_MAX) return false;
            gap = used;
            at++;
        }
    }
    /* "::" replaces one group or more. RFC 5952 forbids it for a single group, but RFC 4291 allows it. */
    if (gap == SIZE_MAX ? used != 16 : used > 14) return false;
    if (address == NULL) return true;
    memset(address, 0, 16);
    size_t before = gap == SIZE_MAX ? used : gap;
    memcpy(address, groups, before);
    memcpy(address + 16 - (used - before), groups + before, used - before);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether a byte is a letter, a digit or a hyphen, by a bit per ASCII character. */
static bool is_label_byte(uint8_t byte)
{
    static const uint64_t bits[4] = {UINT64_C(0x03FF200000000000), UINT64_C(0x07FFFFFE07FFFFFE), 0, 0};
    return (bits[byte >> 6] >> (byte & 63) & 1) != 0;
}

static bool has_prefix_xn(const uint8_t *bytes, size_t count)
{
    return count >= 4 && (bytes[0] | 0x20) == 'x' && (bytes[1] | 0x20) == 'n' && bytes[2] == '-' && bytes[3] == '-';
}

size_t builtin_host_other_dot(const uint8_t *bytes, size_t count)
{
    if (count < 3 || bytes[0] < 0x80) return 0;
    bool is_dot = memcmp(bytes, "\xE3\x80\x82", 3) == 0 || memcmp(bytes, "\xEF\xBC\x8E", 3) == 0 ||
                  memcmp(bytes, "\xEF\xBD\xA1", 3) == 0;
    return is_dot ? 3 : 0;
}

/* The length of a dot at the start of the bytes, or 0 for other bytes. */
static size_t dot_length(const uint8_t *bytes, size_t count, uint32_t flags)
{
    if (bytes[0] == '.') return 1;
    return (flags & HOST_IDEOGRAPHIC_DOT) != 0 ? builtin_host_other_dot(bytes, count) : 0;
}

/* The findings about the labels read so far. */
typedef struct name_state {
    size_t octets; /* the length in DNS text, with A-labels and dots; an upper bound if `estimates` */
    bool estimates;
    bool is_bidi;
    bool breaks_bidi;
} name_state;

static bool note_findings(idna_findings findings, name_state *state)
{
    state->is_bidi |= findings.is_bidi;
    state->breaks_bidi |= findings.breaks_bidi;
    return findings.is_valid;
}

static bool evaluate_label(const uint8_t *bytes, size_t count, bool is_ascii, uint32_t flags, name_state *state)
{
    if (count == 0) return false;
    idna_label label;
    if (!is_ascii) {
        if ((flags & HOST_U_LABELS) == 0 || !idna_label_read(bytes, count, &label)) return false;
        idna_findings findings = idna_label_evaluate(&label);
        if (!findings.is_valid) {
            /* Map only after a failure, because most labels are already lowercase in NFC. */
            if (!idna_label_map(&label)) return false;
            findings = idna_label_evaluate(&label);
        }
        /* A scalar has at most seven characters of Punycode, so short labels are never too long. */
        bool is_short = state->estimates && label.count <= 8;
        size_t octets = 5 + (is_short ? 7 * label.count : idna_punycode_length(&label) - 1);
        state->octets += octets;
        return (is_short || octets <= 63) && note_findings(findings, state);
    }
    state->octets += count;
    if (count > 63 || bytes[0] == '-' || bytes[count - 1] == '-') return false;
    if ((flags & (HOST_A_LABELS | HOST_U_LABELS)) == 0) return true;
    if (has_prefix_xn(bytes, count)) {
        return idna_punycode_decode(bytes + 4, count - 4, &label) && note_findings(idna_label_evaluate(&label), state);
    }
    /* RFC 5891, 4.2.3.1, for IDNA names. */
    if ((flags & HOST_U_LABELS) != 0 && count >= 4 && bytes[2] == '-' && bytes[3] == '-') return false;
    /* Letters have the class L, digits EN, hyphens ES, so only the first character of the label can break the rule. */
    state->breaks_bidi |= (bytes[0] | 0x20) < 'a';
    return true;
}

/* Whether a label is decimal digits, or 0x and hexadecimal digits. Programs read names with such a last label as
   addresses (the "ends in a number checker" of the WHATWG's URL Standard; inet_aton reads 127.0.0.0x1 and 2130706433 as
   127.0.0.1). */
static bool is_numeric(const uint8_t *bytes, size_t count)
{
    const bool is_hex = count >= 2 && bytes[0] == '0' && builtin_lower(bytes[1]) == 'x';
    for (size_t i = is_hex ? 2 : 0; i < count; i++) {
        if (is_hex ? !is_hex_digit(bytes[i]) : !is_digit(bytes[i])) return false;
    }
    return true;
}

/* Checks a name except for its total length. */
static bool evaluate_name(const uint8_t *bytes, size_t count, uint32_t flags, name_state *state)
{
    size_t labels = 0;
    size_t start = 0;
    for (size_t at = 0;; start = at) {
        bool is_ascii = true;
        size_t dot = 0;
        for (;; at++) {
            while (at < count && is_label_byte(bytes[at])) at++;
            if (at == count || (dot = dot_length(bytes + at, count - at, flags)) > 0) break;
            is_ascii &= bytes[at] < 0x80;
            if (bytes[at] < 0x80 && !(bytes[at] == '_' && (flags & HOST_UNDERSCORE) != 0)) return false;
        }
        if (!evaluate_label(bytes + start, at - start, is_ascii, flags, state)) return false;
        labels++;
        if (at == count) break;
        at += dot;
        if (at == count) {
            if ((flags & HOST_TRAILING_DOT) == 0) return false;
            count -= dot;
            break;
        }
        state->octets++;
    }
    if ((flags & HOST_NUMERIC_TLD) == 0 && is_numeric(bytes + start, count - start)) return false;
    if (state->is_bidi && state->breaks_bidi) return false;
    return labels > 1 || (flags & HOST_TWO_LABELS) == 0;
}

bool builtin_host_name(const uint8_t *bytes, size_t count, uint32_t flags)
{
    name_state state = {.estimates = true};
    if (!evaluate_name(bytes, count, flags, &state)) return false;
    if (state.octets <= 253) return true;
    name_state exact = {.estimates = false};
    return evaluate_name(bytes, count, flags, &exact) && exact.octets <= 253;
}

size_t builtin_host_map(const uint8_t *bytes, size_t count, uint8_t *mapped, size_t capacity)
{
    size_t written = 0;
    if (assay_bytes_are_ascii(bytes, count)) {
        if (count > capacity) return 0;
        for (; written < count; written++) mapped[written] = builtin_lower(bytes[written]);
        return written;
    }
    for (size_t start = 0, at = 0; at <= count; start = ++at) {
        while (at < count && bytes[at] != '.') at++;
        idna_label label;
        if (!idna_label_read(bytes + start, at - start, &label) || !idna_label_map(&label)) return 0;
        for (size_t i = 0; i < label.count; i++) {
            if (capacity - written < 4) return 0;
            written += put_character(label.scalars[i], mapped + written);
        }
        if (at < count && written < capacity) mapped[written++] = '.';
    }
    return written;
}

/* The reason why one label is invalid, regardless of the rest of the name. */
static builtin_reason label_reason(const uint8_t *bytes, size_t count, uint32_t flags)
{
    if (count == 0) return REASON_EMPTY_LABEL;
    bool is_ascii = true;
    for (size_t i = 0; i < count; i++) {
        is_ascii &= bytes[i] < 0x80;
        bool may_be = is_label_byte(bytes[i]) || (bytes[i] == '_' && (flags & HOST_UNDERSCORE) != 0);
        if (!may_be && (bytes[i] < 0x80 || (flags & HOST_U_LABELS) == 0)) return REASON_HOST_CHARACTER;
    }
    if (is_ascii && count > 63) return REASON_LABEL_LENGTH;
    if (bytes[0] == '-' || bytes[count - 1] == '-') return REASON_HYPHEN;
    name_state state = {.estimates = false};
    return evaluate_label(bytes, count, is_ascii, flags, &state) ? REASON_NONE : REASON_IDNA;
}

builtin_reason builtin_host_reason(const uint8_t *bytes, size_t count, uint32_t flags)
{
    if (builtin_host_name(bytes, count, flags)) return REASON_NONE;
    size_t labels = 0;
    assay_text last = {bytes, 0};
    for (size_t start = 0, at = 0;; at++) {
        size_t dot = at < count ? dot_length(bytes + at, count - at, flags) : 0;
        if (at < count && dot == 0) continue;
        /* The name ends with a dot, which is allowed. */
        if (start == count && labels > 0 && (flags & HOST_TRAILING_DOT) != 0) break;
        last = (assay_text){bytes + start, at - start};
        builtin_reason reason = label_reason(last.bytes, last.count, flags);
        if (reason != REASON_NONE) return reason;
        labels++;
        if (at == count) break;
        at += dot - 1;
        start = at + 1;
    }
    if ((flags & HOST_NUMERIC_TLD) == 0 && is_numeric(last.bytes, last.count)) return REASON_NUMERIC_NAME;
    if (labels == 1 && (flags & HOST_TWO_LABELS) != 0) return REASON_SINGLE_LABEL;
    /* The remaining reasons are the bidi rule, which only non-ASCII names can break, and the length. */
    return builtin_host_name(bytes, count, flags & ~(uint32_t)HOST_TWO_LABELS) || count <= 253 ? REASON_IDNA
                                                                                               : REASON_NAME_LENGTH;
}
