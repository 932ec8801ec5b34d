/* Random Arrow structures, about half of them with defects.

       test_arrow_random [DIRECTORY [COUNT [SEED]]]

   An oracle below decides which structures are valid and the verdict for each row; libassay must agree. Every buffer
   touches an unreadable page, either at its start or at its end, so that a read outside of it ends the test.

   The structures contain no undetectable defects. The C Data Interface does not describe the sizes of buffers of
   texts and numbers, so lengths and last offsets are within these buffers. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support.h"

#include <sys/mman.h>
#include <unistd.h>

/* -- Chance ------------------------------------------------------------------------------------------------------- */

static test_random dice;

/* A number from 0 to `count` − 1. */
static int64_t below(int64_t count) { return test_random_below(&dice, (uint32_t)count); }
static bool one_in(int64_t count) { return below(count) == 0; }

/* Whether to insert a defect here. Half of the structures have no defects. */
static int64_t flaw_rate;
static bool flaw(void) { return flaw_rate > 0 && one_in(flaw_rate); }

static int64_t wild(void)
{
    static const int64_t numbers[] = {-1, 0, 1, 2, 127, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    return one_in(3) ? below(UINT32_MAX) * below(UINT32_MAX) : numbers[below(sizeof numbers / sizeof numbers[0])];
}

/* -- Memory with a wall on both sides ----------------------------------------------------------------------------- */

enum { SLOTS = 160, PAGES = 2 };

/* Part of the memory is more than 4 GiB away from the rest. */
static uint8_t *near_slots[SLOTS], *far_slots[SLOTS];
static size_t used, room, page;
static bool is_scattered;

static uint8_t *open_slot(void *where)
{
    uint8_t *base = mmap(where, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(base != MAP_FAILED);
    CHECK(mprotect(base, page, PROT_NONE) == 0 && mprotect(base + page + room, page, PROT_NONE) == 0);
    return base + page;
}

static void open_slots(void)
{
    page = (size_t)sysconf(_SC_PAGESIZE);
    room = PAGES * page;
    for (size_t i = 0; i < SLOTS; i++) {
        near_slots[i] = open_slot(NULL);
        /* Below, unless the addresses there are unavailable, as under valgrind. */
        const uintptr_t far = (uintptr_t)(i % 8 + 1) << 36;
        uint8_t *base = (uintptr_t)near_slots[0] > (uintptr_t)1 << 40 ? near_slots[0] - far : near_slots[0] + far;
        far_slots[i] = open_slot(base + i * (room + 2 * page));
    }
    const uintptr_t apart = (uintptr_t)(near_slots[0] - far_slots[0]);
    CHECK(apart > UINT32_MAX && apart < UINTPTR_MAX - UINT32_MAX);
}

/* `size` bytes next to an unreadable page, with arbitrary content. */
static void *walled(int64_t size, size_t alignment)
{
    CHECK(used < SLOTS && (size_t)size <= room);
    uint8_t *slot = (is_scattered && one_in(2) ? far_slots : near_slots)[used++];
    uint8_t *memory = one_in(2) ? slot : slot + ((room - (size_t)size) & ~(alignment - 1));
    for (int64_t i = 0; i < size; i++) memory[i] = (uint8_t)below(256);
    return memory;
}

/* -- Structures --------------------------------------------------------------------------------------------------- */

typedef struct node {
    struct ArrowSchema schema;
    struct ArrowArray array;
    const void *buffers[8];
    struct ArrowSchema *child_schemas[2];
    struct ArrowArray *child_arrays[2];
} node;

static node nodes[16];
static size_t used_nodes;

static void fill_text(uint8_t *text, int64_t size)
{
    static const uint8_t bytes[] = {'1', '2', '3', '4', '5', '6', '7', '8', 'x', 0xC3, 0xA9, 0xFF};
    const int64_t kinds = one_in(2) ? 8 : sizeof bytes;
    for (int64_t i = 0; i < size; i++) text[i] = bytes[below(kinds)];
}

/* Texts with offsets of 4 or 8 bytes. */
static void make_texts(node *column, int64_t capacity, size_t width)
{
    uint8_t *offsets = walled((capacity + 1) * (int64_t)width, width);
    const int64_t size = below(4 * capacity + 1);
    int64_t at = one_in(2) ? 0 : below(size + 1);
    int64_t last = 0;
    for (int64_t i = 0; i <= capacity; i++) {
        int64_t offset = flaw() ? below(size + 4) - 3 : at;
        if (width == 4) {
            ((int32_t *)(void *)offsets)[i] = (int32_t)offset;
        } else {
            ((int64_t *)(void *)offsets)[i] = offset;
        }
        if (offset > last) last = offset;
        at += below(5);
        if (at > size) at = size;
    }
    uint8_t *text = walled(last, 1);
    fill_text(text, last);
    column->buffers[1] = flaw() ? NULL : flaw() ? offsets + 1 : offsets;
    column->buffers[2] = flaw() ? NULL : text;
}

typedef struct view {
    int32_t length;
    uint8_t prefix[4];
    int32_t buffer, offset;
} view;

static void make_views(node *column, int64_t capacity)
{
    const int64_t count = below(4);
    int64_t *sizes = walled(8 * count, 8);
    for (int64_t i = 0; i < count; i++) {
        sizes[i] = below(60);
        uint8_t *text = walled(sizes[i], 1);
        fill_text(text, sizes[i]);
        column->buffers[2 + i] = flaw() ? NULL : text;
        if (flaw()) sizes[i] -= below(80);
    }
    view *views = walled(16 * capacity, 4);
    for (int64_t i = 0; i < capacity; i++) {
        const int64_t buffer = count > 0 ? below(count) : 0;
        const int64_t size = count > 0 ? sizes[buffer] : 0;
        fill_text((uint8_t *)&views[i], 16);
        if (size > 12 && one_in(2)) {
            views[i].length = (int32_t)(13 + below(size - 12));
            views[i].buffer = (int32_t)buffer;
            views[i].offset = (int32_t)below(size - views[i].length + 1);
        } else {
            views[i].length = (int32_t)below(13);
        }
        if (flaw()) views[i].length = (int32_t)wild();
        if (flaw()) views[i].buffer = (int32_t)wild();
        if (flaw()) views[i].offset = (int32_t)wild();
    }
    column->buffers[1] = flaw() ? NULL : flaw() ? (uint8_t *)views + 1 : (uint8_t *)views;
    column->buffers[2 + count] = flaw() ? NULL : flaw() ? (uint8_t *)sizes + 1 : (uint8_t *)sizes;
    column->array.n_buffers = 3 + count;
    if (flaw()) column->array.n_buffers = one_in(2) ? below(4) : one_in(2) ? -1 : INT64_MAX;
}

/* Formats, and the number of bits of their values. */
static const struct {
    const char *format;
    int bits;
} fixed[] = {{"b", 1},
             {"c", 8},
             {"C", 8},
             {"s", 16},
             {"S", 16},
             {"i", 32},
             {"I", 32},
             {"l", 64},
             {"L", 64},
             {"e", 16},
             {"f", 32},
             {"g", 64},
             {"d:40,2,256", 256},
             {"d:5,-2", 128},
             {"d:9,2", 128},
             {"d:9,1,32", 32},
             {"d:18,3,64", 64},
             {"tdD", 32},
             {"tdm", 64},
             {"tts", 32},
             {"ttm", 32},
             {"ttu", 64},
             {"ttn", 64},
             {"tss:", 64},
             {"tsm:UTC", 64},
             {"tsu:", 64},
             {"tsn:Europe/Berlin", 64}};
enum { FIXED = sizeof fixed / sizeof fixed[0] };
static const char *const indices[] = {"c", "C", "s", "S", "i", "I", "l", "L"};
static const char *const others[] = {"+l",  "+L",  "+w:2",       "+m", "+us:0,1", "w:3",
                                     "tiM", "tDs", "d:40,2,512", "",   "?",       "tsx:"};

static int bits_of(const char *format)
{
    for (size_t i = 0; i < FIXED; i++)
        if (strcmp(fixed[i].format, format) == 0) return fixed[i].bits;
    return 0;
}

static node *make_column(int64_t rows, bool is_inner);

static void write_integer(void *base, int bits, int64_t row, int64_t value)
{
    memcpy((uint8_t *)base + row * bits / 8, &value, (size_t)bits / 8);
}

static void make_dictionary(node *column, int64_t capacity)
{
    column->schema.format = indices[below(8)];
    const int bits = bits_of(column->schema.format);
    node *values = make_column(below(10), true);
    const int64_t count = values->array.length > 0 && values->array.length < 100 ? values->array.length : 1;
    void *base = walled(capacity * bits / 8, (size_t)bits / 8);
    for (int64_t i = 0; i < capacity; i++) write_integer(base, bits, i, flaw() ? wild() : below(count));
    column->buffers[1] = flaw() ? NULL : flaw() && bits > 8 ? (uint8_t *)base + 1 : (uint8_t *)base;
    column->array.dictionary = flaw() ? NULL : &values->array;
    column->schema.dictionary = flaw() ? NULL : &values->schema;
    if (flaw()) column->schema.format = one_in(2) ? "u" : "g";
    /* The format may now be wider than the buffer: an index of 1 byte may be an offset of 4 or a number of 8. */
    if (bits_of(column->schema.format) != bits) column->array.length = column->array.offset = 0;
    column->array.n_buffers = 2;
}

static void make_runs(node *column, int64_t capacity)
{
    static const char *const types[] = {"s", "i", "l"};
    node *ends = &nodes[used_nodes++];
    *ends = (node){.schema = {.format = types[below(3)], .release = release_schema},
                   .array = {.n_buffers = 2, .release = release_array}};
    const int bits = bits_of(ends->schema.format);
    int64_t steps[256], count = 0, at = 0;
    const int64_t stop = flaw() ? capacity / 2 : capacity;
    do {
        at += flaw() ? below(3) - 2 : 1 + below(5);
        steps[count++] = flaw() ? wild() : at;
    } while (at < stop && count < 256);
    ends->array.offset = one_in(2) ? 0 : below(5);
    ends->array.length = flaw() ? 0 : count;
    void *base = walled((ends->array.offset + count) * bits / 8, (size_t)bits / 8);
    for (int64_t i = 0; i < count; i++) write_integer(base, bits, ends->array.offset + i, steps[i]);
    ends->buffers[1] = flaw() ? NULL : flaw() ? (uint8_t *)base + 1 : (uint8_t *)base;
    ends->array.buffers = flaw() ? NULL : ends->buffers;
    ends->array.null_count = flaw() ? wild() : 0;
    if (flaw()) ends->buffers[0] = walled(64, 1);
    if (flaw()) ends->schema.format = "u";
    node *values = make_column(flaw() ? below(count) : count, true);
    column->schema.format = "+r";
    column->array.n_buffers = 0;
    column->schema.n_children = column->array.n_children = 2;
    column->child_schemas[0] = &ends->schema;
    column->child_schemas[1] = &values->schema;
    column->child_arrays[0] = flaw() ? NULL : &ends->array;
    column->child_arrays[1] = flaw() ? NULL : &values->array;
}

/* Inserts defects that any type of array can have. */
static void spoil(node *column)
{
    struct ArrowArray *array = &column->array;
    if (flaw()) array->length = one_in(2) ? -1 : INT64_MAX;
    if (flaw()) array->offset = one_in(2) ? -1 : INT64_MAX;
    if (flaw()) array->null_count = wild();
    if (flaw()) array->buffers = NULL;
    if (flaw()) array->children = NULL;
    if (flaw()) array->n_children = wild();
    if (flaw()) array->release = NULL;
    if (flaw() && column->schema.format[0] != 'v') array->n_buffers = wild();
    if (flaw()) column->schema.release = NULL;
    if (flaw()) column->schema.children = NULL;
    if (flaw()) column->schema.n_children = one_in(2) ? -1 : INT64_MAX;
    if (flaw()) column->schema.format = one_in(2) ? NULL : "\xC3";
}

/* A column of at least `rows` rows. */
static node *make_column(int64_t rows, bool is_inner)
{
    node *column = &nodes[used_nodes++];
    *column = (node){.schema = {.format = "n", .name = "a", .release = release_schema},
                     .array = {.n_buffers = 2, .release = release_array}};
    struct ArrowArray *array = &column->array;
    array->buffers = column->buffers;
    array->children = column->child_arrays;
    column->schema.children = column->child_schemas;
    array->offset = one_in(2) ? 0 : below(20);
    array->length = rows + (one_in(3) ? below(5) : 0);
    const int64_t capacity = array->offset + array->length;
    switch (below(is_inner ? 8 : 12)) {
    case 0:
    case 1:
        column->schema.format = one_in(2) ? "u" : "z";
        array->n_buffers = 3;
        make_texts(column, capacity, 4);
        break;
    case 2:
        column->schema.format = one_in(2) ? "U" : "Z";
        array->n_buffers = 3;
        make_texts(column, capacity, 8);
        break;
    case 3:
    case 4:
        column->schema.format = one_in(2) ? "vu" : "vz";
        make_views(column, capacity);
        break;
    case 5:
    case 6: {
        const size_t kind = (size_t)below(FIXED);
        column->schema.format = fixed[kind].format;
        const void *base = walled((capacity * fixed[kind].bits + 7) / 8, 8);
        column->buffers[1] = flaw() ? NULL : base;
        break;
    }
    case 7:
        array->n_buffers = below(2);
        if (flaw()) {
            column->schema.format = others[below(sizeof others / sizeof others[0])];
            array->n_buffers = wild();
        }
        break;
    case 8:
    case 9:
        make_dictionary(column, capacity);
        break;
    default:
        make_runs(column, capacity);
        break;
    }
    const bool has_map = array->n_buffers > 0 && one_in(2);
    if (has_map) {
        column->buffers[0] = walled((capacity + 7) / 8, 1);
        array->null_count = one_in(2) ? -1 : 1;
    } else if (array->n_buffers > 0) {
        array->null_count = one_in(3) ? -1 : flaw() ? 1 : 0;
    }
    spoil(column);
    return column;
}

/* -- The oracle --------------------------------------------------------------------------------------------------- */

typedef enum verdict { UNKNOWN, PASS, FAIL, EMPTY, MISSING } verdict;
enum { MAX_COUNT = 300 }; /* maximum number of rows of any array */

static const char *plain_format(const struct ArrowSchema *schema)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i], schema->format) == 0) return "other";
    return schema->format;
}

