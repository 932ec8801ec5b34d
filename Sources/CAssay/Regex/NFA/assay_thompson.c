/* Thompson's construction, from the end of the pattern to its beginning: the instruction that follows a node is known
 * before the node is built. */
#include "Regex/NFA/assay_thompson.h"

#include "Memory/assay_grow.h"
#include "Regex/NFA/assay_possessive.h"

#include <stdlib.h>
#include <string.h>

enum { possessive_max = 64, work_base = 1 << 20, work_per_node = 16 };

typedef struct builder {
    assay_thompson *nfa;
    const assay_regex *regex;
    const char *because;
    struct builder *backward; /* the builder of the backward automaton; NULL in that builder itself */
    uint64_t work_left;       /* nodes and words that may still be visited */
    /* Possessive repeats that are built as greedy ones, to be checked when the whole automaton is known. */
    possessive_run runs[possessive_max];
    uint32_t run_count;
    uint32_t possessive_depth; /* number of enclosing possessive repeats */
    uint8_t conjunct;          /* the current conjunct */
} builder;

static bool refuse(builder *build, const char *because)
{
    build->because = because;
    return false;
}

/* Subtracts steps from the bound on work. Without it, `(?:a|a|…){65535}` would visit its alternatives again for each
 * copy. */
static bool charge(builder *build, uint64_t steps)
{
    if (build->work_left < steps) return refuse(build, "too many repeated alternatives");
    build->work_left -= steps;
    return true;
}

static bool add(builder *build, thompson_instruction instruction, uint32_t *index)
{
    assay_thompson *nfa = build->nfa;
    if (nfa->count == thompson_max) {
        return refuse(build, "more than 131,072 instructions, with repeats written out");
    }
    if (!assay_grow(&nfa->code, &nfa->capacity, sizeof *nfa->code, (size_t)nfa->count + 1)) {
        return refuse(build, "out of memory");
    }
    *index = nfa->count++;
    nfa->code[*index] = instruction;
    nfa->code[*index].conjunct = build->conjunct;
    return true;
}

/* Builds a node before `next`. Each function writes the first instruction to *start, which is `next` if the node is
 * empty. */
static bool build_node(builder *build, uint32_t node, uint32_t next, uint32_t *start);

/* Returns the children of a node as an array, because they are built in reverse order. */
static bool children_of(builder *build, uint32_t index, uint32_t **children, size_t *count)
{
    const regex_node *nodes = build->regex->nodes;
    *count = 0;
    for (uint32_t child = nodes[index].first_child; child != regex_none; child = nodes[child].next) ++*count;
    *children = malloc((*count + 1) * sizeof **children);
    if (*children == NULL) return refuse(build, "out of memory");
    if (!charge(build, *count)) {
        free(*children);
        return false;
    }
    size_t number = 0;
    for (uint32_t child = nodes[index].first_child; child != regex_none; child = nodes[child].next) {
        (*children)[number++] = child;
    }
    return true;
}

/* `surrounded`: an alternative of a search, with a first and a last child that match anything. */
static bool build_concatenation(builder *build, uint32_t index, bool surrounded, uint32_t next, uint32_t *start)
{
    uint32_t *children;
    size_t count;
    if (!children_of(build, index, &children, &count)) return false;
    *start = next;
    bool built = true;
    const size_t first = surrounded ? 1 : 0;
    const size_t end = surrounded ? count - 1 : count;
    for (size_t i = first; built && i < end; i++) {
        const size_t from_end = first + end - 1 - i;
        built = build_node(build, children[build->backward != NULL ? from_end : i], *start, start);
    }
    free(children);
    return built;
}

