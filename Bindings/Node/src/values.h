/* JavaScript's values as columns of libassay, and what it says as JavaScript's values. */
#ifndef ASSAY_NODE_VALUES_H
#define ASSAY_NODE_VALUES_H

#include <assay/assay.h>
#include <node_api.h>

/* Columns as C takes them: copies, since strings of JavaScript have no address. All zero: nothing in it. */
typedef struct table {
    assay_column *columns;
    size_t column_count;
    size_t rows;
    char **names;      /* one for each column */
    int64_t *offsets;  /* rows + 1 for each column */
    uint8_t *validity; /* (rows + 7) / 8 for each column */
    uint8_t *bytes;    /* of all values */
    size_t byte_count;
    size_t capacity;
    uint16_t *units; /* the string that is read now */
    size_t unit_capacity;
} table;

/* Reads arrays of values into columns of these names. False: an exception is pending. In both cases table_free. */
bool table_read(napi_env env, napi_value names, napi_value columns, size_t rows, table *table);
void table_free(table *table);

/* The text of a string, to be freed; NULL: there is none, and perhaps an exception. */
char *text_of(napi_env env, napi_value value);

/* The UTF-8 of a string, with half a surrogate pair as three bytes that are none; NULL: an exception is pending. */
napi_value encoded(napi_env env, napi_value string);

/* A string; null for NULL. */
napi_value string_of(napi_env env, const char *text);

/* Whether a call of Node-API went well. If not, an exception is pending. */
bool succeeded(napi_env env, napi_status status);

/* The mistakes of a fault as an array of objects, and frees it. */
napi_value mistakes_of(napi_env env, assay_fault *fault);

/* Throws the mistakes of a fault, of which index.js makes an AssayError. True: there was none. */
bool checked(napi_env env, assay_fault *fault);

/* An object of strings and numbers, for those that are returned. */
void set_string(napi_env env, napi_value object, const char *name, const char *text);
void set_number(napi_env env, napi_value object, const char *name, double number);

/* Options from an array of three numbers. */
bool options_of(napi_env env, napi_value value, assay_options *options);

#endif