static bool is_index(const char *format)
{
    for (size_t i = 0; i < 8; i++)
        if (strcmp(indices[i], format) == 0) return true;
    return false;
}

static bool schema_is_right(const struct ArrowSchema *schema)
{
    if (schema == NULL || schema->release == NULL || schema->format == NULL) return false;
    if (strcmp(schema->format, "\xC3") == 0) return false;
    if (schema->n_children < 0 || schema->n_children > 100000) return false;
    if (schema->n_children > 0 && schema->children == NULL) return false;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (!schema_is_right(schema->children[i])) return false;
    if (schema->dictionary == NULL) return true;
    return is_index(schema->format) && schema_is_right(schema->dictionary);
}

/* Requirements on every array, even if its values are not read. */
static bool shape_is_right(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    const int64_t limit = (int64_t)1 << 48;
    if (array == NULL || array->release == NULL) return false;
    if (array->length < 0 || array->length > limit || array->offset < 0 || array->offset > limit) return false;
    if (array->null_count < -1) return false;
    const char *format = plain_format(schema);
    if (strcmp(format, "other") == 0) return true;
    const int64_t buffers = strchr("uzUZ", format[0]) != NULL ? 3
                            : strcmp(format, "+s") == 0       ? 1
                            : bits_of(format)                 ? 2
                                                              : 0;
    if (format[0] == 'v') {
        if (array->n_buffers < 3 || array->n_buffers >= (int64_t)1 << 31) return false;
    } else if (array->n_buffers != buffers && !(strcmp(format, "n") == 0 && array->n_buffers == 1)) {
        return false;
    }
    if (array->n_buffers > 0 && array->buffers == NULL) return false;
    if (array->n_children != schema->n_children || (array->n_children > 0 && array->children == NULL)) return false;
    return (array->dictionary != NULL) == (schema->dictionary != NULL);
}

