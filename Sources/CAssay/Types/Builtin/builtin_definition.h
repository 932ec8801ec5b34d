/* Definitions of built-in types. The table is in builtin_table.c.

       "email unicode"  ──►  definition: pattern, options, prepare, test
                                 │ prepare: the options choose pattern and test
                                 ▼
                             assay_builtin: length, compiled pattern, test

   A value passes if its length is within bounds, it does not end in a line feed (which types do not allow, but `$` in
   many patterns does), the pattern matches, and the test passes. Types that a pattern can decide have no test. For
   other types, the pattern checks the form, and the test may rely on it. */
#ifndef ASSAY_BUILTIN_DEFINITION_H
#define ASSAY_BUILTIN_DEFINITION_H

#include "Bytes/assay_ascii.h"
#include "Types/Builtin/assay_builtin.h"
#include "Types/Builtin/builtin_reasons.h"

#include <string.h>

enum {
    BUILTIN_MAX_OPTIONS = 8,
    /* The size of a pattern that depends on the values of options, in bytes with the final 0. */
    BUILTIN_PATTERN_CAPACITY = 16384,
};

/* Parts of character classes: invisible characters in the categories of letters and marks (Hangul fillers, Khmer
   inherent vowels, the grapheme joiner), and variation selectors, which belong to the character before them. */
#define BUILTIN_FILLERS "\\x{34F}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{3164}\\x{FFA0}"
#define BUILTIN_SELECTORS "\\x{180B}-\\x{180D}\\x{180F}\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}"

/* REASON_SEPARATORS, REASON_CAPITALS and REASON_SMALL_LETTERS as bits. */
#define BUILTIN_MENDS(reason) (UINT32_C(1) << (reason))

/* The notation of an option. */
typedef enum builtin_option_kind {
    OPTION_FLAG = 0, /* unicode */
    OPTION_NUMBER,   /* scale=2: 0 … 1 000 000 */
    OPTION_TEXT,     /* point=, */
    OPTION_LIST,     /* country=DE,FR: words separated by commas */
    OPTION_DATE,     /* on=2024-02-29: days since 1970 */
} builtin_option_kind;

typedef struct builtin_option {
    const char *name;
    builtin_option_kind kind;
} builtin_option;

/* Checks a value with a valid length that matches the pattern. */
typedef assay_verdict builtin_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                   size_t count);

/* Reads the options: sets `pattern_text`, `test` and the data of the test. Returns false and fills *error on failure.
   The caller sets the offset of the error from `wrong`. */
typedef bool builtin_prepare(assay_builtin *type, assay_error *error);

/* Finds the reason why a value failed, if no simple correction makes it pass. `has_shape`: length and pattern are
   valid. */
typedef builtin_reason builtin_reason_finder(const assay_builtin *type, const uint8_t *value, size_t count,
                                             bool has_shape);

typedef struct builtin_definition {
    assay_builtin_info info;
    const char *pattern;      /* NULL: no pattern */
    uint32_t pattern_options; /* ASSAY_PATTERN_… */
    builtin_test *test;       /* NULL: no test */
    size_t min;               /* bytes */
    size_t max;               /* bytes; 0: unlimited */
    builtin_option options[BUILTIN_MAX_OPTIONS];
    builtin_prepare *prepare; /* NULL: the members above are complete */
    const char *prefilter;    /* NULL: no prefilter. See assay_prefilter.h */
    size_t prefilter_longest; /* bytes; 0: unlimited */
    assay_prefilter_confirm *confirm;
    uint32_t narrowing;         /* bit i: the prefilter is invalid with option i */
    uint32_t mends;             /* BUILTIN_MENDS: common mistakes in values of this type */
    builtin_reason test_reason; /* the reason if only the test fails */
    builtin_reason_finder *reason_of;
} builtin_definition;

extern const builtin_definition builtin_definitions[];
extern const size_t builtin_definition_count;

struct assay_builtin {
    const builtin_definition *definition;
    uint32_t given; /* bit i: option i of the definition is present */
    int64_t numbers[BUILTIN_MAX_OPTIONS];
    assay_text texts[BUILTIN_MAX_OPTIONS]; /* into `storage` */
    uint8_t *storage;
    size_t min;
    size_t max;
    const char *pattern_text; /* static, or `built` */
    char *built;              /* owned */
    bool is_too_long;         /* builtin_append() had no room, so that `built` is incomplete and creation must fail */
    uint32_t pattern_options;
    assay_pattern *pattern;
    builtin_test *test;
    bool may_end_in_newline;
    size_t wrong;    /* set by prepare: the option of the error */
    int64_t setting; /* set by prepare for the test; see the file of the type */
    void *data;      /* set by prepare for the test; owned, released with `free_data` */
    void (*free_data)(void *data);
};

static inline bool builtin_given(const assay_builtin *type, size_t option) { return (type->given >> option & 1) != 0; }

static inline assay_verdict builtin_verdict(bool passes) { return passes ? ASSAY_PASS : ASSAY_FAIL; }

/* The following functions are in builtin_prepare.c. */

/* Appends to the pattern of the type. If the pattern becomes too long, creation fails with an error. */
void builtin_append(assay_builtin *type, const char *text);

/* Appends a pattern that matches exactly `text`. */
void builtin_append_quoted(assay_builtin *type, assay_text text);

/* Removes the next word of a list such as "DE,FR" from `*rest`. Returns false at the end of the list. */
bool builtin_next_word(assay_text *rest, assay_text *word);

/* Fills *error and returns false, so that prepare functions can return the result. */
bool builtin_refuse(assay_builtin *type, size_t option, assay_error *error, const char *message);

static inline bool builtin_is(assay_text text, const char *word)
{
    return text.count == strlen(word) && (text.count == 0 || memcmp(text.bytes, word, text.count) == 0);
}

static inline uint8_t builtin_lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte; }

#endif
