/* Finds the filter of a search: bytes that every match contains, so that SIMD can skip text without them.
 *
 *     \b[a-z]+@example\.(?:com|org)        the automaton; = marks the instructions on every path to the match:
 *
 *        = ── [a-z] ── = ── = ── = ── … ── = ─┬ c o m ┬ =
 *             loop     @    e    x         .  └ o r g ┘
 *                      ▲ the first four bytes from here on: "@exa"; before them, any number of a to z
 *
 * Every match passes the marked instructions. Each instruction is tried as the beginning of the filter's bytes, and the
 * rarest bytes are chosen. Assertions and look-arounds count as holding everywhere, because a filter may find places
 * without a match, but must not miss a match. */
#include "DFA/Lazy/assay_lazy_program.h"

#include <stdlib.h>
#include <string.h>

enum {
    PREFIXES_MAX = 128,
    SOURCES_MAX = 16,
    /* Larger automata usually consist of many words, which share only their beginning. */
    INSTRUCTIONS_MAX = 1 << 14,
    /* The maximum number of instructions to try, and of prefixes in all trials. */
    TRIALS_MAX = 64,
    TRIAL_PREFIXES_MAX = 1024,
    /* A filter that stops more often than once in 16 bytes costs more than it saves. */
    RARE = 16,
    /* After unbounded text, a candidate costs a run from the beginning of that text, so the bytes must be rarer by this
     * factor. */
    UNBOUNDED_COST = 4,
};

/* The bytes that begin some texts: one of sets[0], then one of sets[1] …, for `count` bytes; any byte after those. */
typedef struct prefix {
    uint64_t sets[prefix_bytes][4];
    uint32_t count;
} prefix;

typedef struct prefix_list {
    prefix items[PREFIXES_MAX];
    uint32_t count;
} prefix_list;

/* The UTF-8 of the characters of a class, by their number of bytes: the bytes in each place. */
typedef struct class_bytes {
    bool is_filled;
    bool has[5];
    uint64_t sets[5][4][4];
    uint64_t any[4];
} class_bytes;

/* Bytes that each match contains if it takes a certain path through the automaton. */
typedef struct factor {
    prefix_list prefixes;
    double chance; /* their frequency per byte of text */
    size_t before_max;
    bool is_exact; /* exactly before_max bytes are before them */
    uint64_t before[4];
} factor;

/* A step of a depth-first search. */
typedef struct visit {
    uint32_t item;
    uint32_t edge;
} visit;

typedef struct finder {
    const automaton_symbols *symbols;
    const thompson_instruction *code;
    uint32_t count;
    uint32_t match;
    instruction_set *set;
    class_bytes *classes; /* by label */
    uint32_t *parent;     /* by instruction, for the path */
    uint32_t *path;
    uint32_t path_count;
    uint32_t *place;   /* by instruction: 1 + its place in the path; 0: not in the path */
    uint32_t *segment; /* by instruction: the part of the path that reached it; 0: not reached */
    size_t *longest;   /* by instruction: bytes from there to the end of its segment */
    uint8_t *color;
    visit *stack;
    uint32_t prefixes_left;
    prefix_list trial;
} finder;

static bool set_has(const uint64_t set[4], size_t byte) { return (set[byte / 64] >> (byte % 64) & 1) != 0; }

static void set_add(uint64_t set[4], size_t byte) { set[byte / 64] |= UINT64_C(1) << (byte % 64); }

static void set_unite(uint64_t set[4], const uint64_t other[4])
{
    for (int i = 0; i < 4; i++) set[i] |= other[i];
}

/* ---------------------------------------------------------------------------------------------------------------
 * Classes
 * ------------------------------------------------------------------------------------------------------------- */