/* Whether the validity bitmap of an array is valid. *map is NULL if it has no bitmap. */
static bool map_is_right(const struct ArrowSchema *schema, const struct ArrowArray *array, const uint8_t **map)
{
    *map = NULL;
    if (array->null_count == 0 || array->n_buffers == 0 || strcmp(schema->format, "n") == 0) return true;
    *map = array->buffers[0];
    return *map != NULL || array->null_count < 0;
}

static bool is_set(const uint8_t *map, int64_t row) { return map == NULL || map[row / 8] >> (row % 8) & 1; }
static bool is_aligned(const void *memory, size_t alignment) { return (uintptr_t)memory % alignment == 0; }

static int64_t read_integer(const void *base, const char *format, int64_t row)
{
    const int bits = bits_of(format);
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)base + row * bits / 8, (size_t)bits / 8);
    if (strchr("csil", format[0]) == NULL || bits == 64) return (int64_t)value;
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static verdict evaluate_text(const uint8_t *text, int64_t count)
{
    if (count == 0) return EMPTY;
    for (int64_t i = 0; i < count; i++)
        if (text[i] < '0' || text[i] > '9') return FAIL;
    return PASS;
}

/* Whether rows [first, first + count) of an array are valid, and their verdicts. Rows that are MISSING on entry have
   no value, regardless of their own bitmap. */
