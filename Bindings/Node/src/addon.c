/* libassay for Node.js, through Node-API. index.js wraps these functions in classes and validates their arguments. */
#include "control.h"
#include "files.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

enum { max_arguments = 6 };

/* Reads the arguments of a call; the first may be an object of libassay. */
static bool arguments_of(napi_env env, napi_callback_info info, napi_value *arguments, void **object)
{
    size_t count = max_arguments;
    if (!succeeded(env, napi_get_cb_info(env, info, &count, arguments, NULL, NULL))) return false;
    return object == NULL || succeeded(env, napi_get_value_external(env, arguments[0], object));
}

/* -- Rules and results as values that the garbage collector frees. It is told their approximate sizes, because they
 * are in C memory. */

enum { rules_size = 64 << 10, result_size = 4 << 10 };

static void finalize_rules(napi_env env, void *rules, void *hint)
{
    (void)hint;
    int64_t all;
    napi_adjust_external_memory(env, -rules_size, &all);
    assay_rules_free(rules);
}

static void finalize_result(napi_env env, void *result, void *hint)
{
    (void)hint;
    int64_t all;
    napi_adjust_external_memory(env, -result_size, &all);
    assay_result_free(result);
}

static napi_value wrap_rules(napi_env env, assay_fault *fault, assay_rules *rules)
{
    napi_value value;
    int64_t all;
    if (!checked(env, fault)) return NULL;
    if (!succeeded(env, napi_create_external(env, rules, finalize_rules, NULL, &value))) {
        assay_rules_free(rules);
        return NULL;
    }
    napi_adjust_external_memory(env, rules_size, &all);
    return value;
}

napi_value wrap_result(napi_env env, assay_fault *fault, assay_result *result)
{
    napi_value value;
    int64_t all;
    if (!checked(env, fault)) return NULL;
    if (!succeeded(env, napi_create_external(env, result, finalize_result, NULL, &value))) {
        assay_result_free(result);
        return NULL;
    }
    napi_adjust_external_memory(env, result_size, &all);
    return value;
}

bool bytes_of(napi_env env, napi_value value, const char **bytes, size_t *count)
{
    napi_typedarray_type type;
    void *data = NULL;
    if (!succeeded(env, napi_get_typedarray_info(env, value, &type, count, &data, NULL, NULL))) return false;
    *bytes = data == NULL ? "" : data;
    return true;
}

/* encode(string) -> bytes */
static napi_value encode(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    return arguments_of(env, info, arguments, NULL) ? encoded(env, arguments[0]) : NULL;
}

/* -- Rules. */

/* parse(bytes, name, trusts) -> rules */
static napi_value parse(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    const char *bytes;
    size_t count;
    bool trusts;
    if (!arguments_of(env, info, arguments, NULL) || !bytes_of(env, arguments[0], &bytes, &count) ||
        !succeeded(env, napi_get_value_bool(env, arguments[2], &trusts))) {
        return NULL;
    }
    char *name = text_of(env, arguments[1]);
    if (name == NULL) return NULL;
    assay_rules *rules = NULL;
    assay_fault *fault = (trusts ? assay_rules_parse_trusted : assay_rules_parse)(bytes, count, name, &rules);
    free(name);
    return wrap_rules(env, fault, rules);
}

/* load(path, trusts) -> rules */
static napi_value load(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    bool trusts;
    if (!arguments_of(env, info, arguments, NULL) || !succeeded(env, napi_get_value_bool(env, arguments[1], &trusts))) {
        return NULL;
    }
    char *path = text_of(env, arguments[0]);
    if (path == NULL) return NULL;
    assay_rules *rules = NULL;
    assay_fault *fault = (trusts ? assay_rules_load_trusted : assay_rules_load)(path, &rules);
    free(path);
    return wrap_rules(env, fault, rules);
}

/* compile(bytes, flags) -> rules of a pattern */
static napi_value compile(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    const char *bytes;
    size_t count;
    uint32_t flags;
    if (!arguments_of(env, info, arguments, NULL) || !bytes_of(env, arguments[0], &bytes, &count) ||
        !succeeded(env, napi_get_value_uint32(env, arguments[1], &flags))) {
        return NULL;
    }
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_from_pattern(bytes, count, flags, &rules);
    return wrap_rules(env, fault, rules);
}

