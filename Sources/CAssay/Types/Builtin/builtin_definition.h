/* What a built-in type is made of: the one table is in builtin_table.c.
 *
 *     "email unicode"  ──►  definition: pattern, options, prepare, test
 *                               │ prepare: the options choose pattern and test
 *                               ▼
 *                           assay_builtin: length, compiled pattern, test
 *
 * A value passes when its length is within bounds and it does not end in a line feed (which no type has, and which
 * `$` of many a pattern forgives), then the pattern matches, then the test says so. Where a pattern
 * decides there is no test; where no pattern can, the pattern gives the shape and the test may rely on it. */
#ifndef ASSAY_BUILTIN_DEFINITION_H
#define ASSAY_BUILTIN_DEFINITION_H

#include "Bytes/assay_ascii.h"
#include "Types/Builtin/assay_builtin.h"
#include "Types/Builtin/builtin_reasons.h"

#include <string.h>

enum { BUILTIN_MAX_OPTIONS = 8 };

/* Parts of character classes: characters that are never seen, though they count as letters and marks (Hangul fillers, Khmer
   inherent vowels, the grapheme joiner), and variation selectors, which are part of the character before them. */
#define BUILTIN_FILLERS "\\x{34F}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{3164}\\x{FFA0}"
#define BUILTIN_SELECTORS "\\x{180B}-\\x{180D}\\x{180F}\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}"

/* REASON_SEPARATORS, REASON_CAPITALS and REASON_SMALL_LETTERS as bits. */
#define BUILTIN_MENDS(reason) (UINT32_C(1) << (reason))

/* How an option is written. */
typedef enum builtin_option_kind {
    OPTION_FLAG = 0, /* unicode */
    OPTION_NUMBER,   /* scale=2: 0 … 1 000 000 */
    OPTION_TEXT,     /* point=, */
    OPTION_LIST,     /* country=DE,FR: words with commas between */
    OPTION_DATE,     /* on=2024-02-29: days since 1970 */
} builtin_option_kind;

typedef struct builtin_option {
    const char *name;
    builtin_option_kind kind;
} builtin_option;

/* Judges what length and pattern let through. */
typedef assay_verdict builtin_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                   size_t count);

/* Reads the options: sets `pattern_text`, `test` and whatever the test needs. False with *error filled (its offset is
   set by the caller, from `wrong`). */
typedef bool builtin_prepare(assay_builtin *type, assay_error *error);

/* Says what is wrong with a value that failed and that no small mending lets pass. `has_shape`: length and pattern let
   it through. */
typedef builtin_reason builtin_reason_finder(const assay_builtin *type, const uint8_t *value, size_t count,
                                             bool has_shape);

typedef struct builtin_definition {
    assay_builtin_info info;
    const char *pattern;      /* NULL: none */
    uint32_t pattern_options; /* ASSAY_PATTERN_… */
    builtin_test *test;       /* NULL: none */
    size_t fewest;            /* bytes */
    size_t most;              /* bytes; 0: no bound */
    builtin_option options[BUILTIN_MAX_OPTIONS];
    builtin_prepare *prepare; /* NULL: the above as it stands */
    const char *prefilter;    /* NULL: none. See assay_prefilter.h */
    size_t prefilter_longest; /* bytes; 0: no bound */
    assay_prefilter_confirm *confirm;
    uint32_t narrowing;         /* bit i: with option i the prefilter does not hold */
    uint32_t mends;             /* BUILTIN_MENDS: mistakes that people make in values of this type */
    builtin_reason test_reason; /* what is wrong when only the test fails */
    builtin_reason_finder *reason_of;
} builtin_definition;

extern const builtin_definition builtin_definitions[];
extern const size_t builtin_definition_count;

struct assay_builtin {
    const builtin_definition *definition;
    uint32_t given; /* bit i: option i of the definition is there */
    int64_t numbers[BUILTIN_MAX_OPTIONS];
    assay_text texts[BUILTIN_MAX_OPTIONS]; /* into `storage` */
    uint8_t *storage;
    size_t fewest;
    size_t most;
    const char *pattern_text; /* static, or `built` */
    char *built;              /* owned */
    bool is_too_long;         /* builtin_append() had no room, so that `built` is incomplete and creation must fail */
    uint32_t pattern_options;
    assay_pattern *pattern;
    builtin_test *test;
    bool may_end_in_newline;
    size_t wrong;    /* of prepare: the option its complaint is about */
    int64_t setting; /* of prepare, for the test: what its file says it is */
    void *data;      /* of prepare, for the test; owned through `free_data` */
    void (*free_data)(void *data);
};

static inline bool builtin_given(const assay_builtin *type, size_t option) { return (type->given >> option & 1) != 0; }

static inline assay_verdict builtin_verdict(bool passes) { return passes ? ASSAY_PASS : ASSAY_FAIL; }

/* Appends to the pattern of the type. If the pattern would be too long, its creation fails with an error that says so. */
void builtin_append(assay_builtin *type, const char *text);

/* Appends a pattern that matches exactly `text`. */
void builtin_append_quoted(assay_builtin *type, assay_text text);

/* Takes the next word of a list such as "DE,FR" off `*rest`; false at its end. */
bool builtin_next_word(assay_text *rest, assay_text *word);

/* Fills *error for prepare, which returns what this does: false. */
bool builtin_refuse(assay_builtin *type, size_t option, assay_error *error, const char *message);

static inline bool builtin_is(assay_text text, const char *word)
{
    return text.count == strlen(word) && (text.count == 0 || memcmp(text.bytes, word, text.count) == 0);
}

static inline uint8_t builtin_lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte; }

#endif
