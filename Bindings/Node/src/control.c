#include "control.h"

#include "values.h"
#include <stdatomic.h>
#include <stdlib.h>

/* The calls of one environment, which outlives them. */
typedef struct calls {
    atomic_bool are_cancelled;
} calls;

/* JavaScript, the running call and the thread-safe function each have a reference. Only the thread of JavaScript
 * counts them. */
struct control {
    unsigned references;
    calls *calls;
    napi_threadsafe_function report; /* NULL: the call has ended */
    napi_ref function;               /* the same function */
    atomic_bool is_cancelled;
    atomic_bool is_pending; /* whether a report is in the queue of JavaScript; it will read the newest numbers */
    _Atomic uint64_t done, total;
};

static void finalize_calls(napi_env env, void *data, void *hint)
{
    (void)env, (void)hint;
    free(data);
}

bool controls_create(napi_env env)
{
    calls *made = calloc(1, sizeof *made);
    if (made == NULL) {
        napi_throw_range_error(env, NULL, "assay: there is no memory");
        return false;
    }
    if (succeeded(env, napi_set_instance_data(env, made, finalize_calls, NULL))) return true;
    free(made);
    return false;
}

napi_value cancel_all(napi_env env, napi_callback_info info)
{
    (void)info;
    void *data;
    if (!succeeded(env, napi_get_instance_data(env, &data))) return NULL;
    calls *calls = data;
    atomic_store(&calls->are_cancelled, true);
    return NULL;
}

static void release(control *control)
{
    if (--control->references == 0) free(control);
}

static void finalize_control(napi_env env, void *data, void *hint)
{
    (void)env, (void)hint;
    release(data);
}

static void finalize_report(napi_env env, void *data, void *hint)
{
    (void)env, (void)data;
    release(hint);
}

napi_value create_control(napi_env env, napi_callback_info info)
{
    (void)info;
    napi_value object;
    control *made = calloc(1, sizeof *made);
    if (made == NULL) {
        napi_throw_range_error(env, NULL, "assay: there is no memory");
        return NULL;
    }
    made->references = 1;
    if (succeeded(env, napi_create_external(env, made, finalize_control, NULL, &object))) return object;
    free(made);
    return NULL;
}

napi_value cancel(napi_env env, napi_callback_info info)
{
    size_t count = 1;
    napi_value object;
    void *data;
    if (!succeeded(env, napi_get_cb_info(env, info, &count, &object, NULL, NULL)) ||
        !succeeded(env, napi_get_value_external(env, object, &data))) {
        return NULL;
    }
    control *control = data;
    atomic_store(&control->is_cancelled, true);
    return NULL;
}

/* Calls the function of JavaScript, on its thread, unless it has received the numbers. Cancels all calls if JavaScript
 * cannot run anymore. */
static void call_report(napi_env env, napi_value function, void *context, void *data)
{
    (void)data;
    control *control = context;
    if (env == NULL || control->report == NULL) return; /* the environment or the call has ended */
    if (!atomic_exchange(&control->is_pending, false)) return;
    napi_value undefined, numbers[2];
    const double done = (double)atomic_load(&control->done), total = (double)atomic_load(&control->total);
    if (napi_get_undefined(env, &undefined) != napi_ok || napi_create_double(env, done, &numbers[0]) != napi_ok ||
        napi_create_double(env, total, &numbers[1]) != napi_ok ||
        napi_call_function(env, undefined, function, 2, numbers, NULL) != napi_ok) {
        atomic_store(&control->calls->are_cancelled, true);
    }
}

/* The callback of libassay, on one thread at a time. It does not wait for JavaScript. */
static bool report(void *context, uint64_t done, uint64_t total)
{
    control *control = context;
    if (atomic_load(&control->is_cancelled) || atomic_load(&control->calls->are_cancelled)) return false;
    atomic_store(&control->done, done);
    atomic_store(&control->total, total);
    if (!atomic_exchange(&control->is_pending, true)) {
        napi_call_threadsafe_function(control->report, NULL, napi_tsfn_nonblocking);
    }
    return true;
}

control *control_begin(napi_env env, napi_value object, napi_value function, assay_options *options)
{
    void *data, *calls;
    napi_value name;
    if (!succeeded(env, napi_get_value_external(env, object, &data)) ||
        !succeeded(env, napi_get_instance_data(env, &calls))) {
        return NULL;
    }
    control *control = data;
    control->calls = calls;
    if (!succeeded(env, napi_create_string_utf8(env, "assay", NAPI_AUTO_LENGTH, &name)) ||
        !succeeded(env, napi_create_reference(env, function, 1, &control->function))) {
        return NULL;
    }
    if (!succeeded(env, napi_create_threadsafe_function(env, function, NULL, name, 0, 1, NULL, finalize_report, control,
                                                        call_report, &control->report))) {
        napi_delete_reference(env, control->function);
        return NULL;
    }
    control->references += 2; /* of the thread-safe function, and of the call */
    options->progress = report;
    options->progress_context = control;
    return control;
}

void control_flush(napi_env env, control *control)
{
    napi_value function;
    if (napi_get_reference_value(env, control->function, &function) == napi_ok) {
        call_report(env, function, control, NULL);
    }
}

void control_end(napi_env env, control *control)
{
    if (control == NULL) return;
    const napi_threadsafe_function report = control->report;
    control->report = NULL;
    napi_delete_reference(env, control->function);
    napi_release_threadsafe_function(report, napi_tsfn_abort);
    release(control);
}
