/* The prefix filter of a search: with which bytes a match may begin. */
#include "DFA/Lazy/assay_lazy_program.h"

#include <stdlib.h>
#include <string.h>

enum {
    PREFIXES_MAX = 128,
    /* A filter that stops more often than once in so many bytes costs more than it saves. */
    RARE = 16,
};

/* The bytes that begin some matches: one of sets[0], then one of sets[1] …, for `count` bytes; any byte after those. */
typedef struct prefix {
    uint64_t sets[prefix_bytes][4];
    uint32_t count;
} prefix;

typedef struct finder {
    const assay_lazy_program *program;
    const thompson_instruction *code;
    assay_lazy_caches *room;
    bool is_non_ascii[symbols_max]; /* by symbol: a character above U+007F has it */
    prefix prefixes[PREFIXES_MAX];
    uint32_t count;
} finder;

static void find_non_ascii_symbols(finder *in)
{
    const assay_alphabet *alphabet = &in->program->symbols.alphabet;
    in->is_non_ascii[alphabet->above_bmp] = true;
    for (size_t block = ascii_blocks; block < character_blocks; block++) {
        if (block > ascii_blocks && alphabet->stage1[block] == alphabet->stage1[block - 1]) continue;
        const uint8_t *row = alphabet->stage2 + alphabet->stage1[block] * (size_t)block_characters;
        for (size_t i = 0; i < block_characters; i++) in->is_non_ascii[row[i]] = true;
    }
}

static bool emit(finder *in, const prefix *found)
{
    if (in->count == PREFIXES_MAX) return false;
    in->prefixes[in->count++] = *found;
    return true;
}

/* Adds the prefixes of what begins with an instruction, after those of `before`. false: too many. Recursion is at most
   prefix_bytes deep. */
static bool extend(finder *in, const prefix *before, uint32_t item)
{
    const assay_alphabet *alphabet = &in->program->symbols.alphabet;
    const thompson_instruction *at = &in->code[item];
    if (at->kind != THOMPSON_CLASS || before->count == prefix_bytes) return emit(in, before);
    prefix ascii = *before;
    bool has_ascii = false;
    for (size_t byte = 0; byte < 128; byte++) {
        if (!assay_alphabet_is_in(alphabet, in->program->ascii_symbol_of[byte], at->label)) continue;
        ascii.sets[before->count][byte / 64] |= UINT64_C(1) << (byte % 64);
        has_ascii = true;
    }
    ascii.count++;
    bool has_others = false;
    for (uint32_t symbol = 0; symbol < alphabet->count; symbol++) {
        has_others |= in->is_non_ascii[symbol] && assay_alphabet_is_in(alphabet, symbol, at->label);
    }
    if (has_others) {
        /* Only the lead byte counts: characters of several lengths are followed by others at several distances. */
        prefix others = *before;
        others.sets[before->count][3] = UINT64_MAX;
        others.count++;
        if (!emit(in, &others)) return false;
    }
    if (!has_ascii) return true;
    uint32_t next[PREFIXES_MAX];
    assay_instruction_set_clear(&in->room->set);
    assay_instruction_set_add(&in->room->set, in->code, at->next);
    const uint32_t count = in->room->set.found_count;
    if (count > PREFIXES_MAX) return false;
    memcpy(next, in->room->set.found, count * sizeof *next);
    for (uint32_t i = 0; i < count; i++) {
        if (!extend(in, &ascii, next[i])) return false;
    }
    return true;
}

static int by_bytes(const void *one, const void *other)
{
    return memcmp(((const prefix *)one)->sets, ((const prefix *)other)->sets, sizeof((const prefix *)one)->sets);
}

static bool has_byte(const prefix *it, int position, size_t byte)
{
    return position >= (int)it->count || (it->sets[position][byte / 64] >> (byte % 64) & 1) != 0;
}

/* How often a byte stands in a text, roughly: the chance in 768. */
static uint32_t frequency(size_t byte)
{
    if (byte >= 'a' && byte <= 'z') return 48;
    if (byte == ' ') return 128;
    if (byte >= '0' && byte <= '9') return 24;
    return byte < 0x20 ? 3 : 12;
}

/* Whether candidates are rare in texts of letters, digits and blanks. */
static bool is_rare(const assay_prefix_filter *filter)
{
    double chance = 0;
    for (unsigned bucket = 0; bucket < prefix_buckets; bucket++) {
        double here = 1;
        for (int position = 0; position < prefix_bytes; position++) {
            uint32_t sum = 0;
            for (size_t byte = 0; byte < 256; byte++) {
                const uint8_t buckets = filter->lower[position][byte % 16] & filter->upper[position][byte / 16];
                if ((buckets >> bucket & 1) != 0) sum += frequency(byte);
            }
            here *= sum < 768 ? sum / 768.0 : 1;
        }
        chance += here;
    }
    return chance * (double)RARE <= 1;
}

static void fill(assay_prefix_filter *filter, const prefix *prefixes, uint32_t count)
{
    filter->shortest = prefix_bytes;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t bucket = (uint8_t)(1u << (count <= prefix_buckets ? i : i * prefix_buckets / count));
        if (prefixes[i].count < filter->shortest) filter->shortest = (uint8_t)prefixes[i].count;
        for (int position = 0; position < prefix_bytes; position++) {
            for (size_t byte = 0; byte < 256; byte++) {
                if (!has_byte(&prefixes[i], position, byte)) continue;
                filter->lower[position][byte % 16] |= bucket;
                filter->upper[position][byte / 16] |= bucket;
            }
        }
    }
}

bool lazy_find_prefixes(const assay_lazy_program *program, assay_lazy_caches *room, lazy_conjunct *part)
{
    finder *in = calloc(1, sizeof *in);
    uint32_t *start = malloc(PREFIXES_MAX * sizeof *start);
    if (in == NULL || start == NULL) {
        free(in);
        free(start);
        return false;
    }
    in->program = program;
    in->code = part->of.nfa.code;
    in->room = room;
    find_non_ascii_symbols(in);
    assay_instruction_set_clear(&room->set);
    assay_instruction_set_add(&room->set, part->of.nfa.code, part->of.nfa.conjuncts[0].start);
    const uint32_t count = room->set.found_count;
    bool found = count <= PREFIXES_MAX;
    if (found) memcpy(start, room->set.found, count * sizeof *start);
    const prefix empty = {.count = 0};
    for (uint32_t i = 0; found && i < count; i++) found = extend(in, &empty, start[i]);
    if (found) {
        qsort(in->prefixes, in->count, sizeof *in->prefixes, by_bytes);
        fill(&part->filter, in->prefixes, in->count);
        part->has_filter = is_rare(&part->filter);
    }
    free(in);
    free(start);
    return true;
}
