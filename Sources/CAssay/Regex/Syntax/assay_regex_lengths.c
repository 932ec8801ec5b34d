/* Finds the repeats whose counts follow from the length of the value: see assay_regex_lengths.h.
 *
 * The span of a node describes its matches by their number of characters. If it is known, the node matches a text if
 * and only if the node without the bounds of some repeats matches it, and the length of the text is in the span:
 *
 *                            span          without bounds, lengths of
 *     [^.]{5,400}            5 to 400      1 to ∞
 *     [A-Z][^.]{5,400}[.]    7 to 402      3 to ∞       because the other items have constant lengths
 *     [^.]{5,400}[a-z]{1,9}  unknown       a length is the sum of two counts */
#include "Regex/Syntax/assay_regex_lengths.h"

enum {
    /* Lower bounds on the bounds to drop. If all characters are ASCII, the forms for columns need no states for a count
     * (assay_shuffle_dfa.h), as long as a state fits into a byte. */
    worthwhile_count = 16,
    worthwhile_ascii_count = 100,
    /* Minima from 5 to 16 remain, because they take few states, and without them the engine would count the characters
     * of most values: only from 4 × n bytes on the bytes of a value decide about a minimum of n characters. */
    dropped_minimum = 4,
    left_minimum = 16,
};

/* Lengths in characters; UINT64_MAX: no maximum. */
typedef struct span {
    bool is_known;
    uint64_t low, high;
    uint64_t free_low, free_high; /* of the matches without the bounds, free_low <= low */
    bool is_changed;              /* bounds of some repeats are dropped */
} span;

static const span unknown_span = {.is_known = false};

static span constant_span(uint64_t length) { return (span){true, length, length, length, length, false}; }

static bool is_constant(const span *lengths)
{
    return lengths->is_known && lengths->low == lengths->high && lengths->free_low == lengths->free_high;
}

static uint64_t sum_of(uint64_t one, uint64_t other) { return one > UINT64_MAX - other ? UINT64_MAX : one + other; }

static uint64_t product_of(uint64_t one, uint64_t other)
{
    return other != 0 && one > UINT64_MAX / other ? UINT64_MAX : one * other;
}

/* Whether a node may consume a character beyond ASCII. */
static bool takes_non_ascii(const assay_regex *regex, uint32_t index)
{
    const regex_node *node = &regex->nodes[index];
    if (node->kind == REGEX_CLASS) {
        const assay_character_set *set = regex->sets[node->label];
        if (assay_character_set_reaches_above(set)) return true;
        for (size_t block = ascii_blocks; block < character_blocks; block++) {
            if (set->blocks[block] != 0) return true;
        }
    }
    for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
        if (takes_non_ascii(regex, child)) return true;
    }
    return false;
}

/* Whether the bounds of a repeat are dropped. Those of possessive ones decide where the repeat may end. */
static bool drops_bounds(const assay_regex *regex, const regex_node *repeat, uint64_t length)
{
    if (repeat->possessive || length == 0) return false;
    const uint64_t bound = repeat->maximum == regex_unbounded ? repeat->minimum : repeat->maximum;
    const uint64_t characters = product_of(bound, length);
    if (characters < worthwhile_count) return false;
    return characters >= worthwhile_ascii_count || takes_non_ascii(regex, repeat->first_child);
}

/* Returns the minimum of a repeat without its bounds. */
static uint32_t free_minimum(uint32_t minimum)
{
    if (minimum > dropped_minimum && minimum <= left_minimum) return minimum;
    return minimum > 0;
}

static span span_of(const assay_regex *regex, uint32_t index);

/* Only one of the items may vary. */
static span span_of_concatenation(const assay_regex *regex, const regex_node *node)
{
    span sum = constant_span(0);
    bool varies = false;
    for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
        const span part = span_of(regex, child);
        if (!part.is_known || (varies && !is_constant(&part))) return unknown_span;
        varies = varies || !is_constant(&part);
        sum.low = sum_of(sum.low, part.low);
        sum.high = sum_of(sum.high, part.high);
        sum.free_low = sum_of(sum.free_low, part.free_low);
        sum.free_high = sum_of(sum.free_high, part.free_high);
        sum.is_changed = sum.is_changed || part.is_changed;
    }
    return sum;
}

/* Returns the span of one alternative or the other. */
static span span_of_either(const span *one, const span *other)
{
    return (span){
        .is_known = one->is_known && other->is_known,
        .low = one->low < other->low ? one->low : other->low,
        .high = one->high > other->high ? one->high : other->high,
        .free_low = one->free_low < other->free_low ? one->free_low : other->free_low,
        .free_high = one->free_high > other->free_high ? one->free_high : other->free_high,
        .is_changed = one->is_changed || other->is_changed,
    };
}

/* Whether an alternative, without its bounds, has no further matches within the lengths of all alternatives. */
static bool stays_within(const span *part, const span *all)
{
    const uint64_t low = part->free_low > all->low ? part->free_low : all->low;
    const uint64_t high = part->free_high < all->high ? part->free_high : all->high;
    return low > high || (low >= part->low && high <= part->high);
}

