/* Finds the lengths that have class masks: see assay_class_masks.h.
 *
 * For a length n, the language restricted to n bytes is a product of classes C₀ × … × Cₙ₋₁ if and only if, after i
 * bytes, all states that are reachable and can still accept continue with the same bytes. The walk below checks this
 * position by position, with a table of the states from which acceptance is possible in k bytes. */
#include "DFA/Batch/assay_class_masks.h"

#include "DFA/assay_dfa_tables.h"
#include "Memory/assay_grow.h"

#include <stdlib.h>

/* The class of one position: a bit for each symbol, of at most 128, with matching bytes. */
typedef struct byte_class {
    uint64_t has[2];
} byte_class;

static bool has_symbol(const byte_class *here, unsigned symbol)
{
    return (here->has[symbol / 64] >> (symbol % 64) & 1) != 0;
}

/* Adjacent bytes of one symbol. */
typedef struct symbol_run {
    uint8_t first, last, symbol;
} symbol_run;

/* The working memory of one build. */
typedef struct class_mask_builder {
    const assay_dfa *dfa;
    uint8_t byte_of[128]; /* some byte of each symbol */
    /* can_accept[k][s]: whether some k ASCII bytes lead from state s to acceptance */
    bool (*can_accept)[256];
    symbol_run runs[128]; /* the ASCII bytes, in their order */
    unsigned run_count;
} class_mask_builder;

static uint8_t step(const class_mask_builder *maker, unsigned state, unsigned symbol)
{
    return maker->dfa->next[((size_t)maker->byte_of[symbol] << maker->dfa->shift) + state];
}

/* Fills can_accept by dynamic programming, O(lengths × states × symbols). Returns false if some ASCII text leads to the
   quit state: then no mask may claim a mismatch. */
static bool fill_can_accept(class_mask_builder *maker)
{
    const assay_dfa *dfa = maker->dfa;
    for (unsigned byte = 0; byte < 128; byte++) maker->byte_of[dfa->ascii_symbol_of[byte]] = (uint8_t)byte;
    for (unsigned byte = 0; byte < 128; byte++) {
        const uint8_t symbol = dfa->ascii_symbol_of[byte];
        if (byte == 0 || symbol != dfa->ascii_symbol_of[byte - 1]) {
            maker->runs[maker->run_count++] = (symbol_run){.first = (uint8_t)byte, .symbol = symbol};
        }
        maker->runs[maker->run_count - 1].last = (uint8_t)byte;
    }
    for (unsigned state = 0; state < dfa->states; state++) {
        maker->can_accept[0][state] = state >= dfa->first_accepting;
        for (unsigned symbol = 0; symbol < dfa->ascii_symbols; symbol++) {
            if (state > state_quit && step(maker, state, symbol) == state_quit) return false;
        }
    }
    for (size_t length = 1; length <= CLASS_MASK_LONGEST; length++) {
        for (unsigned state = 0; state < dfa->states; state++) {
            bool can = false;
            for (unsigned symbol = 0; symbol < dfa->ascii_symbols && !can && state > state_quit; symbol++) {
                can = maker->can_accept[length - 1][step(maker, state, symbol)];
            }
            maker->can_accept[length][state] = can;
        }
    }
    return true;
}

/* Finds the class of each position for values of `length` bytes. Returns false if the matching values are not all
   combinations of such classes.

       (?:ab|cd)    length 2    after 0 bytes: start, continues with a and c
                                after 1 byte: two states, which continue with b and with d: no mask */
static bool find_byte_classes(const class_mask_builder *maker, size_t length, byte_class *byte_classes)
{
    const assay_dfa *dfa = maker->dfa;
    bool now[256], after[256]; /* by state */
    memset(now, false, dfa->states);
    now[dfa->start] = true;
    for (size_t at = 0; at < length; at++) {
        const bool *can_continue = maker->can_accept[length - at - 1];
        bool is_first = true;
        memset(after, false, dfa->states);
        for (unsigned state = 0; state < dfa->states; state++) {
            if (!now[state]) continue;
            byte_class here = {.has = {0, 0}};
            for (unsigned symbol = 0; symbol < dfa->ascii_symbols; symbol++) {
                const uint8_t next = step(maker, state, symbol);
                here.has[symbol / 64] |= (uint64_t)can_continue[next] << (symbol % 64);
                after[next] = after[next] || can_continue[next];
            }
            if (is_first) byte_classes[at] = here;
            if (memcmp(&byte_classes[at], &here, sizeof here) != 0) return false;
            is_first = false;
        }
        memcpy(now, after, dfa->states);
    }
    return true;
}

