#include "Regex/Determinize/assay_instruction_set.h"

#include <stdlib.h>
#include <string.h>

bool assay_instruction_set_reserve(instruction_set *set, uint32_t instructions)
{
    if (instructions <= set->capacity) return true;
    assay_instruction_set_free(set);
    set->found = malloc(instructions * sizeof *set->found);
    set->mark = calloc(instructions, sizeof *set->mark);
    set->stack = malloc(instructions * sizeof *set->stack);
    set->ready = malloc(instructions * sizeof *set->ready);
    set->map = calloc(instructions / 64 + 1, sizeof *set->map);
    const bool has_all =
        set->found != NULL && set->mark != NULL && set->stack != NULL && set->ready != NULL && set->map != NULL;
    set->capacity = has_all ? instructions : 0;
    return has_all;
}

void assay_instruction_set_free(instruction_set *set)
{
    free(set->found);
    free(set->mark);
    free(set->stack);
    free(set->ready);
    free(set->map);
    *set = (instruction_set){.found = NULL};
}

void assay_instruction_set_clear(instruction_set *set)
{
    set->found_count = 0;
    if (++set->round == 0) {
        memset(set->mark, 0, set->capacity * sizeof *set->mark);
        set->round = 1;
    }
}

void assay_instruction_set_add(instruction_set *set, const thompson_instruction *code, uint32_t from)
{
    uint32_t depth = 0;
    uint32_t visited = 0;
    set->stack[depth++] = from;
    while (depth > 0) {
        uint32_t index = set->stack[--depth];
        while (set->mark[index] != set->round) {
            set->mark[index] = set->round;
            visited++;
            if (code[index].kind != THOMPSON_SPLIT) {
                set->found[set->found_count++] = index;
                break;
            }
            set->stack[depth++] = code[index].other; /* at most one entry for each split, so there is room */
            index = code[index].next;
        }
    }
    set->work += visited;
}

bool assay_instructions_have(const thompson_instruction *code, thompson_kind kind, const uint32_t *items,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (code[items[i]].kind == kind) return true;
    }
    return false;
}

bool assay_instructions_have_conditions(const thompson_instruction *code, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        switch ((thompson_kind)code[items[i]].kind) {
        case THOMPSON_ASSERTION:
        case THOMPSON_LOOKBEHIND:
        case THOMPSON_LOOKAHEAD:
            return true;
        case THOMPSON_CLASS:
        case THOMPSON_SPLIT:
        case THOMPSON_MATCH:
        case THOMPSON_BEHIND:
            break;
        }
    }
    return false;
}

/* Most sets have few members, for which insertion sort is fastest. Larger sets become bits of a map, which is read in
   order. The map has a word for each 64 instructions of the automaton, so sorting never takes longer than a simulation
   of the NFA. */
void assay_instruction_set_sort(instruction_set *set)
{
    uint32_t *items = set->found;
    const uint32_t count = set->found_count;
    if (count <= 16) {
        for (uint32_t i = 1; i < count; i++) {
            const uint32_t item = items[i];
            uint32_t at = i;
            for (; at > 0 && items[at - 1] > item; at--) items[at] = items[at - 1];
            items[at] = item;
        }
        return;
    }
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = items[i] / 64;
        set->map[word] |= UINT64_C(1) << (items[i] % 64);
        if (word < first) first = word;
        if (word > last) last = word;
    }
    uint32_t sorted = 0;
    for (uint32_t word = first; word <= last; word++) {
        for (uint64_t bits = set->map[word]; bits != 0; bits &= bits - 1) {
            items[sorted++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
        }
        set->map[word] = 0;
    }
}
