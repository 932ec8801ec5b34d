#include "DFA/Shuffle/assay_shuffle_dfa.h"

#include "DFA/assay_dfa_tables.h"

#include <stdlib.h>

enum {
    /* With more tables than this, on an average, a step is as slow as those of assay_dfa_batch.c. */
    most_tables_on_average = 9,
    /* To compare the first bytes takes as long as so many more tables a step, for values of some thirty bytes. */
    tables_of_prefixes = 2,
    /* Where tables are wide all steps are fast, those of at most 128 places alike. Prefixes would cost more than any tables. */
    wide_few_tables = 8,
    wide_steps_of_prefixes = 4,
};

/* The automaton from one of its states on, by symbols: ASCII bytes that lead the same way from every state that can be reached.
 * Symbol 0 is that of no way at all. */
typedef struct byte_automaton {
    const assay_automaton *automaton;
    uint8_t start;
    bool is_reached[states_max];
    uint8_t symbol_of[128];
    uint8_t symbols;
    uint8_t next[level_symbols][states_max];
} byte_automaton;

/* What is known of one level while it is made. */
typedef struct level_maker {
    uint8_t classes;
    uint8_t class_of[states_max];               /* by state, of those that values can be in here */
    uint8_t ways[level_classes][level_symbols]; /* by class and symbol: the class of the next level */
} level_maker;

/* ---------------------------------------------------------------------------------------------------------------
 * Bytes to symbols
 * ------------------------------------------------------------------------------------------------------------- */

static void find_reached(byte_automaton *bytes)
{
    uint8_t reached[states_max] = {bytes->start};
    unsigned count = 1;
    bytes->is_reached[bytes->start] = true;
    for (unsigned i = 0; i < count; i++) {
        for (uint8_t byte = 0; byte < 128; byte++) {
            const uint8_t next = automaton_byte_step(bytes->automaton, reached[i], byte);
            if (!bytes->is_reached[next]) reached[count++] = next;
            bytes->is_reached[next] = true;
        }
    }
}

/* Where a byte leads, by states. */
static void fill_column(const byte_automaton *bytes, uint8_t byte, uint8_t *column)
{
    for (unsigned state = 0; state < bytes->automaton->states; state++) {
        column[state] =
            bytes->is_reached[state] ? automaton_byte_step(bytes->automaton, (uint8_t)state, byte) : state_dead;
    }
}

/* false: more symbols than there is room for. */
static bool find_symbols(byte_automaton *bytes)
{
    const size_t states = bytes->automaton->states;
    memset(bytes->next[0], state_dead, states);
    if (bytes->is_reached[state_deferred]) bytes->next[0][state_deferred] = state_deferred;
    bytes->symbols = 1;
    for (uint8_t byte = 0; byte < 128; byte++) {
        uint8_t column[states_max];
        fill_column(bytes, byte, column);
        uint8_t symbol = 0;
        while (symbol < bytes->symbols && memcmp(bytes->next[symbol], column, states) != 0) symbol++;
        if (symbol == level_symbols) return false;
        if (symbol == bytes->symbols) memcpy(bytes->next[bytes->symbols++], column, states);
        bytes->symbol_of[byte] = symbol;
    }
    return true;
}

/* Whether some value with bytes beyond ASCII may be right. */
static bool has_way_beyond_ascii(const assay_automaton *automaton)
{
    const uint8_t some_lead = 0xC3;
    for (unsigned state = state_deferred + 1; state < automaton->states; state++) {
        if (automaton_byte_step(automaton, (uint8_t)state, some_lead) != state_dead) return true;
    }
    return false;
}

/* Bit i: byte 16 * upper + i is of this symbol. */
static unsigned symbol_row(const byte_automaton *bytes, uint8_t symbol, unsigned upper)
{
    unsigned row = 0;
    for (unsigned lower = 0; lower < level_entries; lower++) {
        row |= (unsigned)(bytes->symbol_of[16 * upper + lower] == symbol) << lower;
    }
    return row;
}

