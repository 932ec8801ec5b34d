/* Constructs a shuffle DFA: see assay_shuffle_dfa.h for the definition.
 *
 *     literal prefixes     assay_literal_prefixes_find: the start of the layers
 *     find_symbols         ASCII bytes to at most 15 symbols, for the states reachable from there
 *     map_bytes            symbols to nibble maps (narrow), or to a table of 128 (wide)
 *     make_steps           layer 0, 1, … longest: states of the layer, then its tables
 *
 * Costs are counted in tables, the number of shuffles in a step. A DFA that would cost more than lanes gets no shuffle
 * DFA, or one for shorter values only. */
#include "DFA/Shuffle/assay_shuffle_dfa.h"

#include "DFA/assay_dfa_tables.h"
#include "Memory/assay_grow.h"

#include <stdlib.h>

/* Weights of a rough cost model. build/thresholds/paths (Benchmarks/Thresholds/paths.c) measures its results. */
enum {
    /* With more tables than this, on average, lanes are preferred (assay_dfa_batch.c). */
    most_tables_on_average = 9,
    /* Comparing literal prefixes counts as two more tables a step. */
    tables_of_prefixes = 2,
    /* A wide step of at most 128 entries (8 tables) counts as one, a larger one as two; prefixes count as four, so that
     * they are preferred only if the layers without them fit only shorter values. */
    wide_few_tables = 8,
    wide_steps_of_prefixes = 4,
};

/* The DFA from one of its states on, over symbols: ASCII bytes with the same transitions from every reachable state
 * share one. This may merge more bytes than the alphabet of the pattern, because fewer states are reachable after
 * literal prefixes. Symbol 0 is that of bytes that never match. */
typedef struct byte_dfa {
    const assay_dfa *dfa;
    uint8_t start;
    bool is_reached[states_max];
    uint8_t symbol_of[128];
    uint8_t symbols;
    uint8_t next[layer_symbols_max][states_max]; /* by symbol and state of the DFA */
} byte_dfa;

/* A layer during construction. State 0 is the failed state. */
typedef struct layer_builder {
    uint8_t states;
    uint8_t state_of[states_max]; /* by reachable state of the DFA: its state in this layer */
    uint8_t transitions[layer_states_max][layer_symbols_max]; /* by state and symbol: the state of the next layer */
} layer_builder;

/* ---------------------------------------------------------------------------------------------------------------
 * Bytes to symbols
 * ------------------------------------------------------------------------------------------------------------- */

/* Marks the states reachable from `start` by ASCII bytes: a worklist, each state expanded once. */
static void find_reached(byte_dfa *bytes)
{
    uint8_t reached[states_max] = {bytes->start};
    unsigned count = 1;
    bytes->is_reached[bytes->start] = true;
    for (unsigned i = 0; i < count; i++) {
        for (uint8_t byte = 0; byte < 128; byte++) {
            const uint8_t next = dfa_byte_step(bytes->dfa, reached[i], byte);
            if (!bytes->is_reached[next]) reached[count++] = next;
            bytes->is_reached[next] = true;
        }
    }
}

/* Writes the transitions of a byte, by state. Unreachable states count as dead, so that they distinguish no bytes. */
static void fill_column(const byte_dfa *bytes, uint8_t byte, uint8_t *column)
{
    for (unsigned state = 0; state < bytes->dfa->states; state++) {
        column[state] = bytes->is_reached[state] ? dfa_byte_step(bytes->dfa, (uint8_t)state, byte) : state_dead;
    }
}

/* Groups ASCII bytes by equal columns of transitions. Returns false if there are more than layer_symbols_max groups.
   Symbol 0 is fixed first: the column that leads everywhere to the dead state, but keeps the quit state. */
