/* A call of Node-API that does no work. */
#include <node_api.h>

static napi_value empty(napi_env env, napi_callback_info info)
{
    napi_value yes;
    (void)info;
    return napi_get_boolean(env, true, &yes) == napi_ok ? yes : NULL;
}

static napi_value initialize(napi_env env, napi_value exports)
{
    return napi_create_function(env, "empty", NAPI_AUTO_LENGTH, empty, NULL, &exports) == napi_ok ? exports : NULL;
}

NAPI_MODULE(empty, initialize)
