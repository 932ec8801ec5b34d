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

/* ---------------------------------------------------------------------------------------------------------------
 * Characters above U+FFFF
 *
 *     bounds of all sets     10000    1F300       1F650       E0000
 *     symbols                5 ...    7 ...       5 ...       5 ...        of the characters from each bound on
 *     pages of 4,096         5 5 5 …  one of its own: 1F000 to 1FFFF       5 5 5 …
 * ------------------------------------------------------------------------------------------------------------- */

/* The symbols above U+FFFF, as runs. */
typedef struct runs_above {
    uint32_t *starts; /* in ascending order, the first one is first_above */
    uint8_t *symbols; /* by run */
    uint32_t count;
    uint16_t row_of[symbols_max];  /* by symbol: the row of stage2 in which all characters have it, or no_block */
    uint16_t page_of[symbols_max]; /* by symbol: the page whose blocks all have that row, or no_block */
} runs_above;

static int by_number(const void *one, const void *other)
{
    const uint32_t first = *(const uint32_t *)one;
    const uint32_t second = *(const uint32_t *)other;
    return (first > second) - (first < second);
}

/* Collects the characters at which membership of some set changes. `starts` has room for all bounds and one more. */
static uint32_t collect_starts(const classifier *classes, uint32_t *starts)
{
    uint32_t count = 0;
    starts[count++] = first_above;
    for (uint32_t i = 0; i < classes->set_count; i++) {
        const assay_character_set *set = classes->sets[i];
        for (uint32_t j = 0; j < set->bound_count; j++) starts[count++] = set->bounds[j];
    }
    qsort(starts, count, sizeof *starts, by_number);
    uint32_t different = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (starts[i] != starts[different - 1]) starts[different++] = starts[i];
    }
    return different;
}

/* Finds the symbol of each run. Unknown sets give all of them one symbol of their own, so its transitions may lead to
 * the quit state without affecting other characters. */
static bool find_run_symbols(classifier *classes, runs_above *runs)
{
    assay_alphabet *alphabet = classes->alphabet;
    alphabet->unknown = symbols_max;
    bool is_unknown = false;
    for (uint32_t i = 0; i < classes->set_count; i++) is_unknown |= classes->sets[i]->above_is_unknown;
    if (is_unknown) {
        if (alphabet->count == symbols_max) return false;
        symbol_members may_have = {{0}};
        for (uint32_t i = 0; i < classes->set_count; i++) {
            const bool may = assay_character_set_reaches_above(classes->sets[i]);
            may_have.words[i / 64] |= (uint64_t)may << (i % 64);
        }
        alphabet->unknown = alphabet->count++;
        alphabet->members[alphabet->unknown] = may_have;
        runs->count = 1;
        runs->symbols[0] = (uint8_t)alphabet->unknown;
        return true;
    }
    for (uint32_t run = 0; run < runs->count; run++) {
        symbol_members members = {{0}};
        for (uint32_t i = 0; i < classes->set_count; i++) {
            const bool has = assay_character_set_has_above(classes->sets[i], runs->starts[run]);
            members.words[i / 64] |= (uint64_t)has << (i % 64);
        }
        const uint32_t symbol = symbol_of(classes, &members);
        if (symbol == symbols_max) return false;
        runs->symbols[run] = (uint8_t)symbol;
    }
    return true;
}

/* The character after a run. */
static uint32_t end_of_run(const runs_above *runs, uint32_t run)
{
    return run + 1 < runs->count ? runs->starts[run + 1] : end_of_characters;
}

/* Returns the row of stage2 in which all characters have this symbol. */
static uint16_t uniform_row(assay_alphabet *alphabet, runs_above *runs, uint8_t symbol)
{
    if (runs->row_of[symbol] == no_block) {
        runs->row_of[symbol] = (uint16_t)alphabet->stage2_blocks;
        memset(alphabet->stage2 + (size_t)alphabet->stage2_blocks++ * block_characters, symbol, block_characters);
    }
    return runs->row_of[symbol];
}

/* Writes the blocks of a page that begins at `character` in run *run, and leaves *run at its end. */
static void write_page(assay_alphabet *alphabet, runs_above *runs, uint32_t character, uint32_t *run)
{
    uint16_t *blocks = alphabet->stage1 + alphabet->stage1_blocks;
    alphabet->stage1_blocks += page_blocks;
    for (uint32_t block = 0; block < page_blocks; block++, character += block_characters) {
        while (end_of_run(runs, *run) <= character) ++*run;
        if (end_of_run(runs, *run) >= character + block_characters) {
            blocks[block] = uniform_row(alphabet, runs, runs->symbols[*run]);
            continue;
        }
        blocks[block] = (uint16_t)alphabet->stage2_blocks;
        uint8_t *stage2 = alphabet->stage2 + (size_t)alphabet->stage2_blocks++ * block_characters;
        for (uint32_t i = 0; i < block_characters; i++) {
            while (end_of_run(runs, *run) <= character + i) ++*run;
            stage2[i] = runs->symbols[*run];
        }
    }
}

