/* assay_scan_state.h: the state of a scan. The plain and the fast scanner share it and alternate on one buffer: the
 * fast one takes well-formed records, the plain one all other records. */
#ifndef ASSAY_SCAN_STATE_H
#define ASSAY_SCAN_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/core.h"

/* The state of the state machine in a record. */
typedef enum assay_csv_state {
    ASSAY_CSV_FIELD_START,
    ASSAY_CSV_UNQUOTED,
    ASSAY_CSV_QUOTED,
    ASSAY_CSV_QUOTE_IN_QUOTED, /* after a quote that closes the field, unless another quote follows */
    ASSAY_CSV_AFTER_CLOSE,     /* text after a closing quote; also the CR of a CR LF there */
    /* Only in dialects with options. */
    ASSAY_CSV_SPACE_AFTER_CLOSE, /* spaces after a closing quote, which are dropped unless text follows */
    ASSAY_CSV_UNQUOTED_ESCAPE,   /* after an escape outside quotes */
    ASSAY_CSV_QUOTED_ESCAPE,     /* after an escape inside quotes */
    ASSAY_CSV_COMMENT,
} assay_csv_state;

enum { ASSAY_SCAN_MARKS = 5 };

typedef struct assay_scan_state {
    assay_batch *batch;
    const uint8_t *bytes;
    uint32_t count;
    assay_dialect dialect;
    assay_record_limits limits;
    uint32_t max_records;
    bool is_last;
    bool has_options; /* the dialect has a delimiter of two bytes, an escape, comments or initial spaces */
    uint8_t marks[ASSAY_SCAN_MARKS]; /* the bytes that may have a meaning inside a field */
    bool is_mark[256];
    /* Returns the marks in a block of 64 bytes, with the kernels of this processor; NULL: test each byte. */
    uint64_t (*find_marks)(const uint8_t *bytes, const uint8_t *marks);
    /* The block of the last call of `find_marks`, and its result. */
    uint32_t block_start;
    uint64_t block_marks;

    /* The start of the next record. All bytes before it are in the batch. */
    uint32_t position;
    assay_status status;

    /* The end of the latest runaway, and the state at this position. 0: no runaway so far. See assay_scan_plain.c. */
    uint32_t reach;
    assay_csv_state reach_state;
    uint32_t reach_lines; /* the number of terminators before `reach` */
    bool reach_has_text;  /* text after a closing quote ended the runaway, so that records which jump are runaways */

    /* The end of the blank lines and comments after the last line that assay_scan_blank() examined. 0: no line yet. */
    uint32_t blank_end;

    /* The number of bytes read, with repetitions. Tests compare it with `count` to prove that scanning is linear. */
    uint64_t visited;
} assay_scan_state;

/* Empties the batch and takes the CONTINUATION piece, if any. Returns false if the scan has already ended. */
bool assay_scan_begin(assay_scan_state *scan, assay_batch *batch, const assay_dialect *dialect,
                      const assay_record_limits *limits, const uint8_t *bytes, size_t count, uint32_t max_records,
                      bool is_last, bool continues);

/* The length of the shortest record that cannot be a blank line of CR LF or less, unless blank lines are records. */
static inline uint32_t assay_scan_min_length(const assay_scan_state *scan)
{
    return scan->dialect.blank_lines == ASSAY_BLANK_RECORDS ? 1 : 3;
}

typedef enum assay_blank_meaning {
    ASSAY_BLANK_IS_RECORD,
    ASSAY_BLANK_IS_KEPT,
    ASSAY_BLANK_UNDECIDED, /* depends on bytes after the buffer */
} assay_blank_meaning;

/* Returns the meaning of the blank line, or Ctrl-Z, at the record start `start`. Amortized O(1) for calls in ascending
 * order. */
assay_blank_meaning assay_scan_blank(assay_scan_state *scan, uint32_t start);

/* Takes one record with the state machine. Returns false if that is not possible. */
bool assay_scan_one(assay_scan_state *scan);

/* Run the rest of a scan after assay_scan_begin(), with the state machine or with the kernels of this processor. */
void assay_scan_rest_plain(assay_scan_state *scan);
void assay_scan_rest_fast(assay_scan_state *scan);

/* Writes the closing entry and the layout changes of the batch. */
assay_status assay_scan_end(assay_scan_state *scan);

#endif
