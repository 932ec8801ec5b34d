/* assay/repair.h: values repaired before they are judged. It continues assay/core.h, whose house rules hold here too.
 *
 *     cells   " Anna "  "N/A"  "bo@EXAMPLE.org"  "cy@example.org"
 *               │ trim    │ missing  │ canonical      ╎ nothing: a look of a few nanoseconds
 *               ▼         ▼          ▼                ▼
 *             "Anna"    ""    "bo@example.org"  "cy@example.org"
 *
 * The repairs of a list are applied in order. A repair that cannot leaves the value as it is, and the next one goes on with
 * that. Repairs are pure: the same value always becomes the same one. They are idempotent: a value that a second application of
 * its list would change again is left as it came, and its row is UNSETTLED. */
#ifndef ASSAY_REPAIR_H
#define ASSAY_REPAIR_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ASSAY_CLOSED_ENUM assay_repair_kind {
    ASSAY_REPAIR_TRIM = 0,      /* white space (White_Space) and U+200B, 200C, 200D, 2060, FEFF off both ends */
    ASSAY_REPAIR_COLLAPSE,      /* each run of white space becomes one space */
    ASSAY_REPAIR_UPPER,         /* each character its simple mapping of Unicode */
    ASSAY_REPAIR_LOWER,         /* the same */
    ASSAY_REPAIR_NFC,           /* UAX #15 */
    ASSAY_REPAIR_NFKC,          /* UAX #15 */
    ASSAY_REPAIR_STRIP_CONTROL, /* controls that are no white space, direction marks, invisible characters go */
    ASSAY_REPAIR_ASCII_DIGITS,  /* decimal digits (Nd) of all scripts become 0 to 9 */
    ASSAY_REPAIR_UNQUOTE,       /* pairs of quotes around the whole value go, if none of their kind is inside */
    ASSAY_REPAIR_MISSING,       /* `texts`: words that become the empty value */
    ASSAY_REPAIR_REPLACE,       /* `texts`: a pattern; what each match becomes, where $1 and ${name} are groups */
    ASSAY_REPAIR_MAP,           /* `texts`: from, to, from, to … */
    ASSAY_REPAIR_DEFAULT,       /* `texts`: the value of cells that have none */
    ASSAY_REPAIR_CANONICAL,     /* the one form of the type */
} assay_repair_kind;

/* How the canonical form is found. Plain data, read by assay_repairs_create; `type` and `check` are kept and must outlive
 * the repairs. */
typedef struct assay_canonical_description {
    assay_kind kind;
    const assay_type *type;   /* of kinds but STRING */
    assay_text builtin;       /* STRING: a built-in type with its options */
    const assay_check *check; /* what the result must pass, or the value is left as it is */
    const assay_text *from;   /* DATE, TIME, DATETIME: formats in which values may come, besides the canonical one */
    size_t from_count;
    assay_text region;       /* phone: whose numbers have no country code; empty: none */
    assay_text decimal_char; /* INTEGER, NUMBER and numbers of STRING: as the values have them; empty: a point */
    assay_text group_char;   /* the same; empty: none */
} assay_canonical_description;

/* The canonical form of a built-in type in a few words; empty: it has none, or no other. Static storage. */
ASSAY_API const char *assay_canonical_form(assay_text builtin);

/* One repair. Plain data, read by assay_repairs_create and not kept. */
typedef struct assay_repair_description {
    assay_repair_kind kind;
    const assay_text *texts; /* as the kind says */
    size_t text_count;
    const assay_canonical_description *canonical; /* CANONICAL */
} assay_repair_description;

/* The most repairs of one list. */
enum { ASSAY_MOST_REPAIRS = 32 };

/* No repair makes a value longer than this; one that would leaves it as it is. */
enum { ASSAY_REPAIR_LONGEST = 1 << 20 };

/* The most bytes that the changed values of one column may have together, so that a short text in the rules cannot fill the
 * memory. More is ASSAY_NO_MEMORY. */
enum { ASSAY_REPAIR_MOST = 1 << 28 };

/* The text of a REPLACE is wrong: PCRE2_ERROR_BADREPLACEMENT. */
enum { ASSAY_REPAIR_BAD_TEXT = -35 };

/* A list of repairs, compiled. Immutable. */
typedef struct assay_repairs assay_repairs;

/* Copies what it needs. `missing`: the texts that mean "no value", for DEFAULT. `max_pattern_bytes` as for assay_pattern_create.
 * NULL on failure, with *error filled; *which is then the repair that is wrong, and the offset of the error the place in its
 * pattern, or with the engine_code ASSAY_REPAIR_BAD_TEXT in what stands for matches. */
ASSAY_API assay_repairs *assay_repairs_create(const assay_repair_description *list, size_t count,
                                              const assay_text *missing, size_t missing_count, size_t max_pattern_bytes,
                                              size_t *which, assay_error *error);
ASSAY_API void assay_repairs_free(assay_repairs *repairs);

