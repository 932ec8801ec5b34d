#include "Regex/NFA/assay_possessive.h"

#include <stdlib.h>
#include <string.h>

/* A bound on the instructions that the checks of one pattern visit. */
enum { possessive_work_max = 1 << 20 };

/* ---------------------------------------------------------------------------------------------------------------
 * The body in the AST
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether a node can match the empty string, if its assertions hold. */
static bool can_be_empty(const assay_regex *regex, uint32_t index)
{
    const regex_node *node = &regex->nodes[index];
    switch (node->kind) {
    case REGEX_CLASS:
        return false;
    case REGEX_ASSERTION:
    case REGEX_LOOKAHEAD:
    case REGEX_LOOKBEHIND:
        return true;
    case REGEX_REPEAT:
        return node->minimum == 0 || can_be_empty(regex, node->first_child);
    case REGEX_CONCATENATION:
        for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
            if (!can_be_empty(regex, child)) return false;
        }
        return true;
    case REGEX_ALTERNATION:
        for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
            if (can_be_empty(regex, child)) return true;
        }
        return false;
    }
    return true;
}

bool assay_possessive_takes_first(const assay_regex *regex, uint32_t index)
{
    const regex_node *node = &regex->nodes[index];
    switch (node->kind) {
    case REGEX_CLASS:
    case REGEX_ASSERTION:
    case REGEX_LOOKAHEAD:
    case REGEX_LOOKBEHIND:
        return true;
    case REGEX_REPEAT:
        if (node->lazy && node->minimum != node->maximum) return false;
        return assay_possessive_takes_first(regex, node->first_child);
    case REGEX_CONCATENATION:
    case REGEX_ALTERNATION:
        for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
            const bool has_later = regex->nodes[child].next != regex_none;
            if (node->kind == REGEX_ALTERNATION && has_later && can_be_empty(regex, child)) return false;
            if (!assay_possessive_takes_first(regex, child)) return false;
        }
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The repeat in the automaton
 * ------------------------------------------------------------------------------------------------------------- */

/* Instructions that read a character, and whether others that matter were reached. */
typedef struct reached {
    uint32_t *classes;
    uint32_t count;
    bool has_exit;
    bool has_end; /* the end of the pattern in a search, or of a look-behind: any character may follow it */
} reached;

typedef struct checker {
    const assay_thompson *nfa;
    const assay_regex *regex;
    bool is_search;
    uint64_t work_left;
    uint32_t *mark;  /* by instruction: the latest round that reached it */
    uint32_t *stack; /* each instruction pushes at most two, once a round */
    uint32_t round;
    bool *is_listed; /* by instruction: it is in the list of those to check */
    uint32_t *listed;
    uint32_t listed_count;
    reached within; /* of the repeat */
    reached after;
} checker;

/* Whether two classes may have a character in common. Unknown sets above U+FFFF count as overlapping. */
static bool may_share(const assay_regex *regex, uint32_t one_label, uint32_t other_label)
{
    const assay_character_set *one = regex->sets[one_label];
    const assay_character_set *other = regex->sets[other_label];
    for (int block = 0; block < character_blocks; block++) {
        if ((one->blocks[block] & other->blocks[block]) != 0) return true;
    }
    if (one->above_is_unknown || other->above_is_unknown) {
        return assay_character_set_reaches_above(one) && assay_character_set_reaches_above(other);
    }
    for (uint32_t i = 0; i < one->bound_count; i += 2) {
        if (assay_character_set_has_above(other, one->bounds[i])) return true;
    }
    for (uint32_t i = 0; i < other->bound_count; i += 2) {
        if (assay_character_set_has_above(one, other->bounds[i])) return true;
    }
    return false;
}

/* Finds the instructions to which `from` leads without a character, not beyond `exit`. Assertions and look-arounds are
 * assumed to hold, which only adds instructions and conflicts. */
static bool reach(checker *in, uint32_t from, uint32_t exit, reached *to)
{
    *to = (reached){.classes = to->classes};
    uint32_t depth = 0;
    in->round++;
    in->stack[depth++] = from;
    while (depth > 0) {
        const uint32_t index = in->stack[--depth];
        if (in->mark[index] == in->round) continue;
        in->mark[index] = in->round;
        if (in->work_left == 0) return false;
        in->work_left--;
        if (index == exit) {
            to->has_exit = true;
            continue;
        }
        const thompson_instruction at = in->nfa->code[index];
        switch ((thompson_kind)at.kind) {
        case THOMPSON_CLASS:
            to->classes[to->count++] = index;
            break;
        case THOMPSON_SPLIT:
            in->stack[depth++] = at.other;
            in->stack[depth++] = at.next;
            break;
        case THOMPSON_ASSERTION:
        case THOMPSON_LOOKBEHIND:
        case THOMPSON_LOOKAHEAD:
            in->stack[depth++] = at.next;
            break;
        case THOMPSON_MATCH:
            to->has_end |= in->is_search;
            break;
        case THOMPSON_BEHIND:
            to->has_end = true;
            break;
        }
    }
    return true;
}

/* Whether the same character may lead to two different instructions, one of `some` and one of `others`. Also true if
   the bound on work is reached. */
static bool conflicts(checker *in, const reached *some, const reached *others)
{
    for (uint32_t i = 0; i < some->count; i++) {
        for (uint32_t j = 0; j < others->count; j++) {
            if (some->classes[i] == others->classes[j]) continue;
            const uint32_t cost = character_blocks / 64;
            if (in->work_left < cost) return true;
            in->work_left -= cost;
            if (may_share(in->regex, in->nfa->code[some->classes[i]].label, in->nfa->code[others->classes[j]].label)) {
                return true;
            }
        }
    }
    return false;
}

/* Checks one place of the repeat: the instructions after `from`. */
static bool is_determined(checker *in, uint32_t from, uint32_t exit)
{
    if (!reach(in, from, exit, &in->within)) return false;
    for (uint32_t i = 0; i < in->within.count; i++) {
        const uint32_t item = in->within.classes[i];
        if (in->is_listed[item]) continue;
        in->is_listed[item] = true;
        in->listed[in->listed_count++] = item;
    }
    if (conflicts(in, &in->within, &in->within)) return false;
    if (!in->within.has_exit || in->within.count == 0) return true;
    return !in->after.has_end && !conflicts(in, &in->within, &in->after);
}

static bool is_greedy(checker *in, const possessive_run *run)
{
    memset(in->is_listed, 0, in->nfa->count * sizeof *in->is_listed);
    in->listed_count = 0;
    if (!reach(in, in->nfa->code[run->exit].next, UINT32_MAX, &in->after)) return false;
    if (!is_determined(in, run->entry, run->exit)) return false;
    for (uint32_t i = 0; i < in->listed_count; i++) {
        if (!is_determined(in, in->nfa->code[in->listed[i]].next, run->exit)) return false;
    }
    return true;
}

bool assay_possessive_are_greedy(const assay_thompson *nfa, const assay_regex *regex, const possessive_run *runs,
                                 uint32_t count, bool is_search, const char **because)
{
    if (count == 0) return true;
    checker in = {.nfa = nfa, .regex = regex, .is_search = is_search, .work_left = possessive_work_max};
    in.mark = calloc(nfa->count, sizeof *in.mark);
    in.stack = malloc((2 * (size_t)nfa->count + 1) * sizeof *in.stack);
    in.is_listed = malloc(nfa->count * sizeof *in.is_listed);
    in.listed = malloc(nfa->count * sizeof *in.listed);
    in.within.classes = malloc(nfa->count * sizeof *in.within.classes);
    in.after.classes = malloc(nfa->count * sizeof *in.after.classes);
    bool are_greedy = in.mark != NULL && in.stack != NULL && in.is_listed != NULL && in.listed != NULL &&
                      in.within.classes != NULL && in.after.classes != NULL;
    *because =
        are_greedy ? "an atomic group or possessive quantifier before text that it could match" : "out of memory";
    for (uint32_t i = 0; are_greedy && i < count; i++) are_greedy = is_greedy(&in, &runs[i]);
    free(in.mark);
    free(in.stack);
    free(in.is_listed);
    free(in.listed);
    free(in.within.classes);
    free(in.after.classes);
    if (are_greedy) *because = NULL;
    return are_greedy;
}
