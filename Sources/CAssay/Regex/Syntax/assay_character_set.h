/* Character sets: the characters that a class of a pattern, such as [a-z] or \p{L}, matches. They are the leaves of the
 * AST and the only data about a class in the compiler.
 *
 *     [a-z]     blocks[0]          U+0000 .. U+003F   0
 *               blocks[1]          U+0040 .. U+007F   bits 33 to 58: 'a' is 0x61, bit 0x21 of its block
 *               blocks[2 .. 1023]  U+0080 .. U+FFFF   0
 *               above_bmp          ABOVE_BMP_NONE
 *
 * A bitmap of the basic multilingual plane takes 8 KiB. One bitmap for all of Unicode would take 136 KiB per class, and
 * would require a million answers of PCRE2. Above U+FFFF, one answer therefore represents all characters, and if they
 * differ it is "unknown": the DFA then leaves values with such characters to PCRE2. */
#ifndef ASSAY_CHARACTER_SET_H
#define ASSAY_CHARACTER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* Characters that differ only in their last six bits: in the last byte of their UTF-8, if they are not ASCII. A
       block is also a row of the two-stage table of an alphabet (assay_alphabet.h). */
    block_characters = 64,
    character_blocks = 0x10000 / block_characters,
    ascii_blocks = 0x80 / block_characters,
    first_surrogate_block = 0xD800 / block_characters, /* in no well-formed text */
    surrogate_blocks = 0x800 / block_characters,
};

/* Whether a class matches the characters above U+FFFF: U+10000 to U+10FFFF. */
typedef enum above_bmp_answer {
    ABOVE_BMP_NONE,
    ABOVE_BMP_ALL,
    ABOVE_BMP_UNKNOWN, /* not all characters were tested with PCRE2, so they may differ */
} above_bmp_answer;

typedef struct assay_character_set {
    uint64_t blocks[character_blocks]; /* bit c % 64 of word c / 64: U+0000 .. U+FFFF */
    above_bmp_answer above_bmp;        /* the characters above U+FFFF */
} assay_character_set;

static inline void assay_character_set_add(assay_character_set *set, uint32_t character)
{
    set->blocks[character / block_characters] |= UINT64_C(1) << (character % block_characters);
}

/* Adds the characters `from` .. `end` - 1; `end` must be at most 0x10000. O(1) for each block that the range
 * overlaps. */
static inline void assay_character_set_add_range(assay_character_set *set, uint32_t from, uint32_t end)
{
    while (from < end) {
        const uint32_t bit = from % block_characters;
        const uint32_t count = end - from < block_characters - bit ? end - from : block_characters - bit;
        set->blocks[from / block_characters] |= (UINT64_MAX >> (block_characters - count)) << bit;
        from += count;
    }
}

/* set |= other. Above U+FFFF this is the "or" of three-valued logic: ALL has precedence, then UNKNOWN, then NONE. */
static inline void assay_character_set_unite(assay_character_set *set, const assay_character_set *other)
{
    for (size_t i = 0; i < character_blocks; i++) set->blocks[i] |= other->blocks[i];
    if (set->above_bmp == ABOVE_BMP_NONE || other->above_bmp == ABOVE_BMP_ALL) set->above_bmp = other->above_bmp;
}

/* A bound on the characters that a class can distinguish, derived from its text: it matches either all or no characters
 * from `alike_from` to U+FFFF and, if `alike_above_bmp`, also treats all characters above U+FFFF alike. The resolver
 * then tests one representative. [a-z] has {0x100, true}, [\p{L}] has {0x10000, false}. */
typedef struct class_reach {
    uint32_t alike_from;
    bool alike_above_bmp;
} class_reach;

/* Resolves character classes to sets of characters. The only implementation uses PCRE2
 * (Patterns/assay_class_resolver.h); the indirection makes the regex compiler independent of PCRE2, which only the
 * folder Patterns calls. */
typedef struct assay_class_resolver {
    /* Fills `set`, which must be empty, with the characters that the class `text` matches under `options`
     * (ASSAY_PATTERN_…). Returns false if PCRE2 failed or memory ran out. */
    bool (*find)(void *context, const uint8_t *text, size_t count, uint32_t options, class_reach reach,
                 assay_character_set *set);
    void *context;
} assay_class_resolver;

#endif