/* fields(rules) -> names */
static napi_value fields(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], names;
    void *rules;
    if (!arguments_of(env, info, arguments, &rules) || !succeeded(env, napi_create_array(env, &names))) return NULL;
    const size_t count = assay_rules_field_count(rules);
    for (size_t i = 0; i < count; i++) {
        napi_set_element(env, names, (uint32_t)i, string_of(env, assay_rules_field_name(rules, i)));
    }
    return names;
}

/* pathKeys(name) -> [the keys of a path, an empty array if the name is not a path; the number of lists in the path] */
static napi_value path_keys(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], names, count_of_lists, pair;
    if (!arguments_of(env, info, arguments, NULL)) return NULL;
    char *name = text_of(env, arguments[0]);
    if (name == NULL) return NULL;
    char *keys = malloc(strlen(name) + 1);
    size_t lists = 0;
    const size_t count = keys == NULL ? 0 : assay_path_keys(name, keys, &lists);
    const bool is_made = keys != NULL && succeeded(env, napi_create_array(env, &names)) &&
                         succeeded(env, napi_create_array(env, &pair)) &&
                         succeeded(env, napi_create_uint32(env, (uint32_t)lists, &count_of_lists));
    const char *key = keys;
    for (size_t i = 0; is_made && i < count; i++, key += strlen(key) + 1) {
        napi_set_element(env, names, (uint32_t)i, string_of(env, key));
    }
    free(keys);
    free(name);
    if (!is_made) return NULL;
    napi_set_element(env, pair, 0, names);
    napi_set_element(env, pair, 1, count_of_lists);
    return pair;
}

/* json(rules) -> text */
static napi_value json(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    void *rules;
    return arguments_of(env, info, arguments, &rules) ? string_of(env, assay_rules_json(rules)) : NULL;
}

static void finalize_seen(napi_env env, void *seen, void *hint)
{
    (void)env, (void)hint;
    assay_seen_keys_free(seen);
}

/* seenKeys(rules, memory) -> seen keys */
static napi_value seen_keys(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], value;
    void *rules;
    int64_t memory;
    assay_seen_keys *seen = NULL;
    if (!arguments_of(env, info, arguments, &rules) ||
        !succeeded(env, napi_get_value_int64(env, arguments[1], &memory)) ||
        !checked(env, assay_seen_keys_create(rules, (uint64_t)memory, &seen))) {
        return NULL;
    }
    if (succeeded(env, napi_create_external(env, seen, finalize_seen, NULL, &value))) return value;
    assay_seen_keys_free(seen);
    return NULL;
}

/* -- Checks. Names and columns are arrays; rows is the length of each column. */

static bool table_of(napi_env env, napi_value names, napi_value columns, napi_value rows, table *table)
{
    uint32_t count;
    *table = (struct table){0};
    return succeeded(env, napi_get_value_uint32(env, rows, &count)) && table_read(env, names, columns, count, table);
}

/* The values of single records, in buffers of JavaScript that are never transferred. */
typedef struct acceptor {
    const assay_rules *rules;
    const uint8_t *bytes;
    int32_t *ends; /* of the values; -1 for a missing value. The last element is the verdict. */
    size_t count;
    size_t *lengths;
    const uint8_t *values[]; /* and the lengths */
} acceptor;

/* Checks the record in the buffers. Writes the verdict. */
static napi_value accept(napi_env env, napi_callback_info info)
{
    void *data;
    if (!succeeded(env, napi_get_cb_info(env, info, NULL, NULL, NULL, &data))) return NULL;
    acceptor *acceptor = data;
    int32_t start = 0;
    for (size_t i = 0; i < acceptor->count; i++) {
        const int32_t end = acceptor->ends[i];
        acceptor->values[i] = end < 0 ? NULL : acceptor->bytes + start;
        acceptor->lengths[i] = end < 0 ? 0 : (size_t)(end - start);
        if (end >= 0) start = end;
    }
    acceptor->ends[acceptor->count] = assay_rules_accepts(acceptor->rules, acceptor->values, acceptor->lengths);
    return NULL;
}

