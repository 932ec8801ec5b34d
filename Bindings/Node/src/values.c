#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool succeeded(napi_env env, napi_status status)
{
    if (status == napi_ok) return true;
    bool is_pending = false;
    napi_is_exception_pending(env, &is_pending);
    if (!is_pending) napi_throw_type_error(env, NULL, "assay: an argument of the wrong type");
    return false;
}

static bool no_memory(napi_env env)
{
    napi_throw_range_error(env, NULL, "assay: there is no memory");
    return false;
}

/* -- Strings. */

static bool reserve(napi_env env, table *table, size_t count)
{
    if (table->capacity - table->byte_count >= count) return true;
    const size_t capacity = 2 * table->capacity + count;
    uint8_t *bytes = realloc(table->bytes, capacity);
    if (bytes == NULL) return no_memory(env);
    table->bytes = bytes;
    table->capacity = capacity;
    return true;
}

/* Encodes UTF-16 as UTF-8. Half a surrogate pair becomes three invalid bytes, and therefore a finding. Node-API's
 * own function would replace it with U+FFFD, which is a valid value. */
static size_t encode(const uint16_t *units, size_t count, uint8_t *bytes)
{
    uint8_t *next = bytes;
    for (size_t i = 0; i < count; i++) {
        uint32_t point = units[i];
        if (point >= 0xD800 && point < 0xDC00 && i + 1 < count && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (units[++i] - 0xDC00u);
        }
        if (point < 0x80) {
            *next++ = (uint8_t)point;
        } else if (point < 0x800) {
            *next++ = (uint8_t)(0xC0 | point >> 6);
            *next++ = (uint8_t)(0x80 | (point & 0x3F));
        } else {
            if (point < 0x10000) {
                *next++ = (uint8_t)(0xE0 | point >> 12);
            } else {
                *next++ = (uint8_t)(0xF0 | point >> 18);
                *next++ = (uint8_t)(0x80 | (point >> 12 & 0x3F));
            }
            *next++ = (uint8_t)(0x80 | (point >> 6 & 0x3F));
            *next++ = (uint8_t)(0x80 | (point & 0x3F));
        }
    }
    return (size_t)(next - bytes);
}

static bool append_string(napi_env env, napi_value string, table *table)
{
    size_t count;
    if (!succeeded(env, napi_get_value_string_utf16(env, string, NULL, 0, &count))) return false;
    if (count + 1 > table->unit_capacity) {
        const size_t capacity = 2 * count + 64;
        uint16_t *units = realloc(table->units, capacity * sizeof *units);
        if (units == NULL) return no_memory(env);
        table->units = units;
        table->unit_capacity = capacity;
    }
    char16_t *units = (char16_t *)table->units;
    if (!succeeded(env, napi_get_value_string_utf16(env, string, units, count + 1, &count))) return false;
    if (!reserve(env, table, 3 * count)) return false;
    table->byte_count += encode(table->units, count, table->bytes + table->byte_count);
    return true;
}

napi_value encoded(napi_env env, napi_value string)
{
    table table = {0};
    napi_value bytes = NULL;
    if (append_string(env, string, &table)) {
        succeeded(env, napi_create_buffer_copy(env, table.byte_count, table.bytes, NULL, &bytes));
    }
    table_free(&table);
    return bytes;
}

char *text_of(napi_env env, napi_value value)
{
    napi_valuetype type;
    if (!succeeded(env, napi_typeof(env, value, &type))) return NULL;
    if (type == napi_undefined || type == napi_null) return NULL;
    size_t count;
    if (!succeeded(env, napi_get_value_string_utf8(env, value, NULL, 0, &count))) return NULL;
    char *text = malloc(count + 1);
    if (text == NULL) {
        no_memory(env);
        return NULL;
    }
    napi_get_value_string_utf8(env, value, text, count + 1, &count);
    return text;
}

napi_value string_of(napi_env env, const char *text)
{
    napi_value string = NULL;
    if (text == NULL) {
        napi_get_null(env, &string);
    } else {
        napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &string);
    }
    return string;
}

void set_string(napi_env env, napi_value object, const char *name, const char *text)
{
    napi_set_named_property(env, object, name, string_of(env, text));
}

void set_number(napi_env env, napi_value object, const char *name, double number)
{
    napi_value value;
    napi_create_double(env, number, &value);
    napi_set_named_property(env, object, name, value);
}

/* -- Values. */

static bool append_bytes(napi_env env, napi_value value, table *table)
{
    bool is_array = false;
    napi_typedarray_type type;
    void *bytes;
    size_t count;
    napi_is_typedarray(env, value, &is_array);
    if (is_array && napi_get_typedarray_info(env, value, &type, &count, &bytes, NULL, NULL) == napi_ok &&
        type == napi_uint8_array) {
        if (!reserve(env, table, count)) return false;
        if (count > 0) memcpy(table->bytes + table->byte_count, bytes, count);
        table->byte_count += count;
        return true;
    }
    napi_throw_type_error(env, NULL,
                          "a value must be a string, a Uint8Array, a number, a bigint, a boolean, null or undefined");
    return false;
}

static bool append_number(napi_env env, napi_value value, table *table)
{
    double number;
    if (!succeeded(env, napi_get_value_double(env, value, &number))) return false;
    if (!isinf(number)) {
        return succeeded(env, napi_coerce_to_string(env, value, &value)) && append_string(env, value, table);
    }
    const char *text = number > 0 ? "INF" : "-INF"; /* the notation of the type "number" and of other languages */
    const size_t count = strlen(text);
    if (!reserve(env, table, count)) return false;
    memcpy(table->bytes + table->byte_count, text, count);
    table->byte_count += count;
    return true;
}

