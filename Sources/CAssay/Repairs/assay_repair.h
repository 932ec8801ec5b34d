/* What the files of this folder share: a compiled repair, and how it is applied to one value.
 *
 *     assay_repairs.c         list ──► assay_repairs; one value
 *     assay_repair_column.c   columns: looks at all values, repairs the few that may change
 *     repair_look.c           the look
 *     repair_space.c          trim, collapse, strip-control, unquote
 *     repair_letters.c        upper, lower, ascii-digits, nfc, nfkc (utf8proc)
 *     repair_words.c          missing, map, default
 *     Canonical               canonical
 *     repair_replace.c        replace, by Patterns */
#ifndef ASSAY_REPAIR_INTERNAL_H
#define ASSAY_REPAIR_INTERNAL_H

#include "Repairs/assay_replacement.h"
#include "Repairs/repair_look.h"
#include "assay/repair.h"

#include <string.h>

/* A text that grows. */
typedef struct repair_text {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} repair_text;

/* What a repair makes of a value. */
typedef enum repair_outcome {
    REPAIR_LEFT = 0, /* it stays as it is */
    REPAIR_WRITTEN,  /* `out` has what it becomes, perhaps the same */
    REPAIR_NO_MEMORY,
} repair_outcome;

typedef struct repair_step repair_step;
typedef struct repair_words repair_words;
typedef struct repair_canonical repair_canonical;

/* `in` is well-formed, and not in `out`, which is empty. */
typedef repair_outcome repair_function(const repair_step *step, assay_scratch *scratch, assay_text in,
                                       repair_text *out);

struct repair_step {
    assay_repair_kind kind;
    repair_function *apply;
    repair_words *words;            /* MISSING, MAP, DEFAULT */
    assay_text text;                /* DEFAULT: in `words` */
    repair_canonical *canonical;    /* CANONICAL */
    assay_replacement *replacement; /* REPLACE */
};

struct assay_repairs {
    size_t count;
    bool is_settled; /* a second application never changes anything: see is_settled in assay_repairs.c */
    bool has_default;
    repair_look look;
    repair_step steps[];
};

/* Makes room for `more` bytes. False: no memory. */
bool repair_text_reserve(repair_text *text, size_t more);

void repair_text_free(repair_text *text);

static inline bool repair_text_append(repair_text *text, const uint8_t *bytes, size_t count)
{
    if (text->capacity - text->count < count && !repair_text_reserve(text, count)) return false;
    if (count > 0) memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
    return true;
}

static inline bool repair_text_equal(assay_text left, assay_text right)
{
    if (left.count != right.count || left.count == 0) return left.count == right.count;
    return left.bytes[0] == right.bytes[0] && memcmp(left.bytes, right.bytes, left.count) == 0;
}

/* Applies the list to one value, twice where it changes. As assay_repairs_value. */
assay_repaired_value repair_value(const assay_repairs *repairs, struct assay_repair_memory *memory,
                                  assay_scratch *scratch, assay_text value, bool is_null);

/* The texts that take turns while one value is repaired, and where columns lie. */
struct assay_repair_memory {
    repair_text turns[3];
    repair_text patches; /* the changed values of a column, one after another */
    uint64_t *masks;     /* four, of row_capacity rows each */
    size_t row_capacity;
    struct repair_block *blocks;
};

repair_function repair_trim, repair_collapse, repair_strip_control, repair_unquote;
repair_function repair_upper, repair_lower, repair_nfc, repair_nfkc, repair_ascii_digits;
repair_function repair_missing, repair_map, repair_default, repair_replace;

/* Whether a character may change with others, or change their order, in normal forms: one with a combining class. */
bool repair_joins_others(uint32_t character);

/* Words and what they become. `texts` are pairs, or words that become nothing. NULL: no memory. */
repair_words *repair_words_create(const assay_text *texts, size_t count, bool are_pairs);
void repair_words_free(repair_words *words);
void repair_words_for_each(const repair_words *words, void (*body)(void *context, assay_text word), void *context);
/* What a word becomes; bytes == NULL: it is not among them. */
assay_text repair_words_find(const repair_words *words, assay_text word);

#endif
