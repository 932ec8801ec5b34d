/* Computes the equivalence classes of characters: see assay_alphabet.h. Two characters are equivalent if they are in
 * the same sets. Instead of examining 65,536 characters one by one, the build compares blocks of 64 by the words of the
 * sets, and classifies only the first of several equal blocks. */
#include "Regex/Determinize/assay_alphabet.h"

#include <stdlib.h>
#include <string.h>

enum {
    block_slots = 2 * character_blocks, /* of the hash table: a power of two */
    no_block = UINT16_MAX,
};

/* The working memory of one build. */
typedef struct classifier {
    assay_alphabet *alphabet;
    const assay_character_set *const *sets;
    uint32_t set_count;
    uint16_t first_with[character_blocks]; /* by row of stage2: the first block that has this row */
    uint16_t slots[block_slots];           /* a hash table of rows, by the words of their block; linear probing */
} classifier;

/* Collects the sets that contain a character, which identify its equivalence class. */
static symbol_members members_of(const classifier *classes, uint32_t block, uint32_t bit)
{
    symbol_members members = {{0}};
    for (uint32_t i = 0; i < classes->set_count; i++) {
        members.words[i / 64] |= (classes->sets[i]->blocks[block] >> bit & 1) << (i % 64);
    }
    return members;
}

/* Finds or adds the symbol of characters that are in these sets; returns symbols_max if there are too many. Linear
 * search over at most symbols_max bit sets. */
static uint32_t symbol_of(classifier *classes, const symbol_members *members)
{
    assay_alphabet *alphabet = classes->alphabet;
    uint32_t symbol = 0;
    while (symbol < alphabet->count && memcmp(&alphabet->members[symbol], members, sizeof *members) != 0) symbol++;
    if (symbol == alphabet->count && symbol < symbols_max) alphabet->members[alphabet->count++] = *members;
    return symbol;
}

/* Writes the symbols of one block. A symbol can change only where the membership of some set changes, so word ^ (word
   << 1) marks the characters to classify; runs between them repeat the symbol. Bit 0 is always marked. */
static bool classify_block(classifier *classes, uint32_t block, uint8_t *stage2)
{
    uint64_t changes = 1;
    for (uint32_t i = 0; i < classes->set_count; i++) {
        const uint64_t word = classes->sets[i]->blocks[block];
        changes |= word ^ (word << 1);
    }
    uint32_t symbol = 0;
    for (uint32_t bit = 0; bit < block_characters; bit++) {
        if (changes >> bit & 1) {
            const symbol_members members = members_of(classes, block, bit);
            symbol = symbol_of(classes, &members);
            if (symbol == symbols_max) return false;
        }
        stage2[bit] = (uint8_t)symbol;
    }
    return true;
}

/* Whether two blocks have the same words in all sets, and therefore the same symbols. */
static bool is_same_block(const classifier *classes, uint32_t one, uint32_t other)
{
    for (uint32_t i = 0; i < classes->set_count; i++) {
        if (classes->sets[i]->blocks[one] != classes->sets[i]->blocks[other]) return false;
    }
    return true;
}

/* Hashes the words of a block in all sets to its first slot. */
static uint32_t slot_of(const classifier *classes, uint32_t block)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < classes->set_count; i++) {
        hash = (hash ^ classes->sets[i]->blocks[block]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 32) % block_slots;
}

/* Finds the row of stage2 for a block, or adds one. */
static bool place_block(classifier *classes, uint32_t block)
{
    assay_alphabet *alphabet = classes->alphabet;
    /* Most blocks equal the previous one, so this is tried before the hash table. The first block after the surrogates
     * has no such neighbor, because surrogates were not classified. */
    const bool has_before = block > 0 && block != first_surrogate_block + surrogate_blocks;
    if (has_before && is_same_block(classes, block - 1, block)) {
        alphabet->stage1[block] = alphabet->stage1[block - 1];
        return true;
    }
    uint32_t slot = slot_of(classes, block);
    while (classes->slots[slot] != no_block &&
           !is_same_block(classes, classes->first_with[classes->slots[slot]], block)) {
        slot = (slot + 1) % block_slots;
    }
    if (classes->slots[slot] == no_block) {
        const uint32_t row = alphabet->stage2_blocks++;
        if (!classify_block(classes, block, alphabet->stage2 + row * block_characters)) return false;
        classes->first_with[row] = (uint16_t)block;
        classes->slots[slot] = (uint16_t)row;
    }
    alphabet->stage1[block] = classes->slots[slot];
    return true;
}

