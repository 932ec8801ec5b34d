/* E-mail addresses, host names and host addresses. */
#include "Types/Builtin/builtin_tests.h"

#include "Types/Builtin/builtin_host.h"
#include "Types/Builtin/builtin_tables.h"

/* ---------------------------------------------------------------------------------------------------------------
 * E-mail
 * ------------------------------------------------------------------------------------------------------------- */

enum { EMAIL_QUOTED, EMAIL_IP_LITERAL, EMAIL_UNICODE, EMAIL_SINGLE_LABEL, EMAIL_NUMERIC_TLD };

/* Whether the part after the last "@" is a host name, or an address in brackets (RFC 5321, 4.1.3). */
static bool is_mail_domain(const assay_builtin *type, const uint8_t *domain, size_t count)
{
    if (count > 0 && domain[0] == '[') {
        if (domain[count - 1] != ']') return false;
        bool is_ipv6 = count > 7 && builtin_lower(domain[1]) == 'i' && builtin_lower(domain[2]) == 'p' &&
                       builtin_lower(domain[3]) == 'v' && domain[4] == '6' && domain[5] == ':';
        if (is_ipv6) return builtin_host_ipv6(domain + 6, count - 7, NULL);
        return builtin_host_ipv4(domain + 1, count - 2, NULL);
    }
    return builtin_host_name(domain, count, (uint32_t)type->setting);
}

static assay_verdict email_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    size_t at = count;
    while (at > 0 && value[at - 1] != '@') at--;
    return builtin_verdict(at - 1 <= 64 && is_mail_domain(type, value + at, count - at));
}

#define ATOM "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++"
#define ATOM_UNICODE "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]++"

enum { unicode_host = HOST_U_LABELS | HOST_IDEOGRAPHIC_DOT };

bool builtin_email_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    bool unicode = builtin_given(type, EMAIL_UNICODE);
    uint32_t flags = unicode ? unicode_host : 0;
    if (!builtin_given(type, EMAIL_SINGLE_LABEL)) flags |= HOST_TWO_LABELS;
    if (builtin_given(type, EMAIL_NUMERIC_TLD)) flags |= HOST_NUMERIC_TLD;
    type->setting = flags;
    type->test = email_test;
    builtin_append(type, unicode ? "(?:" ATOM_UNICODE "(?:\\." ATOM_UNICODE ")*" : "(?:" ATOM "(?:\\." ATOM ")*");
    if (builtin_given(type, EMAIL_QUOTED)) {
        builtin_append(type, unicode ? "|\"(?:[ !#-\\[\\]-~\\x{80}-\\x{10FFFF}]|\\\\[ -~])*\""
                                     : "|\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\"");
    }
    builtin_append(type, unicode ? ")@(?:[A-Za-z0-9.\\x{80}-\\x{10FFFF}-]++" : ")@(?:[A-Za-z0-9.-]++");
    builtin_append(type, builtin_given(type, EMAIL_IP_LITERAL) ? "|\\[[A-Za-z0-9:.]++\\])" : ")");
    return true;
}

builtin_reason builtin_email_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (count > type->max) return REASON_TOO_LONG;
    size_t at = count;
    while (at > 0 && value[at - 1] != '@') at--;
    if (at == 0) return REASON_NO_AT;
    if (at - 1 > 64) return REASON_LOCAL_LENGTH;
    bool is_literal = at < count && value[at] == '[';
    bool is_ascii = assay_bytes_are_ascii(value, count);
    const uint32_t with_unicode = ((uint32_t)type->setting | unicode_host) & ~(uint32_t)HOST_TWO_LABELS;
    if (!is_ascii && !builtin_given(type, EMAIL_UNICODE) && builtin_host_name(value + at, count - at, with_unicode)) {
        return REASON_UNICODE;
    }
    builtin_reason reason =
        is_literal ? REASON_NONE : builtin_host_reason(value + at, count - at, (uint32_t)type->setting);
    if (reason != REASON_NONE) return reason;
    if (at == 1) return REASON_NO_LOCAL_PART;
    return has_shape || is_literal ? REASON_NONE : REASON_LOCAL_PART;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Host names and domains
 * ------------------------------------------------------------------------------------------------------------- */

static assay_verdict host_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    return builtin_verdict(builtin_host_name(value, count, (uint32_t)type->setting));
}

enum { HOSTNAME_TRAILING_DOT, HOSTNAME_UNDERSCORE, HOSTNAME_NUMERIC_TLD, HOSTNAME_TWO_LABELS };

