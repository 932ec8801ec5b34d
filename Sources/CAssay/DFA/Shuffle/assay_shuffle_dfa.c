/* Constructs a shuffle DFA: see assay_shuffle_dfa.h for the definition.
 *
 *     literal prefixes     assay_literal_prefixes_find: the start of the layers
 *     find_symbols         bytes to symbols, for the states reachable from there
 *     map_bytes            symbols to nibble maps (narrow), or to a table of 256 (wide)
 *     make_steps           layer 0, 1, … longest: states of the layer, then its tables
 *
 * Costs are counted in tables, the number of shuffles in a step. A DFA that would cost more than lanes gets no shuffle
 * DFA, or one for shorter values only. */
#include "DFA/Shuffle/assay_shuffle_dfa.h"

#include "DFA/assay_byte_dfa.h"
#include "Memory/assay_grow.h"

#include <stdlib.h>

/* Weights of a rough cost model. build/thresholds/paths (Benchmarks/Thresholds/paths.c) measures its results. */
enum {
    /* With more tables than this, on average, lanes are preferred (assay_dfa_batch.c). */
    max_average_tables = 9,
    /* Comparing literal prefixes counts as two more tables a step. */
    tables_of_prefixes = 2,
    /* A wide step of at most 128 entries (8 tables) counts as one, a larger one as two; prefixes count as four, so that
     * they are preferred only if the layers without them fit only shorter values. */
    wide_few_tables = 8,
    wide_steps_of_prefixes = 4,
};

/* The DFA from one of its states on, over symbols: bytes with the same transitions from every reachable state share
 * one. This may merge more bytes than the alphabet of the pattern, because fewer states are reachable after literal
 * prefixes. Symbol 0 is that of bytes that never match. */
typedef struct symbol_dfa {
    const byte_dfa *bytes;
    uint8_t start;
    bool only_ascii; /* all other bytes have the symbol non_ascii_symbol */
    bool is_reached[256];
    uint8_t symbol_of[256];
    uint8_t non_ascii_symbol; /* the maximum of `symbols` */
    uint8_t symbols;
    uint8_t next[layer_symbols_max][256]; /* by symbol and state */
} symbol_dfa;

/* A layer during construction. State 0 is the failed state. */
typedef struct layer_builder {
    uint8_t states;
    uint8_t state_of[256]; /* by reachable state of the DFA: its state in this layer */
    uint8_t transitions[layer_states_max][layer_symbols_max]; /* by state and symbol: the state of the next layer */
} layer_builder;

/* ---------------------------------------------------------------------------------------------------------------
 * Bytes to symbols
 * ------------------------------------------------------------------------------------------------------------- */

/* The number of the byte values that are mapped to symbols. The last one occurs in no text. */
static unsigned mapped_bytes(const symbol_dfa *symbols) { return symbols->only_ascii ? 128 : padding_byte; }

/* Marks the states reachable from `start`: a worklist, each state expanded once. */
static void find_reached(symbol_dfa *symbols)
{
    uint8_t reached[256] = {symbols->start};
    unsigned count = 1;
    symbols->is_reached[symbols->start] = true;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned byte = 0; byte < mapped_bytes(symbols); byte++) {
            const uint8_t next = symbols->bytes->next[byte][reached[i]];
            if (!symbols->is_reached[next]) reached[count++] = next;
            symbols->is_reached[next] = true;
        }
    }
}

/* Writes the transitions of a byte, by state. Unreachable states count as dead, so that they distinguish no bytes. */
static void fill_column(const symbol_dfa *symbols, unsigned byte, uint8_t *column)
{
    for (unsigned state = 0; state < symbols->bytes->states; state++) {
        column[state] = symbols->is_reached[state] ? symbols->bytes->next[byte][state] : state_dead;
    }
}

/* Groups bytes by equal columns of transitions. Returns false if there are too many groups. Symbol 0 is fixed first:
   the column that leads everywhere to the dead state, but keeps the quit state. */
