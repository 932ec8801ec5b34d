#include "Regex/Syntax/assay_regex_ast.h"

#include "Memory/assay_grow.h"

#include <stdlib.h>
#include <string.h>

bool assay_regex_add_node(assay_regex *regex, regex_kind kind, uint32_t *index)
{
    const size_t needed = (size_t)regex->node_count + 1;
    if (!assay_grow(&regex->nodes, &regex->node_capacity, sizeof *regex->nodes, needed)) return false;
    *index = regex->node_count++;
    regex->nodes[*index] =
        (regex_node){.kind = kind, .label = regex_none, .first_child = regex_none, .next = regex_none};
    return true;
}

void assay_regex_append_child(assay_regex *regex, uint32_t parent, uint32_t *last, uint32_t child)
{
    if (*last == regex_none) {
        regex->nodes[parent].first_child = child;
    } else {
        regex->nodes[*last].next = child;
    }
    *last = child;
}

bool assay_regex_add_repeat(assay_regex *regex, uint32_t child, uint32_t minimum, uint32_t maximum, uint32_t *index)
{
    if (!assay_regex_add_node(regex, REGEX_REPEAT, index)) return false;
    regex_node *node = &regex->nodes[*index];
    node->first_child = child;
    node->minimum = minimum;
    node->maximum = maximum;
    return true;
}

assay_character_set *assay_regex_new_set(assay_regex *regex)
{
    if (regex->set_count == regex_classes_max) return NULL;
    assay_character_set **set = &regex->sets[regex->set_count];
    if (*set == NULL) *set = calloc(1, sizeof **set);
    return *set;
}

bool assay_regex_number_any(assay_regex *regex, uint32_t *label)
{
    if (regex->any == regex_none) {
        assay_character_set *set = assay_regex_new_set(regex);
        if (set == NULL) return false;
        memset(set->blocks, 0xFF, sizeof set->blocks);
        assay_character_set_add_all_above(set);
        regex->any = regex->set_count++;
    }
    *label = regex->any;
    return true;
}

bool assay_regex_add_any(assay_regex *regex, uint32_t minimum, uint32_t maximum, uint32_t *index)
{
    uint32_t any = 0;
    uint32_t node = 0;
    if (!assay_regex_number_any(regex, &any) || !assay_regex_add_node(regex, REGEX_CLASS, &node)) return false;
    regex->nodes[node].label = any;
    return assay_regex_add_repeat(regex, node, minimum, maximum, index);
}

uint32_t assay_regex_number_assertion(assay_regex *regex, regex_assertion assertion)
{
    uint32_t number = 0;
    for (; number < regex->assertion_count; number++) {
        const regex_assertion known = regex->assertions[number];
        if (known.behind == assertion.behind && known.ahead == assertion.ahead && known.negated == assertion.negated) {
            return number;
        }
    }
    if (number == regex_assertions_max) return regex_none;
    regex->assertions[regex->assertion_count++] = assertion;
    return number;
}

void assay_regex_free(assay_regex *regex)
{
    free(regex->nodes);
    for (uint32_t i = 0; i < regex_classes_max; i++) free(regex->sets[i]);
}
