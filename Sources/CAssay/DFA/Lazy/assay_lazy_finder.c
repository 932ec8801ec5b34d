/* Properties of matches: the bytes of their classes, their maximum length, and the bytes at their beginning and end. */
#include "DFA/Lazy/assay_lazy_finder.h"

#include "Memory/assay_grow.h"

#include <string.h>

enum {
    /* The maximum number of passes over the instructions. Edges mostly lead to lower numbers, so one or two suffice. */
    PASSES_MAX = 16,
    NEXT_MAX = 512,
    /* The limits of a list of windows: their number, the bytes that a place may have, and the instructions visited. */
    WINDOWS_MAX = 1 << 15,
    CHOICES_MAX = 8,
    VISITED_MAX = 1 << 19,
};

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

/* Adds the characters of a block above U+FFFF. */
static void add_block_above(class_bytes *bytes, size_t page, size_t block, uint64_t characters)
{
    bytes->has[4] = true;
    set_add(bytes->sets[4][0], 0xF0 | page >> 6);
    set_add(bytes->sets[4][1], 0x80 | (page & 0x3F));
    set_add(bytes->sets[4][2], 0x80 | block);
    bytes->sets[4][3][2] |= characters;
}

/* Returns the characters of a row of stage2 that are in a class. */
static uint64_t characters_of(const assay_alphabet *alphabet, size_t row, uint32_t label)
{
    uint64_t characters = 0;
    for (size_t i = 0; i < block_characters; i++) {
        const uint8_t symbol = alphabet->stage2[row * block_characters + i];
        if (assay_alphabet_is_in(alphabet, symbol, label)) characters |= UINT64_C(1) << i;
    }
    return characters;
}

/* Adds the characters of a class above U+FFFF. Consecutive equal pages and blocks are examined once. */
static void add_above(class_bytes *bytes, const assay_alphabet *alphabet, uint32_t label)
{
    const size_t first = first_above / block_characters / page_blocks;
    uint64_t blocks[page_blocks];
    bool is_empty = false;
    for (size_t page = first; page < character_pages; page++) {
        if (page == first || alphabet->page_of[page] != alphabet->page_of[page - 1]) {
            const uint16_t *rows = alphabet->stage1 + character_blocks + alphabet->page_of[page] * (size_t)page_blocks;
            is_empty = true;
            for (size_t block = 0; block < page_blocks; block++) {
                const bool is_same = block > 0 && rows[block] == rows[block - 1];
                blocks[block] = is_same ? blocks[block - 1] : characters_of(alphabet, rows[block], label);
                is_empty &= blocks[block] == 0;
            }
        }
        for (size_t block = 0; block < page_blocks && !is_empty; block++) {
            if (blocks[block] != 0) add_block_above(bytes, page, block, blocks[block]);
        }
    }
}

const class_bytes *lazy_bytes_of(finder *in, uint32_t label)
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
            characters = characters_of(alphabet, row, label);
        }
        if (characters != 0) add_block(bytes, block, characters);
    }
    add_above(bytes, alphabet, label);
    for (size_t length = 1; length <= 4; length++) {
        for (size_t i = 0; bytes->has[length] && i < length; i++) set_unite(bytes->any, bytes->sets[length][i]);
    }
    return bytes;
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

/* Bytes that are not ASCII are rare as a whole:
 * most texts either have very few such bytes, or are in another script, and then skips soon end. */