static void add_rectangle(level_map *map, unsigned number, uint8_t symbol, unsigned uppers, unsigned lowers)
{
    for (unsigned i = 0; i < level_entries; i++) {
        map->lower[i] |= (uint8_t)((lowers >> i & 1) << number);
        map->upper[i] |= (uint8_t)((uppers >> i & 1) << number);
    }
    map->rectangles = (uint8_t)(number + 1);
    uint8_t *by_bits = number < 4 ? map->by_lower_bits : map->by_upper_bits;
    by_bits[1 << number % 4] = symbol;
}

/* false: more rectangles than there is room for. */
static bool make_maps(const byte_automaton *bytes, assay_levels *levels)
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
            if (rectangles == level_maps * level_rectangles) return false;
            add_rectangle(&levels->map[rectangles / level_rectangles], rectangles % level_rectangles, symbol, uppers,
                          row);
            rectangles++;
            done |= uppers;
        }
    }
    levels->maps = (uint8_t)((rectangles + level_rectangles - 1) / level_rectangles);
    return true;
}

/* false: more rectangles than there is room for. */
static bool map_bytes(const byte_automaton *bytes, assay_levels *levels)
{
    memcpy(levels->symbol_of, bytes->symbol_of, sizeof levels->symbol_of);
    return levels->entries == level_wide_entries || make_maps(bytes, levels);
}

/* ---------------------------------------------------------------------------------------------------------------
 * States to classes
 * ------------------------------------------------------------------------------------------------------------- */

/* Marks for each level the states that a value of at most `longest` bytes can be in there. */
static void find_present(const byte_automaton *bytes, size_t longest, bool (*present)[states_max])
{
    memset(present, 0, (longest + 1) * sizeof *present);
    for (size_t level = longest + 1; level-- > 0;) {
        present[level][bytes->start] = true;
        if (level == longest) continue;
        if (level + 2 <= longest && memcmp(present[level + 1], present[level + 2], sizeof *present) == 0) {
            /* From the same states come the same ones: of a loop soon all of them. */
            memcpy(present[level], present[level + 1], sizeof *present);
            continue;
        }
        for (size_t state = 0; state < bytes->automaton->states; state++) {
            if (!present[level + 1][state]) continue;
            for (size_t symbol = 0; symbol < bytes->symbols; symbol++) {
                present[level][bytes->next[symbol][state]] = true;
            }
        }
    }
}

static void make_last_level(const assay_automaton *automaton, level_maker *level)
{
    for (unsigned state = 0; state < automaton->states; state++) {
        level->class_of[state] = state >= automaton->first_accepting ? level_passed
                                 : state == state_deferred           ? level_open
                                                                     : level_failed;
    }
}

/* States are of one class if each symbol leads them to the same class of the next level. false: too many classes. */
static bool find_classes(const byte_automaton *bytes, const bool *present, const level_maker *next, level_maker *level)
{
    memset(level->class_of, 0, sizeof level->class_of);
    memset(level->ways[0], 0, sizeof level->ways[0]);
    level->classes = 1;
    for (size_t state = 0; state < bytes->automaton->states; state++) {
        if (!present[state]) continue;
        uint8_t way[level_symbols] = {0};
        for (size_t symbol = 0; symbol < bytes->symbols; symbol++) {
            way[symbol] = next->class_of[bytes->next[symbol][state]];
        }
        uint8_t class = 0;
        while (class < level->classes && memcmp(level->ways[class], way, sizeof way) != 0) class ++;
        if (class == level_classes) return false;
        if (class == level->classes) memcpy(level->ways[level->classes++], way, sizeof way);
        level->class_of[state] = class;
    }
    return true;
}

/* How many places are used from `place` on, of as many as there are classes. */
static size_t shared_places(unsigned used, unsigned place, unsigned classes)
{
    return used - place < classes ? used - place : classes;
}

