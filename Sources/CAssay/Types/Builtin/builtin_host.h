/* Host names and addresses, which many built-in types contain. */
#ifndef ASSAY_BUILTIN_HOST_H
#define ASSAY_BUILTIN_HOST_H

#include "Types/Builtin/builtin_reasons.h"
#include "assay/core.h"

/* Options of names. Without options, a name has one or more labels of letters, digits and inner hyphens, at most 63
   bytes per label and 253 in total, and the last label is not a number. */
enum {
    HOST_TWO_LABELS = 1u << 0,      /* at least two labels */
    HOST_NUMERIC_TLD = 1u << 1,     /* the last label may be a number */
    HOST_UNDERSCORE = 1u << 2,      /* underscores count as letters (DNS names that are not host names) */
    HOST_TRAILING_DOT = 1u << 3,    /* one dot is allowed at the end */
    HOST_A_LABELS = 1u << 4,        /* labels with xn-- must be Punycode of labels that IDNA 2008 allows */
    HOST_U_LABELS = 1u << 5,        /* labels may be Unicode, as IDNA 2008 allows after the mapping of idna_label_map */
    HOST_IDEOGRAPHIC_DOT = 1u << 6, /* with U_LABELS: U+3002, U+FF0E and U+FF61 also separate labels */
};

bool builtin_host_name(const uint8_t *bytes, size_t count, uint32_t flags);

/* Writes a name that is valid with U_LABELS, with mapped labels and unchanged dots. Returns the number of bytes, or 0
   if they exceed `capacity`. */
size_t builtin_host_map(const uint8_t *bytes, size_t count, uint8_t *mapped, size_t capacity);

/* The reason why a name is invalid; REASON_NONE if it is valid. */
builtin_reason builtin_host_reason(const uint8_t *bytes, size_t count, uint32_t flags);

/* The length of U+3002, U+FF0E or U+FF61 at the start of the bytes, or 0 for other bytes. */
size_t builtin_host_other_dot(const uint8_t *bytes, size_t count);

/* Reads four octets without leading zeros. Writes them to `address` if it is not NULL. */
bool builtin_host_ipv4(const uint8_t *bytes, size_t count, uint8_t *address);

/* Whether an address is globally reachable: not private, not of this host or network, not for documentation, benchmarks
   or multicast (the special-purpose registries of IANA, RFC 6890). */
bool builtin_host_is_public_ipv4(const uint8_t *address);
bool builtin_host_is_public_ipv6(const uint8_t *address);

/* Reads an address of RFC 4291, section 2.2, without zone. Writes the 16 bytes to `address` if it is not NULL. */
bool builtin_host_ipv6(const uint8_t *bytes, size_t count, uint8_t *address);

#endif