double lazy_chance_of_set(const uint64_t set[4])
{
    uint32_t sum = 0;
    uint32_t non_ascii = 0;
    for (size_t word = 0; word < 2; word++) {
        for (uint64_t left = set[word]; left != 0; left &= left - 1) {
            sum += frequency(64 * word + (size_t)__builtin_ctzll(left));
        }
        non_ascii += (uint32_t)__builtin_popcountll(set[2 + word]);
    }
    sum += non_ascii < NON_ASCII_MAX ? non_ascii : NON_ASCII_MAX;
    return sum < FREQUENCIES ? sum / (double)FREQUENCIES : 1;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The graph
 * ------------------------------------------------------------------------------------------------------------- */

void lazy_find_next(finder *in, uint32_t from)
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

static size_t longest_character(const class_bytes *bytes)
{
    for (size_t length = 4; length > 0; length--) {
        if (bytes->has[length]) return length;
    }
    return 0;
}

/* Returns the maximum length in bytes of the text between two consecutive instructions that each match passes;
 * SIZE_MAX: unbounded, because a loop is between them. */
size_t lazy_longest_between(finder *in, uint32_t from, uint32_t to, uint32_t segment)
{
    enum { NEW, OPEN, DONE };
    uint32_t depth = 0;
    in->stack[depth++] = (visit){from, 0};
    in->color[from] = OPEN;
    in->longest[from] = 0;
    while (depth > 0) {
        visit *top = &in->stack[depth - 1];
        const uint32_t item = top->item;
        const uint32_t next = lazy_edge(in, item, top->edge);
        if (next == regex_none) {
            if (in->code[item].kind == THOMPSON_CLASS) {
                in->longest[item] += longest_character(lazy_bytes_of(in, in->code[item].label));
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

void lazy_measure(finder *in, size_t *max, uint64_t any[4])
{
    memset(any, 0, 4 * sizeof *any);
    for (uint32_t item = 0; item < in->count; item++) {
        in->segment[item] = 1;
        in->color[item] = 0;
        if (in->code[item].kind == THOMPSON_CLASS) set_unite(any, lazy_bytes_of(in, in->code[item].label)->any);
    }
    *max = lazy_longest_between(in, in->start, in->match, 1);
}

/* ---------------------------------------------------------------------------------------------------------------
 * The end of a match
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether an instruction is the assertion $ without the option m, which holds only at the end of the value. */
static bool is_end(const finder *in, const assay_regex *regex, uint32_t item)
{
    if (in->code[item].kind != THOMPSON_ASSERTION) return false;
    const regex_assertion *it = &regex->assertions[in->code[item].label];
    return it->negated && it->behind == regex_none && it->ahead == regex->any && regex->any != regex_none;
}

bool lazy_ends_at_end(finder *in, const assay_regex *regex)
{
    uint8_t *reaches = in->color; /* by instruction: 1: reaches the match without a character or the end of the value */
    memset(reaches, 0, in->count);
    reaches[in->match] = 1;
    bool is_new = true;
    for (uint32_t pass = 0; is_new; pass++) {
        if (pass == PASSES_MAX) return false;
        is_new = false;
        for (uint32_t item = 0; item < in->count; item++) {
            for (uint32_t edge = 0; edge < 2 && reaches[item] == 0; edge++) {
                const uint32_t to = lazy_edge(in, item, edge);
                if (to == regex_none || reaches[to] == 0 || is_end(in, regex, item)) continue;
                if (in->code[item].kind == THOMPSON_CLASS) return false;
                reaches[item] = 1;
                is_new = true;
            }
        }
    }
    return reaches[in->start] == 0;
}

/* Marks the instructions with exactly `depth` bytes to the end of a match that are reached without reading a byte.
 * Returns false if that takes too many passes. */
static bool mark_empty_steps(finder *in, uint8_t *depths, uint32_t depth)
{
    bool is_new = true;
    for (uint32_t pass = 0; is_new; pass++) {
        if (pass == PASSES_MAX) return false;
        is_new = false;
        for (uint32_t item = 0; item < in->count; item++) {
            if ((depths[item] >> depth & 1) != 0 || in->code[item].kind == THOMPSON_CLASS) continue;
            for (uint32_t edge = 0; edge < 2; edge++) {
                const uint32_t to = lazy_edge(in, item, edge);
                if (to == regex_none || (depths[to] >> depth & 1) == 0) continue;
                depths[item] |= (uint8_t)(1u << depth);
                is_new = true;
            }
        }
    }
    return true;
}

/*     [a-z]+(?:ing|ed) #     bytes to the end   1    2    3    4
 *                            sets               #  blank g d  n e */
bool lazy_find_suffix(finder *in, prefix *suffix)
{
    uint64_t sets[prefix_bytes][4] = {{0}}; /* by the number of bytes after them */
    uint8_t *depths = in->color;            /* by instruction: bit d: a match can end d bytes later */
    memset(depths, 0, in->count);
    depths[in->match] = 1;
    uint32_t count = prefix_bytes;
    for (uint32_t depth = 0; depth < count; depth++) {
        if (!mark_empty_steps(in, depths, depth)) return false;
        if ((depths[in->start] >> depth & 1) != 0) count = depth;
        for (uint32_t item = 0; item < in->count && depth < count; item++) {
            const thompson_instruction *at = &in->code[item];
            if (at->kind != THOMPSON_CLASS || (depths[at->next] >> depth & 1) == 0) continue;
            const class_bytes *bytes = lazy_bytes_of(in, at->label);
            for (uint32_t length = 1; length <= 4; length++) {
                if (!bytes->has[length]) continue;
                for (uint32_t k = 0; k < length && depth + k < prefix_bytes; k++) {
                    set_unite(sets[depth + k], bytes->sets[length][length - 1 - k]);
                }
                if (depth + length < prefix_bytes) depths[item] |= (uint8_t)(1u << (depth + length));
            }
        }
    }
    *suffix = (prefix){.count = count};
    for (uint32_t i = 0; i < count; i++) memcpy(suffix->sets[i], sets[count - 1 - i], sizeof sets[0]);
    return count > 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The beginning of a match
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct collector {
    finder *in;
    lazy_windows *windows;
    uint32_t visited;
} collector;

static bool collect(collector *to, uint32_t from, uint64_t bytes, uint32_t length);

static bool append_window(lazy_windows *windows, uint64_t bytes)
{
    if (windows->count == WINDOWS_MAX) return false;
    if (!assay_grow(&windows->items, &windows->capacity, sizeof *windows->items, windows->count + 1)) return false;
    windows->items[windows->count++] = bytes;
    return true;
}

/* Adds lazy_grams_fold to each byte of a set. */
static void fold_set(const uint64_t set[4], uint64_t folded[4])
{
    for (int i = 0; i < 4; i++) folded[i] = (set[i] | set[i] << lazy_grams_fold) & UINT64_C(0xFFFFFFFF00000000);
}

/* Appends the bytes of a class from place `k` of its characters of `size` bytes on. Recursion is at most
 * lazy_window_max deep, together with that of collect. */
static bool collect_character(collector *to, const class_bytes *of, uint32_t size, uint32_t k, uint32_t next,
                              uint64_t bytes, uint32_t length)
{
    if (length == to->windows->bytes) return append_window(to->windows, bytes);
    if (k == size) return collect(to, next, bytes, length);
    uint64_t folded[4];
    fold_set(of->sets[size][k], folded);
    uint32_t choices = 0;
    for (uint32_t word = 0; word < 4; word++) {
        for (uint64_t rest = folded[word]; rest != 0; rest &= rest - 1) {
            const uint64_t byte = 64 * word + (uint64_t)__builtin_ctzll(rest);
            if (++choices > CHOICES_MAX) return false;
            if (!collect_character(to, of, size, k + 1, next, bytes | byte << (8 * length), length + 1)) return false;
        }
    }
    return true;
}

static bool collect(collector *to, uint32_t from, uint64_t bytes, uint32_t length)
{
    lazy_find_next(to->in, from);
    const uint32_t count = to->in->set->found_count;
    to->visited += count;
    if (count > NEXT_MAX || to->visited > VISITED_MAX) return false;
    uint32_t found[NEXT_MAX];
    memcpy(found, to->in->set->found, count * sizeof *found);
    for (uint32_t i = 0; i < count; i++) {
        const thompson_instruction *at = &to->in->code[found[i]];
        if (at->kind == THOMPSON_MATCH) return false;
        if (at->kind != THOMPSON_CLASS) continue;
        const class_bytes *of = lazy_bytes_of(to->in, at->label);
        for (uint32_t size = 1; size <= 4; size++) {
            if (of->has[size] && !collect_character(to, of, size, 0, at->next, bytes, length)) return false;
        }
    }
    return true;
}

bool lazy_collect_windows(finder *in, lazy_windows *windows)
{
    for (windows->bytes = lazy_window_max; windows->bytes >= lazy_window_min; windows->bytes--) {
        windows->count = 0;
        collector to = {.in = in, .windows = windows};
        if (collect(&to, in->start, 0, 0)) return windows->count > 0;
    }
    return false;
}

double lazy_chance_of_windows(const lazy_windows *windows, uint32_t from, uint32_t bytes)
{
    double chances[256];
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint64_t set[4] = {0};
        set_add(set, byte);
        set_add(set, byte & ~(uint32_t)lazy_grams_fold);
        chances[byte] = lazy_chance_of_set(set);
    }
    double sum = 0;
    for (size_t i = 0; i < windows->count; i++) {
        double chance = 1;
        for (uint32_t k = from; k < from + bytes; k++) chance *= chances[windows->items[i] >> (8 * k) & 0xFF];
        sum += chance;
    }
    return sum < 1 ? sum : 1;
}
