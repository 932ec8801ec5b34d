#include "assay_error.h"

#include <stdarg.h>
#include <stdio.h>

void assay_error_fill(assay_error *error, assay_status status, int32_t engine_code, size_t offset, const char *format,
                      ...)
{
    if (error == NULL) return;
    *error = (assay_error){.status = status, .engine_code = engine_code, .offset = offset};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

void assay_error_no_memory(assay_error *error) { assay_error_fill(error, ASSAY_NO_MEMORY, 0, 0, "out of memory"); }
