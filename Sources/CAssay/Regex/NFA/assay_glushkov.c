/* Glushkov's construction, bottom-up over the AST. Each subtree gives a fragment with first, last and nullable; follow
 * sets grow on the way:
 *
 *              nullable    first                            last                             adds to follow
 *     p        no          {p}                              {p}
 *     XY       X and Y     X.first, Y.first if X nullable   Y.last, X.last if Y nullable     X.last × Y.first
 *     X|Y      X or Y      X.first, Y.first                 X.last, Y.last
 *     X+       X           X.first                          X.last                           X.last × X.first
 *     X?       yes         X.first                          X.last
 *
 * Then possessive repeats are checked (the last third of the file). */
#include "Regex/NFA/assay_glushkov.h"

#include <string.h>

/* The automaton of a subtree, but for its follow sets, which are in the NFA already. */
typedef struct fragment {
    position_set first;
    position_set last;
    bool nullable;
} fragment;

static const fragment empty_fragment = {.nullable = true};

/* Adds `to` to the follow sets of all positions in `from`: O(positions in `from`) unions of seven words. */
static void connect(assay_glushkov *nfa, const position_set *from, const position_set *to)
{
    for (uint32_t word = 0; word < position_words; word++) {
        for (uint64_t bits = from->words[word]; bits != 0; bits &= bits - 1) {
            position_set_join(&nfa->follow[word * 64 + (uint32_t)__builtin_ctzll(bits)], to);
        }
    }
}

/* Appends `next` to `whole`: the row XY of the table above. */
static void extend(assay_glushkov *nfa, fragment *whole, const fragment *next)
{
    connect(nfa, &whole->last, &next->first);
    if (whole->nullable) position_set_join(&whole->first, &next->first);
    position_set last = next->last;
    if (next->nullable) position_set_join(&last, &whole->last);
    whole->last = last;
    whole->nullable = whole->nullable && next->nullable;
}

static bool build(assay_glushkov *nfa, const assay_regex *regex, uint32_t index, fragment *whole);

/* Makes a position for a character or an assertion. Positions are numbered in the order of the text. */
static bool build_position(assay_glushkov *nfa, uint32_t label, bool is_assertion, fragment *whole)
{
    if (nfa->count == positions_max) return false;
    uint32_t position = nfa->count++;
    nfa->label[position] = (uint8_t)label;
    *whole = (fragment){.nullable = false};
    whole->first.words[position / 64] |= UINT64_C(1) << (position % 64);
    if (is_assertion) position_set_join(&nfa->assertions, &whole->first);
    whole->last = whole->first;
    return true;
}

/* Whether a repeat matches strings over one set of characters, any of which may follow any other: [a-z]++ over [a-z],
   and (?:[a-z]++|[0-9])*+ over [a-z0-9]. Then it does not matter which alternative matches how much: the repeat matches
   a maximal run of such characters, or as many as its maximum. */
static bool goes_by_characters(const assay_regex *regex, const regex_node *repeat)
{
    const regex_node *body = &regex->nodes[repeat->first_child];
    if (body->kind == REGEX_CLASS) return true;
    if (body->kind != REGEX_ALTERNATION || repeat->maximum != regex_unbounded || repeat->minimum > 1) return false;
    for (uint32_t child = body->first_child; child != regex_none; child = regex->nodes[child].next) {
        /* An alternative is a concatenation, here of one node: a class, or a class with +. */
        const regex_node *sequence = &regex->nodes[child];
        if (sequence->kind != REGEX_CONCATENATION || sequence->first_child == regex_none) return false;
        const regex_node *only = &regex->nodes[sequence->first_child];
        if (only->next != regex_none) return false;
        if (only->kind == REGEX_REPEAT && only->minimum == 1 && only->maximum == regex_unbounded) {
            only = &regex->nodes[only->first_child];
        }
        if (only->kind != REGEX_CLASS) return false;
    }
    return true;
}

