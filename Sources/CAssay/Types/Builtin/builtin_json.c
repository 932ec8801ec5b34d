/* JSON (RFC 8259). */
#include "Types/Builtin/builtin_tests.h"

#include "Patterns/assay_scratch.h"
#include "Types/assay_json_text.h"

enum { JSON_OBJECT, JSON_ARRAY, JSON_NEWLINE };

static assay_verdict json_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    const uint8_t opening = assay_json_text_opening(value, count);
    const bool wants_object = builtin_given(type, JSON_OBJECT);
    const bool wants_array = builtin_given(type, JSON_ARRAY);
    if (wants_object || wants_array) {
        if (!(opening == '{' && wants_object) && !(opening == '[' && wants_array)) return ASSAY_FAIL;
    }
    const assay_verdict verdict = assay_json_text_evaluate(value, count, NULL);
    /* A limit of Assay, not of an engine. */
    if (verdict == ASSAY_UNDECIDED) assay_scratch_set_engine_code(scratch, 0);
    return verdict;
}

bool builtin_json_prepare(assay_builtin *type, assay_error *error)
{
    (void)error;
    type->test = json_test;
    type->may_end_in_newline = builtin_given(type, JSON_NEWLINE);
    return true;
}