static span span_of_alternation(const assay_regex *regex, const regex_node *node)
{
    if (node->first_child == regex_none) return unknown_span;
    span all = span_of(regex, node->first_child);
    for (uint32_t child = regex->nodes[node->first_child].next; child != regex_none; child = regex->nodes[child].next) {
        const span part = span_of(regex, child);
        all = span_of_either(&all, &part);
    }
    for (uint32_t child = node->first_child; child != regex_none && all.is_known; child = regex->nodes[child].next) {
        const span part = span_of(regex, child);
        all.is_known = stays_within(&part, &all);
    }
    return all;
}

/* A repeat of a constant length; or {1} and ? of any span, because ? is an alternation with the empty text. */
static span span_of_repeat(const assay_regex *regex, const regex_node *node)
{
    const span part = span_of(regex, node->first_child);
    /* A possessive repeat ends where its bounds decide. */
    if (!part.is_known || (node->possessive && part.is_changed)) return unknown_span;
    if (node->minimum == 1 && node->maximum == 1) return part;
    if (!is_constant(&part)) {
        if (node->minimum > 0 || node->maximum != 1) return unknown_span;
        const span empty = constant_span(0);
        span either = span_of_either(&part, &empty);
        either.is_known = stays_within(&part, &either) && stays_within(&empty, &either);
        return either;
    }
    const uint64_t length = part.low;
    const uint64_t low = product_of(node->minimum, length);
    const uint64_t high = node->maximum == regex_unbounded && length > 0 ? UINT64_MAX
                          : length == 0                                  ? 0
                                                                         : product_of(node->maximum, length);
    if (!drops_bounds(regex, node, length)) return (span){true, low, high, low, high, false};
    return (span){true, low, high, free_minimum(node->minimum) * length, UINT64_MAX, true};
}

/* Returns the span of a node. Recursion is as deep as parentheses nest. */
static span span_of(const assay_regex *regex, uint32_t index)
{
    const regex_node *node = &regex->nodes[index];
    switch (node->kind) {
    case REGEX_CLASS:
        return constant_span(1);
    case REGEX_ASSERTION:
    case REGEX_LOOKBEHIND:
        return constant_span(0);
    case REGEX_CONCATENATION:
        return span_of_concatenation(regex, node);
    case REGEX_ALTERNATION:
        return span_of_alternation(regex, node);
    case REGEX_REPEAT:
        return span_of_repeat(regex, node);
    case REGEX_LOOKAHEAD:
        break;
    }
    return unknown_span;
}

/* Drops the bounds that span_of() has left out. */
static void drop_bounds(assay_regex *regex, uint32_t index)
{
    regex_node *node = &regex->nodes[index];
    if (node->kind == REGEX_LOOKBEHIND) return;
    if (node->kind == REGEX_REPEAT) {
        const span part = span_of(regex, node->first_child);
        if (is_constant(&part)) {
            if (!drops_bounds(regex, node, part.low)) return;
            node->minimum = free_minimum(node->minimum);
            node->maximum = regex_unbounded;
            return;
        }
    }
    for (uint32_t child = node->first_child; child != regex_none; child = regex->nodes[child].next) {
        drop_bounds(regex, child);
    }
}

/* Whether a node can only match at the end of the value, because its last item is `$`. */
static bool ends_at_end(const assay_regex *regex, uint32_t index)
{
    const regex_node *node = &regex->nodes[index];
    if (node->kind == REGEX_ASSERTION) {
        const regex_assertion assertion = regex->assertions[node->label];
        return assertion.behind == regex_none && assertion.ahead == regex->any && assertion.negated;
    }
    if (node->kind != REGEX_CONCATENATION && node->kind != REGEX_ALTERNATION) return false;
    uint32_t last = node->first_child;
    if (last == regex_none) return false;
    if (node->kind == REGEX_ALTERNATION && regex->nodes[last].next != regex_none) return false;
    while (regex->nodes[last].next != regex_none) last = regex->nodes[last].next;
    return ends_at_end(regex, last);
}

/* The conjunct of a look-ahead is (any){n} body (any)*. If the body ends with `$`, the last item only matches the empty
 * text. Returns the item before it, or regex_none. */
static uint32_t find_last_body(const assay_regex *regex, uint32_t root)
{
    uint32_t body = regex->nodes[root].first_child;
    while (regex->nodes[regex->nodes[body].next].next != regex_none) body = regex->nodes[body].next;
    return ends_at_end(regex, body) ? body : regex_none;
}

void assay_regex_split_lengths(assay_regex *regex)
{
    if (regex->backward_because != NULL) return;
    for (uint32_t i = 0; i < regex->conjunct_count; i++) {
        const uint32_t root = regex->conjuncts[i].root;
        if (regex->conjuncts[i].negated) continue;
        const uint32_t last = i > 0 ? find_last_body(regex, root) : regex_none;
        const uint32_t rest = last == regex_none ? regex_none : regex->nodes[last].next;
        if (last != regex_none) regex->nodes[last].next = regex_none;
        const span full = span_of(regex, root);
        if (!full.is_known || !full.is_changed || full.low > UINT32_MAX) {
            if (last != regex_none) regex->nodes[last].next = rest;
            continue;
        }
        regex_lengths *lengths = &regex->lengths;
        if (!lengths->are_bounded) *lengths = (regex_lengths){true, 0, UINT32_MAX};
        /* The automaton ensures its own minimum. */
        if (full.low > full.free_low && full.low > lengths->minimum) lengths->minimum = (uint32_t)full.low;
        if (full.high < lengths->maximum) lengths->maximum = (uint32_t)full.high;
        drop_bounds(regex, root);
    }
}
