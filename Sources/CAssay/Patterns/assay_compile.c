/* Pattern text ──► PCRE2's code: the flags and contexts under which every pattern is compiled, and wrapping of
   texts. */
#include "Patterns/assay_pcre2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ASSAY_PCRE2

enum { PARENTHESES_NEST_LIMIT = 250 }; /* PCRE2's default, set explicitly because builds of PCRE2 may change it */

uint32_t assay_compile_flags(uint32_t options, const assay_pattern_features *features)
{
    /* NO_START_OPTIMIZE: with a look-ahead at the start, 10.44 and older skip starts that would match (#444).
       DOLLAR_ENDONLY: `$` must not match before a final newline, including full matches: `(?=.*\d$)[\s\S]*` must not
       accept "1\n". PCRE2 ignores it under MULTILINE, in which `$` is meant to match before newlines. */
    uint32_t flags = PCRE2_UTF | PCRE2_NO_START_OPTIMIZE | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
    /* Both at compile time: pcre2_jit_match ignores them at match time (pcre2jit, "FAST PATH API"). */
    if ((options & ASSAY_PATTERN_SEARCH) == 0) flags |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
    if ((options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0) flags |= PCRE2_CASELESS;
    if ((options & ASSAY_PATTERN_UNICODE_CLASSES) != 0) flags |= PCRE2_UCP;
    if ((options & ASSAY_PATTERN_DOT_ALL) != 0) flags |= PCRE2_DOTALL;
    if ((options & ASSAY_PATTERN_EXTENDED) != 0) flags |= PCRE2_EXTENDED;
    if ((options & ASSAY_PATTERN_MULTILINE) != 0) flags |= PCRE2_MULTILINE;
    /* Auto-possessification is incorrect up to at least 10.48. It makes a repeat before an optional atomic group
       possessive: `(?:a*(?:b)?+)ab` must match "aaab" and does not. The same applies to a repeat before items that
       match non-ASCII characters: `\P{Lu}*\P{Ll}` must match "!", `.*\R` a line with its CR, `\S*\h` U+00A0 and, by
       Unicode properties, `\w+\p{Pc}` "a_". */
    if (features->atomic || features->property) flags |= PCRE2_NO_AUTO_POSSESS;
    return flags;
}

static pcre2_compile_context *new_compile_context(size_t max_bytes)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (context == NULL) return NULL;
    /* Set explicitly: a distribution may build PCRE2 with other defaults. */
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context, PCRE2_BSR_UNICODE);
    pcre2_set_max_pattern_length(context, max_bytes);
    pcre2_set_parens_nest_limit(context, PARENTHESES_NEST_LIMIT + (max_bytes == SIZE_MAX ? 1 : 0));
    return context;
}

pcre2_code *assay_compile(const uint8_t *text, size_t count, uint32_t flags, size_t max_bytes, assay_error *error)
{
    pcre2_compile_context *context = new_compile_context(max_bytes);
    if (context == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    int code = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code *compiled = pcre2_compile(count == 0 ? assay_empty_value : text, count, flags, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (compiled != NULL) return compiled;
    if (code == PCRE2_ERROR_HEAP_FAILED) {
        assay_error_no_memory(error);
        return NULL;
    }
    PCRE2_UCHAR message[256] = "";
    pcre2_get_error_message(code, message, sizeof message);
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, code, offset > count ? count : offset, "%s", (char *)message);
    return NULL;
}

/*     before = "(?s:.*?)", text = "ab# note"     (?s:.*?)(?:ab# note\E(?#⏎(?:)))     ⏎ a line feed */
uint8_t *assay_compile_wrapped(const char *before, const uint8_t *text, size_t count, const char *after,
                               size_t *wrapped_count)
{
    /* Closes the group in any state in which the text may end. \E ends a quotation. If the text ends in a # comment,
       which depends on options inside it, that comment extends over "\E(?#" to the line feed, and "(?:)" is an empty
       group; otherwise "(?#⏎(?:)" is a comment. In both cases the last bracket closes the outer group. */
    static const char close[] = "\\E(?#\n(?:))";
    size_t size = strlen(before) + strlen("(?:") + count + strlen(close) + strlen(after);
    uint8_t *full = malloc(size + 1);
    if (full == NULL) return NULL;
    uint8_t *at = full + snprintf((char *)full, size + 1, "%s(?:", before);
    if (count > 0) memcpy(at, text, count);
    at += count;
    snprintf((char *)at, size + 1 - (size_t)(at - full), "%s%s", close, after);
    *wrapped_count = size;
    return full;
}
#endif
