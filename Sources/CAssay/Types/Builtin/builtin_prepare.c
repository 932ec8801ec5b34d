/* Functions for the prepare functions of built-in types: writing patterns, reading lists, reporting errors. */
#include "Types/Builtin/builtin_definition.h"
#include "assay_error.h"

void builtin_append(assay_builtin *type, const char *text)
{
    size_t used = strlen(type->built);
    size_t length = strlen(text);
    if (type->is_too_long || used + length >= BUILTIN_PATTERN_CAPACITY) {
        type->is_too_long = true;
        return;
    }
    memcpy(type->built + used, text, length + 1);
    type->pattern_text = type->built;
}

void builtin_append_quoted(assay_builtin *type, assay_text text)
{
    char byte[] = "\\x{..}";
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < text.count; i++) {
        if (text.bytes[i] >= 0x80) { /* part of a UTF-8 character; the pattern is also UTF-8 */
            char raw[2] = {(char)text.bytes[i], 0};
            builtin_append(type, raw);
            continue;
        }
        byte[3] = digits[text.bytes[i] >> 4];
        byte[4] = digits[text.bytes[i] & 15];
        builtin_append(type, byte);
    }
}

bool builtin_next_word(assay_text *rest, assay_text *word)
{
    if (rest->count == 0) return false;
    size_t length = 0;
    while (length < rest->count && rest->bytes[length] != ',') length++;
    *word = (assay_text){rest->bytes, length};
    size_t taken = length + (length < rest->count);
    *rest = (assay_text){rest->bytes + taken, rest->count - taken};
    return true;
}

bool builtin_refuse(assay_builtin *type, size_t option, assay_error *error, const char *message)
{
    type->wrong = option;
    const builtin_option *given = &type->definition->options[option];
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "%s%s%.*s: %s", given->name,
                     given->kind != OPTION_FLAG ? "=" : "",
                     (int)(type->texts[option].count < 64 ? type->texts[option].count : 64),
                     (const char *)type->texts[option].bytes, message);
    return false;
}
