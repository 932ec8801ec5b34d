/* The state machine that defines what records and fields are.
 *
 *     FIELD_START ──quote──► QUOTED ──quote──► QUOTE_IN_QUOTED ──quote──► QUOTED
 *          │                                        │
 *          └─anything else─► UNQUOTED               └─text──► AFTER_CLOSE
 *
 * From every state but QUOTED the delimiter ends the field (back to FIELD_START) and a terminator ends the record.
 *
 * Runaways, and why this is linear. A record that is inside quotes at the record limit gives up only its first physical line;
 * the next lines have to be read again. In the line `x",y,"z` repeated, every line starts such a runaway of 4 MiB, and
 * reading 4 MiB for each 8 bytes would take days. But every terminator that a runaway passed lay inside quotes, or the
 * record would have ended there. So a later record that is inside quotes at its first terminator is, at that byte, in
 * the same state as the runaway was, and has the same future: it jumps to where the runaway was given up (`reach`) and
 * reads on from there. Beyond `reach` each byte is read once; before it only first lines are, which are then taken. */
#include "Records/assay_batch.h"
#include "Records/assay_scan_account.h"
#include "Records/assay_scan_line.h"
#include "Records/assay_scan_state.h"

typedef enum outcome {
    RECORD_ENDS,       /* with its terminator, or with the input */
    INSIDE_RUNAWAY,    /* inside quotes at a terminator that an earlier runaway passed inside quotes too */
    LIMIT_REACHED,     /* the record limit, with more bytes after it */
    INPUT_ENDS_INSIDE, /* the end of the input inside quotes */
    UNFINISHED,        /* the end of a buffer that is not the last */
    NO_MEMORY,
} outcome;

typedef struct walker {
    uint32_t position;
    assay_csv_state state;
    uint32_t field_start;
    uint32_t flags;
    bool stores; /* whether field ends go to the batch */
} walker;

static bool end_field(assay_scan_state *scan, walker *walk, uint32_t end)
{
    assay_batch *batch = scan->batch;
    if (walk->stores) {
        if (batch->field_count == batch->field_capacity && !assay_batch_reserve_fields(batch, batch->field_count, 1)) {
            return false;
        }
        batch->field_ends[batch->field_count++] = end;
        if (end - walk->field_start > scan->limits.field_bytes) walk->flags |= ASSAY_RECORD_TOO_LONG;
    }
    walk->field_start = end + 1;
    walk->state = ASSAY_CSV_FIELD_START;
    return true;
}

/* What it means that the record has not ended at `limit`, or at the end of the buffer if that comes first. */
static outcome at_limit(assay_scan_state *scan, walker *walk, uint32_t limit)
{
    walk->position = limit;
    if (limit < scan->count) return LIMIT_REACHED;
    if (!scan->is_last) return UNFINISHED;
    if (walk->state == ASSAY_CSV_QUOTED) return INPUT_ENDS_INSIDE;
    return end_field(scan, walk, limit) ? RECORD_ENDS : NO_MEMORY;
}

/* The terminator at `position`, outside quotes. */
static outcome at_terminator(assay_scan_state *scan, walker *walk, uint32_t position, uint32_t limit)
{
    const uint8_t *bytes = scan->bytes;
    uint32_t field_end = position, end = position + 1;
    walk->position = position;
    if (bytes[position] == '\n') {
        if (position > walk->field_start && bytes[position - 1] == '\r') field_end--;
    } else {
        if (end == scan->count && !scan->is_last) return UNFINISHED;
        if (end < scan->count && bytes[end] == '\n') end++;
        if (end > limit) {
            /* The LF of this CR LF is over the limit. The CR stays unread, so that every terminator before `reach` lies
             * inside quotes. */
            return LIMIT_REACHED;
        }
    }
    if (!end_field(scan, walk, field_end)) return NO_MEMORY;
    walk->position = end;
    return RECORD_ENDS;
}

/* From `i` on, the first byte that can mean something outside quotes; the loop that most bytes go through. */
static uint32_t skip_text(const uint8_t *bytes, uint32_t i, uint32_t limit, uint8_t delimiter)
{
    while (i < limit && bytes[i] != delimiter && bytes[i] != '\n' && bytes[i] != '\r') i++;
    return i;
}

