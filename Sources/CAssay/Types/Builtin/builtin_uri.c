/* URIs (RFC 3986), IRIs (RFC 3987), templates (RFC 6570), and common URLs with a host. */
#include "Types/Builtin/builtin_tests.h"

#include "Types/Builtin/builtin_host.h"

/* Parts of character classes: ucschar and iprivate of RFC 3987. Direction marks are in ucschar, but IRIs must not
   contain them (section 4.1). */
#define DIRECTION_MARKS "\\x{200E}\\x{200F}\\x{202A}-\\x{202E}"
#define UCSCHAR                                                                                                        \
    "\\x{A0}-\\x{200D}\\x{2010}-\\x{2029}\\x{202F}-\\x{D7FF}\\x{F900}-\\x{FDCF}\\x{FDF0}-\\x{FFEF}\\x{10000}-\\x{"     \
    "1FFFD}\\x{20000}-\\x{2FFFD}"                                                                                      \
    "\\x{30000}-\\x{3FFFD}\\x{40000}-\\x{4FFFD}\\x{50000}-\\x{5FFFD}\\x{60000}-\\x{6FFFD}\\x{70000}-\\x{7FFFD}"        \
    "\\x{80000}-\\x{8FFFD}\\x{90000}-\\x{9FFFD}\\x{A0000}-\\x{AFFFD}\\x{B0000}-\\x{BFFFD}\\x{C0000}-\\x{CFFFD}"        \
    "\\x{D0000}-\\x{DFFFD}\\x{E1000}-\\x{EFFFD}"
#define IPRIVATE "\\x{E000}-\\x{F8FF}\\x{F0000}-\\x{FFFFD}\\x{100000}-\\x{10FFFD}"

/* ---------------------------------------------------------------------------------------------------------------
 * URIs and IRIs
 * ------------------------------------------------------------------------------------------------------------- */

/* Checks an IPv6 address in brackets. The pattern allows brackets only around the host, with hexadecimal digits, colons
   and dots, or a future version, inside. */
static assay_verdict bracket_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)type, (void)scratch;
    const uint8_t *open = memchr(value, '[', count);
    if (open == NULL || builtin_lower(open[1]) == 'v') return ASSAY_PASS;
    const uint8_t *close = memchr(open, ']', count - (size_t)(open - value));
    return builtin_verdict(builtin_host_ipv6(open + 1, (size_t)(close - open) - 1, NULL));
}

/* Appends any number of unreserved characters, delimiters, characters of `extra` and percent-encoded bytes. `more`
   contains the unreserved non-ASCII characters. */
static void append_characters(assay_builtin *type, const char *more, const char *extra)
{
    for (int after_encoded = 0; after_encoded < 2; after_encoded++) {
        builtin_append(type, after_encoded ? "(?:%[0-9A-Fa-f]{2}[" : "[");
        builtin_append(type, "A-Za-z0-9._~!$&'()*+,;=");
        builtin_append(type, extra);
        builtin_append(type, more);
        builtin_append(type, after_encoded ? "-]*+)*" : "-]*+");
    }
}

/* Appends "//" authority, then a path that is empty or starts with a slash. */
static void append_network_path(assay_builtin *type, const char *more)
{
    builtin_append(type, "//(?:");
    append_characters(type, more, ":");
    builtin_append(type, "@)?(?:\\[(?:[0-9A-Fa-f:.]++|[Vv][0-9A-Fa-f]++\\.[A-Za-z0-9._~!$&'()*+,;=:-]++)\\]|");
    append_characters(type, more, "");
    builtin_append(type, ")(?::[0-9]*+)?(?:/");
    append_characters(type, more, ":@/");
    builtin_append(type, ")?");
}

static void append_tail(assay_builtin *type, const char *more, const char *private)
{
    builtin_append(type, "(?:\\?");
    char extra[128] = ":@/?";
    strcat(extra, private);
    append_characters(type, more, extra);
    builtin_append(type, ")?(?:#");
    append_characters(type, more, ":@/?");
    builtin_append(type, ")?");
}

static bool prepare(assay_builtin *type, const char *more, const char *private, bool relative)
{
    builtin_append(type, "(?:[A-Za-z][A-Za-z0-9+.-]*+:(?:");
    append_network_path(type, more);
    /* A path must not begin with two slashes, because that would be a network path. */
    builtin_append(type, "|(?:/(?!/)|(?!/))");
    append_characters(type, more, ":@/");
    builtin_append(type, ")");
    if (relative) {
        builtin_append(type, "|");
        append_network_path(type, more);
        builtin_append(type, "|/(?!/)");
        append_characters(type, more, ":@/");
        /* The first segment of a relative path must not have a colon, because that would be a scheme. */
        builtin_append(type, "|(?!/)");
        append_characters(type, more, "@");
        builtin_append(type, "(?:/");
        append_characters(type, more, ":@/");
        builtin_append(type, ")?");
    }
    builtin_append(type, ")");
    append_tail(type, more, private);
    type->test = bracket_test;
    return true;
}