static bool add_split(builder *build, uint32_t one, uint32_t other, uint32_t *start)
{
    *start = one;
    if (one == other) return true;
    return add(build, (thompson_instruction){.kind = THOMPSON_SPLIT, .next = one, .other = other}, start);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Words: alternatives that are sequences of single characters. A trie of words has fewer instructions and simplifies
 * the subset construction, because at most one branch continues at each character:
 *
 *     car|card|cat      c ─ a ┬ r ┬ match
 *                             │   └ d ─ match
 *                             └ t ─ match
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct word {
    const uint8_t *labels;
    size_t count;
} word;

static int by_labels(const void *one, const void *other)
{
    const word *left = one;
    const word *right = other;
    const size_t shared = left->count < right->count ? left->count : right->count;
    const int order = shared == 0 ? 0 : memcmp(left->labels, right->labels, shared);
    if (order != 0) return order;
    return left->count < right->count ? -1 : left->count > right->count;
}

/* Builds the trie of sorted words, from their character `depth` on. Recursion is as deep as words branch. */
static bool build_trie(builder *build, const word *words, size_t count, size_t depth, uint32_t next, uint32_t *start)
{
    const word *first = &words[0];
    const word *last = &words[count - 1];
    size_t end = depth;
    while (end < first->count && end < last->count && first->labels[end] == last->labels[end]) end++;
    size_t from = 0;
    while (from < count && words[from].count == end) from++;
    bool is_first = true;
    if (from > 0) {
        *start = next; /* these words end here; they are equal */
        is_first = false;
    }
    while (from < count) {
        size_t to = from + 1;
        while (to < count && words[to].labels[end] == words[from].labels[end]) to++;
        uint32_t branch;
        if (!build_trie(build, words + from, to - from, end, next, &branch)) return false;
        if (is_first) {
            *start = branch;
        } else if (!add_split(build, branch, *start, start)) {
            return false;
        }
        is_first = false;
        from = to;
    }
    while (end-- > depth) {
        const thompson_instruction character = {.kind = THOMPSON_CLASS, .label = first->labels[end], .next = *start};
        if (!add(build, character, start)) return false;
    }
    return true;
}

/* Appends the labels of an alternative that is a word. Returns false if it is not a word, or if memory runs out.
 * `surrounded` as above. */
static bool append_word(const assay_regex *regex, uint32_t index, bool surrounded, uint8_t **labels, size_t *count,
                        size_t *capacity)
{
    const regex_node *node = &regex->nodes[index];
    uint32_t child = node->kind == REGEX_CONCATENATION ? node->first_child : index;
    if (surrounded) child = regex->nodes[child].next;
    while (child != regex_none) {
        const regex_node *at = &regex->nodes[child];
        if (surrounded && at->next == regex_none) break;
        if (at->kind != REGEX_CLASS) return false;
        if (!assay_grow(labels, capacity, sizeof **labels, *count + 1)) return false;
        (*labels)[(*count)++] = (uint8_t)at->label;
        if (child == index) break;
        child = at->next;
    }
    return true;
}

/* Returns the number of different words; equal words are adjacent. */
static size_t without_equal(word *words, size_t count)
{
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (by_labels(&words[kept - 1], &words[i]) != 0) words[kept++] = words[i];
    }
    return kept;
}

/* Returns the alternatives as sorted words, in one block, and writes their number to *count. NULL: some are not words,
 * or memory runs out. */
static word *words_of(const assay_regex *regex, const uint32_t *children, size_t *word_count, bool is_search,
                      uint8_t **labels)
{
    const size_t count = *word_count;
    size_t capacity = 256;
    size_t used = 0;
    word *words = malloc(count * sizeof *words);
    *labels = malloc(capacity);
    bool are_words = words != NULL && *labels != NULL;
    for (size_t i = 0; are_words && i < count; i++) {
        const size_t before = used;
        are_words = append_word(regex, children[i], is_search, labels, &used, &capacity);
        words[i].count = used - before;
    }
    if (!are_words) {
        free(words);
        free(*labels);
        *labels = NULL;
        return NULL;
    }
    const uint8_t *at = *labels;
    for (size_t i = 0; i < count; i++) {
        words[i].labels = at;
        at += words[i].count;
    }
    qsort(words, count, sizeof *words, by_labels);
    *word_count = without_equal(words, count);
    return words;
}

/* Whether the order of alternatives may be changed: a possessive repeat is committed to the first one that matches. */
static bool may_sort(const builder *build) { return build->backward != NULL && build->possessive_depth == 0; }

static bool build_alternation(builder *build, uint32_t index, bool is_search, uint32_t next, uint32_t *start)
{
    uint32_t *children;
    size_t count;
    if (!children_of(build, index, &children, &count)) return false;
    uint8_t *labels;
    size_t word_count = count;
    word *words =
        count > 1 && may_sort(build) ? words_of(build->regex, children, &word_count, is_search, &labels) : NULL;
    bool built = true;
    if (words != NULL) {
        size_t all = count * (64 - (unsigned)__builtin_clzll(count)); /* comparisons of the sort */
        for (size_t i = 0; i < word_count; i++) all += words[i].count;
        built = charge(build, 4 * all) && build_trie(build, words, word_count, 0, next, start);
        free(words);
        free(labels);
        count = 0;
    }
    for (size_t i = count; built && i-- > 0;) {
        uint32_t alternative = next;
        built = is_search ? build_concatenation(build, children[i], true, next, &alternative)
                          : build_node(build, children[i], next, &alternative);
        if (i + 1 == count) {
            *start = alternative;
        } else if (built) {
            built = add_split(build, alternative, *start, start);
        }
    }
    free(children);
    return built;
}

