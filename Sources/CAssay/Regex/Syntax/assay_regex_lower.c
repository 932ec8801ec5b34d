/* Two passes over the tree. The first, from the leaves up, rewrites nodes that need no context; the second runs from
 * the root down, because whether a look-ahead is a conjunct depends on its place. */
#include "Regex/Syntax/assay_regex_lower.h"

#include "Regex/Syntax/assay_regex_lengths.h"

typedef struct lowering {
    assay_regex *regex;
    assay_dfa_refusal *refusal;
    /* The look-aheads that are conjuncts, with the number of characters before each. */
    struct {
        uint32_t node;
        uint32_t before;
    } conjuncts[regex_conjuncts_max];
    uint32_t conjunct_count;
} lowering;

/* Always returns false, so that callers can return its result. */
static bool refuse(lowering *in, const char *because, size_t offset)
{
    *in->refusal = (assay_dfa_refusal){because, offset};
    return false;
}

/* Refuses the pattern because a node or a set could not be created. */
static bool refuse_room(lowering *in)
{
    const bool is_full = in->regex->set_count == regex_classes_max;
    return refuse(in, is_full ? "too many different character classes" : "out of memory", 0);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Lengths
 * ------------------------------------------------------------------------------------------------------------- */

/* Add or multiply two lengths. Return regex_none if an operand is regex_none or the result may reach regex_length_max,
 * except that zero times any length is 0. */
static uint32_t sum_of(uint32_t one, uint32_t other)
{
    return one >= regex_length_max || other >= regex_length_max - one ? regex_none : one + other;
}

static uint32_t product_of(uint32_t one, uint32_t other)
{
    if (one == 0 || other == 0) return 0;
    return one >= regex_length_max || other >= regex_length_max / one ? regex_none : one * other;
}

/* Computes the length of a node from those of its children, and whether there is a look-ahead in it. O(children). */
static void measure(assay_regex *regex, uint32_t index)
{
    regex_node *node = &regex->nodes[index];
    uint32_t sum = 0;
    uint32_t alternative = node->first_child == regex_none ? 0 : regex->nodes[node->first_child].length;
    node->has_lookahead = node->kind == REGEX_LOOKAHEAD;
    for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
        const regex_node *part = &regex->nodes[child];
        sum = sum == regex_none || part->length == regex_none ? regex_none : sum_of(sum, part->length);
        if (part->length != alternative) alternative = regex_none;
        node->has_lookahead |= part->has_lookahead;
    }
    switch (node->kind) {
    case REGEX_CLASS:
        node->length = 1;
        return;
    case REGEX_ASSERTION:
    case REGEX_LOOKAHEAD:
    case REGEX_LOOKBEHIND:
        node->length = 0;
        return;
    case REGEX_CONCATENATION:
        node->length = sum;
        return;
    case REGEX_ALTERNATION:
        node->length = alternative;
        return;
    case REGEX_REPEAT:
        node->length = node->minimum == node->maximum ? product_of(node->minimum, sum) : regex_none;
        return;
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Possessive repeats of classes
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns a node without the groups around it: the node of `a` for the groups ((a)), and `index` itself if it is not a
 * group of one alternative with one item. */
static uint32_t without_groups(const assay_regex *regex, uint32_t index)
{
    for (;;) {
        const regex_node *node = &regex->nodes[index];
        switch (node->kind) {
        case REGEX_CONCATENATION:
        case REGEX_ALTERNATION:
            if (node->first_child == regex_none || regex->nodes[node->first_child].next != regex_none) return index;
            index = node->first_child;
            break;
        case REGEX_CLASS:
        case REGEX_ASSERTION:
        case REGEX_REPEAT:
        case REGEX_LOOKAHEAD:
        case REGEX_LOOKBEHIND:
            return index;
        }
    }
}

static bool is_kind(const assay_regex *regex, uint32_t index, regex_kind kind)
{
    return regex->nodes[index].kind == kind;
}

/* Returns the class X if the node is X or X+, in any groups; otherwise regex_none. */
static uint32_t class_of_run(const assay_regex *regex, uint32_t index)
{
    const uint32_t only = without_groups(regex, index);
    if (is_kind(regex, only, REGEX_CLASS)) return only;
    const regex_node *node = &regex->nodes[only];
    if (node->kind != REGEX_REPEAT || node->minimum != 1 || node->maximum != regex_unbounded) return regex_none;
    const uint32_t child = without_groups(regex, node->first_child);
    return is_kind(regex, child, REGEX_CLASS) ? child : regex_none;
}

/* Combines the classes of (?:X+|Y)*, which matches any string over both: the choice of alternatives has no effect,
 * because any of their characters may follow any other. Stores the union in *label, or regex_none if the node is not
 * such an alternation or if there are too many classes. Returns false if memory runs out. */
static bool join_alternatives(assay_regex *regex, uint32_t index, uint32_t *label)
{
    *label = regex_none;
    if (!is_kind(regex, index, REGEX_ALTERNATION)) return true;
    for (uint32_t child = regex->nodes[index].first_child; child != regex_none; child = regex->nodes[child].next) {
        if (class_of_run(regex, child) == regex_none) return true;
    }
    if (regex->set_count == regex_classes_max) return true;
    assay_character_set *joined = assay_regex_new_set(regex);
    if (joined == NULL) return false;
    *joined = (assay_character_set){.bound_count = 0};
    for (uint32_t child = regex->nodes[index].first_child; child != regex_none; child = regex->nodes[child].next) {
        const uint32_t class = class_of_run(regex, child);
        assay_character_set_unite(joined, regex->sets[regex->nodes[class].label]);
    }
    *label = regex->set_count++;
    return true;
}

/* Lowers a possessive repeat of a class, [0-9]*+ or (?>[0-9]*): the character after it must not be in the class, unless
 * the repeat has reached its maximum. Other possessive repeats keep the label regex_none. */
static bool lower_possessive(lowering *in, uint32_t repeat)
{
    assay_regex *regex = in->regex;
    const regex_node node = regex->nodes[repeat];
    uint32_t run = repeat;
    uint32_t child = without_groups(regex, node.first_child);
    if (node.minimum == 1 && node.maximum == 1 && is_kind(regex, child, REGEX_REPEAT) && !regex->nodes[child].lazy) {
        /* (?>X{2,5}) is X{2,5}+. */
        run = child;
        child = without_groups(regex, regex->nodes[child].first_child);
    }
    if (!is_kind(regex, child, REGEX_CLASS)) {
        uint32_t joined = regex_none;
        if (regex->nodes[run].maximum == regex_unbounded && regex->nodes[run].minimum <= 1 &&
            !join_alternatives(regex, child, &joined)) {
            return refuse_room(in);
        }
        if (joined == regex_none) return true;
        if (!assay_regex_add_node(regex, REGEX_CLASS, &child)) return refuse_room(in);
        regex->nodes[child].label = joined;
        measure(regex, child);
    }
    const regex_assertion end = {.behind = regex_none, .ahead = regex->nodes[child].label, .negated = true};
    const uint32_t assertion = assay_regex_number_assertion(regex, end);
    if (assertion == regex_none) return true;
    const uint32_t minimum = regex->nodes[run].minimum;
    const uint32_t maximum = regex->nodes[run].maximum;
    regex_node *lowered = &regex->nodes[repeat];
    lowered->label = assertion;
    lowered->first_child = child;
    lowered->minimum = minimum;
    lowered->maximum = maximum;
    lowered->possessive = minimum != maximum;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Look-arounds of one item
 * ------------------------------------------------------------------------------------------------------------- */

/* Whether the alternatives of a look-around are classes and assertions, within any groups. */
static bool has_only_items(const assay_regex *regex, uint32_t index)
{
    const uint32_t only = without_groups(regex, index);
    switch (regex->nodes[only].kind) {
    case REGEX_CLASS:
    case REGEX_ASSERTION:
        return true;
    case REGEX_ALTERNATION:
        for (uint32_t child = regex->nodes[only].first_child; child != regex_none; child = regex->nodes[child].next) {
            if (!has_only_items(regex, child)) return false;
        }
        return regex->nodes[only].first_child != regex_none;
    case REGEX_CONCATENATION:
    case REGEX_REPEAT:
    case REGEX_LOOKAHEAD:
    case REGEX_LOOKBEHIND:
        return false;
    }
    return false;
}

/* Returns the assertion that is equal to a look-around of one item. For a class: the next character is in the class, or
 * the previous character if `is_behind`. For an assertion: the assertion itself. Both are negated if the look-around
 * is. (?!-) becomes {ahead: -, negated}, (?!\b) becomes \B. */
static regex_assertion assertion_of(const assay_regex *regex, uint32_t item, bool is_behind, bool negated)
{
    regex_assertion assertion = {.behind = regex_none, .ahead = regex_none};
    if (is_kind(regex, item, REGEX_ASSERTION)) {
        assertion = regex->assertions[regex->nodes[item].label];
    } else {
        *(is_behind ? &assertion.behind : &assertion.ahead) = regex->nodes[item].label;
    }
    assertion.negated = assertion.negated != negated;
    return assertion;
}

typedef struct items {
    uint32_t parent; /* the node to which the assertions are appended */
    uint32_t last;
    bool is_behind;
    bool negated;
    bool has_room; /* false: there are too many different assertions */
} items;

/* Appends the assertion of each item below `index`. Returns false if memory runs out. */
static bool append_assertions(assay_regex *regex, uint32_t index, items *to)
{
    const uint32_t only = without_groups(regex, index);
    if (is_kind(regex, only, REGEX_ALTERNATION)) {
        for (uint32_t child = regex->nodes[only].first_child; child != regex_none; child = regex->nodes[child].next) {
            if (!append_assertions(regex, child, to)) return false;
        }
        return true;
    }
    const uint32_t number = assay_regex_number_assertion(regex, assertion_of(regex, only, to->is_behind, to->negated));
    if (number == regex_none) to->has_room = false;
    uint32_t node = 0;
    if (!assay_regex_add_node(regex, REGEX_ASSERTION, &node)) return false;
    regex->nodes[node].label = number;
    measure(regex, node);
    assay_regex_append_child(regex, to->parent, &to->last, node);
    return true;
}

/* Lowers a look-around with alternatives of one item each, (?=[a-z]|$), to an alternation of assertions. If it is
 * negated, no alternative may hold, so it becomes a concatenation of negated assertions. */
static bool lower_look(lowering *in, uint32_t look)
{
    assay_regex *regex = in->regex;
    if (!has_only_items(regex, regex->nodes[look].first_child)) return true;
    uint32_t parent = 0;
    const regex_node node = regex->nodes[look];
    if (!assay_regex_add_node(regex, node.negated ? REGEX_CONCATENATION : REGEX_ALTERNATION, &parent)) {
        return refuse_room(in);
    }
    items to = {parent, regex_none, node.kind == REGEX_LOOKBEHIND, node.negated, true};
    if (!append_assertions(regex, node.first_child, &to)) return refuse_room(in);
    if (!to.has_room) return true; /* keep the look-around */
    regex->nodes[look].kind = regex->nodes[parent].kind;
    regex->nodes[look].first_child = regex->nodes[parent].first_child;
    return true;
}

/* The first pass: lowers a subtree, the children first. */
static bool lower_node(lowering *in, uint32_t index)
{
    for (uint32_t child = in->regex->nodes[index].first_child; child != regex_none;
         child = in->regex->nodes[child].next) {
        if (!lower_node(in, child)) return false;
    }
    bool lowered = true;
    switch (in->regex->nodes[index].kind) {
    case REGEX_CLASS:
    case REGEX_ASSERTION:
    case REGEX_CONCATENATION:
    case REGEX_ALTERNATION:
        break;
    case REGEX_REPEAT:
        if (in->regex->nodes[index].possessive) lowered = lower_possessive(in, index);
        break;
    case REGEX_LOOKAHEAD:
    case REGEX_LOOKBEHIND:
        lowered = lower_look(in, index);
        break;
    }
    measure(in->regex, index);
    return lowered;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Look-aheads as conjuncts
 *
 * A look-ahead is a condition on the whole value if every match of the pattern reaches it, always after the same number
 * of characters. It then becomes a separate conjunct, and the empty string replaces it in the pattern:
 *
 *     [0-9]{3}-(?=.*X)[A-Z]*     before = 4     pattern     [0-9]{3}-[A-Z]*
 *                                               conjunct    (any){4} .*X (any)*
 *
 * Either all look-aheads of a pattern become conjuncts, or all remain look-aheads.
 * ------------------------------------------------------------------------------------------------------------- */

/* Records why values must also be read from the end for this pattern. Returns false. */
static bool keep_lookaheads(lowering *in, const char *because, uint32_t node)
{
    in->regex->backward_because = because;
    in->regex->backward_offset = in->regex->nodes[node].offset;
    return false;
}

/* Returns a look-ahead in the subtree, which must have one. */
static uint32_t find_lookahead(const assay_regex *regex, uint32_t index)
{
    while (regex->nodes[index].kind != REGEX_LOOKAHEAD) {
        index = regex->nodes[index].first_child;
        while (!regex->nodes[index].has_lookahead) index = regex->nodes[index].next;
    }
    return index;
}

static const char place_varies[] = "a look-ahead of more than one character, where its place varies";

static bool find_conjunct(lowering *in, uint32_t look, uint32_t before)
{
    const assay_regex *regex = in->regex;
    const uint32_t body = regex->nodes[look].first_child;
    if (before == regex_none) return keep_lookaheads(in, place_varies, look);
    if (regex->nodes[body].has_lookahead) {
        /* A look-ahead inside a look-ahead is not a condition on the whole value. */
        return keep_lookaheads(in, place_varies, find_lookahead(regex, body));
    }
    if (in->conjunct_count + 1 == regex_conjuncts_max) {
        return keep_lookaheads(in, "more look-aheads than are looked at", look);
    }
    in->conjuncts[in->conjunct_count].node = look;
    in->conjuncts[in->conjunct_count++].before = before;
    return true;
}

/* Collects the look-aheads in a subtree that begins after `before` characters of every match (regex_none: the number
 * varies). Returns false if a look-ahead cannot become a conjunct. The depth of the recursion is that of the
 * parentheses. */
static bool find_conjuncts(lowering *in, uint32_t index, uint32_t before)
{
    const regex_node *node = &in->regex->nodes[index];
    if (!node->has_lookahead) return true;
    const uint32_t look = find_lookahead(in->regex, index);
    switch (node->kind) {
    case REGEX_LOOKAHEAD:
        return find_conjunct(in, index, before);
    case REGEX_ALTERNATION:
        if (in->regex->nodes[node->first_child].next == regex_none) {
            return find_conjuncts(in, node->first_child, before);
        }
        return keep_lookaheads(
            in, "a look-ahead of more than one character that belongs to one of several alternatives", look);
    case REGEX_REPEAT:
        if (node->minimum == 1 && node->maximum == 1) return find_conjuncts(in, node->first_child, before);
        return keep_lookaheads(in, "a look-ahead of more than one character in a group with a quantifier", look);
    case REGEX_CONCATENATION:
        for (uint32_t child = node->first_child; child != regex_none; child = in->regex->nodes[child].next) {
            if (!find_conjuncts(in, child, before)) return false;
            const uint32_t length = in->regex->nodes[child].length;
            before = before == regex_none || length == regex_none ? regex_none : sum_of(before, length);
        }
        return true;
    case REGEX_LOOKBEHIND:
    case REGEX_CLASS:
    case REGEX_ASSERTION:
        break;
    }
    return keep_lookaheads(in, place_varies, look);
}

/* Appends a repeat of any characters. */
static bool append_any(assay_regex *regex, uint32_t sequence, uint32_t *last, uint32_t minimum, uint32_t maximum)
{
    uint32_t any = 0;
    if (!assay_regex_add_any(regex, minimum, maximum, &any)) return false;
    assay_regex_append_child(regex, sequence, last, any);
    return true;
}

/* Creates the conjunct of a look-ahead, and replaces the look-ahead by the empty string. Returns false if memory or the
 * number of classes runs out. */
static bool make_conjunct(assay_regex *regex, uint32_t look, uint32_t before)
{
    const regex_node node = regex->nodes[look];
    uint32_t sequence = 0;
    uint32_t last = regex_none;
    if (!assay_regex_add_node(regex, REGEX_CONCATENATION, &sequence)) return false;
    if (before > 0 && !append_any(regex, sequence, &last, before, before)) return false;
    assay_regex_append_child(regex, sequence, &last, node.first_child);
    if (!append_any(regex, sequence, &last, 0, regex_unbounded)) return false;
    regex->conjuncts[regex->conjunct_count++] = (regex_conjunct){sequence, node.negated};
    regex->nodes[look].kind = REGEX_CONCATENATION;
    regex->nodes[look].first_child = regex_none;
    return true;
}

bool assay_regex_lower(assay_regex *regex, bool is_search, assay_dfa_refusal *refusal)
{
    lowering in = {.regex = regex, .refusal = refusal};
    const uint32_t root = regex->conjuncts[0].root;
    if (!lower_node(&in, root)) return false;
    /* In a search, a match can begin and end anywhere, so the number of characters before a look-ahead is unknown, and
     * the pattern does not limit the length of the value. */
    if (!find_conjuncts(&in, root, is_search ? regex_none : 0)) return true;
    for (uint32_t i = 0; i < in.conjunct_count; i++) {
        if (!make_conjunct(regex, in.conjuncts[i].node, in.conjuncts[i].before)) return refuse_room(&in);
    }
    if (in.conjunct_count > 0 && !assay_regex_add_any(regex, 0, regex_unbounded, &regex->anything)) {
        return refuse_room(&in);
    }
    if (!is_search) assay_regex_split_lengths(regex);
    return true;
}
