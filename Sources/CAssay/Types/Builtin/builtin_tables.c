#include "Types/Builtin/builtin_tables.h"

#include <string.h>

/* FNV-1a, which must agree with Tools/generate-tables.py. */
static uint32_t hash(const uint8_t *bytes, size_t count)
{
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < count; i++) value = (value ^ bytes[i]) * 16777619u;
    return value ^ (value >> 15);
}

int builtin_words_find(const builtin_words *words, const uint8_t *bytes, size_t count)
{
    if (count == 0 || count > words->longest) return -1;
    for (uint32_t slot = hash(bytes, count) & words->mask;; slot = (slot + 1) & words->mask) {
        size_t place = (size_t)words->slots[slot] << words->shift;
        if (place == 0) return -1;
        const uint8_t *entry = (const uint8_t *)words->blob + place;
        if (entry[0] == count && memcmp(entry + 2, bytes, count) == 0) return entry[1];
    }
}

/* The nodes without edges, by mark. */
static const uint8_t suffix_leaves[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

enum { SUFFIX_COUNT_FOLLOWS = 7, SUFFIX_CHAIN = 8 };

/* Reads the target of edge `index` from the numbers at `at`. */
static const uint8_t *suffix_target(const uint8_t *at, size_t index)
{
    for (; index > 0; at++) index -= *at < 0x80;
    size_t number = 0;
    do number = number << 7 | (*at & 0x7F);
    while (*at++ >= 0x80);
    return number < sizeof suffix_leaves ? &suffix_leaves[number] : at + (number - sizeof suffix_leaves);
}

bool builtin_suffixes_step(builtin_suffix_place *place, uint8_t byte)
{
    const uint8_t *at = place->node;
    unsigned chain = place->chain;
    if (chain == 0) {
        size_t kind = *at++ >> 4;
        if (kind < SUFFIX_CHAIN) {
            const size_t count = kind == SUFFIX_COUNT_FOLLOWS ? *at++ : kind;
            const uint8_t *edge = count == 0 ? NULL : memchr(at, byte, count);
            if (edge == NULL) return false;
            place->node = suffix_target(at + count, (size_t)(edge - at));
            return true;
        }
        chain = (unsigned)kind - SUFFIX_CHAIN + 1;
    }
    if (*at != byte) return false;
    *place = (builtin_suffix_place){at + 1, chain - 1};
    return true;
}

bool builtin_letters_find(const uint8_t *set, const uint8_t *bytes, size_t count, bool folded)
{
    size_t index = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t letter = bytes[i];
        if (folded && letter >= 'a' && letter <= 'z') letter &= 0xDF;
        if (letter < 'A' || letter > 'Z') return false;
        index = index * 26 + (size_t)(letter - 'A');
    }
    return (set[index / 8] >> (index % 8) & 1) != 0;
}

bool builtin_digits_find(const uint8_t *set, const uint8_t *bytes, size_t count)
{
    size_t index = 0;
    if (count != 3) return false;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] < '0' || bytes[i] > '9') return false;
        index = index * 10 + (size_t)(bytes[i] - '0');
    }
    return (set[index / 8] >> (index % 8) & 1) != 0;
}