static bool find_symbols(byte_dfa *bytes)
{
    const size_t states = bytes->dfa->states;
    memset(bytes->next[0], state_dead, states);
    if (bytes->is_reached[state_quit]) bytes->next[0][state_quit] = state_quit;
    bytes->symbols = 1;
    for (uint8_t byte = 0; byte < 128; byte++) {
        uint8_t column[states_max];
        fill_column(bytes, byte, column);
        uint8_t symbol = 0;
        while (symbol < bytes->symbols && memcmp(bytes->next[symbol], column, states) != 0) symbol++;
        if (symbol == layer_symbols_max) return false;
        if (symbol == bytes->symbols) memcpy(bytes->next[bytes->symbols++], column, states);
        bytes->symbol_of[byte] = symbol;
    }
    return true;
}

/* Whether a value with non-ASCII bytes may match, according to the step of one lead byte, because all lead bytes are
 * alike in dfa_byte_step. If not, non-ASCII values fail here without another check. */
static bool may_match_non_ascii(const assay_dfa *dfa)
{
    const uint8_t some_lead = 0xC3;
    for (unsigned state = state_quit + 1; state < dfa->states; state++) {
        if (dfa_byte_step(dfa, (uint8_t)state, some_lead) != state_dead) return true;
    }
    return false;
}

/* One row of the table of ASCII. Bit i: byte 16 * upper + i has this symbol. */
static unsigned symbol_row(const byte_dfa *bytes, uint8_t symbol, unsigned upper)
{
    unsigned row = 0;
    for (unsigned lower = 0; lower < shuffle_entries; lower++) {
        row |= (unsigned)(bytes->symbol_of[16 * upper + lower] == symbol) << lower;
    }
    return row;
}

/* Adds rectangle `number` to a map: the bytes with an upper nibble in `uppers` and a lower one in `lowers` (bit
 * sets). */
static void add_rectangle(nibble_map *map, unsigned number, uint8_t symbol, unsigned uppers, unsigned lowers)
{
    for (unsigned i = 0; i < shuffle_entries; i++) {
        map->lower[i] |= (uint8_t)((lowers >> i & 1) << number);
        map->upper[i] |= (uint8_t)((uppers >> i & 1) << number);
    }
    map->rectangles = (uint8_t)(number + 1);
    uint8_t *by_bits = number < 4 ? map->by_lower_bits : map->by_upper_bits;
    by_bits[1 << number % 4] = symbol;
}

/* Covers each symbol with rectangles: rows of the ASCII table with equal columns form one. Returns false if more than
 * three maps of eight are needed. Symbol 0 needs no rectangle. */
static bool make_maps(const byte_dfa *bytes, assay_shuffle_dfa *layers)
{
    unsigned rectangles = 0;
    for (uint8_t symbol = 1; symbol < bytes->symbols; symbol++) {
        unsigned done = 0;
        for (unsigned upper = 0; upper < 8; upper++) {
            const unsigned row = symbol_row(bytes, symbol, upper);
            if (row == 0 || (done >> upper & 1)) continue;
            unsigned uppers = 0;
            for (unsigned other = upper; other < 8; other++) {
                uppers |= (unsigned)(symbol_row(bytes, symbol, other) == row) << other;
            }
            if (rectangles == nibble_maps_max * nibble_map_rectangles) return false;
            add_rectangle(&layers->map[rectangles / nibble_map_rectangles], rectangles % nibble_map_rectangles, symbol,
                          uppers, row);
            rectangles++;
            done |= uppers;
        }
    }
    layers->maps = (uint8_t)((rectangles + nibble_map_rectangles - 1) / nibble_map_rectangles);
    return true;
}

/* Constructs the mapping from bytes to symbols for this width. Returns false if make_maps() does. */
static bool map_bytes(const byte_dfa *bytes, assay_shuffle_dfa *layers)
{
    memcpy(layers->symbol_of, bytes->symbol_of, sizeof layers->symbol_of);
    return layers->width == shuffle_wide || make_maps(bytes, layers);
}

/* ---------------------------------------------------------------------------------------------------------------
 * DFA states to states of layers
 * ------------------------------------------------------------------------------------------------------------- */

/* Marks for each layer the DFA states in which a value of at most `longest` bytes can be. From the longest layer
 * downwards, because values begin in every layer, so `start` is in each, and states of layer n + 1 have successors in
 * layer n. */
