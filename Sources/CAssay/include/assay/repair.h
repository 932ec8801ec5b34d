/* assay/repair.h: repairs of values before checks. It continues assay/core.h and follows the rules
 * for every function there.
 *
 *     cells   " Anna "  "N/A"  "bo@EXAMPLE.org"  "cy@example.org"
 *               │ trim    │ missing  │ canonical      ╎ unchanged: a test of a few nanoseconds
 *               ▼         ▼          ▼                ▼
 *             "Anna"    ""    "bo@example.org"  "cy@example.org"
 *
 * The repairs of a list are applied in order. If a repair does not apply, it leaves the value unchanged for the next
 * one. Repairs are pure: equal values always become equal values. Lists are idempotent: if a second application would
 * change a value again, the value remains unrepaired, and its row is UNSETTLED. */
#ifndef ASSAY_REPAIR_H
#define ASSAY_REPAIR_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ASSAY_CLOSED_ENUM assay_repair_kind {
    ASSAY_REPAIR_TRIM = 0, /* removes white space (White_Space) and U+200B, 200C, 200D, 2060, FEFF from both ends */
    ASSAY_REPAIR_COLLAPSE, /* each run of white space becomes one space */
    ASSAY_REPAIR_UPPER,    /* Unicode's simple mapping of each character */
    ASSAY_REPAIR_LOWER,    /* the same */
    ASSAY_REPAIR_NFC,      /* UAX #15 */
    ASSAY_REPAIR_NFKC,     /* UAX #15 */
    ASSAY_REPAIR_STRIP_CONTROL, /* removes controls except white space, direction marks, invisible characters */
    ASSAY_REPAIR_ASCII_DIGITS,  /* decimal digits (Nd) of all scripts become 0 to 9 */
    ASSAY_REPAIR_UNQUOTE,       /* removes quotes around the whole value, if it contains no others of their kind */
    ASSAY_REPAIR_MISSING,       /* `texts`: words that become the empty value */
    ASSAY_REPAIR_REPLACE,       /* `texts`: a pattern; the replacement, in which $1 and ${name} are groups */
    ASSAY_REPAIR_MAP,           /* `texts`: from, to, from, to … */
    ASSAY_REPAIR_DEFAULT,       /* `texts`: the value for cells without a value */
    ASSAY_REPAIR_CANONICAL,     /* the canonical form of the type */
} assay_repair_kind;

/* The description of a canonical form. Plain data, read by assay_repairs_create; `type` and `check` are kept and must
 * outlive the repairs. */
typedef struct assay_canonical_description {
    assay_kind kind;
    const assay_type *type;   /* for all kinds but STRING */
    assay_text builtin;       /* STRING: a built-in type with its options */
    const assay_check *check; /* the result must pass it; otherwise the value is unchanged */
    const assay_text *from;   /* DATE, TIME, DATETIME: accepted formats in addition to the canonical one */
    size_t from_count;
    assay_text region;       /* phone: the region of numbers without a country code; empty: no region */
    assay_text decimal_char; /* INTEGER, NUMBER and numbers of STRING: in the input; empty: a point */
    assay_text group_char;   /* in the input; empty: no groups */
} assay_canonical_description;

/* Returns a short description of the canonical form of a built-in type; empty: the type has no canonical form, or only
 * one form. Static storage. */
ASSAY_API const char *assay_canonical_form(assay_text builtin);

/* One repair. Plain data, read by assay_repairs_create and not kept. */
typedef struct assay_repair_description {
    assay_repair_kind kind;
    const assay_text *texts; /* see the kind */
    size_t text_count;
    const assay_canonical_description *canonical; /* CANONICAL */
} assay_repair_description;

/* The maximum number of repairs in a list. */
enum { ASSAY_MAX_REPAIRS = 32 };

/* The maximum length of a repaired value. A repair that would exceed it leaves the value unchanged. */
enum { ASSAY_REPAIR_LONGEST = 1 << 20 };