/* Adds the characters of a block, as one bit each. They differ only in their last byte. */
static void add_block(class_bytes *bytes, size_t block, uint64_t characters)
{
    if (block < ascii_blocks) {
        bytes->has[1] = true;
        bytes->sets[1][0][block] |= characters;
    } else if (block < 0x800 / block_characters) {
        bytes->has[2] = true;
        set_add(bytes->sets[2][0], 0xC0 | block);
        bytes->sets[2][1][2] |= characters; /* 80 to BF */
    } else {
        bytes->has[3] = true;
        set_add(bytes->sets[3][0], 0xE0 | block >> 6);
        set_add(bytes->sets[3][1], 0x80 | (block & 0x3F));
        bytes->sets[3][2][2] |= characters;
    }
}

static const class_bytes *bytes_of(finder *in, uint32_t label)
{
    class_bytes *bytes = &in->classes[label];
    if (bytes->is_filled) return bytes;
    bytes->is_filled = true;
    const assay_alphabet *alphabet = &in->symbols->alphabet;
    size_t row = SIZE_MAX;
    uint64_t characters = 0;
    for (size_t block = 0; block < character_blocks; block++) {
        if (alphabet->stage1[block] != row) {
            row = alphabet->stage1[block];
            characters = 0;
            for (size_t i = 0; i < block_characters; i++) {
                const uint8_t symbol = alphabet->stage2[row * block_characters + i];
                if (assay_alphabet_is_in(alphabet, symbol, label)) characters |= UINT64_C(1) << i;
            }
        }
        if (characters != 0) add_block(bytes, block, characters);
    }
    if (assay_alphabet_is_in(alphabet, alphabet->above_bmp, label)) {
        bytes->has[4] = true;
        for (size_t lead = 0xF0; lead <= 0xF4; lead++) set_add(bytes->sets[4][0], lead);
        for (int i = 1; i < 4; i++) bytes->sets[4][i][2] = UINT64_MAX;
    }
    for (size_t length = 1; length <= 4; length++) {
        for (size_t i = 0; bytes->has[length] && i < length; i++) set_unite(bytes->any, bytes->sets[length][i]);
    }
    return bytes;
}

