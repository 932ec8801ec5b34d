/* The values of a group of rows, with the facts that one pass over their bytes finds. */
#ifndef ASSAY_PROFILE_VALUES_H
#define ASSAY_PROFILE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of a group, a multiple of 64. */
enum { profile_group_rows = 256 };

/* Facts about a value. Values without facts need no further look at their characters. */
enum {
    profile_is_high = 1,    /* not ASCII */
    profile_is_rare = 2,    /* has bytes that may be an anomaly */
    profile_is_padded = 4,  /* has a space or tab at an end */
    profile_is_odd = 8,     /* may be a word for a missing value */
    profile_is_long = 16,   /* has no classes */
    profile_is_western = 32 /* may be UTF-8 that was encoded twice; only if it is high and not long */
};

typedef struct profile_values {
    size_t count;
    uint16_t rows[profile_group_rows];
    uint8_t facts[profile_group_rows];
    uint64_t hashes[profile_group_rows]; /* assay_profile_hash */
    /* The classes of the bytes of each value that is not long. Values with equal classes and lengths have equal shapes.
       Up to 16 bytes: zeros and the value. Up to 32 bytes: its first and last 16 bytes. An ASCII value of more bytes:
       its first 32 bytes, which suffice for truncated shapes. */
    uint64_t classes[profile_group_rows][4];
} profile_values;

/* For each byte at the start or end of a value: the length of the longest word for a missing value that begins with it,
   and more than 0 for the dates, which begin with 0; or `profile_edge_blank`. */
enum { profile_edge_blank = 0x80, profile_longest_word = 6, profile_date_length = 10, profile_year_length = 4 };
extern const uint8_t profile_edges[256];

/* profile_is_high and profile_is_rare, byte by byte. Not for rare characters that are not ASCII. */
static inline unsigned profile_byte_facts(const uint8_t *text, size_t count)
{
    unsigned facts = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] >= 0x80) facts |= profile_is_high;
        if (text[i] < 0x20 || text[i] == 0x7F || text[i] == '&') facts |= profile_is_rare;
    }
    return facts;
}

/* The additional facts of a high value that is not long, byte by byte: profile_is_rare if a byte may begin a rare
   character, and profile_is_western. */
static inline unsigned profile_lead_facts(const uint8_t *text, size_t count)
{
    unsigned facts = profile_is_western;
    for (size_t i = 0; i < count; i++) {
        if (text[i] == 0xC2 || text[i] == 0xD8 || text[i] == 0xE2 || text[i] == 0xEF) facts |= profile_is_rare;
        if (text[i] > 0xE2) facts &= ~(unsigned)profile_is_western;
    }
    return facts;
}

/* Whether profile_edge_facts() may be nonzero. */
static inline bool profile_has_edge(const uint8_t *text, size_t count)
{
    return (profile_edges[text[0]] | (profile_edges[text[count - 1]] & profile_edge_blank)) != 0;
}

/* The facts that depend on the first and last byte and the length. */
static inline unsigned profile_edge_facts(const uint8_t *text, size_t count)
{
    const unsigned first = profile_edges[text[0]], last = profile_edges[text[count - 1]];
    /* The dates begin with 0000-, and many other values with 0: 01/31/2024. */
    const bool is_odd = text[0] == '0'
                            ? count >= profile_date_length && text[1] == '0' && text[profile_year_length] == '-'
                            : count <= (first & ~(unsigned)profile_edge_blank);
    return (((first | last) & profile_edge_blank) != 0 ? profile_is_padded : 0) | (is_odd ? profile_is_odd : 0);
}

#endif
