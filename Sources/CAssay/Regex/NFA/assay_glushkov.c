#include "Regex/NFA/assay_glushkov.h"

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

static bool build_item(assay_positions *positions, uint32_t item, bool is_condition, piece *whole)
{
    if (positions->count == positions_max) return false;
    uint32_t position = positions->count++;
    positions->item[position] = (uint8_t)item;
    *whole = (piece){.nullable = false};
    whole->first.words[position / 64] |= UINT64_C(1) << (position % 64);
    if (is_condition) position_set_join(&positions->conditions, &whole->first);
    whole->last = whole->first;
    return true;
}

/* Whether a repeat matches single characters of a set, each of them wherever it matches another: [a-z]++, and
   (?:[a-z]++|[0-9])*+. Then how often which of its parts is taken does not matter. */
static bool goes_by_characters(const assay_regular *regular, const regular_node *repeat)
{
    const regular_node *body = &regular->nodes[repeat->first_child];
    if (body->kind == REGULAR_ITEM) return true;
    if (body->kind != REGULAR_ALTERNATIVE || repeat->maximum != regular_unbounded || repeat->minimum > 1) return false;
    for (uint32_t child = body->first_child; child != regular_none; child = regular->nodes[child].next) {
        /* An alternative is a sequence, here of one. */
        const regular_node *sequence = &regular->nodes[child];
        if (sequence->kind != REGULAR_SEQUENCE || sequence->first_child == regular_none) return false;
        const regular_node *only = &regular->nodes[sequence->first_child];
        if (only->next != regular_none) return false;
        if (only->kind == REGULAR_REPEAT && only->minimum == 1 && only->maximum == regular_unbounded) {
            only = &regular->nodes[only->first_child];
        }
        if (only->kind != REGULAR_ITEM) return false;
    }
    return true;
}

static bool can_be_empty(const assay_regular *regular, uint32_t index)
{
    const regular_node *node = &regular->nodes[index];
    if (node->kind == REGULAR_ITEM) return false;
    if (node->kind == REGULAR_CONDITION) return true;
    if (node->kind == REGULAR_REPEAT) return node->minimum == 0 || can_be_empty(regular, node->first_child);
    const bool is_alternative = node->kind == REGULAR_ALTERNATIVE;
    for (uint32_t child = node->first_child; child != regular_none; child = regular->nodes[child].next) {
        if (can_be_empty(regular, child) == is_alternative) return is_alternative;
    }
    return !is_alternative;
}

/* Whether PCRE2, where it may take a character or leave it, takes it first: nothing lazy, no empty alternative before
   another. */
static bool takes_first(const assay_regular *regular, uint32_t index)
{
    const regular_node *node = &regular->nodes[index];
    if (node->kind == REGULAR_REPEAT && node->lazy && node->minimum != node->maximum) return false;
    for (uint32_t child = node->first_child; child != regular_none; child = regular->nodes[child].next) {
        const bool is_last = regular->nodes[child].next == regular_none;
        if (node->kind == REGULAR_ALTERNATIVE && !is_last && can_be_empty(regular, child)) return false;
        if (!takes_first(regular, child)) return false;
    }
    return true;
}

/* Remembers a possessive repeat, of which `from` is the first position; whether it is like a greedy one can be told once
   all that follows it is known. */
static bool note_possessive(assay_positions *positions, const assay_regular *regular, const regular_node *node,
                            uint32_t from, uint32_t possessive_before, const piece *whole)
{
    possessive_run run = {.from = from,
                          .to = positions->count,
                          .inner_from = positions->inner_count,
                          .first = whole->first,
                          .nullable = whole->nullable,
                          .by_characters = goes_by_characters(regular, node)};
    if (!run.by_characters && !takes_first(regular, node->first_child)) return false;
    /* What is possessive within it says nothing more. */
    if (run.by_characters) positions->possessive_count = possessive_before;
    if (positions->possessive_count == possessive_max || run.to - run.from > inner_max - run.inner_from) return false;
    for (uint32_t position = from; position < run.to; position++) {
        positions->inner[positions->inner_count++] = positions->follow[position];
    }
    positions->possessive[positions->possessive_count++] = run;
    return true;
}

static bool build_repeat(assay_positions *positions, const assay_regular *regular, const regular_node *node,
                         piece *whole)
{
    *whole = empty_piece;
    const bool unbounded = node->maximum == regular_unbounded;
    const uint32_t from = positions->count;
    const uint32_t possessive_before = positions->possessive_count;
    position_set last = {{0}}; /* of the latest copy */
    uint32_t copies = !unbounded ? node->maximum : node->minimum == 0 ? 1 : node->minimum;
    for (uint32_t copy = 1; copy <= copies; copy++) {
        const uint32_t before = positions->count;
        piece next;
        if (!build(positions, regular, node->first_child, &next)) return false;
        if (unbounded && copy == copies) connect(positions, &next.last, &next.first);
        if (copy > 1 && copy > node->minimum && !next.nullable) {
            /* X(X(X)?)? and not XX?X?: a copy comes behind the one before it and no other. */
            connect(positions, &last, &next.first);
            position_set_join(&whole->last, &next.last);
        } else {
            if (copy > node->minimum) next.nullable = true;
            extend(positions, whole, &next);
        }
        last = next.last;
        /* No characters in it: all other copies are the same empty text. Also keeps nested counts from running long. */
        if (positions->count == before) break;
    }
    if (!node->possessive || positions->count == from) return true;
    if (note_possessive(positions, regular, node, from, possessive_before, whole)) return true;
    positions->because = "an atomic group, or possessive quantifier, that may take less than it could";
    return false;
}