static void find_reachable(const byte_dfa *bytes, size_t longest, bool (*reachable)[states_max])
{
    memset(reachable, 0, (longest + 1) * sizeof *reachable);
    for (size_t layer = longest + 1; layer-- > 0;) {
        reachable[layer][bytes->start] = true;
        if (layer == longest) continue;
        if (layer + 2 <= longest && memcmp(reachable[layer + 1], reachable[layer + 2], sizeof *reachable) == 0) {
            /* Equal sets have equal successors. Sets stop growing after some layers, so most are copied. */
            memcpy(reachable[layer], reachable[layer + 1], sizeof *reachable);
            continue;
        }
        for (size_t state = 0; state < bytes->dfa->states; state++) {
            if (!reachable[layer + 1][state]) continue;
            for (size_t symbol = 0; symbol < bytes->symbols; symbol++) {
                reachable[layer][bytes->next[symbol][state]] = true;
            }
        }
    }
}

/* Layer 0, no byte remaining: the verdict. */
static void make_last_layer(const assay_dfa *dfa, layer_builder *layer)
{
    for (unsigned state = 0; state < dfa->states; state++) {
        layer->state_of[state] = state >= dfa->first_accepting ? layer_passed
                                 : state == state_quit         ? layer_unknown
                                                               : layer_failed;
    }
}

/* One step of Moore's refinement: DFA states share a state of this layer if each symbol leads them to the same state of
 * the next layer. Unreachable states and those that lead only to state 0 become state 0. Returns false beyond
 * layer_states_max.
 *
 *     dates, [0-9]{4}-[0-9]{2}-[0-9]{2}     layer 3    states that expect "-dd" are one, all others fail: 2 states */
static bool find_layer_states(const byte_dfa *bytes, const bool *reachable, const layer_builder *next,
                              layer_builder *layer)
{
    memset(layer->state_of, 0, sizeof layer->state_of);
    memset(layer->transitions[0], 0, sizeof layer->transitions[0]);
    layer->states = 1;
    for (size_t state = 0; state < bytes->dfa->states; state++) {
        if (!reachable[state]) continue;
        uint8_t transition[layer_symbols_max] = {0};
        for (size_t symbol = 0; symbol < bytes->symbols; symbol++) {
            transition[symbol] = next->state_of[bytes->next[symbol][state]];
        }
        uint8_t layer_state = 0;
        while (layer_state < layer->states &&
               memcmp(layer->transitions[layer_state], transition, sizeof transition) != 0) {
            layer_state++;
        }
        if (layer_state == layer_states_max) return false;
        if (layer_state == layer->states) memcpy(layer->transitions[layer->states++], transition, sizeof transition);
        layer->state_of[state] = layer_state;
    }
    return true;
}

/* Returns how many existing entries a row at `index` would share. */
static size_t shared_entries(unsigned used, unsigned index, unsigned layer_states)
{
    return used - index < layer_states ? used - index : layer_states;
}

/* Constructs the tables of one step: places the row of each symbol at the first index at which it agrees with the
 * existing entries, which may overlap it in part (first fit, as in the row displacement of parser tables). Returns the
 * number of entries, including a last one that is 0, or 0 if they do not fit below layer_no_row. Symbols that always
 * fail get no row. */
static unsigned make_step(const byte_dfa *bytes, const layer_builder *layer, layer_step *step,
                          uint8_t (*tables)[shuffle_entries])
{
    memset(step->row_of, layer_no_row, sizeof step->row_of);
    memset(tables, 0, layer_tables_max * sizeof *tables);
    uint8_t *entries = tables[0];
    unsigned used = 0;
    for (size_t symbol = 0; symbol < bytes->symbols; symbol++) {
        uint8_t part[layer_states_max];
        unsigned any = 0;
        for (size_t layer_state = 0; layer_state < layer->states; layer_state++) {
            any |= part[layer_state] = layer->transitions[layer_state][symbol];
        }
        if (any == 0) continue;
        unsigned index = 0;
        while (index < used && memcmp(entries + index, part, shared_entries(used, index, layer->states)) != 0) index++;
        if (index + layer->states > used) {
            used = index + layer->states;
            if (used > layer_no_row) return 0;
            memcpy(entries + index, part, layer->states);
        }
        step->row_of[symbol] = (uint8_t)index;
    }
    return used + 1;
}