/* Whether a node can match the empty string, assuming that its assertions hold. */
static bool can_be_empty(const assay_regex *regex, uint32_t index)
{
    const regex_node *node = &regex->nodes[index];
    if (node->kind == REGEX_CLASS) return false;
    if (node->kind == REGEX_ASSERTION) return true;
    if (node->kind == REGEX_REPEAT) return node->minimum == 0 || can_be_empty(regex, node->first_child);
    const bool is_alternative = node->kind == REGEX_ALTERNATION;
    for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
        if (can_be_empty(regex, child) == is_alternative) return is_alternative;
    }
    return !is_alternative;
}

/* Whether PCRE2, wherever it may either match a further character or stop, tries the character first: the subtree has
   nothing lazy, and no alternative that can be empty before another. Only then does its first match, to which a
   possessive repeat is committed, extend as far as the characters allow. */
static bool takes_first(const assay_regex *regex, uint32_t index)
{
    const regex_node *node = &regex->nodes[index];
    if (node->kind == REGEX_REPEAT && node->lazy && node->minimum != node->maximum) return false;
    for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
        const bool is_last = regex->nodes[child].next == regex_none;
        if (node->kind == REGEX_ALTERNATION && !is_last && can_be_empty(regex, child)) return false;
        if (!takes_first(regex, child)) return false;
    }
    return true;
}

/* Records a possessive repeat whose positions begin at `from`. Whether it matches what a greedy one would can only be
   decided when everything that may follow it is known, so gives_back() decides later. Returns false if its body alone
   shows that it may differ, or if there is no room. */
static bool note_possessive(assay_glushkov *nfa, const assay_regex *regex, const regex_node *node, uint32_t from,
                            uint32_t possessive_before, const fragment *whole)
{
    possessive_run run = {.from = from,
                          .to = nfa->count,
                          .inner_from = nfa->inner_count,
                          .first = whole->first,
                          .nullable = whole->nullable,
                          .by_characters = goes_by_characters(regex, node)};
    if (!run.by_characters && !takes_first(regex, node->first_child)) return false;
    /* Nested possessive repeats add no condition of their own here. */
    if (run.by_characters) nfa->possessive_count = possessive_before;
    if (nfa->possessive_count == possessive_max || run.to - run.from > inner_max - run.inner_from) return false;
    for (uint32_t position = from; position < run.to; position++) {
        nfa->inner[nfa->inner_count++] = nfa->follow[position];
    }
    nfa->possessive[nfa->possessive_count++] = run;
    return true;
}

/* Writes a repeat out, one copy of its body for each time that it must or may match:

       X{2,4}   X₁ X₂ (X₃ (X₄)?)?    follow: X₁ → X₂ → X₃ → X₄      last: X₂, X₃, X₄
       X{2,}    X₁ X₂+               follow: X₁ → X₂ → X₂           last: X₂
       X*       X₁+, nullable

   Optional copies are nested, not XX?X?: then each copy is connected to the next one only, and n copies need n − 1
   connections in place of n²/2. Time is bounded by positions_max, since every copy but an empty one adds positions. */
static bool build_repeat(assay_glushkov *nfa, const assay_regex *regex, const regex_node *node, fragment *whole)
{
    *whole = empty_fragment;
    const bool unbounded = node->maximum == regex_unbounded;
    const uint32_t from = nfa->count;
    const uint32_t possessive_before = nfa->possessive_count;
    position_set last = {{0}}; /* of the latest copy */
    uint32_t copies = !unbounded ? node->maximum : node->minimum == 0 ? 1 : node->minimum;
    for (uint32_t copy = 1; copy <= copies; copy++) {
        const uint32_t before = nfa->count;
        fragment next;
        if (!build(nfa, regex, node->first_child, &next)) return false;
        if (unbounded && copy == copies) connect(nfa, &next.last, &next.first);
        if (copy > 1 && copy > node->minimum && !next.nullable) {
            /* A nested optional copy: it follows the copy before it and no other, and the repeat may end after it. */
            connect(nfa, &last, &next.first);
            position_set_join(&whole->last, &next.last);
        } else {
            if (copy > node->minimum) next.nullable = true;
            extend(nfa, whole, &next);
        }
        last = next.last;
        /* A body without positions matches only the empty string, as further copies would. Also bounds nested counts
           such as (?:(?:){1000}){1000}. */
        if (nfa->count == before) break;
    }
    if (!node->possessive || nfa->count == from) return true;
    if (note_possessive(nfa, regex, node, from, possessive_before, whole)) return true;
    nfa->because = "an atomic group, or possessive quantifier, that may take less than it could";
    return false;
}

