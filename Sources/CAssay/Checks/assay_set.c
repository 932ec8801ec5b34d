#include "Checks/assay_set.h"

#include "Bytes/assay_hash.h"
#include "Types/assay_exponent.h"
#include "Types/assay_json_text.h"
#include "assay_error.h"

#include <stdlib.h>
#include <string.h>

/* A slot of the table. An empty slot has no text. */
typedef struct slot {
    uint64_t hash;
    assay_text text;
    assay_value value; /* unused for texts */
} slot;

/* The method of comparison. */
typedef enum set_form {
    FORM_TEXT,
    FORM_JSON, /* by the text of their canonical form */
    FORM_VALUE,
} set_form;

struct assay_set {
    const assay_type *type;
    set_form form;
    size_t shortest;
    size_t longest;
    size_t mask; /* number of slots − 1; the number is a power of two, and at most half are used */
    uint8_t *storage;
    slot slots[];
};

static bool same_bytes(assay_text text, const uint8_t *bytes, size_t count)
{
    return text.count == count && (count == 0 || memcmp(text.bytes, bytes, count) == 0);
}

/* Returns the slot with this value, or the empty slot for it. `value` is only read for FORM_VALUE. */
static size_t find(const assay_set *set, uint64_t hash, const uint8_t *bytes, size_t count, const assay_value *value)
{
    size_t index = (size_t)hash & set->mask;
    for (;; index = (index + 1) & set->mask) {
        const slot *at = &set->slots[index];
        if (at->text.bytes == NULL) return index;
        if (at->hash != hash) continue;
        /* Different values may have the same hash, so only a full comparison decides. */
        const bool by_value = set->form == FORM_VALUE;
        if (by_value ? assay_type_equal(set->type, &at->value, value) : same_bytes(at->text, bytes, count))
            return index;
    }
}

static size_t slots_for(size_t count)
{
    size_t slots = 8;
    while (slots / 2 < count) slots *= 2;
    return slots;
}

static set_form form_of(const assay_type *type)
{
    if (type == NULL || assay_type_kind(type) == ASSAY_KIND_STRING) return FORM_TEXT;
    const bool is_list = assay_type_kind(type) == ASSAY_KIND_LIST;
    return assay_type_has_members(type) && !is_list ? FORM_JSON : FORM_VALUE;
}

static assay_set *allocate(const assay_type *type, const assay_text *values, size_t count)
{
    size_t slots = slots_for(count);
    const set_form form = form_of(type);
    size_t bytes = 1; /* at least 1, because the text of a used slot must not be NULL */
    for (size_t i = 0; i < count; i++) {
        bytes += form == FORM_JSON ? assay_json_text_canonical_max(values[i].count) : values[i].count;
    }
    assay_set *set = calloc(1, sizeof *set + slots * sizeof(slot));
    if (set == NULL) return NULL;
    set->type = type;
    set->form = form;
    set->mask = slots - 1;
    set->shortest = SIZE_MAX;
    set->storage = malloc(bytes);
    if (set->storage != NULL) return set;
    free(set);
    return NULL;
}

/* Whether a value has more levels than comparison supports. */
static bool is_too_deep(assay_text text)
{
    int depth = 0;
    bool is_string = false;
    for (size_t i = 0; i < text.count && depth <= ASSAY_JSON_LEVELS; i++) {
        const uint8_t byte = text.bytes[i];
        if (byte == '"') is_string = !is_string;
        if (is_string && byte == '\\') i++;
        if (!is_string && (byte == '{' || byte == '[')) depth++;
        if (!is_string && (byte == '}' || byte == ']')) depth--;
    }
    return depth > ASSAY_JSON_LEVELS;
}

/* Writes the text of a new slot to `target`, for JSON its canonical form. The value refers to this text. */
static bool read_value(const assay_set *set, assay_text written, uint8_t *target, slot *made, size_t index,
                       assay_error *error)
{
    made->text = (assay_text){target, written.count};
    if (written.count > 0) memcpy(target, written.bytes, written.count);
    if (set->form == FORM_TEXT) return true;
    const bool is_of_type = assay_type_parse_written(set->type, target, written.count, &made->value);
    if (is_of_type && set->form == FORM_JSON && is_too_deep(written)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, index, "a value of more than %d levels is not compared",
                         (int)ASSAY_JSON_LEVELS);
        return false;
    }
    if (!is_of_type || !assay_exponent_is_comparable(&made->value)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, index, "\"%.*s\" is %s",
                         (int)(written.count < 64 ? written.count : 64), (const char *)target,
                         is_of_type ? assay_exponent_message : "not of the type");
        return false;
    }
    if (set->form == FORM_VALUE) return true;
    uint8_t *canonical = assay_json_text_canonical(written.bytes, written.count, &made->text.count);
    if (canonical == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    memcpy(target, canonical, made->text.count);
    free(canonical);
    return true;
}

static uint64_t hash_of(const assay_set *set, assay_text text, const assay_value *value)
{
    return set->form == FORM_VALUE ? assay_type_hash(set->type, value) : assay_hash_bytes(text.bytes, text.count);
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
        slot made = {.hash = 0};
        if (!read_value(set, values[i], free_end, &made, i, error)) {
            assay_set_free(set);
            return NULL;
        }
        made.hash = hash_of(set, made.text, &made.value);
        free_end += made.text.count;
        if (made.text.count < set->shortest) set->shortest = made.text.count;
        if (made.text.count > set->longest) set->longest = made.text.count;
        set->slots[find(set, made.hash, made.text.bytes, made.text.count, &made.value)] = made;
    }
    return set;
}

void assay_set_free(assay_set *set)
{
    if (set == NULL) return;
    free(set->storage);
    free(set);
}

static bool contains(const assay_set *set, assay_text text, const assay_value *value)
{
    const size_t index = find(set, hash_of(set, text, value), text.bytes, text.count, value);
    return set->slots[index].text.bytes != NULL;
}

static assay_verdict verdict_of(bool passes) { return passes ? ASSAY_PASS : ASSAY_FAIL; }

assay_verdict assay_set_evaluate(const assay_set *set, const uint8_t *bytes, size_t count)
{
    assay_text text = {bytes, count};
    if (set->form == FORM_TEXT) {
        return verdict_of(count >= set->shortest && count <= set->longest && contains(set, text, NULL));
    }
    assay_value value;
    if (!assay_type_parse(set->type, bytes, count, &value)) return ASSAY_FAIL;
    if (set->form == FORM_VALUE) return verdict_of(contains(set, text, &value));
    uint8_t *canonical = assay_json_text_canonical(bytes, count, &text.count);
    if (canonical == NULL) return ASSAY_UNDECIDED;
    text.bytes = canonical;
    const bool is_there = contains(set, text, NULL);
    free(canonical);
    return verdict_of(is_there);
}