/* Rounds up to a number of tables for which the runners have compiled code (assay_shuffle_dfa_avx2.h and
 * assay_shuffle_dfa_avx512.h). Narrow tables do not need the last entry, because lookups at layer_no_row return 0 in
 * any case. */
static uint8_t tables_for(const assay_shuffle_dfa *layers, unsigned entries)
{
    if (layers->width == shuffle_wide) return entries <= 64 ? 4 : entries <= 128 ? 8 : 16;
    const unsigned tables = entries == 1 ? 1 : (entries - 1 + shuffle_entries - 1) / shuffle_entries;
    return (uint8_t)(tables <= layer_few_tables ? tables : (tables + 3) / 4 * 4);
}

/* Replaces each table but the first by its exclusive or with the previous one, last table first. See layer_step. */
static void delta_encode(uint8_t (*tables)[shuffle_entries], size_t count)
{
    for (size_t number = count - 1; number > 0; number--) {
        for (size_t i = 0; i < shuffle_entries; i++) tables[number][i] ^= tables[number - 1][i];
    }
}

/* The estimated cost of one step in a segment, in tables. */
static size_t cost_of_segment_step(const assay_shuffle_dfa *layers, size_t segment)
{
    const uint8_t tables = layers->tables_of[segment];
    const bool has_prefixes = layers->prefixes.count > 0;
    if (layers->width == shuffle_narrow) return tables + (has_prefixes ? (size_t)tables_of_prefixes : 0);
    return (tables <= wide_few_tables ? (size_t)1 : 2) + (has_prefixes ? (size_t)wide_steps_of_prefixes : 0);
}

/* Constructs all steps for values of at most `longest` bytes, a multiple of segment_layers, from layer 1 upwards.
 * Returns the number of tables, or 0 if a layer has too many states or entries or the steps would cost too much on
 * average. All layers of a segment get the maximum number of tables that one needs. */
static size_t make_steps(const byte_dfa *bytes, size_t longest, bool (*reachable)[states_max],
                         assay_shuffle_dfa *layers)
{
    find_reachable(bytes, longest, reachable);
    layer_builder next = {.states = 0}, before_next = {.states = 0};
    make_last_layer(bytes->dfa, &next);
    memset(layers->steps[0].start, next.state_of[bytes->start], shuffle_entries);
    memset(layers->tables_of, 0, sizeof layers->tables_of);
    const size_t most_cost = longest * (size_t)most_tables_on_average;
    size_t cost = 0;
    unsigned entries = 0;
    for (size_t number = 1; number <= longest; number++) {
        layer_step *step = &layers->steps[number];
        uint8_t(*tables)[shuffle_entries] = layers->tables + number * layer_tables_max;
        uint8_t *segment = &layers->tables_of[(number - 1) / segment_layers];
        if (number > 1 && memcmp(reachable[number], reachable[number - 1], sizeof *reachable) == 0 &&
            memcmp(next.state_of, before_next.state_of, sizeof next.state_of) == 0) {
            /* This layer and the next have the same states, so the same step. A DFA whose layers stop changing repeats
             * one step. */
            *step = step[-1];
            memcpy(tables, tables - layer_tables_max, layer_tables_max * sizeof *tables);
        } else {
            layer_builder layer;
            if (!find_layer_states(bytes, reachable[number], &next, &layer)) return 0;
            entries = make_step(bytes, &layer, step, tables);
            if (entries == 0) return 0;
            memset(step->start, layer.state_of[bytes->start], shuffle_entries);
            before_next = next;
            next = layer;
        }
        if (tables_for(layers, entries) > *segment) *segment = tables_for(layers, entries);
        if (number % segment_layers == 0) {
            cost += segment_layers * cost_of_segment_step(layers, (number - 1) / segment_layers);
        }
        if (cost > most_cost) return 0;
    }
    /* Pack the tables, which were constructed at a fixed distance, so that they take little of a cache. */
    size_t used = 0;
    for (size_t number = 1; number <= longest; number++) {
        const size_t count = layers->tables_of[(number - 1) / segment_layers];
        memmove(layers->tables + used, layers->tables + number * layer_tables_max, count * sizeof *layers->tables);
        if (layers->width == shuffle_narrow && count <= layer_few_tables) {
            delta_encode(layers->tables + used, count);
        }
        layers->steps[number].first_table = (uint16_t)used;
        used += count;
    }
    layers->longest = (uint8_t)longest;
    return used;
}