/* Builds the fragment of a subtree (Glushkov's construction): first, last and nullable bottom-up, follow on the way.
 * Returns false when there are too many positions. */
static bool build(assay_glushkov *nfa, const assay_regex *regex, uint32_t index, fragment *whole)
{
    const regex_node *node = &regex->nodes[index];
    switch (node->kind) {
    case REGEX_CLASS:
    case REGEX_ASSERTION:
        return build_position(nfa, node->label, node->kind == REGEX_ASSERTION, whole);
    case REGEX_REPEAT:
        return build_repeat(nfa, regex, node, whole);
    case REGEX_CONCATENATION:
        *whole = empty_fragment;
        for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
            fragment next;
            if (!build(nfa, regex, child, &next)) return false;
            extend(nfa, whole, &next);
        }
        return true;
    case REGEX_LOOKAHEAD:
    case REGEX_LOOKBEHIND:
        nfa->because = "a look-behind of more than one character";
        return false;
    case REGEX_ALTERNATION:
        *whole = (fragment){.nullable = false};
        for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
            fragment next;
            if (!build(nfa, regex, child, &next)) return false;
            position_set_join(&whole->first, &next.first);
            position_set_join(&whole->last, &next.last);
            whole->nullable = whole->nullable || next.nullable;
        }
        return true;
    }
    return false;
}

