/* Duplicate names in an object without a shape. Few names are compared in pairs, more with a hash table. The hash is
 * not cryptographic, so names may collide on purpose. Therefore the search counts its steps and, after too many, sorts
 * the names instead, which takes O(n log n) for any names. */
#include "JSON/assay_json.h"

#include <stdlib.h>
#include <string.h>

#include "Bytes/assay_hash.h"

enum { FEW = 16 };

const uint8_t *assay_json_name_bytes(const assay_json_reader *reader, const json_name *name)
{
    return name->bytes != NULL ? name->bytes : reader->unescaped + name->start;
}

/* Compares names by hash, length and bytes. */
static int compare(const assay_json_reader *reader, const json_name *one, const json_name *other)
{
    if (one->hash != other->hash) return one->hash < other->hash ? -1 : 1;
    if (one->length != other->length) return one->length < other->length ? -1 : 1;
    return memcmp(assay_json_name_bytes(reader, one), assay_json_name_bytes(reader, other), one->length);
}

static bool are_equal(const assay_json_reader *reader, const json_name *one, const json_name *other)
{
    return one->hash == other->hash && compare(reader, one, other) == 0;
}

static uint32_t find_among_few(const assay_json_reader *reader, const json_name *names, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (are_equal(reader, &names[i], &names[k])) return names[i].place;
        }
    }
    return JSON_NONE;
}

/* Moves the name at `root` down a heap until no child is greater. */
static void sift(const assay_json_reader *reader, json_name *names, size_t root, size_t count)
{
    const json_name moved = names[root];
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && compare(reader, &names[child], &names[child + 1]) < 0) child++;
        if (compare(reader, &moved, &names[child]) >= 0) break;
        names[root] = names[child];
        root = child;
    }
    names[root] = moved;
}

/* Finds the first duplicate with heapsort, which needs no memory. Reorders the names. */
static uint32_t find_by_sorting(const assay_json_reader *reader, json_name *names, uint32_t count)
{
    for (size_t i = count / 2; i-- > 0;) sift(reader, names, i, count);
    for (size_t i = count; i-- > 1;) {
        const json_name greatest = names[0];
        names[0] = names[i];
        names[i] = greatest;
        sift(reader, names, 0, i);
    }
    uint32_t found = JSON_NONE;
    for (uint32_t i = 0, next; i < count; i = next) {
        /* For equal names, the duplicate is the second one in the text. */
        uint32_t first = names[i].place, second = JSON_NONE;
        for (next = i + 1; next < count && compare(reader, &names[i], &names[next]) == 0; next++) {
            const uint32_t place = names[next].place;
            if (place < first) {
                second = first;
                first = place;
            } else if (place < second) {
                second = place;
            }
        }
        if (second < found) found = second;
    }
    return found;
}

static bool reserve_slots(assay_json_reader *reader, size_t slots)
{
    if (slots <= reader->name_slot_capacity) return true;
    free(reader->name_slots);
    reader->name_slots = malloc(slots * sizeof *reader->name_slots);
    reader->name_slot_capacity = reader->name_slots == NULL ? 0 : slots;
    return reader->name_slots != NULL;
}

uint32_t assay_json_find_duplicate(assay_json_reader *reader, const json_level *level)
{
    json_name *names = reader->names + level->names;
    const uint32_t count = reader->name_count - level->names;
    if (count <= FEW) return find_among_few(reader, names, count);
    size_t slots = 64;
    while (slots < 2 * (size_t)count) slots *= 2;
    if (!reserve_slots(reader, slots)) return find_by_sorting(reader, names, count);
    memset(reader->name_slots, 0, slots * sizeof *reader->name_slots);
    size_t steps_left = 4 * (size_t)count + 64;
    for (uint32_t i = 0; i < count; i++) {
        size_t slot = (size_t)assay_hash_mix(names[i].hash, count) & (slots - 1);
        for (; reader->name_slots[slot] != 0; slot = (slot + 1) & (slots - 1)) {
            if (are_equal(reader, &names[i], &names[reader->name_slots[slot] - 1])) return names[i].place;
            if (steps_left-- == 0) return find_by_sorting(reader, names, count);
        }
        reader->name_slots[slot] = i + 1;
    }
    return JSON_NONE;
}