static bool find_symbols(symbol_dfa *symbols)
{
    const size_t states = symbols->bytes->states;
    memset(symbols->next[0], state_dead, states);
    if (symbols->is_reached[state_quit]) symbols->next[0][state_quit] = state_quit;
    symbols->symbols = 1;
    memset(symbols->symbol_of, 0, sizeof symbols->symbol_of);
    for (unsigned byte = 0; byte < mapped_bytes(symbols); byte++) {
        uint8_t column[256];
        fill_column(symbols, byte, column);
        uint8_t symbol = 0;
        while (symbol < symbols->symbols && memcmp(symbols->next[symbol], column, states) != 0) symbol++;
        if (symbol == symbols->non_ascii_symbol) return false;
        if (symbol == symbols->symbols) memcpy(symbols->next[symbols->symbols++], column, states);
        symbols->symbol_of[byte] = symbol;
    }
    if (symbols->only_ascii) memset(symbols->symbol_of + 128, symbols->non_ascii_symbol, 128);
    return true;
}

/* Whether a value with non-ASCII bytes may match. */
static bool may_match_non_ascii(const byte_dfa *bytes)
{
    for (unsigned lead = 0xC2; lead <= 0xF4; lead++) {
        for (unsigned state = state_quit + 1; state < bytes->states; state++) {
            if (bytes->next[lead][state] != state_dead) return true;
        }
    }
    return false;
}

/* Whether a character can lead from a state of the DFA to a match only if its bytes are `text`, or ASCII. */
static bool leads_only(const byte_dfa *bytes, unsigned state, const uint8_t *text)
{
    for (; *text != 0; text++) {
        for (unsigned byte = 0x80; byte < 0xC0; byte++) {
            if (byte != *text && bytes->next[byte][state] != state_dead) return false;
        }
        state = bytes->next[*text][state];
        if (state == state_dead) return true;
    }
    return true;
}

/* Whether the only non-ASCII characters of matching values are Å¿ and âª, which are s and k if case is ignored. */
static bool has_only_other_cases(const byte_dfa *bytes, unsigned states)
{
    for (unsigned state = state_quit + 1; state < states; state++) {
        for (unsigned lead = 0xC2; lead <= 0xF4; lead++) {
            const unsigned next = bytes->next[lead][state];
            if (next == state_dead) continue;
            const char *rest = lead == 0xC5 ? "\xBF" : lead == 0xE2 ? "\x84\xAA" : NULL;
            if (rest == NULL || !leads_only(bytes, next, (const uint8_t *)rest)) return false;
        }
    }
    return true;
}

