#include "values.h"

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

/* Encodes ASCII, for which one byte is one unit. Returns false if there are other characters. */
static bool encode_ascii(const uint16_t *units, size_t count, uint8_t *bytes)
{
    uint16_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= units[i];
        bytes[i] = (uint8_t)units[i];
    }
    return all < 0x80;
}

/* Reads a string into table->units. */
static bool read_units(napi_env env, napi_value string, table *table, size_t *count)
{
    if (!succeeded(env, napi_get_value_string_utf16(env, string, NULL, 0, count))) return false;
    if (*count + 1 > table->unit_capacity) {
        const size_t capacity = 2 * *count + 64;
        uint16_t *units = realloc(table->units, capacity * sizeof *units);
        if (units == NULL) return no_memory(env);
        table->units = units;
        table->unit_capacity = capacity;
    }
    return succeeded(env, napi_get_value_string_utf16(env, string, (char16_t *)table->units, *count + 1, count));
}

static bool append_string(napi_env env, napi_value string, table *table)
{
    size_t count;
    if (!read_units(env, string, table, &count) || !reserve(env, table, 3 * count)) return false;
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
    napi_throw_type_error(env, NULL, "assay: a value is no Uint8Array");
    return false;
}

/* index.js has replaced all other values by strings. */
static bool append_value(napi_env env, napi_value value, table *table, bool *is_there)
{
    napi_valuetype type;
    if (!succeeded(env, napi_typeof(env, value, &type))) return false;
    *is_there = type != napi_null;
    if (type == napi_null) return true;
    return type == napi_string ? append_string(env, value, table) : append_bytes(env, value, table);
}

/* Reads an array of strings, bytes and nulls. */
static bool read_values(napi_env env, napi_value values, table *table, int64_t *offsets, uint8_t *validity)
{
    for (size_t row = 0; row < table->rows; row++) {
        napi_handle_scope scope; /* closes handles per value instead of at the end of the call */
        napi_value value;
        bool is_there = false;
        if (!succeeded(env, napi_open_handle_scope(env, &scope))) return false;
        const bool continues = succeeded(env, napi_get_element(env, values, (uint32_t)row, &value)) &&
                               append_value(env, value, table, &is_there);
        napi_close_handle_scope(env, scope);
        if (!continues) return false;
        if (!is_there) validity[row / 8] &= (uint8_t) ~(1u << row % 8);
        offsets[row + 1] = (int64_t)table->byte_count;
    }
    return true;
}

/* Encodes the next values of one text, from `row`. Returns the first row that is not in the text. */
static size_t encode_values(const uint16_t *units, size_t count, const uint32_t *lengths, size_t row, table *table,
                            int64_t *offsets)
{
    size_t start = 0;
    const bool is_ascii = encode_ascii(units, count, table->bytes + table->byte_count);
    for (; row < table->rows && lengths[row] <= count - start; row++) {
        const uint32_t length = lengths[row];
        table->byte_count += is_ascii ? length : encode(units + start, length, table->bytes + table->byte_count);
        start += length;
        offsets[row + 1] = (int64_t)table->byte_count;
    }
    return row;
}

/* Reads values that index.js has joined to a few texts, because reading each is slow. `lengths` are in UTF-16 units. */
static bool read_texts(napi_env env, napi_value texts, napi_value lengths_value, table *table, int64_t *offsets)
{
    uint32_t count;
    size_t length_count, row = 0;
    void *lengths;
    if (!succeeded(env, napi_get_array_length(env, texts, &count)) ||
        !succeeded(env, napi_get_typedarray_info(env, lengths_value, NULL, &length_count, &lengths, NULL, NULL)) ||
        length_count != table->rows) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        napi_value text;
        size_t units;
        if (!succeeded(env, napi_get_element(env, texts, i, &text)) || !read_units(env, text, table, &units) ||
            !reserve(env, table, 3 * units)) {
            return false;
        }
        row = encode_values(table->units, units, lengths, row, table, offsets);
    }
    for (; row < table->rows; row++) offsets[row + 1] = offsets[row]; /* empty values at the end */
    return true;
}

/* Reads an optional Uint8Array with a bit for each row. */
static bool read_validity(napi_env env, napi_value value, size_t rows, void **validity)
{
    napi_valuetype type;
    size_t count;
    *validity = NULL;
    if (!succeeded(env, napi_typeof(env, value, &type))) return false;
    if (type == napi_null || rows == 0) return true;
    return succeeded(env, napi_get_typedarray_info(env, value, NULL, &count, validity, NULL, NULL)) &&
           count >= (rows + 7) / 8;
}