static bool values_are_right(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t first,
                             int64_t count, verdict *verdicts)
{
    const uint8_t *map;
    const char *format = plain_format(schema);
    if (strcmp(format, "other") == 0 || strcmp(format, "+s") == 0) return false;
    if (!map_is_right(schema, array, &map)) return false;
    if (count == 0) return true;
    const int64_t start = array->offset + first;
    for (int64_t i = 0; i < count; i++)
        if (!is_set(map, start + i)) verdicts[i] = MISSING;

    if (schema->dictionary != NULL) {
        verdict values[MAX_COUNT] = {0};
        const struct ArrowArray *dictionary = array->dictionary;
        if (!shape_is_right(schema->dictionary, dictionary)) return false;
        if (!values_are_right(schema->dictionary, dictionary, 0, dictionary->length, values)) return false;
        if (array->buffers[1] == NULL || !is_aligned(array->buffers[1], (size_t)bits_of(format) / 8)) return false;
        for (int64_t i = 0; i < count; i++) {
            if (verdicts[i] == MISSING) continue;
            const int64_t index = read_integer(array->buffers[1], format, start + i);
            if (index < 0 || index >= dictionary->length) return false;
            verdicts[i] = values[index];
        }
        return true;
    }
    if (strcmp(format, "n") == 0) {
        for (int64_t i = 0; i < count; i++) verdicts[i] = MISSING;
        return true;
    }
    if (strcmp(format, "+r") == 0) {
        if (schema->n_children != 2) return false;
        const struct ArrowSchema *type = schema->children[0];
        const struct ArrowArray *ends = array->children[0], *values = array->children[1];
        if (strchr("sil", type->format[0]) == NULL || type->format[1] != 0) return false;
        if (!shape_is_right(type, ends) || ends->length == 0 || ends->buffers[1] == NULL) return false;
        if (ends->null_count != 0 && !(ends->null_count == -1 && ends->buffers[0] == NULL)) return false;
        if (!is_aligned(ends->buffers[1], (size_t)bits_of(type->format) / 8)) return false;
        int64_t before = 0;
        for (int64_t run = 0; run < ends->length; run++) {
            const int64_t end = read_integer(ends->buffers[1], type->format, ends->offset + run);
            if (end <= before) return false;
            before = end;
        }
        if (before < start + count) return false;
        verdict of_runs[MAX_COUNT] = {0};
        int64_t from = 0, to = 0;
        while (read_integer(ends->buffers[1], type->format, ends->offset + from) <= start) from++;
        while (read_integer(ends->buffers[1], type->format, ends->offset + to) < start + count) to++;
        if (!shape_is_right(schema->children[1], values) || values->length <= to) return false;
        if (!values_are_right(schema->children[1], values, from, to + 1 - from, of_runs)) return false;
        int64_t run = from;
        for (int64_t i = 0; i < count; i++) {
            while (read_integer(ends->buffers[1], type->format, ends->offset + run) <= start + i) run++;
            if (verdicts[i] != MISSING) verdicts[i] = of_runs[run - from];
        }
        return true;
    }
    if (format[0] == 'v') {
        const view *views = array->buffers[1];
        const int64_t buffers = array->n_buffers - 3;
        const int64_t *sizes = array->buffers[array->n_buffers - 1];
        if (views == NULL || !is_aligned(views, 4)) return false;
        if (buffers > 0 && (sizes == NULL || !is_aligned(sizes, 8))) return false;
        for (int64_t i = 0; i < buffers; i++)
            if (sizes[i] < 0 || (sizes[i] > 0 && array->buffers[2 + i] == NULL)) return false;
        for (int64_t i = 0; i < count; i++) {
            const view *one = &views[start + i];
            const uint8_t *text = one->prefix;
            if (verdicts[i] == MISSING) continue;
            if (one->length < 0) return false;
            if (one->length > 12) {
                if (one->buffer < 0 || one->buffer >= buffers || one->offset < 0) return false;
                if ((int64_t)one->offset + one->length > sizes[one->buffer]) return false;
                text = (const uint8_t *)array->buffers[2 + one->buffer] + one->offset;
            }
            verdicts[i] = evaluate_text(text, one->length);
        }
        return true;
    }
    if (array->buffers[1] == NULL) return false;
    const size_t width = strchr("uz", format[0]) != NULL ? 4 : strchr("UZ", format[0]) != NULL ? 8 : 0;
    if (width == 0) {
        for (int64_t i = 0; is_index(format) && i < count; i++) {
            if (verdicts[i] == MISSING) continue;
            const int64_t value = read_integer(array->buffers[1], format, start + i);
            verdicts[i] = value < 0 && format[0] != 'L' ? FAIL : PASS;
        }
        return true;
    }
    if (!is_aligned(array->buffers[1], width)) return false;
    const char *type = width == 4 ? "i" : "l";
    int64_t from = read_integer(array->buffers[1], type, start);
    if (from < 0) return false;
    for (int64_t i = 0; i < count; i++) {
        const int64_t to = read_integer(array->buffers[1], type, start + i + 1);
        if (to < from) return false;
        if (to > 0 && array->buffers[2] == NULL) return false;
        if (verdicts[i] != MISSING) verdicts[i] = evaluate_text((const uint8_t *)array->buffers[2] + from, to - from);
        from = to;
    }
    return true;
}

