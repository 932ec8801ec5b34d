/* The progress of a call that runs on a thread of Node's pool, and its cancellation. */
#ifndef ASSAY_NODE_CONTROL_H
#define ASSAY_NODE_CONTROL_H

#include <assay/assay.h>
#include <node_api.h>

typedef struct control control;

/* control() -> an object for one call */
napi_value create_control(napi_env env, napi_callback_info info);
/* cancel(control) ends the call soon. */
napi_value cancel(napi_env env, napi_callback_info info);
/* cancelAll() ends all calls of the environment soon, also later ones. */
napi_value cancel_all(napi_env env, napi_callback_info info);

/* Prepares an environment for calls. Returns false if an exception is pending. */
bool controls_create(napi_env env);

/* Starts to watch a call: sets the callback of the options. `report` is a function (done, total) that does not throw.
 * If it cannot run, because worker.terminate() ends the environment, all calls are cancelled. A cleanup hook would be
 * too late, because Node.js waits for the calls before it runs hooks. Returns a reference for control_end(), or NULL
 * if an exception is pending. */
control *control_begin(napi_env env, napi_value object, napi_value report, assay_options *options);

/* Calls `report` with the numbers that it has not received. */
void control_flush(napi_env env, control *control);

/* Ends the watch, on the thread of JavaScript. `report` is not called afterwards. */
void control_end(napi_env env, control *control);

#endif