static bool append_value(napi_env env, napi_value value, table *table, bool *is_there)
{
    napi_valuetype type;
    if (!succeeded(env, napi_typeof(env, value, &type))) return false;
    *is_there = type != napi_undefined && type != napi_null;
    switch (type) {
    case napi_undefined:
    case napi_null:
        return true;
    case napi_number:
        return append_number(env, value, table);
    case napi_bigint:
    case napi_boolean:
        if (!succeeded(env, napi_coerce_to_string(env, value, &value))) return false;
        return append_string(env, value, table);
    case napi_string:
        return append_string(env, value, table);
    default:
        return append_bytes(env, value, table);
    }
}

static bool read_column(napi_env env, napi_value values, table *table, int64_t *offsets, uint8_t *validity)
{
    offsets[0] = (int64_t)table->byte_count;
    for (size_t row = 0; row < table->rows; row++) {
        napi_handle_scope scope; /* closes handles per value instead of at the end of the call */
        napi_value value;
        bool is_there = false;
        if (!succeeded(env, napi_open_handle_scope(env, &scope))) return false;
        const bool continues = succeeded(env, napi_get_element(env, values, (uint32_t)row, &value)) &&
                               append_value(env, value, table, &is_there);
        napi_close_handle_scope(env, scope);
        if (!continues) return false;
        if (is_there) validity[row / 8] |= (uint8_t)(1u << row % 8);
        offsets[row + 1] = (int64_t)table->byte_count;
    }
    return true;
}

bool table_read(napi_env env, napi_value names, napi_value columns, size_t rows, table *table)
{
    *table = (struct table){.rows = rows};
    uint32_t count;
    if (!succeeded(env, napi_get_array_length(env, names, &count))) return false;
    const size_t validity_size = (rows + 7) / 8;
    table->columns = calloc(count + 1, sizeof *table->columns);
    table->names = calloc(count + 1, sizeof *table->names);
    table->offsets = calloc(count * (rows + 1) + 1, sizeof *table->offsets);
    table->validity = calloc(count * validity_size + 1, 1);
    if (table->columns == NULL || table->names == NULL || table->offsets == NULL || table->validity == NULL) {
        return no_memory(env);
    }
    if (!reserve(env, table, 1)) return false; /* so that it has an address */
    table->column_count = count;
    for (uint32_t i = 0; i < count; i++) {
        napi_value name, values;
        if (!succeeded(env, napi_get_element(env, names, i, &name))) return false;
        if ((table->names[i] = text_of(env, name)) == NULL) return false;
        if (!succeeded(env, napi_get_element(env, columns, i, &values))) return false;
        int64_t *offsets = table->offsets + i * (rows + 1);
        uint8_t *validity = table->validity + i * validity_size;
        if (!read_column(env, values, table, offsets, validity)) return false;
        table->columns[i] = (assay_column){
            .size = sizeof(assay_column),
            .name = table->names[i],
            .layout = ASSAY_LAYOUT_OFFSETS64,
            .offsets = offsets,
            .validity = validity,
        };
    }
    for (uint32_t i = 0; i < count; i++) { /* set at the end, because bytes may move until then */
        table->columns[i].bytes = table->bytes;
        table->columns[i].byte_count = table->byte_count;
    }
    return true;
}

void table_free(table *table)
{
    for (size_t i = 0; i < table->column_count; i++) free(table->names[i]);
    free(table->columns);
    free(table->names);
    free(table->offsets);
    free(table->validity);
    free(table->bytes);
    free(table->units);
}

/* -- Faults and options. */

napi_value mistakes_of(napi_env env, assay_fault *fault)
{
    static const char *const kinds[] = {"argument", "memory", "rules", "columns",   "arrow",
                                        "stream",   "input",  "file",  "cancelled", "internal"};
    napi_value mistakes;
    napi_create_array(env, &mistakes);
    uint32_t count = 0;
    for (const assay_fault *one = fault; one != NULL; one = one->next) {
        napi_value mistake;
        napi_create_object(env, &mistake);
        const bool is_known = one->code >= 1 && one->code <= sizeof kinds / sizeof kinds[0];
        set_string(env, mistake, "kind", is_known ? kinds[one->code - 1] : "internal");
        set_number(env, mistake, "line", one->line);
        set_number(env, mistake, "column", one->column);
        set_string(env, mistake, "message", one->message);
        set_string(env, mistake, "hint", one->hint);
        set_string(env, mistake, "text", one->text);
        napi_set_element(env, mistakes, count++, mistake);
    }
    assay_fault_free(fault);
    return mistakes;
}

bool checked(napi_env env, assay_fault *fault)
{
    if (fault == NULL) return true;
    napi_throw(env, mistakes_of(env, fault));
    return false;
}

bool options_of(napi_env env, napi_value value, assay_options *options)
{
    int64_t numbers[6];
    for (uint32_t i = 0; i < 6; i++) {
        napi_value number;
        if (!succeeded(env, napi_get_element(env, value, i, &number))) return false;
        if (!succeeded(env, napi_get_value_int64(env, number, &numbers[i]))) return false;
    }
    *options = (assay_options){
        .size = sizeof(assay_options),
        .threads = (uint32_t)numbers[0],
        .first_record = (uint64_t)numbers[1],
        .key_memory = (uint64_t)numbers[2],
        .budget_ticks = (uint64_t)numbers[3],
        .budget_bytes = (uint64_t)numbers[4],
        .budget_nanoseconds = (uint64_t)numbers[5],
    };
    return true;
}