/* -- Comparison --------------------------------------------------------------------------------------------------- */

static uint64_t accepted, refusals;

static void compare(bool is_right, const verdict *verdicts, int64_t count, bool is_table, assay_fault *fault,
                    assay_result *result)
{
    if (is_right != (fault == NULL)) {
        fprintf(stderr, "    should be %s, %s\n", is_right ? "accepted" : "refused", fault ? fault->text : "was not");
        CHECK(is_right == (fault == NULL));
    }
    if (fault != NULL) {
        CHECK(fault->code == ASSAY_FAULT_ARROW && result == NULL);
        assay_fault_free(fault);
        refusals++;
        return;
    }
    accepted++;
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    CHECK(totals.records == (uint64_t)count && totals.clean + totals.rejected == totals.records);
    const uint64_t *rejected = assay_result_rows(result, ASSAY_ROWS_REJECTED);
    const uint64_t *missing = assay_result_rows(result, ASSAY_ROWS_MISSING);
    for (int64_t i = 0; i < count; i++) {
        if (verdicts[i] == UNKNOWN) continue;
        const bool is_reject = verdicts[i] == FAIL || (verdicts[i] == EMPTY && !is_table);
        CHECK(has_bit(rejected, (size_t)i) == is_reject);
        if (!is_table) CHECK(has_bit(missing, (size_t)i) == (verdicts[i] == MISSING));
    }
    assay_result_free(result);
}

