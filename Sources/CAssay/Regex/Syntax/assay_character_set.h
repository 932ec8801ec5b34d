/* The set of characters that a character class of a pattern, such as [a-z] or \p{L}, matches. */
#ifndef ASSAY_CHARACTER_SET_H
#define ASSAY_CHARACTER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* Characters that differ only in their last six bits, the last byte of their UTF-8. */
    block_characters = 64,
    character_blocks = 0x10000 / block_characters,
    ascii_blocks = 0x80 / block_characters,
    first_surrogate_block = 0xD800 / block_characters, /* in no well-formed text */
    surrogate_blocks = 0x800 / block_characters,
};

typedef enum above_bmp_answer {
    ABOVE_BMP_NONE,
    ABOVE_BMP_ALL,
    ABOVE_BMP_UNKNOWN, /* not asked: that would take milliseconds */
} above_bmp_answer;

typedef struct assay_character_set {
    uint64_t blocks[character_blocks]; /* bit c % 64 of word c / 64: U+0000 .. U+FFFF */
    above_bmp_answer above_bmp;        /* the characters above U+FFFF */
} assay_character_set;

static inline void assay_character_set_add(assay_character_set *set, uint32_t character)
{
    set->blocks[character / block_characters] |= UINT64_C(1) << (character % block_characters);
}

/* Adds the characters from `from` to below `end`, which is at most 0x10000. */
static inline void assay_character_set_add_range(assay_character_set *set, uint32_t from, uint32_t end)
{
    while (from < end) {
        const uint32_t bit = from % block_characters;
        const uint32_t count = end - from < block_characters - bit ? end - from : block_characters - bit;
        set->blocks[from / block_characters] |= (UINT64_MAX >> (block_characters - count)) << bit;
        from += count;
    }
}

/* What need not be asked about a class: it surely treats all characters from `alike_from` on the same, up to U+FFFF or,
   if `alike_above_bmp`, to the end. */
typedef struct class_reach {
    uint32_t alike_from;
    bool alike_above_bmp;
} class_reach;

/* Resolves character classes to sets of characters: asks PCRE2 (Patterns/assay_class_resolver.h). */
typedef struct assay_class_resolver {
    /* Fills `set`, which is empty, with the characters that a class, given as its text, matches under `options`
       (ASSAY_PATTERN_…). false: it could not be found out. */
    bool (*find)(void *context, const uint8_t *text, size_t count, uint32_t options, class_reach reach,
                 assay_character_set *set);
    void *context;
} assay_class_resolver;

#endif
