/* Names and addresses of hosts, which half of the built-in types contain. */
#ifndef ASSAY_BUILTIN_HOST_H
#define ASSAY_BUILTIN_HOST_H

#include "Types/Builtin/builtin_reasons.h"
#include "assay/core.h"

/* What may be in a name. None: one or more labels of letters, digits and inner hyphens, 63 bytes each and 253 in all,
   the last no number. */
enum {
    HOST_TWO_LABELS = 1u << 0,      /* two or more */
    HOST_NUMERIC_TLD = 1u << 1,     /* the last label may be a number */
    HOST_UNDERSCORE = 1u << 2,      /* underscores count as letters (DNS names that are not host names) */
    HOST_TRAILING_DOT = 1u << 3,    /* one dot may stand at the end */
    HOST_A_LABELS = 1u << 4,        /* labels with xn-- must be Punycode of what IDNA 2008 allows */
    HOST_U_LABELS = 1u << 5,        /* labels may be Unicode, as IDNA 2008 allows after the mapping of idna_label_map */
    HOST_IDEOGRAPHIC_DOT = 1u << 6, /* with U_LABELS: U+3002, U+FF0E and U+FF61 part labels, too */
};

bool builtin_host_name(const uint8_t *bytes, size_t count, uint32_t flags);

/* Writes a name that is valid with U_LABELS, its labels mapped. The dots stay. Returns the bytes written, 0 if they exceed `capacity`. */
size_t builtin_host_map(const uint8_t *bytes, size_t count, uint8_t *mapped, size_t capacity);

/* What is wrong with a name; REASON_NONE if nothing is. */
builtin_reason builtin_host_reason(const uint8_t *bytes, size_t count, uint32_t flags);

/* The bytes of U+3002, U+FF0E or U+FF61 at the start of so many, 0 if there is none of them. */
size_t builtin_host_other_dot(const uint8_t *bytes, size_t count);

/* Four octets without leading zeros. If `address` is not NULL, they are written there. */
bool builtin_host_ipv4(const uint8_t *bytes, size_t count, uint8_t *address);

/* Whether an address is one that the whole Internet can reach: not private, not of this host or network, not for
   documentation, benchmarks or multicast (the special-purpose registries of IANA, RFC 6890). */
bool builtin_host_is_public_ipv4(const uint8_t *address);
bool builtin_host_is_public_ipv6(const uint8_t *address);

/* RFC 4291, section 2.2, without zone. If `address` is not NULL, the 16 bytes are written there. */
bool builtin_host_ipv6(const uint8_t *bytes, size_t count, uint8_t *address);

#endif
