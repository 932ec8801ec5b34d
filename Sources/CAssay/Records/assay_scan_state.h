/* assay_scan_state.h: what a scan knows while it runs. Shared by the plain and the fast scanner, which take turns on
 * one buffer: the fast one takes well-formed records, the plain one everything else. */
#ifndef ASSAY_SCAN_STATE_H
#define ASSAY_SCAN_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/core.h"

/* Where in a record a byte stands. */
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
    uint8_t marks[ASSAY_SCAN_MARKS]; /* the bytes that may mean something within a field that has begun */
    bool is_mark[256];
    /* Where they are in a block of 64 bytes, on the path of this processor; NULL: each byte is looked at. */
    uint64_t (*find_marks)(const uint8_t *bytes, const uint8_t *marks);
    /* The block that was asked for last. */
    uint32_t block_start;
    uint64_t block_marks;

    /* Where the next record starts; everything before it is in the batch. */
    uint32_t position;
    assay_status status;

    /* Where the latest runaway record was given up, and in which state. 0: none so far. See assay_scan_plain.c. */
    uint32_t reach;
    assay_csv_state reach_state;
    uint32_t reach_lines; /* terminators before it */
    bool reach_has_text;  /* text after a closing quote is there, so that all that come there are runaways, too */

    /* Up to here there are only blank lines and comments, from the line on that was asked about last. 0: no line was. */
    uint32_t blank_end;

    /* Bytes looked at, again and again if so. Tests hold it against `count` to prove that scanning is linear. */
    uint64_t visited;
} assay_scan_state;

/* Empties the batch and takes a CONTINUATION piece if there is one. False: the scan is over already. */
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
    ASSAY_BLANK_UNDECIDED, /* bytes beyond the buffer decide */
} assay_blank_meaning;

/* Returns the meaning of the blank line at `start`, the place of a record; also of a Ctrl-Z there. Amortised O(1) if asked about ascending
 * lines. */
assay_blank_meaning assay_scan_blank(assay_scan_state *scan, uint32_t start);

/* Takes one record with the state machine. False: none could be taken. */
bool assay_scan_one(assay_scan_state *scan);

/* The rest of a scan after assay_scan_begin, on the plain path and on the path of this processor. */
void assay_scan_rest_plain(assay_scan_state *scan);
void assay_scan_rest_fast(assay_scan_state *scan);

/* Closes the batch. */
assay_status assay_scan_end(assay_scan_state *scan);

#endif