static void finalize_acceptor(napi_env env, void *acceptor, void *hint)
{
    (void)env, (void)hint;
    free(acceptor);
}

/* acceptor(rules, bytes: Uint8Array, ends: Int32Array) -> a function that checks the record in these arrays, as long as
 * all three exist */
static napi_value create_acceptor(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], function;
    void *rules, *bytes, *ends;
    size_t count;
    if (!arguments_of(env, info, arguments, &rules) ||
        !succeeded(env, napi_get_typedarray_info(env, arguments[1], NULL, NULL, &bytes, NULL, NULL)) ||
        !succeeded(env, napi_get_typedarray_info(env, arguments[2], NULL, &count, &ends, NULL, NULL))) {
        return NULL;
    }
    acceptor *made = malloc(sizeof *made + count * (sizeof *made->values + sizeof *made->lengths));
    if (made == NULL) {
        napi_throw_range_error(env, NULL, "assay: there is no memory");
        return NULL;
    }
    *made = (acceptor){.rules = rules, .bytes = bytes, .ends = ends, .count = count - 1};
    made->lengths = (size_t *)(made->values + count);
    if (succeeded(env, napi_create_function(env, NULL, 0, accept, made, &function)) &&
        succeeded(env, napi_add_finalizer(env, function, made, finalize_acceptor, NULL, NULL))) {
        return function;
    }
    free(made);
    return NULL;
}

/* acceptsBytes(rules, names, columns) -> whether a row of one value for each field is clean */
static napi_value accepts_bytes(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], answer = NULL;
    void *rules;
    if (!arguments_of(env, info, arguments, &rules)) return NULL;
    table table;
    if (table_read(env, arguments[1], arguments[2], 1, &table)) {
        const size_t count = table.column_count;
        const uint8_t **values = calloc(count + 1, sizeof *values);
        size_t *lengths = calloc(count + 1, sizeof *lengths);
        for (size_t i = 0; values != NULL && lengths != NULL && i < count; i++) {
            const int64_t *offsets = table.columns[i].offsets;
            values[i] = table.columns[i].validity[0] & 1 ? table.bytes + offsets[0] : NULL;
            lengths[i] = (size_t)(offsets[1] - offsets[0]);
        }
        const bool is_clean = values != NULL && lengths != NULL && assay_rules_accepts(rules, values, lengths);
        free(values);
        free(lengths);
        napi_get_boolean(env, is_clean, &answer);
    }
    table_free(&table);
    return answer;
}

/* check(rules, names, columns, rows, options) -> result */
static napi_value check(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], answer = NULL;
    void *rules;
    assay_options options;
    if (!arguments_of(env, info, arguments, &rules) || !options_of(env, arguments[4], &options)) return NULL;
    table table;
    if (table_of(env, arguments[1], arguments[2], arguments[3], &table)) {
        assay_result *result = NULL;
        assay_fault *fault =
            assay_rules_check_columns(rules, table.columns, table.column_count, table.rows, &options, &result);
        answer = wrap_result(env, fault, result);
    }
    table_free(&table);
    return answer;
}

/* checkColumn(rules, names, columns, rows, field, options) -> result of the only column */
static napi_value check_column(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], answer = NULL;
    void *rules;
    assay_options options;
    uint32_t field;
    if (!arguments_of(env, info, arguments, &rules) ||
        !succeeded(env, napi_get_value_uint32(env, arguments[4], &field)) || !options_of(env, arguments[5], &options)) {
        return NULL;
    }
    table table;
    if (table_of(env, arguments[1], arguments[2], arguments[3], &table)) {
        assay_result *result = NULL;
        assay_fault *fault = assay_rules_check_column(rules, field, table.columns, table.rows, &options, &result);
        answer = wrap_result(env, fault, result);
    }
    table_free(&table);
    return answer;
}

/* checkCsv(rules, bytes, options) -> result */
static napi_value check_csv(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    void *rules;
    const char *bytes;
    size_t count;
    assay_options options;
    if (!arguments_of(env, info, arguments, &rules) || !bytes_of(env, arguments[1], &bytes, &count) ||
        !options_of(env, arguments[2], &options)) {
        return NULL;
    }
    assay_result *result = NULL;
    assay_fault *fault = assay_rules_check_csv(rules, (const uint8_t *)bytes, count, &options, &result);
    return wrap_result(env, fault, result);
}

