#include "Regex/NFA/assay_thompson.h"

#include <stdlib.h>
#include <string.h>

typedef struct builder {
    assay_thompson *nfa;
    const assay_regex *regex;
    const char *because;
    struct builder *backward; /* NULL: this one is */
} builder;

static bool refuse(builder *build, const char *because)
{
    build->because = because;
    return false;
}

static bool add(builder *build, thompson_instruction instruction, uint32_t *index)
{
    assay_thompson *nfa = build->nfa;
    if (nfa->count == thompson_max)
        return refuse(build, "more than 65,536 characters and classes, with repeats written out");
    if (nfa->count == nfa->capacity) {
        const uint32_t capacity = nfa->capacity == 0 ? 256 : 2 * nfa->capacity;
        thompson_instruction *code = realloc(nfa->code, capacity * sizeof *code);
        if (code == NULL) return refuse(build, "out of memory");
        nfa->code = code;
        nfa->capacity = capacity;
    }
    *index = nfa->count++;
    nfa->code[*index] = instruction;
    return true;
}

/* Builds backwards: what follows a node, `next`, is known before the node is. Each function returns the first instruction in
 * *start, which is `next` where the node is empty. */
static bool build_node(builder *build, uint32_t node, uint32_t next, uint32_t *start);

/* The children of a node as an array, since they are built from the last one on. */
static bool children_of(builder *build, uint32_t index, uint32_t **children, size_t *count)
{
    const regex_node *nodes = build->regex->nodes;
    *count = 0;
    for (uint32_t child = nodes[index].first_child; child != regex_none; child = nodes[child].next) ++*count;
    *children = malloc((*count + 1) * sizeof **children);
    if (*children == NULL) return refuse(build, "out of memory");
    size_t number = 0;
    for (uint32_t child = nodes[index].first_child; child != regex_none; child = nodes[child].next) {
        (*children)[number++] = child;
    }
    return true;
}

/* `surrounded`: an alternative of a search, whose first and last child match anything. */
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
 * Words: alternatives that are sequences of single characters. A trie of them has fewer instructions and makes the
 * subset construction easy, since at most one of its branches goes on at each character:
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

/* The trie of sorted words, from their character `depth` on. Recursion is as deep as words branch. */
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
        *start = next; /* these end here; they are equal */
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

/* Appends the labels of an alternative that is a word. false: it is none, or out of memory. `surrounded` as above. */
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
        if (*count == *capacity) {
            uint8_t *more = realloc(*labels, 2 * *capacity);
            if (more == NULL) return false;
            *labels = more;
            *capacity *= 2;
        }
        (*labels)[(*count)++] = (uint8_t)at->label;
        if (child == index) break;
        child = at->next;
    }
    return true;
}

/* Returns the alternatives as words, in one block; NULL if they are not, or out of memory. */
static word *words_of(const assay_regex *regex, const uint32_t *children, size_t count, bool is_search,
                      uint8_t **labels)
{
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
    return words;
}

static bool build_alternation(builder *build, uint32_t index, bool is_search, uint32_t next, uint32_t *start)
{
    uint32_t *children;
    size_t count;
    if (!children_of(build, index, &children, &count)) return false;
    uint8_t *labels;
    word *words =
        count > 1 && build->backward != NULL ? words_of(build->regex, children, count, is_search, &labels) : NULL;
    bool built = true;
    if (words != NULL) {
        built = build_trie(build, words, count, 0, next, start);
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

/* A repeat of a repeat matches as one, as in (a*)*: without this, empty transitions could be as many as parentheses nest. */
static uint32_t without_inner_repeats(const assay_regex *regex, uint32_t child)
{
    for (;;) {
        const regex_node *node = &regex->nodes[child];
        const bool is_single = (node->kind == REGEX_CONCATENATION || node->kind == REGEX_ALTERNATION) &&
                               node->first_child != regex_none && regex->nodes[node->first_child].next == regex_none;
        const bool is_star = node->kind == REGEX_REPEAT && !node->possessive && node->minimum <= 1 &&
                             (node->maximum == regex_unbounded || node->maximum == 1);
        if (!is_single && !is_star) return child;
        child = node->first_child;
    }
}

static bool build_repeat(builder *build, const regex_node *node, uint32_t next, uint32_t *start)
{
    /* Where the repeat may end before its maximum. A possessive one of a class does where no further character of it is ahead:
       [0-9]*+ is [0-9]*(?![0-9]). Backwards, that comes before it, and is not written out. */
    uint32_t end = next;
    if (node->possessive) {
        if (node->label == regex_none || build->backward == NULL) {
            return refuse(build, "an atomic group, or possessive quantifier");
        }
        const thompson_instruction end_of_run = {
            .kind = THOMPSON_ASSERTION, .label = (uint8_t)node->label, .next = next};
        if (node->minimum < node->maximum && !add(build, end_of_run, &end)) return false;
    }
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
        /* (X(X)?)? for X{0,2} */
        for (uint32_t copy = node->maximum; copy > node->minimum; copy--) {
            const uint32_t before = *start;
            uint32_t body;
            if (!build_node(build, child, *start, &body)) return false;
            if (body == before) break; /* empty: so are the others */
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

/* The number of a look-around, which is built if it is new: in a repeat, all copies use the same. In the backward automaton a
   look-ahead is a look-behind. */
static bool number_of_look(builder *build, uint32_t index, uint32_t *number)
{
    assay_thompson *nfa = build->nfa;
    const regex_node *node = &build->regex->nodes[index];
    for (*number = 0; *number < nfa->lookbehind_count; ++*number) {
        if (nfa->lookbehinds[*number].node == index) return true;
    }
    uint32_t behind;
    uint32_t body;
    if (!add(build, (thompson_instruction){.kind = THOMPSON_BEHIND}, &behind) ||
        !build_node(build, node->first_child, behind, &body)) {
        return false;
    }
    *number = nfa->lookbehind_count++; /* known only now: those within it come first */
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

static bool build_node(builder *build, uint32_t index, uint32_t next, uint32_t *start)
{
    const regex_node *node = &build->regex->nodes[index];
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

bool assay_thompson_build(assay_thompson *nfa, assay_thompson *backward, const assay_regex *regex, uint32_t root,
                          bool is_search, const char **because)
{
    *nfa = *backward = (assay_thompson){.code = NULL};
    builder build_backward = {.nfa = backward, .regex = regex};
    builder build = {.nfa = nfa, .regex = regex, .backward = &build_backward};
    uint32_t match;
    const bool built = add(&build, (thompson_instruction){.kind = THOMPSON_MATCH}, &match) &&
                       (is_search ? build_alternation(&build, root, true, match, &nfa->start)
                                  : build_node(&build, root, match, &nfa->start));
    *because = build.because;
    return built;
}

void assay_thompson_free(assay_thompson *nfa) { free(nfa->code); }