bool builtin_uri_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    return prepare(type, "", "", false);
}

bool builtin_uri_reference_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    return prepare(type, "", "", true);
}

bool builtin_iri_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    return prepare(type, UCSCHAR, IPRIVATE, false);
}

bool builtin_iri_reference_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    return prepare(type, UCSCHAR, IPRIVATE, true);
}

/* Templates (RFC 6570, section 2). */
#define VARCHAR "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})++"
#define VARSPEC VARCHAR "(?:\\." VARCHAR ")*+(?:\\*|:[1-9][0-9]{0,3})?"

bool builtin_uri_template_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    /* Erratum 6937 allows the apostrophe as a literal. */
    builtin_append(type,
                   "(?:[!#$&'()*+,./0-9:;=?@A-Z\\[\\]_a-z~" UCSCHAR DIRECTION_MARKS IPRIVATE "-]++|%[0-9A-Fa-f]{2}");
    builtin_append(type, "|\\{[+#./;?&=,!@|]?" VARSPEC "(?:," VARSPEC ")*+\\})*+");
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * URLs
 * ------------------------------------------------------------------------------------------------------------- */

enum { URL_SCHEMES, URL_CREDENTIALS, URL_LOCALHOST, URL_IP, URL_PRIVATE, URL_IDN, URL_UNICODE, URL_NO_PORT };

/* The host of a URL: after the credentials, before port, path, query and fragment. */
static assay_text host_of(const uint8_t *value, size_t count)
{
    size_t start = 0;
    while (value[start] != ':') start++;
    start += 3;
    size_t at = start;
    size_t end = SIZE_MAX; /* the first colon outside brackets */
    bool in_brackets = false;
    for (; at < count; at++) {
        uint8_t byte = value[at];
        if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') continue;
        if (byte == '/' || byte == '?' || byte == '#') break;
        if (byte == '[' || byte == ']') in_brackets = byte == '[';
        if (byte == ':' && !in_brackets && end == SIZE_MAX) end = at;
        if (byte != '@') continue;
        start = at + 1; /* the preceding bytes are credentials */
        end = SIZE_MAX;
    }
    if (end == SIZE_MAX) end = at;
    return (assay_text){value + start, end - start};
}

static bool is_port(const uint8_t *bytes, size_t count)
{
    unsigned port = 0;
    for (size_t i = 0; i < count && port <= 65535; i++) port = port * 10 + (unsigned)(bytes[i] - '0');
    return port >= 1 && port <= 65535;
}

/* Whether a host is localhost or ends in .localhost (RFC 6761, 6.3). */
static bool is_local_name(assay_text host)
{
    static const char name[] = "localhost";
    const size_t length = sizeof name - 1;
    if (host.count < length) return false;
    const uint8_t *tail = host.bytes + host.count - length;
    for (size_t i = length; i > 0; i--) {
        if (builtin_lower(tail[i - 1]) != (uint8_t)name[i - 1]) return false;
    }
    return host.count == length || tail[-1] == '.';
}

static bool may_be_address(const assay_builtin *type, bool is_public)
{
    return builtin_given(type, URL_PRIVATE) || (is_public && builtin_given(type, URL_IP));
}

static assay_verdict url_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    (void)scratch;
    assay_text host = host_of(value, count);
    size_t after = (size_t)(host.bytes - value) + host.count;
    if (after < count && value[after] == ':') {
        size_t end = after + 1;
        while (end < count && is_digit(value[end])) end++;
        if (!is_port(value + after + 1, end - after - 1)) return ASSAY_FAIL;
    }
    bool ends_in_digit = is_digit(host.bytes[host.count - 1]);
    uint8_t address[16];
    if (host.bytes[0] == '[') {
        if (!builtin_host_ipv6(host.bytes + 1, host.count - 2, address)) return ASSAY_FAIL;
        return builtin_verdict(may_be_address(type, builtin_host_is_public_ipv6(address)));
    }
    if (ends_in_digit && builtin_host_ipv4(host.bytes, host.count, address)) {
        return builtin_verdict(may_be_address(type, builtin_host_is_public_ipv4(address)));
    }
    bool is_local = is_local_name(host);
    uint32_t flags = HOST_A_LABELS | (builtin_given(type, URL_IDN) ? HOST_U_LABELS : 0);
    if (is_local && !builtin_given(type, URL_LOCALHOST)) return ASSAY_FAIL;
    if (!is_local) flags |= HOST_TWO_LABELS;
    return builtin_verdict(builtin_host_name(host.bytes, host.count, flags));
}

/* Confirms values of more than 72 bytes. The host begins after https:// or one byte earlier. If a slash ends the host
   within 63 bytes, no label has more than 63 bytes. */
