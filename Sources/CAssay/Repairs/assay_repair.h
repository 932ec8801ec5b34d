/* The declarations shared in this folder: compiled repairs, and their application to one value.
 *
 *     assay_repairs.c            list ──► assay_repairs; one value
 *     assay_repair_column.c      columns: looks at all values, repairs the few that may change
 *     repair_look.c              the look: a prefilter for values that may change
 *     repair_look_conditions.c   the conditions of a look
 *     repair_text.c              a growing text
 *     repair_space.c             trim, collapse, strip-control, unquote
 *     repair_letters.c           upper, lower, ascii-digits, nfc, nfkc
 *     repair_words.c             missing, map, default
 *     Canonical                  canonical
 *     repair_replace.c           replace, by Patterns */
#ifndef ASSAY_REPAIR_INTERNAL_H
#define ASSAY_REPAIR_INTERNAL_H

#include "Repairs/assay_replacement.h"
#include "Repairs/repair_look.h"
#include "assay/repair.h"

#include <string.h>

/* A growing text. */
typedef struct repair_text {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} repair_text;

/* The outcome of a repair. */
typedef enum repair_outcome {
    REPAIR_LEFT = 0, /* the value is unchanged; the contents of `out` are meaningless */
    REPAIR_WRITTEN,  /* `out` contains the result, which may equal the value */
    REPAIR_NO_MEMORY,
} repair_outcome;

typedef struct repair_step repair_step;
typedef struct repair_words repair_words;
typedef struct repair_canonical repair_canonical;

/* `in` must be well-formed and must not overlap `out`, which must be empty. */
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
    bool is_settled; /* a second application never changes the result: see is_settled() in assay_repairs.c */
    bool has_default;
    repair_look look;
    repair_step steps[];
};

/* Makes room for `more` bytes. Returns false if memory runs out. */
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

/* Applies the list to one value, and a second time if the value changes. See assay_repairs_value(). */
assay_repaired_value repair_value(const assay_repairs *repairs, struct assay_repair_memory *memory,
                                  assay_scratch *scratch, assay_text value, bool is_null);

/* The buffers that alternate while one value is repaired, and the memory for columns. */
struct assay_repair_memory {
    repair_text turns[3];
    repair_text patches; /* the concatenated changed values of a column */
    uint64_t *masks;     /* four masks of row_capacity rows each */
    size_t row_capacity;
    struct repair_block *blocks;
};

repair_function repair_trim, repair_collapse, repair_strip_control, repair_unquote;
repair_function repair_upper, repair_lower, repair_nfc, repair_nfkc, repair_ascii_digits;
repair_function repair_missing, repair_map, repair_default, repair_replace;

/* Whether normalization may compose or reorder a character with its neighbors: whether it has a combining class. */
bool repair_joins_neighbors(uint32_t character);

/* Creates a map of words. `texts` are pairs of a word and its replacement, or words that become empty. Returns NULL if
 * memory runs out. */
repair_words *repair_words_create(const assay_text *texts, size_t count, bool are_pairs);
void repair_words_free(repair_words *words);
void repair_words_for_each(const repair_words *words, void (*body)(void *context, assay_text word), void *context);
/* The replacement of a word, or bytes == NULL if the map does not contain the word. */
assay_text repair_words_find(const repair_words *words, assay_text word);

#endif
