/* Built-in types at work: made from their text, asked about values. */
#ifndef ASSAY_BUILTIN_H
#define ASSAY_BUILTIN_H

#include "Columns/assay_column_view.h"
#include "Types/assay_prefilter.h"

/* A built-in type with its options, compiled. Immutable. */
typedef struct assay_builtin assay_builtin;

/* `pattern_options`: 0 or ASSAY_PATTERN_NO_JIT. NULL with *error filled, its offset inside `text`. */
assay_builtin *assay_builtin_create(assay_text text, uint32_t pattern_options, assay_error *error);
void assay_builtin_free(assay_builtin *type);

/* What gives the type its shape; NULL: C code alone. */
const assay_pattern *assay_builtin_pattern(const assay_builtin *type);

/* Writes a prefilter for values of the type, if there is one. */
void assay_builtin_write_prefilter(const assay_builtin *type, assay_prefilter *into);

/* `value` is not NULL. */
assay_verdict assay_builtin_judge(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                  size_t count);

/* As assay_check_failure_reason. `value` is not NULL. */
const assay_failure_reason *assay_builtin_reason(const assay_builtin *type, assay_scratch *scratch,
                                                 const uint8_t *value, size_t count);

/* The same but for what is said of the length: for messages that say which form the values have. */
const assay_failure_reason *assay_builtin_reason_beyond_form(const assay_builtin *type, assay_scratch *scratch,
                                                             const uint8_t *value, size_t count);

/* As assay_check_failure_reasons, for the rows of `failed`. `column->bytes` is not NULL, and no row is skipped. */
void assay_builtin_reasons(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column,
                           const uint64_t *failed, uint8_t *found);

/* As assay_check_column. `column->bytes` is not NULL. */
void assay_builtin_column(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column,
                          assay_verdict_masks verdicts);

#endif
