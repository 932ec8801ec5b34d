#include "Checks/assay_set.h"

#include "Bytes/assay_hash.h"
#include "Types/assay_exponent.h"
#include "assay_error.h"

#include <stdlib.h>
#include <string.h>

/* One slot of the table. An empty one has no text. */
typedef struct slot {
    uint64_t hash;
    assay_text text;
    assay_value value; /* of STRING unused */
} slot;

struct assay_set {
    const assay_type *type;
    bool is_string;
    size_t shortest;
    size_t longest;
    size_t mask; /* slots less one: a power of two, at most half of them taken */
    uint8_t *storage;
    slot slots[];
};

static bool same_bytes(assay_text text, const uint8_t *bytes, size_t count)
{
    return text.count == count && (count == 0 || memcmp(text.bytes, bytes, count) == 0);
}

/* The slot with this value, or the empty one where it belongs. `value` is not read for strings. */
static size_t find(const assay_set *set, uint64_t hash, const uint8_t *bytes, size_t count, const assay_value *value)
{
    size_t index = (size_t)hash & set->mask;
    for (;; index = (index + 1) & set->mask) {
        const slot *at = &set->slots[index];
        if (at->text.bytes == NULL) return index;
        if (at->hash != hash) continue;
        /* Two different values may share a hash: only a full comparison says yes. */
        if (set->is_string ? same_bytes(at->text, bytes, count) : assay_type_equal(set->type, &at->value, value)) {
            return index;
        }
    }
}

static size_t slots_for(size_t count)
{
    size_t slots = 8;
    while (slots / 2 < count) slots *= 2;
    return slots;
}

static assay_set *allocate(const assay_type *type, const assay_text *values, size_t count)
{
    size_t slots = slots_for(count);
    size_t bytes = 1; /* never NULL, since an empty slot is one without text */
    for (size_t i = 0; i < count; i++) bytes += values[i].count;
    assay_set *set = calloc(1, sizeof *set + slots * sizeof(slot));
    if (set == NULL) return NULL;
    set->type = type;
    set->is_string = type == NULL || assay_type_kind(type) == ASSAY_KIND_STRING;
    set->mask = slots - 1;
    set->shortest = SIZE_MAX;
    set->storage = malloc(bytes);
    if (set->storage != NULL) return set;
    free(set);
    return NULL;
}

/* JSON is compared level by level, and each takes room on the stack. */
enum { most_levels = 64 };

static bool is_too_deep(const assay_type *type, assay_text text)
{
    if (!assay_type_has_members(type) || assay_type_kind(type) == ASSAY_KIND_LIST) return false;
    int depth = 0;
    bool is_string = false;
    for (size_t i = 0; i < text.count && depth <= most_levels; i++) {
        const uint8_t byte = text.bytes[i];
        if (byte == '"') is_string = !is_string;
        if (is_string && byte == '\\') i++;
        if (!is_string && (byte == '{' || byte == '[')) depth++;
        if (!is_string && (byte == '}' || byte == ']')) depth--;
    }
    return depth > most_levels;
}

assay_set *assay_set_create(const assay_type *type, const assay_text *values, size_t count, assay_error *error)
{
    assay_set *set = count > SIZE_MAX / 8 / sizeof(slot) ? NULL : allocate(type, values, count);
    if (set == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    uint8_t *free_end = set->storage;
    for (size_t i = 0; i < count; i++) {
        assay_text text = {free_end, values[i].count};
        if (text.count > 0) memcpy(free_end, values[i].bytes, text.count);
        assay_value value = {0};
        uint64_t hash = 0;
        if (set->is_string) {
            hash = assay_hash_bytes(text.bytes, text.count);
        } else {
            bool is_of_type = assay_type_parse_written(type, text.bytes, text.count, &value);
            if (is_of_type && is_too_deep(type, text)) {
                assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, i, "a value of more than %d levels is not compared",
                                 most_levels);
                assay_set_free(set);
                return NULL;
            }
            if (!is_of_type || !assay_exponent_is_comparable(&value)) {
                assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, i, "\"%.*s\" is %s",
                                 (int)(text.count < 64 ? text.count : 64), (const char *)text.bytes,
                                 is_of_type ? assay_exponent_message : "not of the type");
                assay_set_free(set);
                return NULL;
            }
            hash = assay_type_hash(type, &value);
        }
        free_end += text.count;
        if (text.count < set->shortest) set->shortest = text.count;
        if (text.count > set->longest) set->longest = text.count;
        set->slots[find(set, hash, text.bytes, text.count, &value)] = (slot){hash, text, value};
    }
    return set;
}

void assay_set_free(assay_set *set)
{
    if (set == NULL) return;
    free(set->storage);
    free(set);
}

bool assay_set_contains(const assay_set *set, const uint8_t *bytes, size_t count)
{
    if (set->is_string) {
        if (count < set->shortest || count > set->longest) return false;
        size_t index = find(set, assay_hash_bytes(bytes, count), bytes, count, NULL);
        return set->slots[index].text.bytes != NULL;
    }
    assay_value value;
    if (!assay_type_parse(set->type, bytes, count, &value)) return false;
    size_t index = find(set, assay_type_hash(set->type, &value), bytes, count, &value);
    return set->slots[index].text.bytes != NULL;
}
