/* Functions that run on a thread of Node's pool and return a promise. Their last arguments are options, the object of
 * control() and a function (done, total). */
#ifndef ASSAY_NODE_FILES_H
#define ASSAY_NODE_FILES_H

#include <node_api.h>

/* cleanFile(rules, input, [clean, rejects, findings, report, changes, compression, encoding, delimiter],
 * [replace, annotate, showValues, guardFormulas], [maxFindings, head], …) -> report */
napi_value clean_file(napi_env env, napi_callback_info info);
/* profile(path, showsValues, …) -> JSON */
napi_value profile(napi_env env, napi_callback_info info);
/* infer(path, …) -> YAML */
napi_value infer(napi_env env, napi_callback_info info);
/* checkAsync(rules, names, columns, rows, …) -> result */
napi_value check_async(napi_env env, napi_callback_info info);
/* checkCsvAsync(rules, bytes, …) -> result. The bytes are read in place, and must not be transferred. */
napi_value check_csv_async(napi_env env, napi_callback_info info);

#endif
