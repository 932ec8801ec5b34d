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
 * A candidate need not be a match, because a bucket mixes the nibbles of its prefixes. No match begins elsewhere.
 *
 * If one or two of the bytes are rare, a block is first examined for those alone, as memmem functions do, and four
 * blocks at a time. */
#ifndef ASSAY_PREFIX_FILTER_H
#define ASSAY_PREFIX_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes are consecutive, or at places that are less than prefix_span_max apart. */
enum { prefix_bytes = 4, prefix_span_max = 16, prefix_buckets = 8 };

/* The first stage of a block of 64 bytes. All tables are used only if it finds a place. */
typedef enum prefix_stage {
    PREFIX_ALL,           /* there is no first stage */
    PREFIX_ONE,           /* the first table */
    PREFIX_PAIR,          /* the first two tables */
    PREFIX_ONE_COMPARED,  /* the first byte, by a comparison, which takes less time than a table */
    PREFIX_PAIR_COMPARED, /* the first two bytes, by comparisons */
} prefix_stage;

static inline bool prefix_stage_compares(prefix_stage stage)
{
    return stage == PREFIX_ONE_COMPARED || stage == PREFIX_PAIR_COMPARED;
}

/* Returns the number of tables of a stage, or of comparisons. */
static inline int prefix_stage_tables(prefix_stage stage)
{
    return stage == PREFIX_ALL ? prefix_bytes : stage == PREFIX_ONE || stage == PREFIX_ONE_COMPARED ? 1 : 2;
}

/* The tables are in the order in which the bytes are looked up: the rarest first. */
typedef struct assay_prefix_filter {
    prefix_stage stage;
    uint8_t place[prefix_bytes]; /* by table: the index of its byte in a prefix */
    /* For comparisons: byte | fold[table] == value[table], so that both cases of a letter are found. */
    uint8_t fold[2];
    uint8_t value[2];
    uint8_t lower[prefix_bytes][16];
    uint8_t upper[prefix_bytes][16];
    /* The bytes of the shortest and of the longest prefix, with those between its places. No match begins in the last
     * shortest - 1 bytes. The tables accept any byte in places from `longest` on. */
    uint8_t shortest;
    uint8_t longest;
} assay_prefix_filter;

#endif
