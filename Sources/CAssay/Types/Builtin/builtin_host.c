#include "Types/Builtin/builtin_host.h"

#include "Types/Builtin/builtin_definition.h"
#include "Types/Builtin/builtin_idna.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Addresses
 * ------------------------------------------------------------------------------------------------------------- */

/* One to three digits, no leading zero, at most 255. Returns how many, 0 if there is no octet. */
static size_t read_octet(const uint8_t *bytes, size_t count, uint8_t *octet)
{
    unsigned number = 0;
    size_t digits = 0;
    while (digits < count && digits < 3 && builtin_is_digit(bytes[digits])) {
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

bool builtin_host_ipv4(const uint8_t *bytes, size_t count)
{
    uint8_t octets[4];
    return read_ipv4(bytes, count, octets);
}

static int hex_digit(uint8_t byte)
{
    if (builtin_is_digit(byte)) return byte - '0';
    uint8_t lower = byte | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool builtin_host_ipv6(const uint8_t *bytes, size_t count, uint8_t *address)
{
    uint8_t groups[16] = {0};
    size_t used = 0;       /* bytes of `groups` */
    size_t gap = SIZE_MAX; /* where "::" stands in them */
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
        for (int digit; at < count && at < start + 4 && (digit = hex_digit(bytes[at])) >= 0; at++) {
            group = group << 4 | (unsigned)digit;
        }
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
    /* "::" stands for one group or more (RFC 5952 would write a single one out; RFC 4291 lets it be). */
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

static bool is_label_byte(uint8_t byte, uint32_t flags)
{
    uint8_t lower = byte | 0x20;
    return (lower >= 'a' && lower <= 'z') || builtin_is_digit(byte) || byte == '-' ||
           (byte == '_' && (flags & HOST_UNDERSCORE) != 0);
}

static bool has_prefix_xn(const uint8_t *bytes, size_t count)
{
    return count >= 4 && (bytes[0] | 0x20) == 'x' && (bytes[1] | 0x20) == 'n' && bytes[2] == '-' && bytes[3] == '-';
}

/* The length of a dot at the start of the bytes, 0 if there is none. */
static size_t dot_length(const uint8_t *bytes, size_t count, uint32_t flags)
{
    if (bytes[0] == '.') return 1;
    if (bytes[0] < 0x80 || (flags & HOST_IDEOGRAPHIC_DOT) == 0 || count < 3) return 0;
    bool is_dot = memcmp(bytes, "\xE3\x80\x82", 3) == 0 || memcmp(bytes, "\xEF\xBC\x8E", 3) == 0 ||
                  memcmp(bytes, "\xEF\xBD\xA1", 3) == 0;
    return is_dot ? 3 : 0;
}

/* What has been seen of a name. */
typedef struct name_state {
    size_t octets; /* as it would stand in DNS text: A-labels and dots */
    bool is_bidi;
    bool breaks_bidi;
} name_state;

static bool judge_unicode(const idna_label *label, name_state *state)
{
    state->is_bidi |= idna_label_is_bidi(label);
    state->breaks_bidi |= !idna_label_obeys_bidi(label);
    return idna_label_is_valid(label);
}

static bool judge_label(const uint8_t *bytes, size_t count, bool is_ascii, uint32_t flags, name_state *state)
{
    if (count == 0) return false;
    idna_label label;
    if (!is_ascii) {
        if ((flags & HOST_U_LABELS) == 0 || !idna_label_read(bytes, count, &label)) return false;
        if ((flags & HOST_MAPPED) != 0 && !idna_label_compose(&label)) return false;
        state->octets += 4 + idna_punycode_length(&label);
        return judge_unicode(&label, state);
    }
    state->octets += count;
    if (count > 63 || bytes[0] == '-' || bytes[count - 1] == '-') return false;
    if ((flags & (HOST_A_LABELS | HOST_U_LABELS)) == 0) return true;
    if (has_prefix_xn(bytes, count)) {
        return idna_punycode_decode(bytes + 4, count - 4, &label) && judge_unicode(&label, state);
    }
    /* RFC 5891, 4.2.3.1, where the name is one of IDNA. */
    if ((flags & HOST_U_LABELS) != 0 && count >= 4 && bytes[2] == '-' && bytes[3] == '-') return false;
    if (idna_label_read(bytes, count, &label)) state->breaks_bidi |= !idna_label_obeys_bidi(&label);
    return true;
}

bool builtin_host_name(const uint8_t *bytes, size_t count, uint32_t flags)
{
    name_state state = {0, false, false};
    size_t labels = 0;
    bool ends = false;
    if (count == 0) return false;
    for (size_t at = 0; !ends;) {
        size_t start = at;
        bool is_ascii = true;
        bool is_numeric = true;
        size_t dot = 0;
        for (; at < count && (dot = dot_length(bytes + at, count - at, flags)) == 0; at++) {
            if (bytes[at] >= 0x80) {
                is_ascii = false;
            } else if (!is_label_byte(bytes[at], flags)) {
                return false;
            }
            is_numeric &= builtin_is_digit(bytes[at]);
        }
        if (!judge_label(bytes + start, at - start, is_ascii, flags, &state)) return false;
        labels++;
        at += dot;
        ends = at >= count;
        if (ends && dot > 0) {
            if ((flags & HOST_TRAILING_DOT) == 0) return false;
        } else if (!ends) {
            state.octets++;
        }
        if (ends && is_numeric && labels > 1 && (flags & HOST_NUMERIC_TLD) == 0) return false;
    }
    if (state.octets > 253 || (state.is_bidi && state.breaks_bidi)) return false;
    return labels > 1 || (flags & HOST_TWO_LABELS) == 0;
}
