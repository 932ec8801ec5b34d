/* Which bytes need not be told apart. A byte is a character by itself (ASCII), the first byte of a character of two, its
 * second byte, or the first byte of a longer character, of which it is only known whether a set may hold any. */
#include "Automata/assay_symbols.h"

#include "Automata/assay_regular.h"

/* As many as a pattern may have. */
typedef struct set_list {
    const assay_character_set *sets[regular_max_items];
    uint32_t count;
} set_list;

static bool same_ascii(const set_list *list, unsigned one, unsigned other)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const uint64_t *ascii = list->sets[i]->ascii;
        if (((ascii[one / 64] >> (one % 64)) ^ (ascii[other / 64] >> (other % 64))) & 1) return false;
    }
    return true;
}

static bool same_lead(const set_list *list, unsigned one, unsigned other)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->sets[i]->wide[one] != list->sets[i]->wide[other]) return false;
    }
    return true;
}

static bool same_second(const set_list *list, unsigned one, unsigned other)
{
    for (uint32_t i = 0; i < list->count; i++) {
        for (unsigned lead = 0; lead < wide_leads; lead++) {
            const uint64_t seconds = list->sets[i]->wide[lead];
            if (((seconds >> one) ^ (seconds >> other)) & 1) return false;
        }
    }
    return true;
}

typedef bool same_function(const set_list *list, unsigned one, unsigned other);

/* Gives each of `number` bytes from `first` on the symbol of an earlier one that is the same, or a new one. */
static bool classify(assay_symbols *symbols, const set_list *list, unsigned first, unsigned number, same_function *same)
{
    const uint32_t first_symbol = symbols->count;
    uint8_t representatives[symbol_none];
    for (unsigned byte = 0; byte < number; byte++) {
        uint32_t symbol = first_symbol;
        while (symbol < symbols->count && !same(list, representatives[symbol - first_symbol], byte)) symbol++;
        if (symbol == symbol_none) return false;
        if (symbol == symbols->count) {
            representatives[symbol - first_symbol] = (uint8_t)byte;
            symbols->count++;
        }
        symbols->of_byte[first + byte] = (uint8_t)symbol;
    }
    return true;
}

bool assay_symbols_fill(assay_symbols *symbols, const assay_character_set *sets, uint32_t count)
{
    /* Most sets hold ASCII only, and say nothing about other bytes. */
    set_list all = {.count = 0};
    set_list wide = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t any = 0;
        for (unsigned lead = 0; lead < wide_leads; lead++) any |= sets[i].wide[lead];
        all.sets[all.count++] = &sets[i];
        if (any != 0) wide.sets[wide.count++] = &sets[i];
    }
    for (int byte = 0; byte < 256; byte++) symbols->of_byte[byte] = symbol_none;
    symbols->count = 0;
    if (!classify(symbols, &all, 0, 128, same_ascii)) return false;
    if (!classify(symbols, &wide, first_wide_lead, wide_leads, same_lead)) return false;
    if (!classify(symbols, &wide, 0x80, 64, same_second)) return false;
    if (symbols->count == symbol_none) return false;
    for (int lead = 0xE0; lead <= 0xF4; lead++) symbols->of_byte[lead] = (uint8_t)symbols->count;
    symbols->count++;
    return true;
}