bool builtin_url_confirm(const uint8_t *value, size_t count)
{
    (void)count;
    return memchr(value + 8, '/', 63) != NULL;
}

/* Appends a scheme in either case. Not with ASSAY_PATTERN_CASE_INSENSITIVE, because then U+017F matches s and U+212A
   k. */
static void append_scheme(assay_builtin *type, assay_text scheme)
{
    for (size_t i = 0; i < scheme.count; i++) {
        char letter[] = "[xX]";
        letter[1] = (char)scheme.bytes[i];
        letter[2] = (char)(scheme.bytes[i] & 0xDF);
        bool is_letter = scheme.bytes[i] >= 'a';
        if (is_letter) builtin_append(type, letter);
        if (!is_letter) builtin_append_quoted(type, (assay_text){scheme.bytes + i, 1});
    }
}

bool builtin_url_prepare(assay_builtin *type, assay_error *error)
{
    builtin_append(type, "(?:");
    if (builtin_given(type, URL_SCHEMES)) {
        assay_text rest = type->texts[URL_SCHEMES];
        assay_text word;
        const char *before = "";
        while (builtin_next_word(&rest, &word)) {
            for (size_t i = 0; i < word.count; i++) {
                uint8_t byte = word.bytes[i];
                bool letter = byte >= 'a' && byte <= 'z';
                if (letter || (i > 0 && (is_digit(byte) || byte == '+' || byte == '-' || byte == '.'))) continue;
                return builtin_refuse(type, URL_SCHEMES, error, "schemes are words in lower case, such as https,ftp");
            }
            builtin_append(type, before);
            append_scheme(type, word);
            before = "|";
        }
    } else {
        builtin_append(type, "[Hh][Tt][Tt][Pp][Ss]?");
    }
    builtin_append(type, ")://");
    if (builtin_given(type, URL_CREDENTIALS)) {
        builtin_append(type, "(?:");
        append_characters(type, "", ":");
        builtin_append(type, "@)?");
    }
    builtin_append(type, builtin_given(type, URL_IDN) ? "(?:[A-Za-z0-9.\\x{80}-\\x{10FFFF}-]++" : "(?:[A-Za-z0-9.-]++");
    bool addresses = builtin_given(type, URL_IP) || builtin_given(type, URL_PRIVATE);
    builtin_append(type, addresses ? "|\\[[0-9A-Fa-f:.]++\\])" : ")");
    if (!builtin_given(type, URL_NO_PORT)) builtin_append(type, "(?::[0-9]{1,5})?");
    const char *unicode = builtin_given(type, URL_UNICODE) ? UCSCHAR : "";
    static const char *const parts[][2] = {{"(?:/", ":@/"}, {"(?:\\?", ":@/?"}, {"(?:#", ":@/?"}};
    for (size_t i = 0; i < 3; i++) {
        builtin_append(type, parts[i][0]);
        append_characters(type, unicode, parts[i][1]);
        builtin_append(type, ")?");
    }
    type->test = url_test;
    return true;
}

builtin_reason builtin_url_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    if (!has_shape) {
        const uint8_t *colon = memchr(value, ':', count);
        size_t length = colon == NULL ? 0 : (size_t)(colon - value);
        bool has_scheme = length > 0 && count - length >= 3 && memcmp(colon, "://", 3) == 0;
        if (has_scheme && !builtin_given(type, URL_SCHEMES)) {
            bool is_http = (length == 4 || length == 5) && builtin_lower(value[0]) == 'h' &&
                           builtin_lower(value[3]) == 'p' && (length == 4 || builtin_lower(value[4]) == 's');
            return is_http ? REASON_NONE : REASON_SCHEME;
        }
        return has_scheme ? REASON_NONE : REASON_SCHEME;
    }
    assay_text host = host_of(value, count);
    size_t after = (size_t)(host.bytes - value) + host.count;
    if (after < count && value[after] == ':') {
        size_t end = after + 1;
        while (end < count && is_digit(value[end])) end++;
        if (!is_port(value + after + 1, end - after - 1)) return REASON_PORT;
    }
    const bool in_brackets = host.bytes[0] == '[';
    if (in_brackets && !builtin_host_ipv6(host.bytes + 1, host.count - 2, NULL)) return REASON_NOT_ADDRESS;
    if (in_brackets || builtin_host_ipv4(host.bytes, host.count, NULL)) {
        return builtin_given(type, URL_IP) ? REASON_NOT_PUBLIC : REASON_ADDRESS;
    }
    if (is_local_name(host) && !builtin_given(type, URL_LOCALHOST)) return REASON_LOCAL_NAME;
    uint32_t flags = HOST_A_LABELS | HOST_TWO_LABELS | (builtin_given(type, URL_IDN) ? HOST_U_LABELS : 0);
    return builtin_host_reason(host.bytes, host.count, flags);
}