/* The set {from, …, to − 1}. */
static position_set positions_between(uint32_t from, uint32_t to)
{
    position_set set = {{0}};
    for (uint32_t i = from; i < to; i++) set.words[i / 64] |= UINT64_C(1) << (i % 64);
    return set;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Possessive repeats
 *
 * A greedy repeat gives back characters if what comes after it cannot match; a possessive one does not, so it may match
 * fewer values. A DFA knows only the greedy language. The two languages are the same if there is never a choice: if at
 * each place the next character alone determines whether the repeat goes on, and to which position.
 *
 *     [0-9]++[a-z]    a digit continues the repeat, a letter ends it             same language
 *     [0-9]++5        5 may do both: the possessive repeat matches nothing       refused
 *     (?>ab|a)c       after a, b continues and c ends; but two positions for a   refused, though the same language
 *
 * This is the determinism that A. Brüggemann-Klein and D. Wood call one-unambiguity (One-unambiguous regular languages,
 * 1998), asked of the repeat and what follows it. Where a question cannot be answered the answer is "may conflict", so
 * a pattern may be refused needlessly but never accepted wrongly.
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether two sets may have a character in common. Unknown sets above U+FFFF count as overlapping. */
static bool may_share(const assay_character_set *one, const assay_character_set *other)
{
    for (int block = 0; block < character_blocks; block++) {
        if ((one->blocks[block] & other->blocks[block]) != 0) return true;
    }
    return one->above_bmp != ABOVE_BMP_NONE && other->above_bmp != ABOVE_BMP_NONE;
}

/* Fills nfa->share. Each answer compares 1,024 words, and the checks below ask for the same pairs many times. */
static void compare_sets(assay_glushkov *nfa, const assay_regex *regex)
{
    for (uint32_t one = 0; one < regex->set_count; one++) {
        for (uint32_t other = 0; other <= one; other++) {
            const bool share = may_share(regex->sets[one], regex->sets[other]);
            nfa->share[one][other] = share;
            nfa->share[other][one] = share;
        }
    }
}

static bool is_assertion(const assay_glushkov *nfa, uint32_t position)
{
    return (nfa->assertions.words[position / 64] >> (position % 64) & 1) != 0;
}

/* Whether a position is `$` or `\z`: no character follows it, so it competes with none. */
static bool is_end(const assay_glushkov *nfa, const assay_regex *regex, uint32_t position)
{
    if (!is_assertion(nfa, position)) return false;
    const regex_assertion assertion = regex->assertions[nfa->label[position]];
    return assertion.behind == regex_none && assertion.ahead == regex->any && assertion.negated;
}

/* Whether the same character may lead to both positions. Assertions are not compared, they count as conflicting. */
static bool may_conflict(const assay_glushkov *nfa, const assay_regex *regex, uint32_t one, uint32_t other)
{
    if (is_end(nfa, regex, one) || is_end(nfa, regex, other)) return false;
    if (is_assertion(nfa, one) || is_assertion(nfa, other)) return true;
    return nfa->share[nfa->label[one]][nfa->label[other]];
}

/* Whether a position of `some` may conflict with a different one of `others`. O(positions²). */
static bool any_conflicts(const assay_glushkov *nfa, const assay_regex *regex, const position_set *some,
                          const position_set *others)
{
    for (uint32_t one = 0; one < nfa->count; one++) {
        if ((some->words[one / 64] >> (one % 64) & 1) == 0) continue;
        for (uint32_t other = 0; other < nfa->count; other++) {
            if (other == one || (others->words[other / 64] >> (other % 64) & 1) == 0) continue;
            if (may_conflict(nfa, regex, one, other)) return true;
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

/* For a repeat that may match nothing: among the positions that may come next, those that skip the repeat must not
   conflict with its first ones. `ready` are all of them. */
static bool conflicts_at_start(const assay_glushkov *nfa, const assay_regex *regex, const possessive_run *run,
                               const position_set *ready)
{
    const position_set begins = position_set_shared(ready, &run->first);
    const position_set instead = without(ready, &begins);
    return any_conflicts(nfa, regex, &begins, &instead);
}

/* Whether giving back might matter for a possessive repeat, so that the DFA of the greedy one would be wrong. If not,
   there is one way through the repeat for any value, PCRE2 follows it to its end, and no character on the way could
   have left the repeat earlier.

       (?:ab)*+c     inner   a → b, b → a        outer   b → c        a and c do not conflict: same language */
static bool gives_back(const assay_glushkov *nfa, const assay_regex *regex, const possessive_run *run)
{
    position_set within = {{0}};
    position_set behind = {{0}};
    for (uint32_t position = run->from; position < run->to; position++) {
        const position_set *inner = &nfa->inner[run->inner_from + position - run->from];
        const position_set outer = without(&nfa->follow[position], inner);
        within.words[position / 64] |= UINT64_C(1) << (position % 64);
        position_set_join(&behind, &outer);
        if (!run->by_characters && any_conflicts(nfa, regex, inner, &nfa->follow[position])) return true;
    }
    /* No character that it matches may come after it at all. */
    if (run->by_characters) return any_conflicts(nfa, regex, &within, &behind);
    if (any_conflicts(nfa, regex, &run->first, &run->first)) return true;
    if (!run->nullable) return false;
    for (uint32_t position = 0; position < nfa->count; position++) {
        if (conflicts_at_start(nfa, regex, run, &nfa->follow[position])) return true;
    }
    for (uint32_t i = 0; i < nfa->conjunct_count; i++) {
        if (conflicts_at_start(nfa, regex, run, &nfa->conjuncts[i].first)) return true;
    }
    return false;
}

/* Conjuncts are built one after the other, so each has consecutive positions. `inner` is not cleared: entries are
   written before they are read. */
bool assay_glushkov_build(assay_glushkov *nfa, const assay_regex *regex, const char **because)
{
    memset(nfa, 0, offsetof(assay_glushkov, inner));
    nfa->conjunct_count = regex->conjunct_count;
    for (uint32_t i = 0; i < regex->conjunct_count; i++) {
        const uint32_t before = nfa->count;
        fragment whole;
        if (!build(nfa, regex, regex->conjuncts[i].root, &whole)) {
            *because =
                nfa->because != NULL ? nfa->because : "more than 448 characters and classes, with repeats written out";
            return false;
        }
        nfa->conjuncts[i] = (nfa_conjunct){.all = positions_between(before, nfa->count),
                                           .first = whole.first,
                                           .last = whole.last,
                                           .nullable = whole.nullable,
                                           .negated = regex->conjuncts[i].negated};
    }
    if (nfa->possessive_count > 0) compare_sets(nfa, regex);
    for (uint32_t i = 0; i < nfa->possessive_count; i++) {
        if (gives_back(nfa, regex, &nfa->possessive[i])) {
            *because = "an atomic group, or possessive quantifier, before what it could have matched";
            return false;
        }
    }
    return true;
}