/* One row of the table of bytes. Bit i: byte 16 * upper + i has this symbol. */
static unsigned symbol_row(const symbol_dfa *symbols, uint8_t symbol, unsigned upper)
{
    unsigned row = 0;
    for (unsigned lower = 0; lower < shuffle_entries; lower++) {
        row |= (unsigned)(symbols->symbol_of[16 * upper + lower] == symbol) << lower;
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

/* Covers each symbol with rectangles: rows of the table of bytes with equal columns form one. Returns false if more
 * than three maps of eight are needed. Symbol 0 needs no rectangle, and the runner finds non_ascii_symbol by the
 * sign. */
static bool make_maps(const symbol_dfa *symbols, assay_shuffle_dfa *layers)
{
    unsigned rectangles = 0;
    for (uint8_t symbol = 1; symbol < symbols->symbols; symbol++) {
        unsigned done = 0;
        for (unsigned upper = 0; upper < shuffle_entries; upper++) {
            const unsigned row = symbol_row(symbols, symbol, upper);
            if (row == 0 || (done >> upper & 1)) continue;
            unsigned uppers = 0;
            for (unsigned other = upper; other < shuffle_entries; other++) {
                uppers |= (unsigned)(symbol_row(symbols, symbol, other) == row) << other;
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
static bool map_bytes(const symbol_dfa *symbols, assay_shuffle_dfa *layers)
{
    memcpy(layers->symbol_of, symbols->symbol_of, sizeof layers->symbol_of);
    return layers->width == shuffle_wide || make_maps(symbols, layers);
}

/* ---------------------------------------------------------------------------------------------------------------
 * DFA states to states of layers
 * ------------------------------------------------------------------------------------------------------------- */

/* Marks for each layer the DFA states in which a value of at most `longest` bytes can be. From the longest layer
 * downwards, because values begin in every layer, so `start` is in each, and states of layer n + 1 have successors in
 * layer n. */
static void find_reachable(const symbol_dfa *symbols, size_t longest, bool (*reachable)[256])
{
    memset(reachable, 0, (longest + 1) * sizeof *reachable);
    for (size_t layer = longest + 1; layer-- > 0;) {
        reachable[layer][symbols->start] = true;
        if (layer == longest) continue;
        if (layer + 2 <= longest && memcmp(reachable[layer + 1], reachable[layer + 2], sizeof *reachable) == 0) {
            /* Equal sets have equal successors. Sets stop growing after some layers, so most are copied. */
            memcpy(reachable[layer], reachable[layer + 1], sizeof *reachable);
            continue;
        }
        for (size_t state = 0; state < symbols->bytes->states; state++) {
            if (!reachable[layer + 1][state]) continue;
            for (size_t symbol = 0; symbol < symbols->symbols; symbol++) {
                reachable[layer][symbols->next[symbol][state]] = true;
            }
        }
    }
}

/* Layer 0, no byte remaining: the verdict. */
static void make_last_layer(const byte_dfa *bytes, layer_builder *layer)
{
    for (unsigned state = 0; state < bytes->states; state++) {
        layer->state_of[state] = byte_dfa_accepts(bytes, state) ? layer_passed
                                 : state == state_quit          ? layer_unknown
                                                                : layer_failed;
    }
}

/* One step of Moore's refinement: DFA states share a state of this layer if each symbol leads them to the same state of
 * the next layer. Unreachable states and those that lead only to state 0 become state 0. Returns false beyond
 * layer_states_max.
 *
 *     dates, [0-9]{4}-[0-9]{2}-[0-9]{2}     layer 3    states that expect "-dd" are one, all others fail: 2 states */
static bool find_layer_states(const symbol_dfa *symbols, const bool *reachable, const layer_builder *next,
                              layer_builder *layer)
{
    memset(layer->state_of, 0, sizeof layer->state_of);
    memset(layer->transitions[0], 0, sizeof layer->transitions[0]);
    layer->states = 1;
    for (size_t state = 0; state < symbols->bytes->states; state++) {
        if (!reachable[state]) continue;
        uint8_t transition[layer_symbols_max] = {0};
        for (size_t symbol = 0; symbol < symbols->symbols; symbol++) {
            transition[symbol] = next->state_of[symbols->next[symbol][state]];
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
static unsigned make_step(const symbol_dfa *symbols, const layer_builder *layer, layer_step *step,
                          uint8_t (*tables)[shuffle_entries])
{
    memset(step->row_of, layer_no_row, sizeof step->row_of);
    memset(tables, 0, layer_tables_max * sizeof *tables);
    uint8_t *entries = tables[0];
    unsigned used = 0;
    for (size_t symbol = 0; symbol < symbols->symbols; symbol++) {
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
static size_t make_steps(const symbol_dfa *symbols, size_t longest, bool (*reachable)[256], assay_shuffle_dfa *layers)
{
    find_reachable(symbols, longest, reachable);
    layer_builder next = {.states = 0}, before_next = {.states = 0};
    make_last_layer(symbols->bytes, &next);
    memset(layers->steps[0].start, next.state_of[symbols->start], shuffle_entries);
    memset(layers->tables_of, 0, sizeof layers->tables_of);
    const size_t max_cost = longest * (size_t)max_average_tables;
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
            if (!find_layer_states(symbols, reachable[number], &next, &layer)) return 0;
            entries = make_step(symbols, &layer, step, tables);
            if (entries == 0) return 0;
            memset(step->start, layer.state_of[symbols->start], shuffle_entries);
            before_next = next;
            next = layer;
        }
        if (tables_for(layers, entries) > *segment) *segment = tables_for(layers, entries);
        if (number % segment_layers == 0) {
            cost += segment_layers * cost_of_segment_step(layers, (number - 1) / segment_layers);
        }
        if (cost > max_cost) return 0;
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

/* Constructs the steps for the longest possible values, of at least `min` bytes: if those of layers_max are not
 * possible, by binary search, because states are only added with the length. Returns the number of tables, or 0. */
static size_t make_max_steps(const symbol_dfa *symbols, size_t min, bool (*reachable)[256], assay_shuffle_dfa *layers)
{
    const size_t tables = make_steps(symbols, layers_max, reachable, layers);
    if (tables > 0) return tables;
    size_t possible = 0;
    size_t impossible = layers_max / segment_layers;
    while (impossible - possible > 1) {
        const size_t segments = possible + (impossible - possible) / 2;
        if (make_steps(symbols, segments * segment_layers, reachable, layers) == 0) {
            impossible = segments;
        } else {
            possible = segments;
        }
    }
    if (possible * segment_layers < min) return 0;
    return make_steps(symbols, possible * segment_layers, reachable, layers);
}

/* A way to construct a shuffle DFA. */
typedef struct shuffle_way {
    const byte_dfa *bytes;
    uint8_t width;
    bool only_ascii;
    assay_literal_prefixes prefixes; /* count 0: the layers check the whole value */
} shuffle_way;

/* Constructs a shuffle DFA for values of up to 96 bytes or, if that takes too many states, up to the maximum possible
 * length, at least `min`. NULL: not possible, or no memory. */
static assay_shuffle_dfa *create_in_one_way(const shuffle_way *way, size_t min)
{
    symbol_dfa symbols = {
        .bytes = way->bytes,
        .start = way->prefixes.count > 0 ? way->prefixes.state : way->bytes->start,
        .only_ascii = way->only_ascii,
        .non_ascii_symbol = way->width == shuffle_wide ? wide_non_ascii_symbol : narrow_non_ascii_symbol,
    };
    find_reached(&symbols);
    if (!find_symbols(&symbols)) return NULL;
    const size_t max_tables = (layers_max + 1) * (size_t)layer_tables_max;
    assay_shuffle_dfa *layers = calloc(1, sizeof *layers + max_tables * sizeof *layers->tables);
    bool(*reachable)[256] = malloc((layers_max + 1) * sizeof *reachable);
    size_t tables = 0;
    if (layers != NULL) layers->width = way->width;
    if (layers != NULL && reachable != NULL && map_bytes(&symbols, layers)) {
        layers->prefixes = way->prefixes;
        layers->only_ascii = way->only_ascii;
        layers->non_ascii_may_match = may_match_non_ascii(way->bytes);
        tables = make_max_steps(&symbols, min, reachable, layers);
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
static assay_shuffle_dfa *create_with_prefixes(shuffle_way way)
{
    const assay_literal_prefixes prefixes = way.prefixes;
    const size_t min = segment_layers;
    if (prefixes.count == 0) return create_in_one_way(&way, min);
    if (way.width == shuffle_wide) {
        way.prefixes.count = 0;
        assay_shuffle_dfa *full = create_in_one_way(&way, min);
        if (full != NULL && full->longest == layers_max) return full;
        way.prefixes = prefixes;
        return better_of(full, create_in_one_way(&way, full == NULL ? min : full->longest));
    }
    assay_shuffle_dfa *behind = create_in_one_way(&way, min);
    way.prefixes.count = 0;
    return better_of(behind, create_in_one_way(&way, behind == NULL ? min : behind->longest));
}

/* Layers for all bytes are tried first. Where characters are counted, as in .{1,60}, they have many more states than
 * those for ASCII bytes, because the bytes that remain do not determine the number of characters. For narrow lookups,
 * the states within two characters that rarely occur may also double the number of tables. */
assay_shuffle_dfa *assay_shuffle_dfa_create(const assay_dfa *dfa, const byte_dfa *bytes, uint8_t width)
{
    shuffle_way way = {.bytes = bytes, .width = width, .prefixes = assay_literal_prefixes_find(dfa)};
    assay_shuffle_dfa *all = bytes->is_complete ? create_with_prefixes(way) : NULL;
    const bool is_mostly_ascii = width == shuffle_narrow && has_only_other_cases(bytes, dfa->states);
    if (all != NULL && (!all->non_ascii_may_match || (all->longest == layers_max && !is_mostly_ascii))) return all;
    way.only_ascii = true;
    return better_of(all, create_with_prefixes(way));
}