bool builtin_hostname_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    uint32_t flags = HOST_A_LABELS;
    if (builtin_given(type, HOSTNAME_TRAILING_DOT)) flags |= HOST_TRAILING_DOT;
    if (builtin_given(type, HOSTNAME_UNDERSCORE)) flags |= HOST_UNDERSCORE;
    if (builtin_given(type, HOSTNAME_NUMERIC_TLD)) flags |= HOST_NUMERIC_TLD;
    if (builtin_given(type, HOSTNAME_TWO_LABELS)) flags |= HOST_TWO_LABELS;
    type->setting = flags;
    type->test = host_test;
    return true;
}

builtin_reason builtin_hostname_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)has_shape;
    return builtin_host_reason(value, count, (uint32_t)type->setting);
}

assay_verdict builtin_idn_hostname_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                        size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(builtin_host_name(value, count, HOST_A_LABELS | HOST_U_LABELS | HOST_IDEOGRAPHIC_DOT));
}

enum { SUFFIX_RULE = 1, SUFFIX_WILDCARD = 2, SUFFIX_EXCEPTION = 4, SUFFIX_PRIVATE = 8 };

/* Whether a lowercase name has a label before a public suffix (https://publicsuffix.org/list/, without the default rule
   "*"). Reads the name once, label by label from its end, until no rule matches.

       name     www.example.co.uk
       rules                   uk     rule: suffix = 15
                            co.uk     rule: suffix = 12
                    example.co.uk     no rule continues like this: stop */
static bool is_below_suffix(const uint8_t *name, size_t count, bool only_icann)
{
    builtin_suffix_place place = builtin_suffixes_end();
    bool continues = true; /* a rule ends with the bytes read so far */
    bool has_wildcard = false;
    size_t suffix = SIZE_MAX;
    for (size_t start = count; start > 0 && (continues || has_wildcard);) {
        const size_t label_end = start;
        do {
            start--;
            continues = continues && builtin_suffixes_step(&place, name[start]);
        } while (start > 0 && name[start - 1] != '.');
        unsigned mark = continues ? builtin_suffixes_mark(place) : 0;
        if (only_icann && (mark & SUFFIX_PRIVATE) != 0) mark = 0;
        if ((mark & SUFFIX_EXCEPTION) != 0) {
            suffix = label_end;
            break;
        }
        if ((mark & SUFFIX_RULE) != 0 || has_wildcard) suffix = start;
        has_wildcard = (mark & SUFFIX_WILDCARD) != 0;
        if (start == 0) break;
        start--;
        continues = continues && builtin_suffixes_step(&place, '.');
    }
    return suffix != SIZE_MAX && suffix > 0;
}

enum { DOMAIN_ICANN, DOMAIN_UNICODE };

static uint32_t domain_flags(const assay_builtin *type)
{
    return HOST_A_LABELS | HOST_TWO_LABELS | (builtin_given(type, DOMAIN_UNICODE) ? HOST_U_LABELS : 0);
}

static assay_verdict domain_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    if (!builtin_host_name(value, count, domain_flags(type))) return ASSAY_FAIL;
    uint8_t mapped[4 * 254]; /* a name has at most 253 characters of at most four bytes */
    const size_t mapped_count = builtin_host_map(value, count, mapped, sizeof mapped);
    return builtin_verdict(is_below_suffix(mapped, mapped_count, builtin_given(type, DOMAIN_ICANN)));
}

bool builtin_domain_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    type->test = domain_test;
    return true;
}

builtin_reason builtin_domain_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)has_shape;
    builtin_reason reason = builtin_host_reason(value, count, domain_flags(type));
    return reason == REASON_NONE ? REASON_SUFFIX : reason;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Addresses
 * ------------------------------------------------------------------------------------------------------------- */

assay_verdict builtin_ipv4_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(builtin_host_ipv4(value, count, NULL));
}

/* The reason why four numbers separated by dots are not an address. */
static builtin_reason octets_reason(const uint8_t *value, size_t count)
{
    size_t dots = 0;
    builtin_reason reason = REASON_NONE;
    for (size_t start = 0, at = 0; at <= count; at++) {
        if (at < count && is_digit(value[at])) continue;
        if (at < count && value[at] != '.') return REASON_NONE;
        dots += at < count;
        size_t digits = at - start;
        if (digits == 0) return REASON_NONE;
        if (digits > 1 && value[start] == '0') {
            reason = REASON_LEADING_ZERO;
        } else if (reason == REASON_NONE && (digits > 3 || (digits == 3 && memcmp(value + start, "255", 3) > 0))) {
            reason = REASON_OCTET;
        }
        start = at + 1;
    }
    return dots == 3 ? reason : REASON_NONE;
}