/* -- Repairs. */

/* The values of a large_binary array: a string for a changed value, undefined for an unchanged one, null for a
 * missing one. */
static napi_value repaired_values(napi_env env, const struct ArrowArray *array, const table *before)
{
    const uint8_t *validity = array->buffers[0];
    const int64_t *offsets = (const int64_t *)array->buffers[1] + array->offset;
    const char *bytes = array->buffers[2];
    const int64_t *offsets_before = before->offsets;
    napi_value values;
    if (!succeeded(env, napi_create_array_with_length(env, before->rows, &values))) return NULL;
    for (size_t row = 0; row < before->rows; row++) {
        const size_t bit = row + (size_t)array->offset;
        const size_t count = (size_t)(offsets[row + 1] - offsets[row]);
        const size_t count_before = (size_t)(offsets_before[row + 1] - offsets_before[row]);
        const bool is_there = validity == NULL || validity[bit / 8] >> bit % 8 & 1;
        const bool was_there = before->validity[row / 8] >> row % 8 & 1;
        napi_handle_scope scope;
        napi_value value;
        napi_open_handle_scope(env, &scope);
        if (!is_there) {
            napi_get_null(env, &value);
        } else if (was_there && count == count_before &&
                   (count == 0 || memcmp(bytes + offsets[row], before->bytes + offsets_before[row], count) == 0)) {
            napi_get_undefined(env, &value);
        } else {
            napi_create_string_utf8(env, count == 0 ? "" : bytes + offsets[row], count, &value);
        }
        napi_set_element(env, values, (uint32_t)row, value);
        napi_close_handle_scope(env, scope);
    }
    return values;
}

/* repair(rules, names, columns, rows, field) -> repaired values of the only column; null if all are unchanged */
static napi_value repair(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], answer = NULL;
    void *rules;
    uint32_t field;
    if (!arguments_of(env, info, arguments, &rules) ||
        !succeeded(env, napi_get_value_uint32(env, arguments[4], &field))) {
        return NULL;
    }
    table table;
    if (table_of(env, arguments[1], arguments[2], arguments[3], &table)) {
        struct ArrowArray array = {0};
        struct ArrowSchema schema = {0};
        if (checked(env,
                    assay_rules_repair_column(rules, field, table.columns, table.rows, NULL, &array, &schema, NULL))) {
            if (array.release == NULL) {
                napi_get_null(env, &answer);
            } else {
                answer = repaired_values(env, &array, &table);
                array.release(&array);
                schema.release(&schema);
            }
        }
    }
    table_free(&table);
    return answer;
}

/* -- Results. */

/* totals(result) -> {records, clean, rejected, undecided, findings} */
static napi_value totals(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], object;
    void *result;
    if (!arguments_of(env, info, arguments, &result) || !succeeded(env, napi_create_object(env, &object))) return NULL;
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    set_number(env, object, "records", (double)totals.records);
    set_number(env, object, "clean", (double)totals.clean);
    set_number(env, object, "rejected", (double)totals.rejected);
    set_number(env, object, "undecided", (double)totals.undecided);
    set_number(env, object, "findings", (double)totals.findings);
    return object;
}

/* rows(result, kind) -> a Uint8Array with 0 or 1 for each row; null if the kind is not recorded */
static napi_value rows(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], buffer, array;
    void *result, *data;
    uint32_t kind;
    if (!arguments_of(env, info, arguments, &result) ||
        !succeeded(env, napi_get_value_uint32(env, arguments[1], &kind))) {
        return NULL;
    }
    const uint64_t *words = assay_result_rows(result, (assay_rows)kind);
    if (words == NULL) return string_of(env, NULL);
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    if (!succeeded(env, napi_create_arraybuffer(env, totals.records, &data, &buffer)) ||
        !succeeded(env, napi_create_typedarray(env, napi_uint8_array, totals.records, buffer, 0, &array))) {
        return NULL;
    }
    uint8_t *bits = data;
    for (size_t row = 0; row < totals.records; row++) bits[row] = words[row / 64] >> row % 64 & 1;
    return array;
}

