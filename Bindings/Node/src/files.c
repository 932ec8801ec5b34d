#include "files.h"

#include "control.h"
#include "values.h"
#include <stdlib.h>

enum { text_count = 8, flag_count = 4, number_count = 2, max_arguments = 8 };

/* An asynchronous call. A thread of the pool owns it until it is complete. */
typedef struct job {
    napi_async_work work;
    napi_deferred deferred;
    assay_fault *(*run)(struct job *job);
    assay_rules *rules; /* a reference owned by the job; NULL if rules are not needed */
    control *control;
    napi_ref kept; /* the value that contains the data, which is read in place */
    char *input;
    char *texts[text_count];
    bool flags[flag_count];
    int64_t numbers[number_count];
    table table;
    const char *bytes;
    size_t byte_count;
    assay_options options;
    assay_fault *fault;
    char *text; /* the output, or a result */
    assay_result *result;
} job;

static assay_fault *run_clean(job *job)
{
    const assay_outputs outputs = {
        .size = sizeof(assay_outputs),
        .clean = job->texts[0],
        .rejects = job->texts[1],
        .findings = job->texts[2],
        .report = job->texts[3],
        .changes = job->texts[4],
        .compression = job->texts[5],
        .encoding = job->texts[6],
        .delimiter = job->texts[7],
        .replace = job->flags[0],
        .annotate = job->flags[1],
        .show_values = job->flags[2],
        .guard_formulas = job->flags[3],
        .max_findings = (uint64_t)job->numbers[0],
        .head = (uint64_t)job->numbers[1],
    };
    return assay_clean_file(job->rules, job->input, &outputs, &job->options, &job->text);
}

static assay_fault *run_profile(job *job)
{
    const assay_table table = {.size = sizeof(assay_table), .path = job->input};
    return assay_rules_profile(NULL, &table, job->flags[0], &job->options, &job->text);
}

static assay_fault *run_infer(job *job)
{
    const assay_table table = {.size = sizeof(assay_table), .path = job->input};
    return assay_rules_infer(NULL, &table, &job->options, &job->text);
}

static assay_fault *run_check(job *job)
{
    const table *table = &job->table;
    return assay_rules_check_columns(job->rules, table->columns, table->column_count, table->rows, &job->options,
                                     &job->result);
}

static assay_fault *run_check_csv(job *job)
{
    return assay_rules_check_csv(job->rules, (const uint8_t *)job->bytes, job->byte_count, &job->options, &job->result);
}

static void execute(napi_env env, void *data)
{
    (void)env;
    job *job = data;
    job->fault = job->run(job);
}

static void job_free(napi_env env, job *job)
{
    control_end(env, job->control);
    if (job->work != NULL) napi_delete_async_work(env, job->work);
    if (job->kept != NULL) napi_delete_reference(env, job->kept);
    assay_rules_free(job->rules);
    free(job->input);
    for (int i = 0; i < text_count; i++) free(job->texts[i]);
    table_free(&job->table);
    free(job);
}

static void complete(napi_env env, napi_status status, void *data)
{
    (void)status;
    job *job = data;
    napi_value answer = NULL;
    control_flush(env, job->control);
    if (job->fault != NULL) {
        napi_reject_deferred(env, job->deferred, mistakes_of(env, job->fault));
    } else if (job->text != NULL) {
        napi_resolve_deferred(env, job->deferred, string_of(env, job->text));
        assay_text_free(job->text);
    } else if ((answer = wrap_result(env, NULL, job->result)) != NULL) {
        napi_resolve_deferred(env, job->deferred, answer);
    } else if (napi_get_and_clear_last_exception(env, &answer) == napi_ok) {
        napi_reject_deferred(env, job->deferred, answer);
    }
    job_free(env, job);
}

