/* Conversions of JavaScript values to columns of libassay, and of results to JavaScript values. */
#ifndef ASSAY_NODE_VALUES_H
#define ASSAY_NODE_VALUES_H

#include <assay/assay.h>
#include <node_api.h>

/* Columns in the layout of C. Strings are copied, because they have no address; typed arrays are lent. All zero is an
 * empty table. */
typedef struct table {
    assay_column *columns;
    size_t column_count;
    size_t rows;
    char **names;      /* one per column */
    int64_t *offsets;  /* rows + 1 per column */
    uint8_t *validity; /* (rows + 7) / 8 per column */
    uint8_t *bytes;    /* of all values */
    size_t byte_count;
    size_t capacity;
    uint16_t *units; /* the string being read */
    size_t unit_capacity;
} table;

/* Reads columns with these names: each is [array of strings, bytes and nulls], [texts, lengths, validity] for values
 * that are joined to texts, or [bytes, offsets, validity]. Returns false if an exception is pending. The caller must
 * call table_free() in both cases. */
bool table_read(napi_env env, napi_value names, napi_value columns, size_t rows, table *table);
void table_free(table *table);

/* Returns the text of a string, which the caller frees; NULL for null and undefined, and if an exception is pending. */
char *text_of(napi_env env, napi_value value);

/* Returns the UTF-8 form of a string, in which half a surrogate pair becomes three invalid bytes, or NULL if an
 * exception is pending. */
napi_value encoded(napi_env env, napi_value string);

/* Returns a string, or null for NULL. */
napi_value string_of(napi_env env, const char *text);

/* Returns whether a call of Node-API succeeded. Otherwise an exception is pending. */
bool succeeded(napi_env env, napi_status status);

/* Converts the mistakes of a fault to an array of objects, and frees the fault. */
napi_value mistakes_of(napi_env env, assay_fault *fault);

/* Throws the mistakes of a fault, which index.js converts to an AssayError. Returns true if there is no fault. */
bool checked(napi_env env, assay_fault *fault);

/* Set a string or number property of an object that will be returned. */
void set_string(napi_env env, napi_value object, const char *name, const char *text);
void set_number(napi_env env, napi_value object, const char *name, double number);

/* Returns a value that frees the result when it is collected, or NULL if an exception is pending, such as the mistakes
 * of the fault. */
napi_value wrap_result(napi_env env, assay_fault *fault, assay_result *result);

/* The bytes of a Uint8Array, in place. Returns false if an exception is pending. */
bool bytes_of(napi_env env, napi_value value, const char **bytes, size_t *count);

/* Reads options from an array of nine numbers and seen keys or null, which must outlive the options. */
bool options_of(napi_env env, napi_value value, assay_options *options);

#endif
