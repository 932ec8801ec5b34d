#ifndef ASSAY_SYMBOLS_H
#define ASSAY_SYMBOLS_H

#include "Automata/assay_character_set.h"

/* The symbols that the transitions of an automaton are over: bytes that no state tells apart share one. */
typedef struct assay_symbols {
    uint8_t of_byte[256]; /* symbol_none: in no well-formed text */
    uint32_t count;
} assay_symbols;

enum { symbol_none = 255 };

/* false: more than there are numbers for. */
bool assay_symbols_fill(assay_symbols *symbols, const assay_character_set *sets, uint32_t count);

#endif