/* Writes the byte ranges of a class and returns their number. Beyond CLASS_MASK_RANGES it counts without writing. */
static unsigned find_ranges(const class_mask_builder *maker, const byte_class *here, uint8_t *lowest, uint8_t *width)
{
    unsigned ranges = 0;
    for (unsigned i = 0; i < maker->run_count; i++) {
        if (!has_symbol(here, maker->runs[i].symbol)) continue;
        const uint8_t first = maker->runs[i].first;
        while (i + 1 < maker->run_count && has_symbol(here, maker->runs[i + 1].symbol)) i++;
        if (ranges < CLASS_MASK_RANGES) {
            lowest[ranges] = first;
            width[ranges] = (uint8_t)(maker->runs[i].last - first);
        }
        ranges++;
    }
    return ranges;
}

/* Constructs the mask of one length and appends its vectors. If a class has too many ranges, its vectors do not count
 * in *used, so the next length overwrites them. */
static class_mask make_class_mask(const class_mask_builder *maker, size_t length, class_mask_vector *vectors,
                                  uint8_t *used)
{
    const class_mask none = {.kind = CLASS_MASK_NONE};
    if (!maker->can_accept[length][maker->dfa->start]) return (class_mask){.kind = CLASS_MASK_NO_MATCH};
    byte_class byte_classes[CLASS_MASK_LONGEST];
    if (length == 0 || !find_byte_classes(maker, length, byte_classes)) return none;

    class_mask made = {.kind = CLASS_MASK_VECTORS, .first_vector = *used};
    const size_t count = (length + CLASS_MASK_BYTES - 1) / CLASS_MASK_BYTES;
    for (size_t number = 0; number < count; number++) {
        class_mask_vector *vector = &vectors[*used + number];
        /* The position in the value that the vector begins at; negative: before the value. */
        const ptrdiff_t begin =
            number + 1 < count ? (ptrdiff_t)(number * CLASS_MASK_BYTES) : (ptrdiff_t)length - CLASS_MASK_BYTES;
        for (ptrdiff_t i = 0; i < CLASS_MASK_BYTES; i++) {
            uint8_t lowest[CLASS_MASK_RANGES] = {0};
            uint8_t width[CLASS_MASK_RANGES] = {UINT8_MAX};
            unsigned ranges = 1;
            if (begin + i >= 0) ranges = find_ranges(maker, &byte_classes[begin + i], lowest, width);
            if (ranges > CLASS_MASK_RANGES) return none;
            made.has_third_range = made.has_third_range || ranges > 2;
            for (unsigned range = 0; range < CLASS_MASK_RANGES; range++) {
                vector->lowest[range][i] = lowest[range < ranges ? range : 0];
                vector->width[range][i] = width[range < ranges ? range : 0];
            }
        }
    }
    *used = (uint8_t)(*used + count);
    return made;
}

assay_class_masks *assay_class_masks_create(const assay_dfa *dfa)
{
    enum { MAX_VECTORS = (CLASS_MASK_LONGEST + 1) * (CLASS_MASK_LONGEST / CLASS_MASK_BYTES) };
    class_mask_builder maker = {.dfa = dfa, .can_accept = malloc((CLASS_MASK_LONGEST + 1) * sizeof *maker.can_accept)};
    assay_class_masks *masks = malloc(sizeof *masks + MAX_VECTORS * sizeof *masks->vectors);
    uint8_t used = 0;
    if (maker.can_accept != NULL && masks != NULL && fill_can_accept(&maker)) {
        for (size_t length = 0; length <= CLASS_MASK_LONGEST; length++) {
            masks->of_length[length] = make_class_mask(&maker, length, masks->vectors, &used);
        }
    }
    free(maker.can_accept);
    /* Without vectors the masks could only reject lengths that never match. */
    if (used == 0) {
        free(masks);
        return NULL;
    }
    assay_resize(&masks, 1, sizeof *masks + used * sizeof *masks->vectors); /* failure only leaves memory unused */
    return masks;
}
