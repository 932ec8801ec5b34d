/* What an automaton consists of, for the two files that run it. */
#ifndef ASSAY_AUTOMATON_TABLES_H
#define ASSAY_AUTOMATON_TABLES_H

#include "Automata/assay_shapes.h"
#include "Automata/assay_states.h"

#include <stdatomic.h>

/* Two bytes a step, for columns. All bytes from 80 on lead to the deferred state, so that few pairs are different. */
typedef struct pair_tables {
    assay_shapes *shapes;   /* NULL: none */
    uint16_t rows[1 << 16]; /* by two bytes as they stand in memory: where their row begins in `next` */
    uint8_t next[];
} pair_tables;

struct assay_automaton {
    uint32_t states;
    uint8_t start;
    uint8_t first_accepting;
    uint8_t shift; /* a row has 1 << shift states */
    uint8_t ascii_symbols;
    uint8_t ascii_symbol_of[128];
    /* NULL until enough rows were asked for: it is large, and most patterns see few values. Whoever comes first publishes it,
       and it never changes after that. */
    _Atomic(pair_tables *) pairs;
    _Atomic(uint32_t) rows_expected;
    /* One byte a step. Row byte, column state: the lookup waits for the state only in its last step. */
    uint8_t next[];
};

/* Besides ASCII a pair table tells two things apart: other bytes, and what values are filled up with. */
enum { more_symbols = 2, past_end = 0xFF };

static inline size_t pair_symbols(const assay_automaton *automaton)
{
    return (size_t)automaton->ascii_symbols + more_symbols;
}

#endif
