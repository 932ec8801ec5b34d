/* Character sets: the characters that a class of a pattern, such as [a-z] or \p{L}, matches. They are the leaves of the
 * AST and the only data about a class in the compiler.
 *
 *     [a-z😀-🙏]     blocks[0]          U+0000 .. U+003F   0
 *                    blocks[1]          U+0040 .. U+007F   bits 33 to 58: 'a' is 0x61, bit 0x21 of its block
 *                    blocks[2 .. 1023]  U+0080 .. U+FFFF   0
 *                    bounds             0x1F600, 0x1F650
 *
 * A bitmap of the basic multilingual plane takes 8 KiB. One bitmap for all of Unicode would take 136 KiB per class, so
 * the other planes are an inversion list: the characters at which membership changes. The set of a class is unknown
 * above U+FFFF if PCRE2 would have to be asked about a million characters: the DFA then leaves values with such
 * characters to PCRE2. */
#ifndef ASSAY_CHARACTER_SET_H
#define ASSAY_CHARACTER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    /* Characters that differ only in their last six bits: in the last byte of their UTF-8, if they are not ASCII. A
       block is also a row of the two-stage table of an alphabet (assay_alphabet.h). */
    block_characters = 64,
    character_blocks = 0x10000 / block_characters,
    ascii_blocks = 0x80 / block_characters,
    first_surrogate_block = 0xD800 / block_characters, /* in no well-formed text */
    surrogate_blocks = 0x800 / block_characters,
};

enum {
    first_above = 0x10000,
    end_of_characters = 0x110000,
    set_bounds_max = 1024, /* \p{L} of Unicode 14 has 392 */
};

/* Above U+FFFF, characters from bounds[0] to bounds[1] - 1 are in the set, those from bounds[1] to bounds[2] - 1 are
 * not, and so on; the last bound is in force up to U+10FFFF. */
typedef struct assay_character_set {
    uint64_t blocks[character_blocks]; /* bit c % 64 of word c / 64: U+0000 .. U+FFFF */
    bool above_is_unknown;             /* not all characters above U+FFFF were tested with PCRE2 */
    uint32_t bound_count;
    uint32_t bounds[set_bounds_max]; /* in ascending order */
} assay_character_set;

/* Whether the set may contain a character above U+FFFF. */
static inline bool assay_character_set_reaches_above(const assay_character_set *set)
{
    return set->above_is_unknown || set->bound_count > 0;
}

static inline void assay_character_set_add_all_above(assay_character_set *set)
{
    set->above_is_unknown = false;
    set->bound_count = 1;
    set->bounds[0] = first_above;
}

/* Adds the characters `from` .. `end` - 1 above U+FFFF, behind all that were added before. If they have too many
 * bounds, the set becomes unknown there. */
static inline void assay_character_set_append_above(assay_character_set *set, uint32_t from, uint32_t end)
{
    if (from >= end) return;
    if (set->bound_count > 0 && set->bounds[set->bound_count - 1] == from) {
        set->bound_count--;
    } else if (set->bound_count + 2 > set_bounds_max) {
        set->above_is_unknown = true;
        set->bound_count = 0;
        return;
    } else {
        set->bounds[set->bound_count++] = from;
    }
    if (end < end_of_characters) set->bounds[set->bound_count++] = end;
}

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

static inline bool assay_character_set_has_all_above(const assay_character_set *set)
{
    return set->bound_count == 1 && set->bounds[0] == first_above;
}

/* set |= other. The union with all characters above U+FFFF is known, even if the other set is unknown there. */
static inline void assay_character_set_unite(assay_character_set *set, const assay_character_set *other)
{
    for (size_t i = 0; i < character_blocks; i++) set->blocks[i] |= other->blocks[i];
    if (assay_character_set_has_all_above(set)) return;
    if (set->above_is_unknown || other->above_is_unknown || set->bound_count == 0) {
        const bool is_unknown = set->above_is_unknown || other->above_is_unknown;
        set->above_is_unknown = is_unknown && !assay_character_set_has_all_above(other);
        set->bound_count = set->above_is_unknown ? 0 : other->bound_count;
        memcpy(set->bounds, other->bounds, set->bound_count * sizeof *set->bounds);
        return;
    }
    uint32_t bounds[set_bounds_max];
    uint32_t count = 0;
    bool was_in = false;
    for (uint32_t i = 0, j = 0; i < set->bound_count || j < other->bound_count;) {
        const uint32_t one = i < set->bound_count ? set->bounds[i] : end_of_characters;
        const uint32_t two = j < other->bound_count ? other->bounds[j] : end_of_characters;
        i += one <= two;
        j += two <= one;
        const bool is_in = i % 2 != 0 || j % 2 != 0;
        if (is_in == was_in) continue;
        if (count == set_bounds_max) {
            set->above_is_unknown = true;
            count = 0;
            break;
        }
        bounds[count++] = one < two ? one : two;
        was_in = is_in;
    }
    set->bound_count = count;
    memcpy(set->bounds, bounds, count * sizeof *bounds);
}

/* Whether a character above U+FFFF is in a set that is known there. O(log bounds). */
static inline bool assay_character_set_has_above(const assay_character_set *set, uint32_t character)
{
    uint32_t low = 0, high = set->bound_count; /* bounds[0 .. low) <= character, bounds[high ..) > character */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (set->bounds[middle] <= character) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low % 2 != 0;
}

enum { class_named_max = 64 };

/* A bound on the characters that a class can distinguish, derived from its text: it matches either all or no characters
 * from `alike_from` to U+FFFF. Above U+FFFF, its membership can only change at the characters that its text names and
 * the characters after them, if `named_decide`; otherwise also wherever a property or the case of characters changes.
 * The resolver tests one representative of each run.
 *
 *     [a-z]        {0x100, true}
 *     [α-ω😀-🙏]   {0x3CA, true, 0x1F600, 0x1F64F}
 *     [\p{L}]      {0x10000, false} */
typedef struct class_reach {
    uint32_t alike_from;
    bool named_decide;
    uint32_t named_count;            /* more than class_named_max: not all of them are listed */
    uint32_t named[class_named_max]; /* above U+FFFF; may contain one twice */
} class_reach;

/* Resolves character classes to sets of characters. The implementation (Patterns/assay_class_resolver.h) uses PCRE2 or,
 * in builds without it, tables; the indirection makes the regex compiler independent of both. */
typedef struct assay_class_resolver {
    /* Fills `set`, which must be empty, with the characters that the class `text` matches under `options`
     * (ASSAY_PATTERN_…). Returns false if PCRE2 failed or memory ran out. */
    bool (*find)(void *context, const uint8_t *text, size_t count, uint32_t options, const class_reach *reach,
                 assay_character_set *set);
    void *context;
    const char *failure; /* the reason for false, in plain words; static storage; NULL: not known */
} assay_class_resolver;

#endif
