/* Functions that read files on a thread of Node's pool and return a promise. */
#ifndef ASSAY_NODE_FILES_H
#define ASSAY_NODE_FILES_H

#include <node_api.h>

/* cleanFile(rules, input, [clean, rejects, findings, report, changes], replace, annotate, options) */
napi_value clean_file(napi_env env, napi_callback_info info);
/* profile(path, showsValues) */
napi_value profile(napi_env env, napi_callback_info info);
/* infer(path) */
napi_value infer(napi_env env, napi_callback_info info);

#endif
