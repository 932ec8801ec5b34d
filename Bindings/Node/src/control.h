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

/* Starts to watch a call: sets the callback of the options. `report` is a function (done, total) or null. Returns a
 * reference for control_end(), or NULL if an exception is pending. */
control *control_begin(napi_env env, napi_value object, napi_value report, assay_options *options);

/* Calls `report` with the numbers that it has not received. */
void control_flush(napi_env env, control *control);

/* Ends the watch, on the thread of JavaScript. `report` is not called afterwards. */
void control_end(napi_env env, control *control);

#endif