static const char *severity_name(assay_finding_severity severity)
{
    return severity == ASSAY_SEVERITY_REJECT ? "reject" : "warn";
}

/* findings(result, cursor: BigUint64Array(4), count) -> the next findings, at most 64; empty at the end */
static napi_value findings(napi_env env, napi_callback_info info)
{
    enum { max = 64 };
    napi_value arguments[max_arguments], array;
    void *result, *place;
    uint32_t target;
    if (!arguments_of(env, info, arguments, &result) ||
        !succeeded(env, napi_get_typedarray_info(env, arguments[1], NULL, NULL, &place, NULL, NULL)) ||
        !succeeded(env, napi_get_value_uint32(env, arguments[2], &target)) ||
        !succeeded(env, napi_create_array(env, &array))) {
        return NULL;
    }
    assay_finding found[max];
    const size_t count = assay_result_findings(result, place, found, sizeof *found, target < max ? target : max);
    for (size_t i = 0; i < count; i++) {
        napi_value object;
        napi_create_object(env, &object);
        set_number(env, object, "record", (double)found[i].record);
        set_number(env, object, "line", (double)found[i].line);
        set_number(env, object, "offset", (double)found[i].offset);
        set_string(env, object, "column", found[i].column);
        set_string(env, object, "rule", found[i].rule);
        set_string(env, object, "code", found[i].code);
        set_string(env, object, "message", found[i].message);
        set_string(env, object, "severity", severity_name(found[i].severity));
        napi_set_element(env, array, (uint32_t)i, object);
    }
    return array;
}

/* counts(result) -> [{column, rule, severity, failed, undecided}] */
static napi_value counts(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], array;
    void *result;
    if (!arguments_of(env, info, arguments, &result) || !succeeded(env, napi_create_array(env, &array))) return NULL;
    assay_tally *tally = assay_tally_create();
    assay_tally_add(tally, result);
    assay_rule_count count;
    for (uint32_t i = 0; assay_tally_get(tally, i, &count, sizeof count); i++) {
        napi_value object;
        napi_create_object(env, &object);
        set_string(env, object, "column", count.column);
        set_string(env, object, "rule", count.rule);
        set_string(env, object, "severity", severity_name(count.severity));
        set_number(env, object, "failed", (double)count.failed);
        set_number(env, object, "undecided", (double)count.undecided);
        napi_set_element(env, array, i, object);
    }
    assay_tally_free(tally);
    return array;
}

/* rejectedBy(result, column) -> count */
static napi_value rejected_by(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], number = NULL;
    void *result;
    if (!arguments_of(env, info, arguments, &result)) return NULL;
    char *column = text_of(env, arguments[1]);
    if (column == NULL) return NULL;
    napi_create_double(env, (double)assay_result_rejected_by(result, column), &number);
    free(column);
    return number;
}

static napi_value initialize(napi_env env, napi_value exports)
{
    static const struct {
        const char *name;
        napi_callback function;
    } functions[] = {
        {"encode", encode},
        {"parse", parse},
        {"load", load},
        {"compile", compile},
        {"fields", fields},
        {"json", json},
        {"pathKeys", path_keys},
        {"seenKeys", seen_keys},
        {"control", create_control},
        {"cancel", cancel},
        {"cancelAll", cancel_all},
        {"acceptor", create_acceptor},
        {"acceptsBytes", accepts_bytes},
        {"check", check},
        {"checkColumn", check_column},
        {"checkCsv", check_csv},
        {"checkAsync", check_async},
        {"checkCsvAsync", check_csv_async},
        {"repair", repair},
        {"totals", totals},
        {"rows", rows},
        {"findings", findings},
        {"counts", counts},
        {"rejectedBy", rejected_by},
        {"cleanFile", clean_file},
        {"profile", profile},
        {"infer", infer},
    };
    if (!controls_create(env)) return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        napi_value function;
        const char *name = functions[i].name;
        if (!succeeded(env,
                       napi_create_function(env, name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &function))) {
            return NULL;
        }
        napi_set_named_property(env, exports, name, function);
    }
    set_string(env, exports, "release", assay_release());
    set_string(env, exports, "engine", assay_engine());
    return exports;
}

NAPI_MODULE(NODE_GYP_MODULE_NAME, initialize)