/* Constructs a shuffle DFA for the text after `prefixes` (count 0: the whole value), for values of up to 96 bytes
 * or, if that takes too many states, up to the maximum possible length, at least `least`. NULL: not possible, or no
 * memory. */
static assay_shuffle_dfa *create_behind(const assay_dfa *dfa, uint8_t width, assay_literal_prefixes prefixes,
                                        size_t least)
{
    byte_dfa bytes = {
        .dfa = dfa,
        .start = prefixes.count > 0 ? prefixes.state : dfa->start,
    };
    find_reached(&bytes);
    if (!find_symbols(&bytes)) return NULL;
    const size_t most_tables = (layers_max + 1) * (size_t)layer_tables_max;
    assay_shuffle_dfa *layers = calloc(1, sizeof *layers + most_tables * sizeof *layers->tables);
    bool(*reachable)[states_max] = malloc((layers_max + 1) * sizeof *reachable);
    size_t tables = 0;
    if (layers != NULL) layers->width = width;
    if (layers != NULL && reachable != NULL && map_bytes(&bytes, layers)) {
        layers->prefixes = prefixes;
        layers->only_ascii = may_match_non_ascii(dfa);
        for (size_t longest = layers_max; longest >= least && tables == 0; longest -= segment_layers) {
            tables = make_steps(&bytes, longest, reachable, layers);
        }
    }
    free(reachable);
    if (tables == 0) {
        free(layers);
        return NULL;
    }
    assay_resize(&layers, 1, sizeof *layers + tables * sizeof *layers->tables); /* failure only leaves memory unused */
    return layers;
}

/* The estimated cost of all segments, in tables. */
static size_t cost_of(const assay_shuffle_dfa *layers)
{
    size_t cost = 0;
    for (size_t segment = 0; segment < layers->longest / segment_layers; segment++) {
        cost += cost_of_segment_step(layers, segment);
    }
    return cost;
}

/* Returns the shuffle DFA for longer values or, if equal, of lower cost, and frees the other. NULL is worse than
 * any. */
static assay_shuffle_dfa *better_of(assay_shuffle_dfa *one, assay_shuffle_dfa *other)
{
    const bool is_other = other != NULL && (one == NULL || other->longest > one->longest ||
                                            (other->longest == one->longest && cost_of(other) < cost_of(one)));
    free(is_other ? one : other);
    return is_other ? other : one;
}

/* Tries with and without literal prefixes. Wide lookups rarely need prefixes, so for them the whole value is tried
 * first and is final if it covers the longest values. */
assay_shuffle_dfa *assay_shuffle_dfa_create(const assay_dfa *dfa, uint8_t width)
{
    const assay_literal_prefixes prefixes = assay_literal_prefixes_find(dfa);
    const assay_literal_prefixes none = {.count = 0};
    const size_t least = segment_layers;
    if (prefixes.count == 0) return create_behind(dfa, width, none, least);
    if (width == shuffle_wide) {
        assay_shuffle_dfa *whole = create_behind(dfa, width, none, least);
        if (whole != NULL && whole->longest == layers_max) return whole;
        return better_of(whole, create_behind(dfa, width, prefixes, whole == NULL ? least : whole->longest));
    }
    assay_shuffle_dfa *behind = create_behind(dfa, width, prefixes, least);
    return better_of(behind, create_behind(dfa, width, none, behind == NULL ? least : behind->longest));
}