/* What values of a column must be where types are strict: JSON writes them as they are, without quotes. */
typedef enum ASSAY_CLOSED_ENUM assay_json_literals {
    ASSAY_JSON_NO_LITERALS = 0, /* strings, or of any type */
    ASSAY_JSON_NUMBERS,
    ASSAY_JSON_BOOLEANS
} assay_json_literals;

/* What one worker needs to repair, and what became of the latest column: masks of its rows, and for each changed row the
 * repairs that changed it. Made by assay_repaired_create, freed by assay_repaired_free. */
typedef struct assay_repaired {
    uint64_t *changed;   /* rows that have another value now */
    uint64_t *unsettled; /* rows left as they came, since their list would change them a second time */
    size_t unsettled_count;
    uint32_t *causes;  /* of changed rows only; bit i: repair i of the list changed the value */
    size_t most_bytes; /* a value that would be written longer is left as it came (assay_csv_fits); 0: no limit */
    const assay_dialect
        *dialect;  /* borrowed: how values are written; a value that cannot be (assay_csv_can_write) is left as it
                                     came. NULL: all can be */
    bool is_first; /* whether the column is the first of its records, where a comment could begin */
    assay_json_literals literals; /* the same for assay_json_can_write */
    struct assay_repair_memory *memory;
} assay_repaired;

ASSAY_API assay_repaired *assay_repaired_create(void);
ASSAY_API void assay_repaired_free(assay_repaired *repaired);

/* Forgets the values of all columns so far: their bytes are written over. */
ASSAY_API void assay_repaired_begin(assay_repaired *repaired);

/* Where the changed values of a column may go: bytes of the buffer that its cells are ranges of, behind them all. What is used of
 * it is taken off its front. */
typedef struct assay_repair_room {
    uint8_t *bytes;
    size_t count;
} assay_repair_room;

/* Repairs a column: row i is the value cells[i] of *bytes, all well-formed UTF-8. Rows whose bit is set in `skip` (may be NULL)
 * are not looked at, those in `keep` (may be NULL) keep their values. `nulls` (may be NULL): rows without a value, whatever their
 * text; only a default changes one, and clears its bit.
 *
 * If no value changes, *bytes and the cells stay. If the changed values fit into `room` (may be NULL), only their cells become
 * others. Otherwise *bytes becomes memory of `repaired`, which lasts until assay_repaired_begin; the cells of all rows that are not
 * skipped are then ranges of it, those of skipped rows empty.
 * *changed_count is the number of changed rows. Returns ASSAY_NO_MEMORY, else ASSAY_OK. */
ASSAY_API assay_status assay_repairs_column(const assay_repairs *repairs, assay_repaired *repaired,
                                            assay_scratch *scratch, const uint8_t **bytes,
                                            assay_cell *ASSAY_COUNTED_BY(count) cells, size_t count,
                                            const uint64_t *skip, const uint64_t *keep, uint64_t *nulls,
                                            assay_repair_room *room, size_t *changed_count);

/* The same for one value: the plain way, which defines what is right. `text` is borrowed from `repaired` until the next call,
 * or the value itself. */
typedef struct assay_repaired_value {
    assay_status status;
    assay_text text;
    uint32_t causes; /* 0: the value is as it came */
    bool is_unsettled;
} assay_repaired_value;

ASSAY_API assay_repaired_value assay_repairs_value(const assay_repairs *repairs, assay_repaired *repaired,
                                                   assay_scratch *scratch, const uint8_t *ASSAY_COUNTED_BY(count) value,
                                                   size_t count, bool is_null);

/* What is wrong with a value, well-formed UTF-8, that failed the check of CANONICAL although one of its formats reads it: two read it
 * differently, or what is read is not of the type. NULL: no format reads it, or no more is known. */
ASSAY_API const assay_failure_reason *assay_repairs_failure_reason(const assay_repairs *repairs, assay_scratch *scratch,
                                                                   const uint8_t *ASSAY_COUNTED_BY(count) value,
                                                                   size_t count);

/* ---------------------------------------------------------------------------------------------------------------
 * Writing repaired records
 * ------------------------------------------------------------------------------------------------------------- */

/* Writes a value as a field of a CSV record that is read as this value again, and returns the bytes: at most
 * 2 * count + 2. A field that was in quotes stays in quotes, unless it is empty now; others get them only where they must.
 * `is_only`: the record has no other field. A value that the dialect cannot write (assay_csv_can_write) is written all the same. */
ASSAY_API size_t assay_csv_write(const assay_dialect *dialect, const uint8_t *value, size_t count, bool was_quoted,
                                 bool is_first, bool is_only, uint8_t *out);

/* Whether a field can have this value: without quotes and escapes a delimiter or a terminator would end it. O(count). */
ASSAY_API bool assay_csv_can_write(const assay_dialect *dialect, const uint8_t *value, size_t count, bool is_first);

/* Whether a value is sure to be written in at most `most` bytes, quotes included, in place of one of `old_count` bytes that is.
 * `dialect` NULL: as it is, without quotes. O(count). */
ASSAY_API bool assay_csv_fits(const assay_dialect *dialect, const uint8_t *value, size_t count, bool is_first,
                              size_t old_count, size_t most);