/* Writes the pages. Those in one run have the page of its symbol. */
static void write_pages(assay_alphabet *alphabet, runs_above *runs)
{
    const uint32_t page_characters = page_blocks * block_characters;
    memset(runs->row_of, 0xFF, sizeof runs->row_of);
    memset(runs->page_of, 0xFF, sizeof runs->page_of);
    alphabet->stage1_blocks = character_blocks;
    uint32_t run = 0;
    for (uint32_t page = first_above / page_characters; page < character_pages; page++) {
        const uint32_t character = page * page_characters;
        while (end_of_run(runs, run) <= character) run++;
        const uint8_t symbol = runs->symbols[run];
        const bool is_uniform = end_of_run(runs, run) >= character + page_characters;
        const uint32_t next = (alphabet->stage1_blocks - character_blocks) / page_blocks;
        if (is_uniform && runs->page_of[symbol] != no_block) {
            alphabet->page_of[page] = (uint8_t)runs->page_of[symbol];
            continue;
        }
        alphabet->page_of[page] = (uint8_t)next;
        if (is_uniform) runs->page_of[symbol] = (uint16_t)next;
        write_page(alphabet, runs, character, &run);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * The whole alphabet
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the symbol that all characters from U+0080 on share, or symbols_max. The comparison of a row with itself,
 * shifted by one byte, shows whether all its symbols are equal. Adjacent blocks usually have the same row. */
static uint32_t find_non_ascii_symbol(const assay_alphabet *alphabet)
{
    const uint8_t symbol = alphabet->stage2[alphabet->stage1[ascii_blocks] * (size_t)block_characters];
    for (uint32_t block = ascii_blocks; block < alphabet->stage1_blocks; block++) {
        if (block > ascii_blocks && alphabet->stage1[block] == alphabet->stage1[block - 1]) continue;
        const uint8_t *stage2 = alphabet->stage2 + alphabet->stage1[block] * (size_t)block_characters;
        if (stage2[0] != symbol || memcmp(stage2, stage2 + 1, block_characters - 1) != 0) return symbols_max;
    }
    return symbol;
}

/* Classifies all blocks in ascending order, which gives ASCII characters the lowest symbols. Well-formed text contains
 * no surrogates; they take the row of the block before them, so that they do not add rows or symbols. */
static bool classify(classifier *classes, runs_above *runs)
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
    runs->count = collect_starts(classes, runs->starts);
    if (!find_run_symbols(classes, runs)) return false;
    write_pages(alphabet, runs);
    alphabet->non_ascii_symbol = find_non_ascii_symbol(alphabet);
    return true;
}

/* Each page above U+FFFF may be different, but a row only begins at a bound or is that of a symbol. */
static size_t stage2_rows_max(size_t bounds) { return character_blocks + bounds + symbols_max; }

/* Both stages are allocated for the worst case, 35 KiB and some 80 KiB. They exist only until the tables of the DFA are
 * constructed. */
bool assay_alphabet_build(assay_alphabet *alphabet, const assay_character_set *const *sets, uint32_t count,
                          const char **because)
{
    enum { PAGES = character_pages - first_above / block_characters / page_blocks };
    size_t bounds = 1;
    for (uint32_t i = 0; i < count; i++) bounds += sets[i]->bound_count;
    *alphabet = (assay_alphabet){
        .stage1 = malloc((character_blocks + PAGES * (size_t)page_blocks) * sizeof *alphabet->stage1),
        .stage2 = malloc(stage2_rows_max(bounds) * block_characters),
    };
    classifier *classes = malloc(sizeof *classes);
    runs_above *runs = malloc(sizeof *runs + bounds * (sizeof *runs->starts + sizeof *runs->symbols));
    *because = "out of memory";
    bool filled = false;
    if (alphabet->stage1 != NULL && alphabet->stage2 != NULL && classes != NULL && runs != NULL) {
        classes->alphabet = alphabet;
        classes->sets = sets;
        classes->set_count = count;
        runs->starts = (uint32_t *)(runs + 1);
        runs->symbols = (uint8_t *)(runs->starts + bounds);
        *because = "too many different characters";
        filled = bounds < UINT16_MAX - character_blocks - symbols_max && classify(classes, runs);
    }
    free(runs);
    free(classes);
    return filled;
}

void assay_alphabet_free(assay_alphabet *alphabet)
{
    free(alphabet->stage1);
    free(alphabet->stage2);
}