static void check_column(const assay_rules *rules)
{
    const node *column = make_column(one_in(8) ? 0 : below(150), false);
    const struct ArrowSchema *schema = &column->schema;
    const struct ArrowArray *array = &column->array;
    verdict verdicts[MAX_COUNT] = {0};
    const bool is_right = schema_is_right(schema) && shape_is_right(schema, array) &&
                          values_are_right(schema, array, 0, array->length, verdicts);
    const assay_options options = {.size = sizeof options, .threads = 1};
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_arrow_column(rules, 0, schema, array, &options, &result);
    compare(is_right, verdicts, array->length, false, fault, result);
}

/* A record batch of one column, or of one column in a struct. */
static void check_table(assay_rules *const *rules)
{
    const int depth = one_in(2) ? 1 : 2;
    int64_t rows = one_in(8) ? 0 : below(100);
    node *structs[2];
    int64_t first = 0, target = rows;
    for (int level = 0; level < depth; level++) {
        node *outer = structs[level] = &nodes[used_nodes++];
        *outer = (node){.schema = {.format = "+s", .name = "s", .n_children = 1, .release = release_schema},
                        .array = {.n_buffers = 1, .n_children = 1, .release = release_array}};
        outer->array.offset = one_in(2) ? 0 : below(20);
        outer->array.length = target + (level > 0 && one_in(3) ? below(5) : 0);
        outer->array.buffers = outer->buffers;
        outer->array.children = outer->child_arrays;
        outer->schema.children = outer->child_schemas;
        target = outer->array.offset + outer->array.length;
        if (one_in(3)) {
            outer->buffers[0] = walled((target + 7) / 8, 1);
            outer->array.null_count = -1;
        }
        if (level > 0) {
            structs[0]->child_schemas[0] = &outer->schema;
            structs[0]->child_arrays[0] = &outer->array;
        }
    }
    node *leaf = make_column(flaw() ? target / 2 : target, false);
    structs[depth - 1]->child_schemas[0] = &leaf->schema;
    structs[depth - 1]->child_arrays[0] = flaw() ? NULL : &leaf->array;
    for (int level = 0; level < depth; level++) {
        struct ArrowArray *array = &structs[level]->array;
        if (flaw()) array->length = one_in(2) ? -1 : below(array->length + 1);
        if (flaw()) array->null_count = wild();
        if (flaw()) array->n_children = wild();
        if (flaw()) array->n_buffers = wild();
        if (flaw()) array->release = NULL;
    }
    rows = structs[0]->array.length;

    bool is_right = schema_is_right(&structs[0]->schema);
    const uint8_t *maps[2] = {NULL, NULL};
    int64_t starts[2] = {0, 0};
    for (int level = 0; is_right && level < depth; level++) {
        const struct ArrowArray *array = &structs[level]->array;
        const struct ArrowSchema *schema = &structs[level]->schema;
        is_right =
            shape_is_right(schema, array) && array->length >= first + rows && map_is_right(schema, array, &maps[level]);
        starts[level] = first += array->offset;
    }
    verdict verdicts[MAX_COUNT] = {0};
    for (int64_t i = 0; is_right && i < rows; i++)
        for (int level = 0; level < depth; level++)
            if (!is_set(maps[level], starts[level] + i)) verdicts[i] = MISSING;
    const struct ArrowArray *array = structs[depth - 1]->child_arrays[0];
    is_right = is_right && shape_is_right(&leaf->schema, array) && array->length >= first + rows &&
               values_are_right(&leaf->schema, array, first, rows, verdicts);

    /* Keys are hashed, not compared. */
    static const uint8_t secret[16] = {1};
    const assay_options options = {.size = sizeof options, .threads = 1, .key_secret = secret};
    assay_result *result = NULL;
    assay_fault *fault =
        assay_rules_check_arrow_table(rules[depth - 1], &structs[0]->schema, &structs[0]->array, &options, &result);
    compare(is_right, verdicts, rows, true, fault, result);
}

