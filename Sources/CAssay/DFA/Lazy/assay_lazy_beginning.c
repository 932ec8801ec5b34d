/* Finds the first bytes of matches (assay_lazy_beginning.h): a walk over all paths of the automaton at once, place by
 * place, up to the first place at which a match can end. Conditions count as holding. */
#include "DFA/Lazy/assay_lazy_finder.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* The maximum number of instructions, and of visits to them. */
    INSTRUCTIONS_MAX = 1 << 12,
    VISITS_MAX = 1 << 14,
    /* The longest character. A step leads to at most that many places ahead. */
    AHEAD = 4,
};

/* A set to which a byte of text belongs with this chance refuses too few candidates. */
static const double frequent = 0.5;

typedef struct walk {
    finder *graph;
    uint32_t *items[AHEAD + 1]; /* the instructions at a place, by place modulo AHEAD + 1 */
    uint32_t counts[AHEAD + 1];
    uint32_t visits;
    bool is_single;                               /* so far a single path, of ASCII characters without conditions */
    bool ends;                                    /* a match can end at the latest place */
    uint64_t sets[lazy_beginning_max + AHEAD][4]; /* by place */
} walk;

static void enter(walk *in, uint32_t item, uint32_t place)
{
    if (place >= lazy_beginning_max || (in->graph->entered[item] >> place & 1) != 0) return;
    in->graph->entered[item] |= 1u << place;
    const uint32_t list = place % (AHEAD + 1);
    in->items[list][in->counts[list]++] = item;
    in->visits++;
}

static void read_class(walk *in, const thompson_instruction *at, uint32_t place)
{
    const class_bytes *bytes = lazy_bytes_of(in->graph, at->label);
    for (uint32_t length = 1; length <= AHEAD; length++) {
        if (!bytes->has[length]) continue;
        for (uint32_t i = 0; i < length; i++) set_unite(in->sets[place + i], bytes->sets[length][i]);
        enter(in, at->next, place + length);
        in->is_single = in->is_single && length == 1;
    }
}

/* Visits the instructions at a place. Returns false if a match can end there, or after too many visits. */
static bool visit_place(walk *in, uint32_t place)
{
    const uint32_t list = place % (AHEAD + 1);
    for (uint32_t i = 0; i < in->counts[list]; i++) {
        const uint32_t item = in->items[list][i];
        const thompson_instruction *at = &in->graph->code[item];
        in->is_single = in->is_single && i == 0 && (at->kind == THOMPSON_CLASS || at->kind == THOMPSON_MATCH);
        in->ends = at->kind == THOMPSON_MATCH;
        if (in->ends || in->visits > VISITS_MAX) return false;
        if (at->kind == THOMPSON_CLASS) {
            read_class(in, at, place);
            continue;
        }
        for (uint32_t edge = 0; edge < 2; edge++) {
            const uint32_t to = lazy_edge(in->graph, item, edge);
            if (to != regex_none) enter(in, to, place);
        }
    }
    in->counts[list] = 0;
    return true;
}

/* Adds the places to examine: all, or those with the rarest bytes. Frequent bytes refuse too few candidates. */
static void choose_places(const walk *in, lazy_beginning *made)
{
    bool is_chosen[lazy_beginning_max] = {false};
    const uint32_t max = made->is_match ? lazy_beginning_max : lazy_beginning_checks;
    while (made->checks < max && made->checks < made->count) {
        double rarest = made->is_match ? 2 : frequent;
        uint32_t best = lazy_beginning_max;
        for (uint32_t place = 0; place < made->count; place++) {
            const double chance = lazy_chance_of_set(in->sets[place]);
            if (is_chosen[place] || chance >= rarest) continue;
            rarest = chance;
            best = place;
        }
        if (best == lazy_beginning_max) return;
        is_chosen[best] = true;
        made->places[made->checks++] = (uint8_t)best;
    }
}

static lazy_beginning *beginning_of(const walk *in, uint32_t count)
{
    if (count <= prefix_bytes) return NULL;
    lazy_beginning *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->count = count;
    made->is_match = in->is_single && in->ends;
    choose_places(in, made);
    for (uint32_t place = 0; place < count; place++) {
        for (size_t byte = 0; byte < 256; byte++) {
            if (set_has(in->sets[place], byte)) made->places_of[byte] |= 1u << place;
        }
    }
    return made;
}

lazy_beginning *lazy_find_beginning(finder *in)
{
    memset(in->entered, 0, in->count * sizeof *in->entered);
    if (in->count > INSTRUCTIONS_MAX) return NULL;
    walk *made = calloc(1, sizeof *made);
    uint32_t *items = malloc((AHEAD + 1) * (size_t)in->count * sizeof *items);
    lazy_beginning *beginning = NULL;
    if (made != NULL && items != NULL) {
        made->graph = in;
        made->is_single = true;
        for (size_t i = 0; i <= AHEAD; i++) made->items[i] = items + i * in->count;
        enter(made, in->start, 0);
        uint32_t place = 0;
        while (place < lazy_beginning_max && visit_place(made, place)) place++;
        in->places_entered = place;
        beginning = beginning_of(made, place);
    }
    free(made);
    free(items);
    return beginning;
}
