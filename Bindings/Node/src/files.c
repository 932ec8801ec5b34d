#include "files.h"

#include "values.h"
#include <stdlib.h>

enum { output_count = 5 };

/* An asynchronous call. A thread of the pool owns it until it is complete. */
typedef struct job {
    napi_async_work work;
    napi_deferred deferred;
    assay_fault *(*run)(struct job *job);
    assay_rules *rules; /* a reference owned by the job; NULL if rules are not needed */
    char *input;
    char *outputs[output_count];
    bool replace, annotate, shows_values;
    assay_options options;
    assay_fault *fault;
    char *text;
} job;

static assay_fault *run_clean(job *job)
{
    const assay_outputs outputs = {
        .size = sizeof(assay_outputs),
        .clean = job->outputs[0],
        .rejects = job->outputs[1],
        .findings = job->outputs[2],
        .report = job->outputs[3],
        .changes = job->outputs[4],
        .replace = job->replace,
        .annotate = job->annotate,
    };
    return assay_clean_file(job->rules, job->input, &outputs, &job->options, &job->text);
}

static assay_fault *run_profile(job *job)
{
    const assay_table table = {.size = sizeof(assay_table), .path = job->input};
    return assay_rules_profile(NULL, &table, job->shows_values, NULL, &job->text);
}

static assay_fault *run_infer(job *job)
{
    const assay_table table = {.size = sizeof(assay_table), .path = job->input};
    return assay_rules_infer(NULL, &table, NULL, &job->text);
}

static void execute(napi_env env, void *data)
{
    (void)env;
    job *job = data;
    job->fault = job->run(job);
}

static void job_free(job *job)
{
    assay_rules_free(job->rules);
    free(job->input);
    for (int i = 0; i < output_count; i++) free(job->outputs[i]);
    free(job);
}

static void complete(napi_env env, napi_status status, void *data)
{
    (void)status;
    job *job = data;
    if (job->fault != NULL) {
        napi_reject_deferred(env, job->deferred, mistakes_of(env, job->fault));
    } else {
        napi_resolve_deferred(env, job->deferred, string_of(env, job->text));
        assay_text_free(job->text);
    }
    napi_delete_async_work(env, job->work);
    job_free(job);
}

/* Starts a job, or frees it if it is not `ready`. */
static napi_value start(napi_env env, job *job, bool ready)
{
    napi_value promise = NULL, name;
    ready = ready && succeeded(env, napi_create_string_utf8(env, "assay", NAPI_AUTO_LENGTH, &name)) &&
            succeeded(env, napi_create_async_work(env, NULL, name, execute, complete, job, &job->work)) &&
            succeeded(env, napi_create_promise(env, &job->deferred, &promise)) &&
            succeeded(env, napi_queue_async_work(env, job->work));
    if (ready) return promise;
    if (job->work != NULL) napi_delete_async_work(env, job->work);
    job_free(job);
    return NULL;
}

static job *job_create(napi_env env, assay_fault *(*run)(job *job))
{
    job *made = calloc(1, sizeof *made);
    if (made == NULL) {
        napi_throw_range_error(env, NULL, "assay: there is no memory");
        return NULL;
    }
    made->run = run;
    return made;
}

napi_value clean_file(napi_env env, napi_callback_info info)
{
    size_t count = 6;
    napi_value arguments[6];
    void *rules;
    if (!succeeded(env, napi_get_cb_info(env, info, &count, arguments, NULL, NULL))) return NULL;
    if (!succeeded(env, napi_get_value_external(env, arguments[0], &rules))) return NULL;
    job *job = job_create(env, run_clean);
    if (job == NULL) return NULL;
    job->rules = assay_rules_retain(rules);
    bool ready = (job->input = text_of(env, arguments[1])) != NULL;
    for (uint32_t i = 0; ready && i < output_count; i++) {
        napi_value path;
        ready = succeeded(env, napi_get_element(env, arguments[2], i, &path));
        if (ready) job->outputs[i] = text_of(env, path);
    }
    ready = ready && succeeded(env, napi_get_value_bool(env, arguments[3], &job->replace)) &&
            succeeded(env, napi_get_value_bool(env, arguments[4], &job->annotate)) &&
            options_of(env, arguments[5], &job->options);
    return start(env, job, ready);
}

napi_value profile(napi_env env, napi_callback_info info)
{
    size_t count = 2;
    napi_value arguments[2];
    if (!succeeded(env, napi_get_cb_info(env, info, &count, arguments, NULL, NULL))) return NULL;
    job *job = job_create(env, run_profile);
    if (job == NULL) return NULL;
    const bool ready = (job->input = text_of(env, arguments[0])) != NULL &&
                       succeeded(env, napi_get_value_bool(env, arguments[1], &job->shows_values));
    return start(env, job, ready);
}

napi_value infer(napi_env env, napi_callback_info info)
{
    size_t count = 1;
    napi_value arguments[1];
    if (!succeeded(env, napi_get_cb_info(env, info, &count, arguments, NULL, NULL))) return NULL;
    job *job = job_create(env, run_infer);
    if (job == NULL) return NULL;
    return start(env, job, (job->input = text_of(env, arguments[0])) != NULL);
}
