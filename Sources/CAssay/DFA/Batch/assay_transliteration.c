/* Constructs the transliteration tables of a DFA from its symbol table: see assay_transliteration.h. */
#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>

/* Finds the byte that represents each symbol: an ASCII character of the class, a proxy byte, or otherwise a lead byte,
   which leads to the quit state. Of several ASCII characters the last one is used; any would be correct. */
static void find_representatives(const assay_dfa *dfa, uint8_t bytes[symbols_max])
{
    memset(bytes, 0xC2, symbols_max);
    for (unsigned byte = 0; byte < 128; byte++) bytes[dfa->ascii_symbol_of[byte]] = (uint8_t)byte;
    for (unsigned i = 0; i < dfa->proxies; i++) {
        bytes[dfa->ascii_symbols + i] = (uint8_t)(first_proxy + i);
    }
}

/* Returns the representative shared by all characters that begin with these two bytes, or 0 if they differ. */
static uint8_t shared_representative(const assay_transliteration *transliteration, unsigned first, unsigned second)
{
    const uint8_t character[2] = {(uint8_t)first, (uint8_t)second};
    const size_t index = transliteration_index(character);
    if (first < 0xE0) return transliteration->by_pair[index];
    const uint8_t *row = transliteration->by_last + transliteration->rows[index];
    return memcmp(row, row + 1, block_characters - 1) == 0 ? row[0] : 0;
}

/* Fills by_lead: for each lead byte, compares the representatives of all second bytes that may follow it. */
static void find_leads(assay_transliteration *transliteration)
{
    for (unsigned first = 0xC0; first < 0x100; first++) {
        /* Only second bytes of well-formed text: E0 excludes overlong forms, ED excludes surrogates. */
        const unsigned from = first == 0xE0 ? 0xA0 : 0x80;
        const unsigned end = first == 0xED ? 0xA0 : 0xC0;
        const uint8_t one = shared_representative(transliteration, first, from);
        bool are_alike = true;
        for (unsigned second = from; second < end && are_alike; second++) {
            are_alike = shared_representative(transliteration, first, second) == one;
        }
        if (are_alike) transliteration->by_lead[first - 0xC0] = one;
    }
}

/* by_last has the layout of the symbol table's stage2, with each symbol replaced by its representative. */
assay_transliteration *assay_transliteration_create(const assay_dfa *dfa)
{
    const symbol_table *non_ascii = dfa->non_ascii;
    const size_t entries = (non_ascii->stage1[character_blocks] + (size_t)1) * block_characters;
    assay_transliteration *transliteration = calloc(1, sizeof *transliteration + entries);
    if (transliteration == NULL) return NULL;
    uint8_t bytes[symbols_max];
    find_representatives(dfa, bytes);
    for (size_t index = 0; index < entries; index++) transliteration->by_last[index] = bytes[non_ascii->stage2[index]];
    for (unsigned first = 0xC0; first < 0x100; first++) {
        for (unsigned second = 0x80; second < 0xC0; second++) {
            const uint8_t character[2] = {(uint8_t)first, (uint8_t)second};
            const size_t index = transliteration_index(character);
            const size_t row = non_ascii->stage1[character_block(character)] * (size_t)block_characters;
            if (first < 0xE0) {
                transliteration->by_pair[index] = transliteration->by_last[row + (second & 0x3F)];
            } else {
                transliteration->rows[index] = (uint16_t)row;
            }
        }
    }
    find_leads(transliteration);
    return transliteration;
}