/* Makes the tables of one step, level_tables of them, and returns how many places they have, with one behind the last that is 0;
 * 0: there are not enough. Symbols share the places where they lead classes the same way. */
static unsigned make_step(const byte_automaton *bytes, const level_maker *level, level_step *step,
                          uint8_t (*tables)[level_entries])
{
    memset(step->place_of, level_no_place, sizeof step->place_of);
    memset(tables, 0, level_tables * sizeof *tables);
    uint8_t *places = tables[0];
    unsigned used = 0;
    for (size_t symbol = 0; symbol < bytes->symbols; symbol++) {
        uint8_t part[level_classes];
        unsigned any = 0;
        for (size_t class = 0; class < level->classes; class ++) any |= part[class] = level->ways[class][symbol];
        if (any == 0) continue;
        unsigned place = 0;
        while (place < used && memcmp(places + place, part, shared_places(used, place, level->classes)) != 0) place++;
        if (place + level->classes > used) {
            used = place + level->classes;
            if (used > level_no_place) return 0;
            memcpy(places + place, part, level->classes);
        }
        step->place_of[symbol] = (uint8_t)place;
    }
    return used + 1;
}

/* As many tables as a step is made for: see assay_shuffle_dfa_avx2.h and assay_shuffle_dfa_avx512.h. */
static uint8_t tables_for(const assay_levels *levels, unsigned places)
{
    if (levels->entries == level_wide_entries) return places <= 64 ? 4 : places <= 128 ? 8 : 16;
    const unsigned tables = places == 1 ? 1 : (places - 1 + level_entries - 1) / level_entries;
    return (uint8_t)(tables <= level_few_tables ? tables : (tables + 3) / 4 * 4);
}

/* Of each table but the first only what it has otherwise than the one before. */
static void keep_differences(uint8_t (*tables)[level_entries], size_t count)
{
    for (size_t number = count - 1; number > 0; number--) {
        for (size_t i = 0; i < level_entries; i++) tables[number][i] ^= tables[number - 1][i];
    }
}

/* What a step of a stretch costs, in tables. */
static size_t cost_of_step(const assay_levels *levels, size_t stretch)
{
    const uint8_t tables = levels->tables_of[stretch];
    const bool has_prefixes = levels->prefixes.count > 0;
    if (levels->entries == level_narrow_entries) return tables + (has_prefixes ? (size_t)tables_of_prefixes : 0);
    return (tables <= wide_few_tables ? (size_t)1 : 2) + (has_prefixes ? (size_t)wide_steps_of_prefixes : 0);
}

/* Makes all steps for values of at most `longest` bytes. Returns how many tables they have, or 0 if some level has too many
 * classes, or all together too many tables. */
static size_t make_steps(const byte_automaton *bytes, size_t longest, bool (*present)[states_max], assay_levels *levels)
{
    find_present(bytes, longest, present);
    level_maker next = {.classes = 0}, before_next = {.classes = 0};
    make_last_level(bytes->automaton, &next);
    memset(levels->steps[0].start, next.class_of[bytes->start], level_entries);
    memset(levels->tables_of, 0, sizeof levels->tables_of);
    const size_t most_cost = longest * (size_t)most_tables_on_average;
    size_t cost = 0;
    unsigned places = 0;
    for (size_t number = 1; number <= longest; number++) {
        level_step *step = &levels->steps[number];
        uint8_t(*tables)[level_entries] = levels->tables + number * level_tables;
        uint8_t *stretch = &levels->tables_of[(number - 1) / level_stretch];
        if (number > 1 && memcmp(present[number], present[number - 1], sizeof *present) == 0 &&
            memcmp(next.class_of, before_next.class_of, sizeof next.class_of) == 0) {
            /* From the same classes comes the same step as before. Most levels of most automata are like this. */
            *step = step[-1];
            memcpy(tables, tables - level_tables, level_tables * sizeof *tables);
        } else {
            level_maker level;
            if (!find_classes(bytes, present[number], &next, &level)) return 0;
            places = make_step(bytes, &level, step, tables);
            if (places == 0) return 0;
            memset(step->start, level.class_of[bytes->start], level_entries);
            before_next = next;
            next = level;
        }
        if (tables_for(levels, places) > *stretch) *stretch = tables_for(levels, places);
        if (number % level_stretch == 0) cost += level_stretch * cost_of_step(levels, (number - 1) / level_stretch);
        if (cost > most_cost) return 0;
    }
    /* Together now, so that they take little of a cache. */
    size_t used = 0;
    for (size_t number = 1; number <= longest; number++) {
        const size_t count = levels->tables_of[(number - 1) / level_stretch];
        memmove(levels->tables + used, levels->tables + number * level_tables, count * sizeof *levels->tables);
        if (levels->entries == level_narrow_entries && count <= level_few_tables) {
            keep_differences(levels->tables + used, count);
        }
        levels->steps[number].first_table = (uint16_t)used;
        used += count;
    }
    levels->longest = (uint8_t)longest;
    return used;
}

