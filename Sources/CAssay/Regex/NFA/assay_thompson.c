#include "Regex/NFA/assay_thompson.h"

#include <stdlib.h>

typedef struct builder {
    assay_thompson *nfa;
    const assay_regex *regex;
    const char *because;
} builder;

static bool refuse(builder *build, const char *because)
{
    build->because = because;
    return false;
}

static bool add(builder *build, thompson_instruction instruction, uint32_t *index)
{
    assay_thompson *nfa = build->nfa;
    if (nfa->count == thompson_max) return refuse(build, "repeats that are too long to write out");
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

/* `surrounded`: a search, whose first and last child match anything. */
static bool build_concatenation(builder *build, uint32_t index, bool surrounded, uint32_t next, uint32_t *start)
{
    uint32_t *children;
    size_t count;
    if (!children_of(build, index, &children, &count)) return false;
    *start = next;
    bool built = true;
    const size_t end = surrounded ? count - 1 : count;
    for (size_t i = end; built && i-- > (surrounded ? 1u : 0u);) built = build_node(build, children[i], *start, start);
    free(children);
    return built;
}

static bool build_alternation(builder *build, uint32_t index, bool is_search, uint32_t next, uint32_t *start)
{
    uint32_t *children;
    size_t count;
    if (!children_of(build, index, &children, &count)) return false;
    bool built = true;
    for (size_t i = count; built && i-- > 0;) {
        uint32_t alternative;
        built = is_search ? build_concatenation(build, children[i], true, next, &alternative)
                          : build_node(build, children[i], next, &alternative);
        if (i + 1 == count) {
            *start = alternative;
        } else if (built) {
            const thompson_instruction split = {.kind = THOMPSON_SPLIT, .next = alternative, .other = *start};
            built = add(build, split, start);
        }
    }
    free(children);
    return built;
}

static bool build_repeat(builder *build, const regex_node *node, uint32_t next, uint32_t *start)
{
    if (node->possessive) return refuse(build, "an atomic group, or possessive quantifier");
    const uint32_t child = node->first_child;
    uint32_t copies = node->minimum;
    *start = next;
    if (node->maximum == regex_unbounded) {
        uint32_t loop;
        uint32_t body;
        if (!add(build, (thompson_instruction){.kind = THOMPSON_SPLIT, .other = next}, &loop)) return false;
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
            if (!add(build, (thompson_instruction){.kind = THOMPSON_SPLIT, .next = body, .other = next}, start)) {
                return false;
            }
        }
    }
    for (; copies > 0; copies--) {
        const uint32_t before = *start;
        if (!build_node(build, child, before, start)) return false;
        if (*start == before) break;
    }
    return true;
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
    }
    return false;
}

bool assay_thompson_build(assay_thompson *nfa, const assay_regex *regex, uint32_t root, bool is_search,
                          const char **because)
{
    *nfa = (assay_thompson){.code = NULL};
    builder build = {.nfa = nfa, .regex = regex};
    uint32_t match;
    const bool built =
        add(&build, (thompson_instruction){.kind = THOMPSON_MATCH}, &match) &&
        (is_search ? build_alternation(&build, root, true, match, &nfa->start)
                   : build_node(&build, root, match, &nfa->start));
    *because = build.because;
    return built;
}

void assay_thompson_free(assay_thompson *nfa) { free(nfa->code); }