/* Assigns the symbol of the characters above U+FFFF. If one set does not know them, they get a new symbol of their own,
 * so its transitions may lead to the quit state without affecting other characters. */
static bool place_above_bmp(classifier *classes)
{
    assay_alphabet *alphabet = classes->alphabet;
    symbol_members members = {{0}};
    alphabet->above_bmp_is_known = true;
    for (uint32_t i = 0; i < classes->set_count; i++) {
        const above_bmp_answer answer = classes->sets[i]->above_bmp;
        if (answer == ABOVE_BMP_UNKNOWN) alphabet->above_bmp_is_known = false;
        if (answer != ABOVE_BMP_NONE) members.words[i / 64] |= UINT64_C(1) << (i % 64);
    }
    uint32_t symbol = alphabet->count;
    if (alphabet->above_bmp_is_known) {
        symbol = symbol_of(classes, &members);
    } else if (symbol < symbols_max) {
        alphabet->members[alphabet->count++] = members;
    }
    alphabet->above_bmp = (uint8_t)symbol;
    return symbol < symbols_max;
}

/* Whether all characters from U+0080 on share the symbol of those above U+FFFF. The comparison of a row with itself,
 * shifted by one byte, shows whether all its symbols are equal. Adjacent blocks usually have the same row. */
static bool non_ascii_is_one_symbol(const assay_alphabet *alphabet)
{
    if (!alphabet->above_bmp_is_known) return false;
    for (uint32_t block = ascii_blocks; block < character_blocks; block++) {
        if (block > ascii_blocks && alphabet->stage1[block] == alphabet->stage1[block - 1]) continue;
        const uint8_t *stage2 = alphabet->stage2 + alphabet->stage1[block] * (size_t)block_characters;
        if (stage2[0] != alphabet->above_bmp || memcmp(stage2, stage2 + 1, block_characters - 1) != 0) return false;
    }
    return true;
}

/* Classifies all blocks in ascending order, which gives ASCII characters the lowest symbols. Well-formed text contains
 * no surrogates; they take the row of the block before them, so that they do not add rows or symbols. */
static bool classify(classifier *classes)
{
    assay_alphabet *alphabet = classes->alphabet;
    memset(classes->slots, 0xFF, sizeof classes->slots);
    for (uint32_t block = 0; block < character_blocks; block++) {
        if (block - first_surrogate_block < surrogate_blocks) {
            alphabet->stage1[block] = alphabet->stage1[first_surrogate_block - 1];
            continue;
        }
        if (!place_block(classes, block)) return false;
        if (block + 1 == ascii_blocks) alphabet->ascii_count = alphabet->count;
    }
    if (!place_above_bmp(classes)) return false;
    alphabet->non_ascii_is_one_symbol = non_ascii_is_one_symbol(alphabet);
    return true;
}

/* stage2 is allocated for the worst case, 64 KiB. It exists only until the tables of the DFA are constructed. */
bool assay_alphabet_build(assay_alphabet *alphabet, const assay_character_set *const *sets, uint32_t count,
                          const char **because)
{
    *alphabet = (assay_alphabet){.stage2 = malloc((size_t)character_blocks * block_characters)};
    classifier *classes = malloc(sizeof *classes);
    *because = "out of memory";
    bool filled = false;
    if (alphabet->stage2 != NULL && classes != NULL) {
        classes->alphabet = alphabet;
        classes->sets = sets;
        classes->set_count = count;
        *because = "too many different characters";
        filled = classify(classes);
    }
    free(classes);
    return filled;
}

void assay_alphabet_free(assay_alphabet *alphabet) { free(alphabet->stage2); }