/* Levels from the state on that `prefixes` lead to, if there are any, for values of at least `least` bytes. NULL: too many
 * classes, or no memory. */
static assay_levels *create_behind(const assay_automaton *automaton, uint8_t entries, assay_prefixes prefixes,
                                   size_t least)
{
    byte_automaton bytes = {
        .automaton = automaton,
        .start = prefixes.count > 0 ? prefixes.state : automaton->start,
    };
    find_reached(&bytes);
    if (!find_symbols(&bytes)) return NULL;
    const size_t most_tables = (level_longest + 1) * (size_t)level_tables;
    assay_levels *levels = calloc(1, sizeof *levels + most_tables * sizeof *levels->tables);
    bool(*present)[states_max] = malloc((level_longest + 1) * sizeof *present);
    size_t tables = 0;
    if (levels != NULL) levels->entries = entries;
    if (levels != NULL && present != NULL && map_bytes(&bytes, levels)) {
        levels->prefixes = prefixes;
        levels->only_ascii = has_way_beyond_ascii(automaton);
        for (size_t longest = level_longest; longest >= least && tables == 0; longest -= level_stretch) {
            tables = make_steps(&bytes, longest, present, levels);
        }
    }
    free(present);
    if (tables == 0) {
        free(levels);
        return NULL;
    }
    assay_levels *smaller = realloc(levels, sizeof *levels + tables * sizeof *levels->tables);
    return smaller == NULL ? levels : smaller;
}

/* In tables of all stretches. */
static size_t cost_of(const assay_levels *levels)
{
    size_t cost = 0;
    for (size_t stretch = 0; stretch < levels->longest / level_stretch; stretch++) {
        cost += cost_of_step(levels, stretch);
    }
    return cost;
}

/* Frees the other. NULL is worse than any. */
static assay_levels *better_of(assay_levels *one, assay_levels *other)
{
    const bool is_other = other != NULL && (one == NULL || other->longest > one->longest ||
                                            (other->longest == one->longest && cost_of(other) < cost_of(one)));
    free(is_other ? one : other);
    return is_other ? other : one;
}

assay_levels *assay_levels_create(const assay_automaton *automaton, uint8_t entries)
{
    const assay_prefixes prefixes = assay_prefixes_find(automaton);
    const assay_prefixes none = {.count = 0};
    const size_t least = level_stretch;
    if (prefixes.count == 0) return create_behind(automaton, entries, none, least);
    if (entries == level_wide_entries) {
        assay_levels *whole = create_behind(automaton, entries, none, least);
        if (whole != NULL && whole->longest == level_longest) return whole;
        return better_of(whole, create_behind(automaton, entries, prefixes, whole == NULL ? least : whole->longest));
    }
    assay_levels *behind = create_behind(automaton, entries, prefixes, least);
    return better_of(behind, create_behind(automaton, entries, none, behind == NULL ? least : behind->longest));
}