/* Returns the node that a star repeats in effect: (a*)* is a*. Otherwise there could be as many empty transitions as
   parentheses nest. */
static uint32_t without_inner_repeats(const assay_regex *regex, uint32_t child)
{
    for (;;) {
        const regex_node *node = &regex->nodes[child];
        switch (node->kind) {
        case REGEX_CONCATENATION:
        case REGEX_ALTERNATION:
            if (node->first_child == regex_none || regex->nodes[node->first_child].next != regex_none) return child;
            break;
        case REGEX_REPEAT:
            if (node->possessive || node->minimum > 1) return child;
            if (node->maximum != regex_unbounded && node->maximum != 1) return child;
            break;
        case REGEX_CLASS:
        case REGEX_ASSERTION:
        case REGEX_LOOKAHEAD:
        case REGEX_LOOKBEHIND:
            return child;
        }
        child = node->first_child;
    }
}

/* Builds the copies of a repeat: X{2,4} is XX(X(X)?)?, X{2,} is XX+. It may end before its maximum at `end`. */
static bool build_copies(builder *build, const regex_node *node, uint32_t next, uint32_t end, uint32_t *start)
{
    const bool is_star = node->minimum == 0 && node->maximum == regex_unbounded;
    const uint32_t child = is_star ? without_inner_repeats(build->regex, node->first_child) : node->first_child;
    uint32_t copies = node->minimum;
    *start = next;
    if (node->maximum == regex_unbounded) {
        uint32_t loop;
        uint32_t body;
        if (!add(build, (thompson_instruction){.kind = THOMPSON_SPLIT, .other = end}, &loop)) return false;
        if (!build_node(build, child, loop, &body)) return false;
        build->nfa->code[loop].next = body;
        *start = copies == 0 ? loop : body;
        if (copies > 0) copies--;
    } else {
        for (uint32_t copy = node->maximum; copy > node->minimum; copy--) {
            const uint32_t before = *start;
            uint32_t body;
            if (!build_node(build, child, *start, &body)) return false;
            if (body == before) break; /* empty, and so are the other copies */
            if (!add_split(build, body, end, start)) return false;
        }
    }
    for (; copies > 0; copies--) {
        const uint32_t before = *start;
        if (!build_node(build, child, before, start)) return false;
        if (*start == before) break;
    }
    return true;
}

/* Builds a possessive repeat, except of a class, as a greedy one, and records it for assay_possessive_are_greedy. A
 * separate instruction marks its end. */
static bool build_possessive(builder *build, const regex_node *node, uint32_t next, uint32_t *start)
{
    if (!assay_possessive_takes_first(build->regex, node->first_child)) {
        return refuse(build, "an atomic group, or possessive quantifier, that may take less than it could");
    }
    uint32_t exit;
    if (!add(build, (thompson_instruction){.kind = THOMPSON_SPLIT, .next = next, .other = next}, &exit)) return false;
    build->possessive_depth++;
    const bool built = build_copies(build, node, exit, exit, start);
    build->possessive_depth--;
    if (!built) return false;
    if (*start == exit) return true; /* it is empty */
    if (build->run_count == possessive_max)
        return refuse(build, "more than 64 atomic groups, or possessive quantifiers");
    build->runs[build->run_count++] = (possessive_run){*start, exit};
    return true;
}

