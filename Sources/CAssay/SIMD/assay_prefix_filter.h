/* assay_prefix_filter.h: the bytes with which a match of a search may begin, for SIMD: Teddy (G. Langdale, Hyperscan;
 * A. Gallant, aho-corasick).
 *
 * The prefixes are divided among eight buckets. For each of the first four bytes, two tables map its lower and upper
 * nibble to the buckets that allow it there; a position is a candidate if a bucket remains after all eight lookups:
 *
 *     cat (bucket 0), dog (bucket 1)      lower[0]['c' & 15] = 01   upper[0]['c' >> 4] = 03
 *     text  c  a  t                       lower[0]['d' & 15] = 10   upper[0]['d' >> 4] = 03
 *           01 01 01  → candidate         …
 *
 * A candidate need not be a match, because a bucket mixes the nibbles of its prefixes. No match begins elsewhere. */
#ifndef ASSAY_PREFIX_FILTER_H
#define ASSAY_PREFIX_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { prefix_bytes = 4, prefix_buckets = 8 };

/* The tables are in the order in which the bytes are looked up. The first two are the rarest pair. */
typedef struct assay_prefix_filter {
    uint8_t place[prefix_bytes]; /* by table: the index of its byte in a prefix */
    bool pair_is_rare;           /* most blocks have no candidate by the first two tables */
    uint8_t lower[prefix_bytes][16];
    uint8_t upper[prefix_bytes][16];
    uint8_t
        shortest; /* bytes of the shortest match, at most prefix_bytes: no match begins in the last shortest - 1 bytes */
} assay_prefix_filter;

#endif