int main(int count, char **arguments)
{
    const long long structures = count > 2 ? atoll(arguments[2]) : 150000;
    const uint64_t seed = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
    open_slots();
    assay_rules *pattern = must_compile("[0-9]+");
    /* Flat and nested, and the same as row rules, which see the values after the columns were checked. */
    assay_rules *const of_column[] = {
        must_parse("fields: [{name: a, constraints: {pattern: '[0-9]+'}}]"),
        must_parse("fields: [{name: s.a, constraints: {pattern: '[0-9]+'}}]"),
    };
    assay_rules *const of_rows[] = {
        must_parse("fields: [{name: a, constraints: {unique: true}}]\n"
                   "rows: [{check: 'size(a) > 0 && a == a && a.matches(\"^[0-9]+$\")'}]"),
        must_parse("fields: [{name: s.a, constraints: {unique: true}}]\n"
                   "rows: [{check: 'size(row[\"s.a\"]) > 0 && row[\"s.a\"].matches(\"^[0-9]+$\")'}]"),
    };
    for (long long i = 0; i < structures; i++) {
        /* The state depends only on the seed and the number, so that each structure can be reproduced. */
        dice.state = (seed * 1000003 + (uint64_t)i) * 0x9E3779B97F4A7C15 | 1;
        used = used_nodes = 0;
        is_scattered = one_in(3);
        flaw_rate = one_in(2) ? 0 : 1 + below(120);
        if (one_in(3)) {
            check_table(one_in(2) ? of_column : of_rows);
        } else {
            check_column(pattern);
        }
        if (test_failures > 0) {
            fprintf(stderr, "    structure %lld of seed %llu\n", i, (unsigned long long)seed);
            break;
        }
    }
    printf("%llu accepted, %llu refused\n", (unsigned long long)accepted, (unsigned long long)refusals);
    /* Both outcomes must be frequent. */
    if (structures >= 1000) CHECK(accepted > (uint64_t)structures / 4 && refusals > (uint64_t)structures / 8);
    assay_rules_free(pattern);
    for (int i = 0; i < 2; i++) {
        assay_rules_free(of_column[i]);
        assay_rules_free(of_rows[i]);
    }
    return test_result();
}