/* The maximum number of bytes of all changed values of a column, so that a short text in the rules cannot fill the
 * memory. Beyond it, the result is ASSAY_NO_MEMORY. */
enum { ASSAY_REPAIR_MAX = 1 << 28 };

/* The replacement of a REPLACE is invalid: PCRE2_ERROR_BADREPLACEMENT. */
enum { ASSAY_REPAIR_BAD_TEXT = -35 };

/* A list of repairs, compiled. Immutable. */
typedef struct assay_repairs assay_repairs;

/* Compiles a list and copies all texts. `missing`: the texts that mean "no value", for DEFAULT. `max_pattern_bytes` as
 * for assay_pattern_create. Returns NULL on failure, with *error filled; *which is then the index of the invalid
 * repair, and the offset of the error is the place in its pattern, or in its replacement if engine_code is
 * ASSAY_REPAIR_BAD_TEXT. */
ASSAY_API assay_repairs *assay_repairs_create(const assay_repair_description *list, size_t count,
                                              const assay_text *missing, size_t missing_count, size_t max_pattern_bytes,
                                              size_t *which, assay_error *error);
ASSAY_API void assay_repairs_free(assay_repairs *repairs);

/* The literals of a column with strict types, which JSON represents without quotes. */
typedef enum ASSAY_CLOSED_ENUM assay_json_literals {
    ASSAY_JSON_NO_LITERALS = 0, /* strings, or any type */
    ASSAY_JSON_NUMBERS,
    ASSAY_JSON_BOOLEANS
} assay_json_literals;

/* The repair memory of one worker, and the result for the latest column: masks of its rows, and the repairs that
 * changed each row. Created by assay_repaired_create, freed by assay_repaired_free. */
typedef struct assay_repaired {
    uint64_t *changed;   /* rows with a changed value */
    uint64_t *unsettled; /* rows left unchanged, because their list would change them a second time */
    size_t unsettled_count;
    uint32_t *causes; /* of changed rows only; bit i: repair i of the list changed the value */
    size_t max_bytes; /* longer values, as written, stay unrepaired (assay_csv_fits); 0: no limit */
    /* Borrowed: the output dialect; unwritable values (assay_csv_can_write) stay unrepaired. NULL: all are writable. */
    const assay_dialect *dialect;
    bool is_first; /* whether the column is the first one of its records, in which a comment could begin */
    assay_json_literals literals; /* the same for assay_json_can_write */
    struct assay_repair_memory *memory;
} assay_repaired;

ASSAY_API assay_repaired *assay_repaired_create(void);
ASSAY_API void assay_repaired_free(assay_repaired *repaired);

/* Discards the values of all previous columns; later calls overwrite their bytes. */
ASSAY_API void assay_repaired_begin(assay_repaired *repaired);

/* Free bytes for the changed values of a column: in the buffer of its cells, after all cells. Used bytes are removed
 * from the front. */
typedef struct assay_repair_room {
    uint8_t *bytes;
    size_t count;
} assay_repair_room;

/* Repairs a column: row i is the value cells[i] of *bytes, all well-formed UTF-8. Rows whose bit is set in `skip` (may
 * be NULL) are ignored, those in `keep` (may be NULL) keep their values. `nulls` (may be NULL): rows without a value,
 * regardless of their text; only a default changes such a row and clears its bit.
 *
 * If no value changes, *bytes and the cells remain the same. If the changed values fit into `room` (may be NULL), only
 * their cells change. Otherwise *bytes becomes memory of `repaired`, which is valid until assay_repaired_begin; the
 * cells of all rows that are not skipped then refer to it, and those of skipped rows are empty. *changed_count is the
 * number of changed rows. Returns ASSAY_NO_MEMORY, otherwise ASSAY_OK. */
