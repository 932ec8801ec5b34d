/* The functions that index.js calls. Texts are UTF-8 in the memory of the module; one check runs at a time. */
#include <stdlib.h>
#include <string.h>

#include "assay/core.h"

#define EXPORT(name) __attribute__((export_name(name)))

typedef struct web_check {
    assay_pattern *pattern;
    assay_type *type;
    assay_check *check;
} web_check;

static assay_error error;
static assay_scratch *scratch;

EXPORT("allocate") uint8_t *web_allocate(size_t count) { return malloc(count == 0 ? 1 : count); }

EXPORT("release") void web_release(uint8_t *bytes) { free(bytes); }

EXPORT("free_check") void web_free_check(web_check *made)
{
    if (made == NULL) return;
    assay_check_free(made->check);
    assay_type_free(made->type);
    assay_pattern_free(made->pattern);
    free(made);
}

/* Returns the new check if it is complete. */
static web_check *finished(web_check *made)
{
    if (scratch == NULL) scratch = assay_scratch_create(NULL);
    if (made != NULL && made->check != NULL && scratch != NULL) return made;
    web_free_check(made);
    return NULL;
}

static web_check *new_check(void)
{
    error = (assay_error){.status = ASSAY_NO_MEMORY, .message = "out of memory"};
    return calloc(1, sizeof(web_check));
}

EXPORT("create_pattern") web_check *web_create_pattern(const uint8_t *text, size_t count, uint32_t options)
{
    web_check *made = new_check();
    if (made == NULL) return NULL;
    made->pattern = assay_pattern_create(text, count, options, 0, &error);
    if (made->pattern != NULL) made->check = assay_check_create_pattern(made->pattern);
    return finished(made);
}

EXPORT("create_type") web_check *web_create_type(int kind)
{
    const assay_type_description description = {.kind = (assay_kind)kind};
    web_check *made = new_check();
    if (made == NULL) return NULL;
    made->type = assay_type_create(&description, &error);
    if (made->type != NULL) made->check = assay_check_create_type(made->type, 0);
    return finished(made);
}

EXPORT("create_format") web_check *web_create_format(const uint8_t *text, size_t count)
{
    web_check *made = new_check();
    if (made != NULL) made->check = assay_check_create_builtin((assay_text){text, count}, 0, &error);
    return finished(made);
}

EXPORT("error_message") const char *web_error_message(void) { return error.message; }
EXPORT("error_offset") size_t web_error_offset(void) { return error.offset; }

/* Returns 0: passes, 1: fails, 2: undecided, because a limit stopped it, 3: fails because the bytes are not UTF-8. */
EXPORT("check") int web_check_value(const web_check *made, const uint8_t *value, size_t count)
{
    if (assay_utf8_valid_prefix(value, count) != count) return 3;
    return (int)assay_check_value(made->check, scratch, value, count);
}

/* The reason of a value that fails; NULL: not known. */
static const assay_failure_reason *reason_of(const web_check *made, const uint8_t *value, size_t count)
{
    return assay_check_has_reasons(made->check) ? assay_check_failure_reason(made->check, scratch, value, count) : NULL;
}

EXPORT("reason_name") const char *web_reason_name(const web_check *made, const uint8_t *value, size_t count)
{
    const assay_failure_reason *reason = reason_of(made, value, count);
    return reason == NULL ? NULL : reason->name;
}

EXPORT("reason_text") const char *web_reason_text(const web_check *made, const uint8_t *value, size_t count)
{
    const assay_failure_reason *reason = reason_of(made, value, count);
    return reason == NULL ? NULL : reason->text;
}

/* Returns a text of the format with this index; NULL after the last. Fields: name, title, profile, example, options. */
EXPORT("format_text") const char *web_format_text(size_t index, int field)
{
    const assay_builtin_info *info = assay_builtin_at(index);
    if (info == NULL) return NULL;
    const char *const texts[] = {info->name, info->display_name, info->profile, info->example, info->options};
    return texts[field];
}

EXPORT("version") const char *web_version(void) { return ASSAY_VERSION; }