static bool build_repeat(builder *build, const regex_node *node, uint32_t next, uint32_t *start)
{
    if (!node->possessive) return build_copies(build, node, next, next, start);
    if (build->backward == NULL) return refuse(build, "an atomic group, or possessive quantifier, in a look-ahead");
    if (node->label == regex_none) return build_possessive(build, node, next, start);
    uint32_t end;
    const thompson_instruction end_of_run = {.kind = THOMPSON_ASSERTION, .label = (uint8_t)node->label, .next = next};
    return add(build, end_of_run, &end) && build_copies(build, node, next, end, start);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Look-arounds
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the number of a look-around, which is built if it is new, because all copies in a repeat share it. In the
 * backward automaton a look-ahead is a look-behind. */
static bool number_of_look(builder *build, uint32_t index, uint32_t *number)
{
    assay_thompson *nfa = build->nfa;
    const regex_node *node = &build->regex->nodes[index];
    for (*number = 0; *number < nfa->lookbehind_count; ++*number) {
        if (nfa->lookbehinds[*number].node == index) return true;
    }
    const uint32_t limit = build->backward != NULL ? regex_lookbehinds_max : regex_lookaheads_max;
    uint32_t behind;
    uint32_t body;
    if (!add(build, (thompson_instruction){.kind = THOMPSON_BEHIND}, &behind) ||
        !build_node(build, node->first_child, behind, &body)) {
        return false;
    }
    if (nfa->lookbehind_count == limit) return refuse(build, "more look-arounds than are looked at");
    *number = nfa->lookbehind_count++; /* known only now, because those inside it have lower numbers */
    nfa->code[behind].label = (uint8_t)*number;
    nfa->lookbehinds[*number].start = body;
    nfa->lookbehinds[*number].node = index;
    nfa->lookbehinds[*number].negated = node->negated;
    return true;
}

static bool build_look(builder *build, uint32_t index, uint32_t next, uint32_t *start)
{
    const bool is_ahead = build->regex->nodes[index].kind == REGEX_LOOKAHEAD;
    const bool is_backward = build->backward == NULL;
    uint32_t number = 0;
    if (is_backward && !is_ahead) return refuse(build, "a look-behind of more than one character within a look-ahead");
    if (!is_backward && is_ahead) {
        if (!number_of_look(build->backward, index, &number)) return refuse(build, build->backward->because);
    } else if (!number_of_look(build, index, &number)) {
        return false;
    }
    const thompson_kind kind = !is_backward && is_ahead ? THOMPSON_LOOKAHEAD : THOMPSON_LOOKBEHIND;
    return add(build, (thompson_instruction){.kind = (uint8_t)kind, .label = (uint8_t)number, .next = next}, start);
}

/* Builds the look-behinds of a subtree, so that their instructions are outside those of the conjuncts. */
static bool build_lookbehinds(builder *build, uint32_t index)
{
    const regex_node *node = &build->regex->nodes[index];
    if (node->kind == REGEX_LOOKAHEAD) return true;
    if (!charge(build, 1)) return false;
    for (uint32_t child = node->first_child; child != regex_none; child = build->regex->nodes[child].next) {
        if (!build_lookbehinds(build, child)) return false;
    }
    uint32_t number;
    return node->kind != REGEX_LOOKBEHIND || number_of_look(build, index, &number);
}

static bool build_node(builder *build, uint32_t index, uint32_t next, uint32_t *start)
{
    const regex_node *node = &build->regex->nodes[index];
    if (!charge(build, 1)) return false;
    switch (node->kind) {
    case REGEX_CLASS:
    case REGEX_ASSERTION: {
        const thompson_kind kind = node->kind == REGEX_CLASS ? THOMPSON_CLASS : THOMPSON_ASSERTION;
        return add(build, (thompson_instruction){.kind = (uint8_t)kind, .label = (uint8_t)node->label, .next = next},
                   start);
    }
    case REGEX_CONCATENATION:
        return build_concatenation(build, index, false, next, start);
    case REGEX_ALTERNATION:
        return build_alternation(build, index, false, next, start);
    case REGEX_REPEAT:
        return build_repeat(build, node, next, start);
    case REGEX_LOOKAHEAD:
    case REGEX_LOOKBEHIND:
        return build_look(build, index, next, start);
    }
    return false;
}

static bool build_conjunct(builder *build, const regex_conjunct *conjunct, bool is_search)
{
    const uint32_t number = build->nfa->conjunct_count++;
    thompson_conjunct *part = &build->nfa->conjuncts[number];
    part->negated = conjunct->negated;
    build->conjunct = (uint8_t)number;
    const thompson_instruction match = {.kind = THOMPSON_MATCH, .label = (uint8_t)number};
    return add(build, match, &part->match) &&
           (is_search ? build_alternation(build, conjunct->root, true, part->match, &part->start)
                      : build_node(build, conjunct->root, part->match, &part->start));
}

bool assay_thompson_build(assay_thompson *nfa, assay_thompson *backward, const assay_regex *regex,
                          const regex_conjunct *conjuncts, uint32_t count, bool is_search, const char **because)
{
    *nfa = *backward = (assay_thompson){.code = NULL};
    const uint64_t work = work_base + (uint64_t)work_per_node * regex->node_count;
    builder build_backward = {.nfa = backward, .regex = regex, .work_left = work, .conjunct = thompson_no_conjunct};
    builder build = {
        .nfa = nfa, .regex = regex, .backward = &build_backward, .work_left = work, .conjunct = thompson_no_conjunct};
    bool built = true;
    for (uint32_t i = 0; built && i < count; i++) built = build_lookbehinds(&build, conjuncts[i].root);
    for (uint32_t i = 0; built && i < count; i++) built = build_conjunct(&build, &conjuncts[i], is_search);
    *because = build.because;
    return built && assay_possessive_are_greedy(nfa, regex, build.runs, build.run_count, is_search, because);
}

void assay_thompson_free(assay_thompson *nfa) { free(nfa->code); }