ASSAY_API assay_status assay_repairs_column(const assay_repairs *repairs, assay_repaired *repaired,
                                            assay_scratch *scratch, const uint8_t **bytes,
                                            assay_cell *ASSAY_COUNTED_BY(count) cells, size_t count,
                                            const uint64_t *skip, const uint64_t *keep, uint64_t *nulls,
                                            assay_repair_room *room, size_t *changed_count);

/* The result of assay_repairs_value. `text` is borrowed from `repaired` until the next call, or is the value itself.
 * This function for single values is the plain version, which defines the result for columns. */
typedef struct assay_repaired_value {
    assay_status status;
    assay_text text;
    uint32_t causes; /* 0: the value is unchanged */
    bool is_unsettled;
} assay_repaired_value;

ASSAY_API assay_repaired_value assay_repairs_value(const assay_repairs *repairs, assay_repaired *repaired,
                                                   assay_scratch *scratch, const uint8_t *ASSAY_COUNTED_BY(count) value,
                                                   size_t count, bool is_null);

/* Returns why a value of well-formed UTF-8 failed the check of CANONICAL although one of its formats parses it: two
 * formats parse it differently, or the parsed value is not of the type. NULL: no format parses it, or the reason is
 * unknown. */
ASSAY_API const assay_failure_reason *assay_repairs_failure_reason(const assay_repairs *repairs, assay_scratch *scratch,
                                                                   const uint8_t *ASSAY_COUNTED_BY(count) value,
                                                                   size_t count);

/* ---------------------------------------------------------------------------------------------------------------
 * Writing repaired records
 * ------------------------------------------------------------------------------------------------------------- */

/* Writes a value as a field of a CSV record from which the same value is read, and returns the number of bytes: at most
 * 2 * count + 2. A quoted field remains quoted unless it is empty now; others get quotes only if necessary. `is_only`:
 * the record has no other field. A value that the dialect cannot represent (assay_csv_can_write) is written
 * nevertheless. */
ASSAY_API size_t assay_csv_write(const assay_dialect *dialect, const uint8_t *value, size_t count, bool was_quoted,
                                 bool is_first, bool is_only, uint8_t *out);

/* Returns whether the dialect can represent the value: without quotes and escapes, a delimiter or a terminator would
 * end the field. O(count). */
ASSAY_API bool assay_csv_can_write(const assay_dialect *dialect, const uint8_t *value, size_t count, bool is_first);

/* Returns whether the value is certain to take at most `max` bytes, quotes included, when it replaces a value of
 * `old_count` bytes that does. `dialect` NULL: unchanged, without quotes. O(count). */
ASSAY_API bool assay_csv_fits(const assay_dialect *dialect, const uint8_t *value, size_t count, bool is_first,
                              size_t old_count, size_t max);

/* Writes a value in place of a JSON scalar that begins with the byte `kind` (a quote, 'n', 't', 'f', or any byte of a
 * number), and returns the number of bytes: at most 6 * count + 2. Numbers, true and false remain literals if the new
 * value is a literal of the same kind; `is_literal` says whether a null may become a literal. All other values become
 * strings. */
ASSAY_API size_t assay_json_write(uint8_t kind, bool is_literal, const uint8_t *value, size_t count, uint8_t *out);

/* Returns whether JSON has a literal of this kind for the value. null always represents the empty value. O(count). */
ASSAY_API bool assay_json_can_write(assay_json_literals literals, const uint8_t *value, size_t count);

/* Returns the end of a scalar of well-formed JSON that begins at `start`. */
ASSAY_API uint32_t assay_json_scalar_end(const uint8_t *bytes, uint32_t start, uint32_t end);

/* A replaced cell of a batch: bytes [start, end) of the batch's buffer become the `length` bytes at `text` of the
 * texts. */
typedef struct assay_edit {
    uint32_t start, end;
    uint32_t text, length;
    uint32_t entry;  /* of the batch */
    uint32_t column; /* the caller's column number */
    uint32_t causes; /* bit i: repair i of the column changed it */
} assay_edit;