/* Lends typed arrays to C: [bytes, offsets, validity or null]. index.js has checked their types and sizes. */
static bool lend_column(napi_env env, const napi_value parts[3], size_t rows, assay_column *column)
{
    napi_typedarray_type type;
    size_t offset_count;
    void *bytes, *offsets, *validity;
    if (!succeeded(env, napi_get_typedarray_info(env, parts[0], NULL, &column->byte_count, &bytes, NULL, NULL)) ||
        !succeeded(env, napi_get_typedarray_info(env, parts[1], &type, &offset_count, &offsets, NULL, NULL)) ||
        offset_count != rows + 1 || !read_validity(env, parts[2], rows, &validity)) {
        return false;
    }
    column->layout = type == napi_int32_array ? ASSAY_LAYOUT_OFFSETS32 : ASSAY_LAYOUT_OFFSETS64;
    column->bytes = bytes == NULL ? (const uint8_t *)"" : bytes;
    column->offsets = offsets;
    column->validity = validity;
    return true;
}

/* Reads a column: [values], [texts, lengths, validity], or [bytes, offsets, validity]. */
static bool read_column(napi_env env, napi_value column, size_t i, table *table)
{
    napi_value parts[3];
    uint32_t count;
    bool is_lent;
    if (!succeeded(env, napi_get_array_length(env, column, &count))) return false;
    for (uint32_t part = 0; part < 3 && part < count; part++) {
        if (!succeeded(env, napi_get_element(env, column, part, &parts[part]))) return false;
    }
    if (!succeeded(env, napi_is_typedarray(env, parts[0], &is_lent))) return false;
    if (is_lent) return lend_column(env, parts, table->rows, &table->columns[i]);

    const size_t validity_size = (table->rows + 7) / 8;
    int64_t *offsets = table->offsets + i * (table->rows + 1);
    uint8_t *validity = table->validity + i * validity_size;
    table->columns[i].layout = ASSAY_LAYOUT_OFFSETS64;
    table->columns[i].offsets = offsets;
    table->columns[i].validity = validity;
    offsets[0] = (int64_t)table->byte_count;
    memset(validity, 0xff, validity_size);
    if (count == 1) return read_values(env, parts[0], table, offsets, validity);
    void *given;
    if (!read_validity(env, parts[2], table->rows, &given)) return false;
    if (given != NULL) memcpy(validity, given, validity_size);
    return read_texts(env, parts[0], parts[1], table, offsets);
}

bool table_read(napi_env env, napi_value names, napi_value columns, size_t rows, table *table)
{
    *table = (struct table){.rows = rows};
    uint32_t count;
    if (!succeeded(env, napi_get_array_length(env, names, &count))) return false;
    table->columns = calloc(count + 1, sizeof *table->columns);
    table->names = calloc(count + 1, sizeof *table->names);
    table->offsets = malloc((count * (rows + 1) + 1) * sizeof *table->offsets);
    table->validity = malloc(count * ((rows + 7) / 8) + 1);
    if (table->columns == NULL || table->names == NULL || table->offsets == NULL || table->validity == NULL) {
        return no_memory(env);
    }
    if (!reserve(env, table, 1)) return false; /* so that it has an address */
    table->column_count = count;
    for (uint32_t i = 0; i < count; i++) {
        napi_value name, column;
        if (!succeeded(env, napi_get_element(env, names, i, &name))) return false;
        if ((table->names[i] = text_of(env, name)) == NULL) return false;
        if (!succeeded(env, napi_get_element(env, columns, i, &column))) return false;
        table->columns[i].size = sizeof(assay_column);
        table->columns[i].name = table->names[i];
        if (!read_column(env, column, i, table)) {
            return succeeded(env, napi_invalid_arg); /* an exception is pending */
        }
    }
    for (uint32_t i = 0; i < count; i++) {             /* set at the end, because bytes may move until then */
        if (table->columns[i].bytes != NULL) continue; /* lent */
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
    int64_t numbers[9];
    for (uint32_t i = 0; i < 9; i++) {
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
        .has_now = (uint32_t)numbers[6],
        .now_seconds = numbers[7],
        .now_nanoseconds = (uint32_t)numbers[8],
    };
    napi_value keys;
    napi_valuetype type;
    void *seen;
    if (!succeeded(env, napi_get_element(env, value, 9, &keys)) || !succeeded(env, napi_typeof(env, keys, &type))) {
        return false;
    }
    if (type == napi_null) return true;
    if (!succeeded(env, napi_get_value_external(env, keys, &seen))) return false;
    options->seen = seen;
    return true;
}
