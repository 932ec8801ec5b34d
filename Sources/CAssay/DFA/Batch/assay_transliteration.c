/* Constructs the transliteration tables of a DFA from its symbol table: see assay_transliteration.h. */
#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>

/* Finds the byte that represents each symbol: an ASCII character of the class, a proxy byte, or otherwise the byte that
   leads to the quit state. Of several ASCII characters the last one is used; any would be correct. */
static void find_representatives(const assay_dfa *dfa, uint8_t bytes[symbols_max])
{
    memset(bytes, quitting_byte, symbols_max);
    for (unsigned byte = 0; byte < 128; byte++) bytes[dfa->ascii_symbol_of[byte]] = (uint8_t)byte;
    for (unsigned i = 0; i < dfa->proxies; i++) {
        bytes[dfa->ascii_symbols + i] = proxy_byte(i);
    }
}

/* Returns the representative that all characters of a row share, or 0 if they differ. */
static uint8_t shared_by_row(const assay_transliteration *transliteration, size_t number)
{
    const uint8_t *row = transliteration->by_last[number];
    return memcmp(row, row + 1, block_characters - 1) == 0 ? row[0] : 0;
}

/* Returns the representative shared by all characters that begin with these two bytes, or 0 if they differ. */
static uint8_t shared_representative(const assay_transliteration *transliteration, unsigned first, unsigned second)
{
    const uint8_t character[2] = {(uint8_t)first, (uint8_t)second};
    const size_t index = transliteration_index(character);
    if (first < 0xE0) return transliteration->by_pair[index];
    if (first < 0xF0) return shared_by_row(transliteration, transliteration->rows[index]);
    const uint16_t *page = transliteration->pages + transliteration->rows[index];
    const uint8_t one = shared_by_row(transliteration, page[0]);
    for (size_t block = 1; block < page_blocks; block++) {
        if (page[block] != page[block - 1] && shared_by_row(transliteration, page[block]) != one) return 0;
    }
    return one;
}

/* Fills by_lead: for each lead byte, compares the representatives of all second bytes that may follow it. */
static void find_leads(assay_transliteration *transliteration)
{
    for (unsigned first = 0xC0; first < 0x100; first++) {
        if (first > 0xF4) break;
        /* Only second bytes of well-formed text: E0 and F0 exclude overlong forms, ED excludes surrogates. */
        const unsigned from = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        const unsigned end = first == 0xED ? 0xA0 : first == 0xF4 ? 0x90 : 0xC0;
        const uint8_t one = shared_representative(transliteration, first, from);
        bool are_alike = true;
        for (unsigned second = from; second < end && are_alike; second++) {
            are_alike = shared_representative(transliteration, first, second) == one;
        }
        if (are_alike) transliteration->by_lead[first - 0xC0] = one;
    }
}

/* Fills the tables for characters that begin with these two bytes. */
static void fill_pair(assay_transliteration *transliteration, const symbol_table *non_ascii, unsigned first,
                      unsigned second)
{
    const uint8_t character[3] = {(uint8_t)first, (uint8_t)second, 0x80};
    const size_t index = transliteration_index(character);
    if (first >= 0xF0) {
        const size_t page = (size_t)(first & 7) << 6 | (second & 0x3F);
        if (page >= character_pages) return;
        transliteration->rows[index] = (uint16_t)(non_ascii->page_of[page] * page_blocks);
        return;
    }
    const uint16_t row = non_ascii->stage1[character_block(non_ascii->page_of, character)];
    transliteration->rows[index] = row;
    if (first < 0xE0) transliteration->by_pair[index] = transliteration->by_last[row][second & 0x3F];
}

/* by_last has the layout of the symbol table's stage2, with each symbol replaced by its representative; `pages` is the
 * part of stage1 for characters above U+FFFF. */
assay_transliteration *assay_transliteration_create(const assay_dfa *dfa)
{
    const symbol_table *non_ascii = dfa->non_ascii;
    const size_t entries = (size_t)non_ascii->rows * block_characters;
    const size_t pages = (non_ascii->blocks - character_blocks) * sizeof *non_ascii->stage1;
    assay_transliteration *transliteration = calloc(1, sizeof *transliteration + entries + pages);
    if (transliteration == NULL) return NULL;
    uint8_t bytes[symbols_max];
    find_representatives(dfa, bytes);
    for (size_t i = 0; i < entries; i++) {
        transliteration->by_last[i / block_characters][i % block_characters] = bytes[non_ascii->stage2[i]];
    }
    uint16_t *copy = (uint16_t *)(void *)(transliteration->by_last + non_ascii->rows);
    memcpy(copy, non_ascii->stage1 + character_blocks, pages);
    transliteration->pages = copy;
    for (unsigned first = 0xC0; first < 0x100; first++) {
        for (unsigned second = 0x80; second < 0xC0; second++) fill_pair(transliteration, non_ascii, first, second);
    }
    find_leads(transliteration);
    return transliteration;
}