/* Writes a value in place of a scalar of JSON that begins with the byte `kind` (a quote, 'n', 't', 'f', or any of a number), and
 * returns the bytes: at most 6 * count + 2. Numbers, true and false stay what they are if the new value is one, too; where there was
 * null, `is_literal` says whether it may become one. Everything else becomes a string. */
ASSAY_API size_t assay_json_write(uint8_t kind, bool is_literal, const uint8_t *value, size_t count, uint8_t *out);

/* Whether JSON has such a literal for a value; there is always null for the empty one. O(count). */
ASSAY_API bool assay_json_can_write(assay_json_literals literals, const uint8_t *value, size_t count);

/* The end of a scalar of well-formed JSON that begins at `start`. */
ASSAY_API uint32_t assay_json_scalar_end(const uint8_t *bytes, uint32_t start, uint32_t end);

/* A cell of a batch that is written anew: bytes [start, end) of the batch's buffer become the `length` bytes at `text` of the
 * texts. */
typedef struct assay_edit {
    uint32_t start, end;
    uint32_t text, length;
    uint32_t entry;  /* of the batch */
    uint32_t column; /* as the caller counts them */
    uint32_t causes; /* bit i: repair i of the column changed it */
} assay_edit;

/* The changes of a batch. They come column by column, and are settled in the order of the bytes. Made by assay_edits_create,
 * freed by assay_edits_free. */
typedef struct assay_edits {
    assay_edit *items; /* as they came */
    size_t count;
    uint8_t *texts;
    size_t text_count;
    assay_edit *settled; /* those of clean records, ascending */
    size_t settled_count;
    int64_t growth; /* how many bytes more the clean records have for it */
    struct assay_edits_memory *memory;
} assay_edits;

ASSAY_API assay_edits *assay_edits_create(void);
ASSAY_API void assay_edits_free(assay_edits *edits);

/* Begins with another batch. */
ASSAY_API void assay_edits_begin(assay_edits *edits);

/* Has these changes and no others: copies of what another one had, before they were settled. Returns ASSAY_NO_MEMORY, else
 * ASSAY_OK. */
ASSAY_API assay_status assay_edits_restore(assay_edits *edits, const assay_edit *items, size_t count,
                                           const uint8_t *texts, size_t text_count);

/* A repaired column: row i has the value cells[i] of `bytes`, and was changed if its bit is set. As assay_repairs_column has left
 * it. */
typedef struct assay_changed_column {
    uint32_t column;
    const uint8_t *bytes;
    const assay_cell *cells;
    const uint64_t *changed;
    const uint32_t *causes;
    size_t count;
} assay_changed_column;

/* Adds the changed cells of a column of CSV, whose row 0 is the entry `first`: the field at `position` of each record becomes what
 * assay_csv_write makes of the value. Returns ASSAY_NO_MEMORY, also if the texts have more than ASSAY_REPAIR_MOST bytes, else
 * ASSAY_OK. O(bytes of the values). */
ASSAY_API assay_status assay_edits_add_fields(assay_edits *edits, const assay_batch *batch, const uint8_t *bytes,
                                              const assay_dialect *dialect, uint32_t position, uint32_t first,
                                              const assay_changed_column *column);

/* How the values of a column of JSON are written. */
typedef struct assay_json_style {
    bool is_literal;  /* as for assay_json_write */
    bool has_no_text; /* the empty value is null */
    uint32_t missing; /* causes that make the empty value null */
} assay_json_style;

/* The same for JSON Lines: row i is of the entry first + rows[i], or without `rows` (NULL) first + i, and the scalar at places[i]
 * becomes what assay_json_write makes of the value, or null. */
ASSAY_API assay_status assay_edits_add_scalars(assay_edits *edits, const assay_batch *batch, const uint8_t *bytes,
                                               const assay_json_style *style, const uint32_t *places,
                                               const uint32_t *rows, uint32_t first,
                                               const assay_changed_column *column);

/* Leaves out the changes of rejected entries, which are written as they came, and puts the others in the order of the bytes.
 * Adds to counts[ASSAY_MOST_REPAIRS * column + i] how many cells repair i changed. Returns ASSAY_NO_MEMORY, else ASSAY_OK.
 * O(entries + changes), and n log n for n changes of one entry. */
ASSAY_API assay_status assay_edits_settle(assay_edits *edits, uint32_t entries, const uint64_t *rejects,
                                          uint64_t *counts);

/* So many bytes behind a batch's buffer and behind `clean` may be read and written. */
enum { ASSAY_EDIT_MARGIN = 32 };

/* As assay_emit_records, with the settled changes. `clean` must have room for the bytes of its records, for `growth`, and for
 * ASSAY_EDIT_MARGIN more, and be none of the batch's. O(bytes). */
ASSAY_API void assay_emit_edited(const assay_batch *batch, const uint8_t *bytes, uint32_t count,
                                 const uint64_t *rejects, const uint64_t *drops, const assay_edits *edits,
                                 uint8_t *clean, size_t *clean_count, uint8_t *rejected, size_t *rejected_count);

#ifdef __cplusplus
}
#endif

#endif