static size_t longest_character(const class_bytes *bytes)
{
    for (size_t length = 4; length > 0; length--) {
        if (bytes->has[length]) return length;
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Prefixes from one instruction on
 * ------------------------------------------------------------------------------------------------------------- */

/* Fills the set with the instructions that read the next character after `from`, or match. Conditions count as holding. */
static void find_next(finder *in, uint32_t from)
{
    assay_instruction_set_clear(in->set);
    assay_instruction_set_add(in->set, in->code, from);
    for (uint32_t i = 0; i < in->set->found_count; i++) {
        const thompson_instruction *at = &in->code[in->set->found[i]];
        switch ((thompson_kind)at->kind) {
        case THOMPSON_ASSERTION:
        case THOMPSON_LOOKBEHIND:
        case THOMPSON_LOOKAHEAD:
            assay_instruction_set_add(in->set, in->code, at->next);
            break;
        case THOMPSON_CLASS:
        case THOMPSON_SPLIT:
        case THOMPSON_MATCH:
        case THOMPSON_BEHIND:
            break;
        }
    }
}

static bool emit(finder *in, const prefix *found)
{
    if (in->trial.count == PREFIXES_MAX || in->prefixes_left == 0) return false;
    in->prefixes_left--;
    in->trial.items[in->trial.count++] = *found;
    return true;
}

/* Adds the prefixes from an instruction on, after those of `before`. Returns false if there are too many. Recursion is at
   most prefix_bytes deep. */
static bool extend(finder *in, const prefix *before, uint32_t from)
{
    if (before->count == prefix_bytes) return emit(in, before);
    find_next(in, from);
    const uint32_t count = in->set->found_count;
    if (count > 4 * PREFIXES_MAX) return false;
    uint32_t next[4 * PREFIXES_MAX];
    memcpy(next, in->set->found, count * sizeof *next);
    for (uint32_t i = 0; i < count; i++) {
        const thompson_instruction *at = &in->code[next[i]];
        if (at->kind == THOMPSON_MATCH && !emit(in, before)) return false;
        if (at->kind != THOMPSON_CLASS) continue;
        const class_bytes *bytes = bytes_of(in, at->label);
        for (size_t length = 1; length <= 4; length++) {
            if (!bytes->has[length]) continue;
            prefix longer = *before;
            for (size_t k = 0; k < length && longer.count < prefix_bytes; k++) {
                memcpy(longer.sets[longer.count++], bytes->sets[length][k], sizeof longer.sets[0]);
            }
            if (!extend(in, &longer, at->next)) return false;
        }
    }
    return true;
}

/* The rough frequency of a byte in English texts and logs, in units of 1/FREQUENCIES. */
enum { FREQUENCIES = 3072, UPPER_CASE = 24, DIGIT = 96, NON_ASCII_MAX = 10 };
static const uint16_t lower_case[26] = {188, 34,  64, 99, 292, 51,  46,  140, 161, 6,  18, 92, 55,
                                        154, 172, 44, 6,  138, 145, 209, 64,  23,  55, 6,  46, 6};

static uint32_t frequency(size_t byte)
{
    if (byte >= 'a' && byte <= 'z') return lower_case[byte - 'a'];
    if (byte >= '0' && byte <= '9') return DIGIT;
    if (byte >= 'A' && byte <= 'Z') return UPPER_CASE;
    if (byte < 0x20) return byte == '\n' ? 48 : 12;
    switch (byte) {
    case ' ':
        return 512;
    case '.':
    case ',':
    case '-':
    case ':':
    case '/':
    case '"':
        return 48;
    case '_':
    case '=':
    case '(':
    case ')':
    case '\'':
        return 24;
    default:
        return 8;
    }
}

/* Returns the probability that a place in a text has a byte of a set. Bytes that are not ASCII are rare as a whole:
 * mostly, a text has almost none of them, or it is in another script, and the skips end soon. */
static double chance_of_set(const uint64_t set[4])
{
    uint32_t sum = 0;
    uint32_t non_ascii = 0;
    for (size_t byte = 0; byte < 128; byte++) {
        if (set_has(set, byte)) sum += frequency(byte);
    }
    for (size_t byte = 128; byte < 256; byte++) non_ascii += set_has(set, byte) ? 1 : 0;
    sum += non_ascii < NON_ASCII_MAX ? non_ascii : NON_ASCII_MAX;
    return sum < FREQUENCIES ? sum / (double)FREQUENCIES : 1;
}

/* Returns the probability that one of the prefixes is at a place. Prefixes may overlap, so the sum of their
 * probabilities is only one bound; another is the probability of any of their bytes in each position. */
static double chance_of(const prefix_list *prefixes)
{
    double chance = 0;
    uint64_t any[prefix_bytes][4] = {{0}};
    uint32_t shortest = prefix_bytes;
    for (uint32_t i = 0; i < prefixes->count; i++) {
        const prefix *it = &prefixes->items[i];
        double here = 1;
        for (uint32_t k = 0; k < it->count; k++) {
            here *= chance_of_set(it->sets[k]);
            set_unite(any[k], it->sets[k]);
        }
        chance += here;
        if (it->count < shortest) shortest = it->count;
    }
    double bound = 1;
    for (uint32_t k = 0; k < shortest; k++) bound *= chance_of_set(any[k]);
    return chance < bound ? chance : bound;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Instructions that every match passes
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns edge 0 or 1 of an instruction, or regex_none. */
static uint32_t edge_of(const finder *in, uint32_t item, uint32_t number)
{
    const thompson_instruction *at = &in->code[item];
    if (at->kind == THOMPSON_MATCH || number > 1) return regex_none;
    if (number == 0) return at->next;
    return at->kind == THOMPSON_SPLIT ? at->other : regex_none;
}

/* Finds a path from `source` to the match, breadth first. Returns false if there is no path. */
static bool find_path(finder *in, uint32_t source)
{
    memset(in->place, 0, in->count * sizeof *in->place);
    for (uint32_t i = 0; i < in->count; i++) in->parent[i] = regex_none;
    uint32_t *queue = in->path;
    uint32_t end = 0;
    in->parent[source] = source;
    queue[end++] = source;
    for (uint32_t i = 0; i < end && in->parent[in->match] == regex_none; i++) {
        for (uint32_t edge = 0; edge < 2; edge++) {
            const uint32_t to = edge_of(in, queue[i], edge);
            if (to == regex_none || in->parent[to] != regex_none) continue;
            in->parent[to] = queue[i];
            queue[end++] = to;
        }
    }
    if (in->parent[in->match] == regex_none) return false;
    uint32_t count = 1;
    for (uint32_t at = in->match; at != source; at = in->parent[at]) count++;
    in->path_count = count;
    for (uint32_t at = in->match; count > 0; at = in->parent[at]) {
        in->path[--count] = at;
        in->place[at] = count + 1;
    }
    return true;
}

/* Marks the instructions that are reachable from an instruction of the path without passing another instruction of the
 * path, adds the bytes that they read, and returns the last reachable place of the path. */
static uint32_t explore(finder *in, uint32_t from, uint32_t segment, uint64_t bytes[4])
{
    uint32_t far = in->place[from] - 1;
    uint32_t depth = 0;
    in->segment[from] = segment;
    in->stack[depth++] = (visit){from, 0};
    while (depth > 0) {
        visit *top = &in->stack[depth - 1];
        if (top->edge == 0 && in->code[top->item].kind == THOMPSON_CLASS) {
            set_unite(bytes, bytes_of(in, in->code[top->item].label)->any);
        }
        const uint32_t to = edge_of(in, top->item, top->edge++);
        if (to == regex_none) {
            depth--;
        } else if (in->place[to] > 0) {
            if (in->place[to] - 1 > far) far = in->place[to] - 1;
        } else if (in->segment[to] == 0) {
            in->segment[to] = segment;
            in->stack[depth++] = (visit){to, 0};
        }
    }
    return far;
}

/* Returns the maximum length in bytes of the text between two consecutive instructions that each match passes;
 * SIZE_MAX: unbounded, because a loop is between them. */
static size_t longest_between(finder *in, uint32_t from, uint32_t to, uint32_t segment)
{
    enum { NEW, OPEN, DONE };
    uint32_t depth = 0;
    in->stack[depth++] = (visit){from, 0};
    in->color[from] = OPEN;
    in->longest[from] = 0;
    while (depth > 0) {
        visit *top = &in->stack[depth - 1];
        const uint32_t item = top->item;
        const uint32_t next = edge_of(in, item, top->edge);
        if (next == regex_none) {
            if (in->code[item].kind == THOMPSON_CLASS) {
                in->longest[item] += longest_character(bytes_of(in, in->code[item].label));
            }
            in->color[item] = DONE;
            depth--;
            continue;
        }
        if (next != to) {
            if (in->segment[next] != segment || in->color[next] == OPEN) return SIZE_MAX;
            if (in->color[next] == NEW) {
                in->color[next] = OPEN;
                in->longest[next] = 0;
                in->stack[depth++] = (visit){next, 0};
                continue;
            }
            if (in->longest[next] > in->longest[item]) in->longest[item] = in->longest[next];
        }
        top->edge++;
    }
    return in->longest[from];
}

/* Whether the text between two consecutive instructions that each match passes always has the same length: it is empty,
 * or one character of a class whose characters have equally many bytes. */
static bool has_one_length(finder *in, uint32_t from, uint32_t to)
{
    const thompson_instruction *at = &in->code[from];
    if (at->kind == THOMPSON_SPLIT || at->next != to) return false;
    if (at->kind != THOMPSON_CLASS) return true;
    const bool *has = bytes_of(in, at->label)->has;
    return has[1] + has[2] + has[3] + has[4] == 1;
}

/* Tries the bytes from an instruction on, and keeps them if they are rarer than those of *best. */
static void try_instruction(finder *in, uint32_t item, size_t before_max, bool is_exact, const uint64_t before[4],
                            factor *best)
{
    const prefix empty = {.count = 0};
    in->trial.count = 0;
    if (!extend(in, &empty, item)) return;
    double chance = chance_of(&in->trial);
    if (before_max == SIZE_MAX) chance *= UNBOUNDED_COST;
    if (chance >= best->chance) return;
    best->prefixes = in->trial;
    best->chance = chance;
    best->before_max = before_max;
    best->is_exact = is_exact;
    memcpy(best->before, before, sizeof best->before);
}

/* Finds the rarest bytes of each match that begins at `source`. Returns false if there are no such bytes. */
static bool find_factor(finder *in, uint32_t source, factor *best)
{
    best->chance = 2;
    if (!find_path(in, source)) return false;
    memset(in->segment, 0, in->count * sizeof *in->segment);
    memset(in->color, 0, in->count * sizeof *in->color);
    uint64_t before[4] = {0};
    size_t before_max = 0;
    bool is_exact = true;
    uint32_t far = 0;
    uint32_t passed = source; /* the last instruction so far that each match passes */
    uint32_t segment = 0;
    uint32_t trials = 0;
    for (uint32_t i = 0; i + 1 < in->path_count && trials < TRIALS_MAX; i++) {
        const uint32_t item = in->path[i];
        if (far == i) {
            is_exact = is_exact && (i == 0 || has_one_length(in, passed, item));
            if (i > 0 && before_max != SIZE_MAX) {
                const size_t more = longest_between(in, passed, item, segment);
                before_max = more == SIZE_MAX ? SIZE_MAX : before_max + more;
            }
            try_instruction(in, item, before_max, is_exact, before, best);
            trials++;
            passed = item;
            segment++;
        }
        const uint32_t reached = explore(in, item, segment, before);
        if (reached > far) far = reached;
    }
    return best->chance < 2;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The filter
 * ------------------------------------------------------------------------------------------------------------- */

static int by_bytes(const void *one, const void *other)
{
    return memcmp(((const prefix *)one)->sets, ((const prefix *)other)->sets, sizeof((const prefix *)one)->sets);
}

/* Returns the probability that the tables from `first` to `end` - 1 stop at a place. It is higher than that of the
 * prefixes, because a bucket mixes their nibbles. Buckets are treated here like prefixes in chance_of. */
static double chance_of_stop(const assay_prefix_filter *filter, uint32_t first, uint32_t end)
{
    double chance = 0;
    double bound = 1;
    for (unsigned bucket = 0; bucket <= prefix_buckets; bucket++) {
        const unsigned mask = bucket < prefix_buckets ? 1u << bucket : (1u << prefix_buckets) - 1;
        double here = 1;
        for (uint32_t table = first; table < end; table++) {
            uint64_t set[4] = {0};
            for (size_t byte = 0; byte < 256; byte++) {
                if ((filter->lower[table][byte % 16] & filter->upper[table][byte / 16] & mask) != 0) set_add(set, byte);
            }
            here *= chance_of_set(set);
        }
        if (bucket < prefix_buckets) {
            chance += here;
        } else {
            bound = here;
        }
    }
    return chance < bound ? chance : bound;
}

static void swap_tables(assay_prefix_filter *filter, uint32_t one, uint32_t other)
{
    const assay_prefix_filter before = *filter;
    filter->place[one] = before.place[other];
    filter->place[other] = before.place[one];
    memcpy(filter->lower[one], before.lower[other], sizeof before.lower[other]);
    memcpy(filter->lower[other], before.lower[one], sizeof before.lower[one]);
    memcpy(filter->upper[one], before.upper[other], sizeof before.upper[other]);
    memcpy(filter->upper[other], before.upper[one], sizeof before.upper[one]);
}

/* A comparison that finds at least the bytes that a table accepts: byte | fold == value. */
typedef struct comparison {
    uint8_t fold;
    uint8_t value;
    double chance; /* that it finds a byte of text */
} comparison;

static comparison comparison_of(const assay_prefix_filter *filter, uint32_t table)
{
    unsigned all = 0xFF;
    unsigned any = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        if ((filter->lower[table][byte % 16] & filter->upper[table][byte / 16]) == 0) continue;
        all &= byte;
        any |= byte;
    }
    const unsigned fold = any & ~all;
    uint64_t found[4] = {0};
    for (unsigned byte = 0; byte < 256; byte++) {
        if ((byte | fold) == any) set_add(found, byte);
    }
    return (comparison){(uint8_t)fold, (uint8_t)any, chance_of_set(found)};
}

/* The time of a block by a first stage, in table lookups. `chance`: of a stop at a place. */
static double cost_of_stage(uint32_t tables, bool compared, double chance)
{
    const double stops = 64 * chance < 1 ? 64 * chance : 1;
    return tables * (compared ? 0.5 : 1) + stops * (1 + prefix_bytes);
}

/* Chooses the first stage, and moves its tables to the front. */
static void choose_stage(assay_prefix_filter *filter)
{
    assay_prefix_filter best = *filter;
    double least = prefix_bytes;
    best.stage = PREFIX_ALL;
    for (uint32_t one = 0; one < prefix_bytes; one++) {
        for (uint32_t other = 0; other < prefix_bytes; other++) {
            assay_prefix_filter tried = *filter;
            swap_tables(&tried, 0, one);
            if (other != one) swap_tables(&tried, 1, other == 0 ? one : other);
            const uint32_t tables = other == one ? 1 : 2;
            double compared = 1;
            for (uint32_t i = 0; i < tables; i++) {
                const comparison it = comparison_of(&tried, i);
                tried.fold[i] = it.fold;
                tried.value[i] = it.value;
                compared *= it.chance;
            }
            const double by_tables = cost_of_stage(tables, false, chance_of_stop(&tried, 0, tables));
            const double by_comparison = cost_of_stage(tables, true, compared);
            const bool compares = by_comparison < by_tables;
            const double cost = compares ? by_comparison : by_tables;
            if (cost >= least) continue;
            least = cost;
            tried.stage = tables == 1 ? (compares ? PREFIX_ONE_COMPARED : PREFIX_ONE)
                                      : (compares ? PREFIX_PAIR_COMPARED : PREFIX_PAIR);
            best = tried;
        }
    }
    *filter = best;
    /* The tables of these places accept any byte, so they may look at another place, within the text. */
    for (uint32_t table = 0; table < prefix_bytes; table++) {
        if (filter->place[table] >= filter->longest) filter->place[table] = 0;
    }
}

static void fill(assay_prefix_filter *filter, const prefix_list *prefixes)
{
    filter->shortest = prefix_bytes;
    for (uint8_t i = 0; i < prefix_bytes; i++) filter->place[i] = i;
    for (uint32_t i = 0; i < prefixes->count; i++) {
        const prefix *it = &prefixes->items[i];
        const uint32_t number = prefixes->count <= prefix_buckets ? i : i * prefix_buckets / prefixes->count;
        const uint8_t bucket = (uint8_t)(1u << number);
        if (it->count < filter->shortest) filter->shortest = (uint8_t)it->count;
        if (it->count > filter->longest) filter->longest = (uint8_t)it->count;
        for (uint32_t position = 0; position < prefix_bytes; position++) {
            for (size_t byte = 0; byte < 256; byte++) {
                if (position < it->count && !set_has(it->sets[position], byte)) continue;
                filter->lower[position][byte % 16] |= bucket;
                filter->upper[position][byte / 16] |= bucket;
            }
        }
    }
}

/* Constructs the filter of a list of prefixes; each match must have at least one. Returns false if the filter would
 * stop too often. */
static bool make_filter(lazy_filter *filter, prefix_list *prefixes)
{
    qsort(prefixes->items, prefixes->count, sizeof *prefixes->items, by_bytes);
    fill(&filter->bytes, prefixes);
    choose_stage(&filter->bytes);
    const double chance =
        chance_of_stop(&filter->bytes, 0, prefix_bytes) * (filter->before_max == SIZE_MAX ? UNBOUNDED_COST : 1);
    return filter->bytes.shortest > 0 && chance * (double)RARE <= 1;
}

/* Finds the instructions at which the paths to the match divide at the beginning. Returns their number; 0: too many. */
static uint32_t find_sources(const finder *in, uint32_t start, uint32_t sources[SOURCES_MAX])
{
    uint32_t count = 1;
    sources[0] = start;
    for (uint32_t i = 0; i < count;) {
        const thompson_instruction *at = &in->code[sources[i]];
        if (at->kind != THOMPSON_SPLIT) {
            i++;
            continue;
        }
        if (count == SOURCES_MAX) return 0;
        /* A loop that may exit immediately leads back to its split. */
        for (uint32_t k = 0; k < count; k++) {
            if (sources[k] == at->next || sources[k] == at->other) return 0;
        }
        sources[count++] = at->other;
        sources[i] = at->next;
    }
    return count;
}

/* Combines the factors of several paths. Returns false if a path has no factor. */
static bool join_factors(finder *in, const uint32_t *sources, uint32_t count, factor *found, prefix_list *joined,
                         lazy_filter *filter)
{
    *filter = (lazy_filter){.is_exact = true};
    joined->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!find_factor(in, sources[i], found)) return false;
        filter->is_exact &= found->is_exact && (i == 0 || found->before_max == filter->before_max);
        if (found->prefixes.count > PREFIXES_MAX - joined->count) return false;
        memcpy(joined->items + joined->count, found->prefixes.items, found->prefixes.count * sizeof *joined->items);
        joined->count += found->prefixes.count;
        if (found->before_max > filter->before_max) filter->before_max = found->before_max;
        set_unite(filter->before, found->before);
    }
    return make_filter(filter, joined);
}

static bool find(finder *in, uint32_t start, factor *found, prefix_list *joined, lazy_filter *filter)
{
    if (join_factors(in, &start, 1, found, joined, filter)) return true;
    uint32_t sources[SOURCES_MAX];
    const uint32_t count = find_sources(in, start, sources);
    return count > 1 && join_factors(in, sources, count, found, joined, filter);
}

bool lazy_find_filter(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part)
{
    const uint32_t count = part->of.nfa.count;
    if (count > INSTRUCTIONS_MAX || part->of.nfa.lookbehind_count > 0) return true;
    if (!assay_instruction_set_reserve(&room->set, count)) return false;
    finder *in = calloc(1, sizeof *in);
    factor *found = malloc(sizeof *found);
    prefix_list *joined = malloc(sizeof *joined);
    class_bytes *classes = calloc(regex_classes_max, sizeof *classes);
    uint32_t *numbers = malloc(count * 4 * sizeof *numbers);
    size_t *longest = malloc(count * sizeof *longest);
    uint8_t *color = malloc(count);
    visit *stack = malloc((count + 1) * sizeof *stack);
    const bool has_room = in != NULL && found != NULL && joined != NULL && classes != NULL && numbers != NULL &&
                          longest != NULL && color != NULL && stack != NULL;
    if (has_room) {
        *in = (finder){
            .symbols = &program->symbols,
            .code = part->of.nfa.code,
            .count = count,
            .match = part->of.nfa.conjuncts[0].match,
            .set = &room->set,
            .classes = classes,
            .parent = numbers,
            .path = numbers + count,
            .place = numbers + 2 * (size_t)count,
            .segment = numbers + 3 * (size_t)count,
            .longest = longest,
            .color = color,
            .stack = stack,
            .prefixes_left = TRIAL_PREFIXES_MAX,
        };
        part->has_filter = find(in, part->of.nfa.conjuncts[0].start, found, joined, &part->filter);
        part->filter.context = part->of.begins_anew ? 0 : 1;
    }
    free(in);
    free(found);
    free(joined);
    free(classes);
    free(numbers);
    free(longest);
    free(color);
    free(stack);
    return has_room;
}
