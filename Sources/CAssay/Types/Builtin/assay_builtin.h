/* Built-in types: creation from text, and checks of values. */
#ifndef ASSAY_BUILTIN_H
#define ASSAY_BUILTIN_H

#include "Columns/assay_column_view.h"
#include "Types/assay_prefilter.h"

/* A compiled built-in type with its options. Immutable. */
typedef struct assay_builtin assay_builtin;

/* Compiles a type. `pattern_options` is 0 or ASSAY_PATTERN_NO_JIT. Returns NULL and fills *error on failure, with an
   offset in `text`. */
assay_builtin *assay_builtin_create(assay_text text, uint32_t pattern_options, assay_error *error);
void assay_builtin_free(assay_builtin *type);

/* The pattern of the type, or NULL if only C code checks values. */
const assay_pattern *assay_builtin_pattern(const assay_builtin *type);

/* Writes a prefilter for values of the type, if it has one. */
void assay_builtin_write_prefilter(const assay_builtin *type, assay_prefilter *into);

/* Checks one value. `value` must not be NULL. */
assay_verdict assay_builtin_evaluate(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                     size_t count);

/* See assay_check_failure_reason(). `value` must not be NULL. */
const assay_failure_reason *assay_builtin_reason(const assay_builtin *type, assay_scratch *scratch,
                                                 const uint8_t *value, size_t count);

/* assay_builtin_reason() without reasons about the length, for messages that already state the form of values. */
const assay_failure_reason *assay_builtin_reason_beyond_form(const assay_builtin *type, assay_scratch *scratch,
                                                             const uint8_t *value, size_t count);

/* See assay_check_failure_reasons(), for the rows of `failed`. `column->bytes` must not be NULL, and no row may be
   skipped. */
void assay_builtin_reasons(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column,
                           const uint64_t *failed, uint8_t *found);

/* See assay_check_column(). `column->bytes` must not be NULL. */
void assay_builtin_column(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column,
                          assay_verdict_masks verdicts);

#endif