/* Reads on from walk->position until the record ends or `limit` comes. */
static outcome read_on(assay_scan_state *scan, walker *walk, uint32_t limit, bool may_jump)
{
    const uint8_t *bytes = scan->bytes;
    const uint8_t delimiter = scan->dialect.delimiter, quote = scan->dialect.quote;
    const bool quoting = scan->dialect.quoting, cr_ends = scan->dialect.cr_ends;
    for (uint32_t i = walk->position; i < limit; i++) {
        if (walk->state == ASSAY_CSV_QUOTED) {
            if (bytes[i] == quote) {
                walk->state = ASSAY_CSV_QUOTE_IN_QUOTED;
            } else if (may_jump && i < scan->reach && (bytes[i] == '\n' || (bytes[i] == '\r' && cr_ends))) {
                walk->position = i;
                return INSIDE_RUNAWAY;
            }
            continue;
        }

        if (walk->state == ASSAY_CSV_UNQUOTED || walk->state == ASSAY_CSV_AFTER_CLOSE) {
            i = skip_text(bytes, i, limit, delimiter);
            if (i == limit) break;
        }
        const uint8_t byte = bytes[i];
        if (byte == '\n' || (byte == '\r' && cr_ends)) return at_terminator(scan, walk, i, limit);
        if (byte == delimiter) {
            if (!end_field(scan, walk, i)) return NO_MEMORY;
        } else if (walk->state == ASSAY_CSV_FIELD_START) {
            walk->state = quoting && byte == quote ? ASSAY_CSV_QUOTED : ASSAY_CSV_UNQUOTED;
        } else if (walk->state == ASSAY_CSV_QUOTE_IN_QUOTED) {
            const bool begins_cr_lf = byte == '\r' && i + 1 < scan->count && bytes[i + 1] == '\n';
            walk->state = byte == quote ? ASSAY_CSV_QUOTED : ASSAY_CSV_AFTER_CLOSE;
            if (byte != quote && !begins_cr_lf) walk->flags |= ASSAY_RECORD_QUOTE_TEXT;
        }
    }
    return at_limit(scan, walk, limit);
}

static outcome read_on_counting(assay_scan_state *scan, walker *walk, uint32_t limit, bool may_jump)
{
    uint32_t from = walk->position;
    outcome result = read_on(scan, walk, limit, may_jump);
    scan->visited += walk->position - from;
    return result;
}

/* Reads the record at scan->position; its fields are in the batch, not yet the record itself. */
static outcome read_record(assay_scan_state *scan, walker *record)
{
    const uint32_t start = scan->position, first_field = scan->batch->field_count;
    const uint32_t room = scan->count - start;
    const uint32_t limit = scan->limits.record_bytes < room ? start + scan->limits.record_bytes : scan->count;

    *record = (walker){.position = start, .field_start = start, .stores = true};
    outcome result = read_on_counting(scan, record, limit, true);
    if (result == INSIDE_RUNAWAY) {
        walker ahead = {.position = scan->reach, .state = scan->reach_state};
        result = read_on_counting(scan, &ahead, limit, false);
        scan->batch->field_count = first_field;
        *record = ahead;
        if (result == RECORD_ENDS) {
            /* It ends after all: now its fields. What this reads again is taken with it. */
            *record = (walker){.position = start, .field_start = start, .stores = true};
            result = read_on_counting(scan, record, limit, false);
        }
    }
    return result;
}

bool assay_scan_one(assay_scan_state *scan)
{
    assay_batch *batch = scan->batch;
    const uint32_t start = scan->position, first_field = batch->field_count;
    if (start == scan->count || batch->record_count == scan->max_records) return false;

    walker record;
    outcome result = read_record(scan, &record);
    if (result == RECORD_ENDS && !assay_batch_reserve_records(batch, batch->record_count, 1)) result = NO_MEMORY;
    if (result == RECORD_ENDS) {
        batch->records[batch->record_count++] = (assay_record){start, record.position, first_field, record.flags};
        assay_scan_account(scan);
        scan->position = record.position;
        return true;
    }

    batch->field_count = first_field;
    if (result == NO_MEMORY) scan->status = ASSAY_NO_MEMORY;
    if (result != LIMIT_REACHED && result != INPUT_ENDS_INSIDE) return false;
    if (record.state != ASSAY_CSV_QUOTED) {
        /* With the rest of the line that it has come to: lines before that one lie within its quotes, and are no records. */
        return assay_scan_take_line(scan, record.position, ASSAY_RECORD_TOO_LONG);
    }
    scan->reach = record.position;
    scan->reach_state = record.state;
    return assay_scan_take_line(scan, start, ASSAY_RECORD_QUOTE_UNCLOSED);
}

void assay_scan_rest_plain(assay_scan_state *scan)
{
    while (assay_scan_one(scan)) {
    }
}

assay_status assay_scan_plain(assay_batch *batch, const assay_dialect *dialect, const assay_record_limits *limits,
                              const uint8_t *bytes, size_t count, uint32_t max_records, bool is_last, bool continues)
{
    assay_scan_state scan;
    if (assay_scan_begin(&scan, batch, dialect, limits, bytes, count, max_records, is_last, continues)) {
        assay_scan_rest_plain(&scan);
    }
    return assay_scan_end(&scan);
}