builtin_reason builtin_ipv4_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)type, (void)has_shape;
    return octets_reason(value, count);
}

enum { IPV6_ZONE };

assay_verdict builtin_ipv6_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    if (builtin_given(type, IPV6_ZONE)) {
        /* RFC 4007, 11: an address, "%" and the name of a zone without spaces. */
        const uint8_t *percent = memchr(value, '%', count);
        if (percent != NULL) {
            size_t address = (size_t)(percent - value);
            for (size_t i = address + 1; i < count; i++) {
                if (value[i] <= ' ' || value[i] >= 0x7F || value[i] == '%') return ASSAY_FAIL;
            }
            if (address + 1 == count) return ASSAY_FAIL;
            count = address;
        }
    }
    return builtin_verdict(builtin_host_ipv6(value, count, NULL));
}

assay_verdict builtin_ip_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    return builtin_verdict(builtin_host_ipv4(value, count, NULL) || builtin_host_ipv6(value, count, NULL));
}

enum { CIDR_V4, CIDR_V6, CIDR_NETWORK };

/* Whether all bits after the first `prefix` are 0. */
static bool is_network(const uint8_t *address, size_t bytes, unsigned prefix)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned kept = prefix <= 8 * i ? 0 : prefix >= 8 * i + 8 ? 8 : prefix - 8 * (unsigned)i;
        if ((address[i] & (0xFFu >> kept)) != 0) return false;
    }
    return true;
}

assay_verdict builtin_cidr_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    const uint8_t *slash = memchr(value, '/', count);
    if (slash == NULL) return ASSAY_FAIL;
    size_t address_count = (size_t)(slash - value);
    size_t digits = count - address_count - 1;
    if (digits == 0 || digits > 3 || (digits > 1 && slash[1] == '0')) return ASSAY_FAIL;
    unsigned prefix = 0;
    for (size_t i = 1; i <= digits; i++) {
        if (!is_digit(slash[i])) return ASSAY_FAIL;
        prefix = prefix * 10 + (unsigned)(slash[i] - '0');
    }
    bool both = !builtin_given(type, CIDR_V4) && !builtin_given(type, CIDR_V6);
    uint8_t address[16];
    bool is_v4 = builtin_host_ipv4(value, address_count, address);
    if (is_v4) {
        if (prefix > 32 || !(both || builtin_given(type, CIDR_V4))) return ASSAY_FAIL;
    } else if (prefix > 128 || !(both || builtin_given(type, CIDR_V6)) ||
               !builtin_host_ipv6(value, address_count, address)) {
        return ASSAY_FAIL;
    }
    if (!builtin_given(type, CIDR_NETWORK)) return ASSAY_PASS;
    return builtin_verdict(is_v4 ? is_network(address, 4, prefix) : is_network(address, 16, prefix));
}

builtin_reason builtin_cidr_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    (void)has_shape;
    const uint8_t *slash = memchr(value, '/', count);
    size_t address = slash == NULL ? count : (size_t)(slash - value);
    bool is_v4 = builtin_host_ipv4(value, address, NULL);
    if (!is_v4 && !builtin_host_ipv6(value, address, NULL)) return octets_reason(value, address);
    size_t digits = address;
    while (digits + 1 < count && is_digit(value[digits + 1])) digits++;
    if (address + 1 >= count || digits + 1 < count) return REASON_PREFIX_LENGTH;
    if (digits > address + 1 && value[address + 1] == '0') return REASON_LEADING_ZERO;
    assay_builtin any = {.given = 0};
    if (builtin_cidr_test(&any, NULL, value, count) == ASSAY_FAIL) return REASON_PREFIX_RANGE;
    any.given = type->given & ~(1u << CIDR_NETWORK);
    return builtin_cidr_test(&any, NULL, value, count) == ASSAY_PASS ? REASON_HOST_BITS : REASON_NONE;
}

enum { MAC_DOTTED, MAC_EUI64 };

bool builtin_mac_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    bool eui64 = builtin_given(type, MAC_EUI64);
    builtin_append(type, eui64 ? "[0-9a-f]{2}(?::[0-9a-f]{2}){7}|[0-9a-f]{2}(?:-[0-9a-f]{2}){7}"
                               : "[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}");
    if (builtin_given(type, MAC_DOTTED)) {
        builtin_append(type, eui64 ? "|[0-9a-f]{4}(?:\\.[0-9a-f]{4}){3}" : "|[0-9a-f]{4}(?:\\.[0-9a-f]{4}){2}");
    }
    type->pattern_options |= ASSAY_PATTERN_CASE_INSENSITIVE;
    return true;
}