/* Starts a job, or frees it if it is not `ready`. `last` are the options, the control and the function. */
static napi_value start(napi_env env, job *job, bool ready, const napi_value last[3])
{
    napi_value promise = NULL, name;
    ready = ready && options_of(env, last[0], &job->options) &&
            (job->control = control_begin(env, last[1], last[2], &job->options)) != NULL &&
            succeeded(env, napi_create_string_utf8(env, "assay", NAPI_AUTO_LENGTH, &name)) &&
            succeeded(env, napi_create_async_work(env, NULL, name, execute, complete, job, &job->work)) &&
            succeeded(env, napi_create_promise(env, &job->deferred, &promise)) &&
            succeeded(env, napi_queue_async_work(env, job->work));
    if (ready) return promise;
    job_free(env, job);
    return NULL;
}

/* Creates a job from `count` arguments. With `rules`, the first argument is rules. */
static job *job_create(napi_env env, napi_callback_info info, napi_value *arguments, size_t count, bool has_rules,
                       assay_fault *(*run)(job *job))
{
    void *rules = NULL;
    const size_t expected = count;
    if (!succeeded(env, napi_get_cb_info(env, info, &count, arguments, NULL, NULL)) || count < expected ||
        (has_rules && !succeeded(env, napi_get_value_external(env, arguments[0], &rules)))) {
        return NULL;
    }
    job *made = calloc(1, sizeof *made);
    if (made == NULL) {
        napi_throw_range_error(env, NULL, "assay: there is no memory");
        return NULL;
    }
    made->run = run;
    if (has_rules) made->rules = assay_rules_retain(rules);
    return made;
}

napi_value clean_file(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments], value;
    job *job = job_create(env, info, arguments, 8, true, run_clean);
    if (job == NULL) return NULL;
    bool ready = (job->input = text_of(env, arguments[1])) != NULL;
    for (uint32_t i = 0; ready && i < text_count; i++) {
        ready = succeeded(env, napi_get_element(env, arguments[2], i, &value));
        if (ready) job->texts[i] = text_of(env, value);
    }
    for (uint32_t i = 0; ready && i < flag_count; i++) {
        ready = succeeded(env, napi_get_element(env, arguments[3], i, &value)) &&
                succeeded(env, napi_get_value_bool(env, value, &job->flags[i]));
    }
    for (uint32_t i = 0; ready && i < number_count; i++) {
        ready = succeeded(env, napi_get_element(env, arguments[4], i, &value)) &&
                succeeded(env, napi_get_value_int64(env, value, &job->numbers[i]));
    }
    return start(env, job, ready, arguments + 5);
}

napi_value profile(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    job *job = job_create(env, info, arguments, 5, false, run_profile);
    if (job == NULL) return NULL;
    const bool ready = (job->input = text_of(env, arguments[0])) != NULL &&
                       succeeded(env, napi_get_value_bool(env, arguments[1], &job->flags[0]));
    return start(env, job, ready, arguments + 2);
}

napi_value infer(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    job *job = job_create(env, info, arguments, 4, false, run_infer);
    if (job == NULL) return NULL;
    return start(env, job, (job->input = text_of(env, arguments[0])) != NULL, arguments + 1);
}

napi_value check_async(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    uint32_t rows;
    job *job = job_create(env, info, arguments, 7, true, run_check);
    if (job == NULL) return NULL;
    const bool ready = succeeded(env, napi_get_value_uint32(env, arguments[3], &rows)) &&
                       table_read(env, arguments[1], arguments[2], rows, &job->table) &&
                       succeeded(env, napi_create_reference(env, arguments[2], 1, &job->kept));
    return start(env, job, ready, arguments + 4);
}

napi_value check_csv_async(napi_env env, napi_callback_info info)
{
    napi_value arguments[max_arguments];
    job *job = job_create(env, info, arguments, 5, true, run_check_csv);
    if (job == NULL) return NULL;
    const bool ready = bytes_of(env, arguments[1], &job->bytes, &job->byte_count) &&
                       succeeded(env, napi_create_reference(env, arguments[1], 1, &job->kept));
    return start(env, job, ready, arguments + 2);
}
