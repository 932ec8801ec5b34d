#include "Automata/assay_positions.h"

#include <string.h>

/* A piece of the pattern while it is put together. */
typedef struct piece {
    position_set first;
    position_set last;
    bool nullable;
} piece;

static const piece empty_piece = {.nullable = true};

/* What comes after any position of `from` includes `to`. */
static void connect(assay_positions *positions, const position_set *from, const position_set *to)
{
    for (uint32_t word = 0; word < position_words; word++) {
        for (uint64_t bits = from->words[word]; bits != 0; bits &= bits - 1) {
            position_set_join(&positions->follow[word * 64 + (uint32_t)__builtin_ctzll(bits)], to);
        }
    }
}

/* Puts `next` behind `whole`. */
static void extend(assay_positions *positions, piece *whole, const piece *next)
{
    connect(positions, &whole->last, &next->first);
    if (whole->nullable) position_set_join(&whole->first, &next->first);
    position_set last = next->last;
    if (next->nullable) position_set_join(&last, &whole->last);
    whole->last = last;
    whole->nullable = whole->nullable && next->nullable;
}

static bool build(assay_positions *positions, const assay_regular *regular, uint32_t index, piece *whole);

static bool build_item(assay_positions *positions, uint32_t item, piece *whole)
{
    if (positions->count == positions_max) return false;
    uint32_t position = positions->count++;
    positions->item[position] = (uint8_t)item;
    *whole = (piece){.nullable = false};
    whole->first.words[position / 64] |= UINT64_C(1) << (position % 64);
    whole->last = whole->first;
    return true;
}

static bool build_repeat(assay_positions *positions, const assay_regular *regular, const regular_node *node,
                         piece *whole)
{
    *whole = empty_piece;
    const bool unbounded = node->maximum == regular_unbounded;
    const uint32_t from = positions->count;
    uint32_t copies = !unbounded ? node->maximum : node->minimum == 0 ? 1 : node->minimum;
    for (uint32_t copy = 1; copy <= copies; copy++) {
        const uint32_t before = positions->count;
        piece next;
        if (!build(positions, regular, node->first_child, &next)) return false;
        if (unbounded && copy == copies) connect(positions, &next.last, &next.first);
        if (copy > node->minimum) next.nullable = true;
        extend(positions, whole, &next);
        /* No characters in it: all other copies are the same empty text. Also keeps nested counts from running long. */
        if (positions->count == before) break;
    }
    if (!node->possessive || positions->count == from) return true;
    if (positions->possessive_count == possessive_max) return false;
    positions->possessive[positions->possessive_count++] = (possessive_run){from, positions->count, unbounded};
    return true;
}

static bool build(assay_positions *positions, const assay_regular *regular, uint32_t index, piece *whole)
{
    const regular_node *node = &regular->nodes[index];
    switch (node->kind) {
    case REGULAR_ITEM:
        return build_item(positions, node->item, whole);
    case REGULAR_REPEAT:
        return build_repeat(positions, regular, node, whole);
    case REGULAR_SEQUENCE:
        *whole = empty_piece;
        for (uint32_t child = node->first_child; child != regular_none; child = regular->nodes[child].next) {
            piece next;
            if (!build(positions, regular, child, &next)) return false;
            extend(positions, whole, &next);
        }
        return true;
    case REGULAR_ALTERNATIVE:
        *whole = (piece){.nullable = false};
        for (uint32_t child = node->first_child; child != regular_none; child = regular->nodes[child].next) {
            piece next;
            if (!build(positions, regular, child, &next)) return false;
            position_set_join(&whole->first, &next.first);
            position_set_join(&whole->last, &next.last);
            whole->nullable = whole->nullable || next.nullable;
        }
        return true;
    }
    return false;
}

static position_set positions_between(uint32_t from, uint32_t to)
{
    position_set set = {{0}};
    for (uint32_t i = from; i < to; i++) set.words[i / 64] |= UINT64_C(1) << (i % 64);
    return set;
}

/* Whether some character may be of both sets; where that is not known, yes. */
static bool may_share(const assay_character_set *one, const assay_character_set *other)
{
    uint64_t shared = (one->ascii[0] & other->ascii[0]) | (one->ascii[1] & other->ascii[1]);
    for (int lead = 0; lead < wide_leads; lead++) shared |= one->wide[lead] & other->wide[lead];
    return shared != 0 || (one->beyond && other->beyond);
}

/* A possessive repeat stops only before a character that it does not match, or at its maximum. A greedy one may also
   stop earlier, before a character that it does match: if nothing that may come next matches such a character, that leads
   nowhere, and the two are the same. What may come next is all that follows but the repeat itself going on. */
static bool gives_back(const assay_positions *positions, const assay_regular *regular, const possessive_run *run)
{
    const assay_character_set *repeated = &regular->sets[positions->item[run->from]];
    for (uint32_t position = run->from; position < run->to; position++) {
        const bool is_last = position + 1 == run->to;
        for (uint32_t next = 0; next < positions->count; next++) {
            if ((positions->follow[position].words[next / 64] >> (next % 64) & 1) == 0) continue;
            const bool goes_on = is_last ? run->unbounded && next == position : next == position + 1;
            if (!goes_on && may_share(repeated, &regular->sets[positions->item[next]])) return true;
        }
    }
    return false;
}

bool assay_positions_fill(assay_positions *positions, const assay_regular *regular, const char **because)
{
    memset(positions, 0, sizeof *positions);
    positions->part_count = regular->part_count;
    for (uint32_t i = 0; i < regular->part_count; i++) {
        const uint32_t before = positions->count;
        piece whole;
        if (!build(positions, regular, regular->parts[i].root, &whole)) {
            *because = "repeats that are too long to write out";
            return false;
        }
        positions->parts[i] = (positions_part){.all = positions_between(before, positions->count),
                                               .first = whole.first,
                                               .last = whole.last,
                                               .nullable = whole.nullable,
                                               .negated = regular->parts[i].negated};
    }
    for (uint32_t i = 0; i < positions->possessive_count; i++) {
        if (gives_back(positions, regular, &positions->possessive[i])) {
            *because = "a possessive quantifier before what it could have matched";
            return false;
        }
    }
    return true;
}