static bool build(assay_positions *positions, const assay_regular *regular, uint32_t index, piece *whole)
{
    const regular_node *node = &regular->nodes[index];
    switch (node->kind) {
    case REGULAR_ITEM:
    case REGULAR_CONDITION:
        return build_item(positions, node->item, node->kind == REGULAR_CONDITION, whole);
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
    for (int block = 0; block < character_blocks; block++) {
        if ((one->blocks[block] & other->blocks[block]) != 0) return true;
    }
    return one->beyond != BEYOND_NONE && other->beyond != BEYOND_NONE;
}

static void compare_sets(assay_positions *positions, const assay_regular *regular)
{
    for (uint32_t one = 0; one < regular->set_count; one++) {
        for (uint32_t other = 0; other <= one; other++) {
            const bool share = may_share(regular->sets[one], regular->sets[other]);
            positions->share[one][other] = share;
            positions->share[other][one] = share;
        }
    }
}

static bool is_condition(const assay_positions *positions, uint32_t position)
{
    return (positions->conditions.words[position / 64] >> (position % 64) & 1) != 0;
}

static bool is_end(const assay_positions *positions, const assay_regular *regular, uint32_t position)
{
    if (!is_condition(positions, position)) return false;
    const regular_condition condition = regular->conditions[positions->item[position]];
    return condition.behind == regular_none && condition.ahead == regular->any && condition.negated;
}

/* Whether the same character may lead to both positions; where that is not known, yes. */
static bool may_compete(const assay_positions *positions, const assay_regular *regular, uint32_t one, uint32_t other)
{
    if (is_end(positions, regular, one) || is_end(positions, regular, other)) return false;
    if (is_condition(positions, one) || is_condition(positions, other)) return true;
    return positions->share[positions->item[one]][positions->item[other]];
}

/* Whether some position of `some` may compete with another one of `others`. */
static bool any_competes(const assay_positions *positions, const assay_regular *regular, const position_set *some,
                         const position_set *others)
{
    for (uint32_t one = 0; one < positions->count; one++) {
        if ((some->words[one / 64] >> (one % 64) & 1) == 0) continue;
        for (uint32_t other = 0; other < positions->count; other++) {
            if (other == one || (others->words[other / 64] >> (other % 64) & 1) == 0) continue;
            if (may_compete(positions, regular, one, other)) return true;
        }
    }
    return false;
}

static position_set without(const position_set *set, const position_set *removed)
{
    position_set rest;
    for (int i = 0; i < position_words; i++) rest.words[i] = set->words[i] & ~removed->words[i];
    return rest;
}

/* Where a repeat may also not begin, what comes instead must not compete with its first positions. */
static bool competes_at_start(const assay_positions *positions, const assay_regular *regular, const possessive_run *run,
                              const position_set *ready)
{
    const position_set begins = position_set_shared(ready, &run->first);
    const position_set instead = without(ready, &begins);
    return any_competes(positions, regular, &begins, &instead);
}

/* A possessive repeat, once it has matched, never matches less; a greedy one may. The two are the same if at each place
   the next character alone says whether the repeat goes on, and how: then there is one way through it, PCRE2 takes it as
   far as it leads, and no place before its end can be left with the character that comes there. */
static bool gives_back(const assay_positions *positions, const assay_regular *regular, const possessive_run *run)
{
    position_set within = {{0}};
    position_set behind = {{0}};
    for (uint32_t position = run->from; position < run->to; position++) {
        const position_set *inner = &positions->inner[run->inner_from + position - run->from];
        const position_set outer = without(&positions->follow[position], inner);
        within.words[position / 64] |= UINT64_C(1) << (position % 64);
        position_set_join(&behind, &outer);
        if (!run->by_characters && any_competes(positions, regular, inner, &positions->follow[position])) return true;
    }
    /* A character that it could match must not come behind it at all. */
    if (run->by_characters) return any_competes(positions, regular, &within, &behind);
    if (any_competes(positions, regular, &run->first, &run->first)) return true;
    if (!run->nullable) return false;
    for (uint32_t position = 0; position < positions->count; position++) {
        if (competes_at_start(positions, regular, run, &positions->follow[position])) return true;
    }
    for (uint32_t i = 0; i < positions->part_count; i++) {
        if (competes_at_start(positions, regular, run, &positions->parts[i].first)) return true;
    }
    return false;
}

bool assay_positions_fill(assay_positions *positions, const assay_regular *regular, const char **because)
{
    memset(positions, 0, offsetof(assay_positions, inner));
    positions->part_count = regular->part_count;
    for (uint32_t i = 0; i < regular->part_count; i++) {
        const uint32_t before = positions->count;
        piece whole;
        if (!build(positions, regular, regular->parts[i].root, &whole)) {
            *because = positions->because != NULL ? positions->because : "repeats that are too long to write out";
            return false;
        }
        positions->parts[i] = (positions_part){.all = positions_between(before, positions->count),
                                               .first = whole.first,
                                               .last = whole.last,
                                               .nullable = whole.nullable,
                                               .negated = regular->parts[i].negated};
    }
    if (positions->possessive_count > 0) compare_sets(positions, regular);
    for (uint32_t i = 0; i < positions->possessive_count; i++) {
        if (gives_back(positions, regular, &positions->possessive[i])) {
            *because = "an atomic group, or possessive quantifier, before what it could have matched";
            return false;
        }
    }
    return true;
}