/* The changes of a batch. They are added column by column, and settled in the order of the bytes. Created by
 * assay_edits_create, freed by assay_edits_free. */
typedef struct assay_edits {
    assay_edit *items; /* in the order of addition */
    size_t count;
    uint8_t *texts;
    size_t text_count;
    assay_edit *settled; /* those of clean records, ascending */
    size_t settled_count;
    int64_t growth; /* the difference in bytes of the clean records */
    struct assay_edits_memory *memory;
} assay_edits;

ASSAY_API assay_edits *assay_edits_create(void);
ASSAY_API void assay_edits_free(assay_edits *edits);

/* Begins another batch. */
ASSAY_API void assay_edits_begin(assay_edits *edits);

/* Replaces all changes by these, which are copies of the unsettled changes of another object. Returns ASSAY_NO_MEMORY,
 * otherwise ASSAY_OK. */
ASSAY_API assay_status assay_edits_restore(assay_edits *edits, const assay_edit *items, size_t count,
                                           const uint8_t *texts, size_t text_count);

/* A repaired column, as assay_repairs_column leaves it: row i has the value cells[i] of `bytes`, and was changed if its
 * bit is set. */
typedef struct assay_changed_column {
    uint32_t column;
    const uint8_t *bytes;
    const assay_cell *cells;
    const uint64_t *changed;
    const uint32_t *causes;
    size_t count;
} assay_changed_column;

/* Adds the changed cells of a CSV column, whose row 0 is the entry `first`: assay_csv_write replaces the field at
 * `position` of each record. Returns ASSAY_NO_MEMORY, also if the texts have more than ASSAY_REPAIR_MAX bytes,
 * otherwise ASSAY_OK. O(bytes of the values). */
ASSAY_API assay_status assay_edits_add_fields(assay_edits *edits, const assay_batch *batch, const uint8_t *bytes,
                                              const assay_dialect *dialect, uint32_t position, uint32_t first,
                                              const assay_changed_column *column);

/* The output form of a JSON column. */
typedef struct assay_json_style {
    bool is_literal;  /* as for assay_json_write */
    bool has_no_text; /* the empty value becomes null */
    uint32_t missing; /* causes that make the empty value null */
} assay_json_style;

/* The same for JSON Lines: row i is in the entry first + rows[i], or without `rows` (NULL) first + i. The output of
 * assay_json_write, or null, replaces the scalar at places[i]. */
ASSAY_API assay_status assay_edits_add_scalars(assay_edits *edits, const assay_batch *batch, const uint8_t *bytes,
                                               const assay_json_style *style, const uint32_t *places,
                                               const uint32_t *rows, uint32_t first,
                                               const assay_changed_column *column);

/* Drops the changes of rejected entries, which are written unchanged, and sorts the others in the order of the bytes.
 * Adds to counts[ASSAY_MAX_REPAIRS * column + i] the number of cells that repair i changed. Returns ASSAY_NO_MEMORY,
 * otherwise ASSAY_OK. O(entries + changes), and n log n for n changes of one entry. */
ASSAY_API assay_status assay_edits_settle(assay_edits *edits, uint32_t entries, const uint64_t *rejects,
                                          uint64_t *counts);

/* The number of bytes after a batch's buffer and after `clean` that must be readable and writable. */
enum { ASSAY_EDIT_MARGIN = 32 };

/* Like assay_emit_records, with the settled changes. `clean` must have room for the bytes of its records, for `growth`,
 * and for ASSAY_EDIT_MARGIN more, and must not overlap the batch's buffer. O(bytes). */
ASSAY_API void assay_emit_edited(const assay_batch *batch, const uint8_t *bytes, uint32_t count,
                                 const uint64_t *rejects, const uint64_t *drops, const assay_edits *edits,
                                 uint8_t *clean, size_t *clean_count, uint8_t *rejected, size_t *rejected_count);

#ifdef __cplusplus
}
#endif

#endif
