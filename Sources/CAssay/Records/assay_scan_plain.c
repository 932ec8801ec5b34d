/* The state machine that defines records and fields.
 *
 *     FIELD_START ──quote──► QUOTED ──quote──► QUOTE_IN_QUOTED ──quote──► QUOTED
 *          │                                        │
 *          └─anything else─► UNQUOTED               └─text──► AFTER_CLOSE
 *
 * In every state except QUOTED, the delimiter ends the field (back to FIELD_START) and a terminator ends the record.
 *
 * With an escape, QUOTED ──escape──► QUOTED_ESCAPE ──any byte──► QUOTED, and all other states ──escape──►
 * UNQUOTED_ESCAPE ──any byte──► UNQUOTED. If the byte is the CR of a CR LF, the LF is escaped with it. Initial spaces
 * keep the state FIELD_START, and change QUOTE_IN_QUOTED to SPACE_AFTER_CLOSE, which another byte changes to
 * AFTER_CLOSE. A comment is a record of one state, and so is a blank line that is kept (assay_scan_blank.c).
 *
 * Runaways, and why the scan is linear. A record is a runaway, and its quotes are not trusted, if it is inside quotes
 * at the record limit or at the end of the input, or if text follows a closing quote after a terminator inside quotes.
 * The scanner takes only the first physical line of a runaway, and reads the following lines again.
 *
 *     100,"Bo⏎                    a stray quote: all terminators up to the next quote are inside quotes
 *     101,Cy⏎
 *     102,"Lee, Ann"⏎             L is text after a closing quote on a later line: line 100 is a runaway, 101 a record
 *
 * If every line is `x",y,"z`, every line starts a runaway of 4 MiB, and reading 4 MiB per 8 bytes would take days. But
 * every terminator that a runaway passed was inside quotes, because otherwise the record would have ended there. So a
 * later record that is inside quotes at its first terminator is in the same state as the runaway was at that byte, and
 * continues in the same way. It jumps to the end of the runaway (`reach`) and continues there, or is a runaway at once
 * if text after a closing quote ended the earlier one. The scanner reads each byte after `reach` once. Before `reach`
 * it reads only first lines, which it then takes.
 *
 * With an escape, this applies to terminators that are not escaped. A first line ends at the first of the unescaped
 * terminators, as does each physical line (assay_scan_line.c). Whether a byte is escaped does not depend on quotes. A
 * byte is escaped if the run of escapes before it, which begins after another byte or at a record start, has an odd
 * length. The LF of a CR LF is also escaped if its CR is. A record starts after a terminator, which is not an escape,
 * so that the runaway and the later record agree on escaped bytes. At an escaped terminator, the later record may be
 * inside quotes while the runaway was outside, so it does not jump there. */
#include "Records/assay_batch.h"
#include "Records/assay_scan_account.h"
#include "Records/assay_scan_line.h"
#include "Records/assay_scan_state.h"

typedef enum outcome {
    RECORD_ENDS,        /* with its terminator, or with the input */
    INSIDE_RUNAWAY,     /* inside quotes at a terminator that an earlier runaway also passed inside quotes */
    TEXT_ON_LATER_LINE, /* text after a closing quote, after a terminator inside quotes */
    LIMIT_REACHED,      /* the record limit, with more bytes after it */
    INPUT_ENDS_INSIDE,  /* the end of the input inside quotes */
    UNFINISHED,         /* the end of a buffer that is not the last */
    NO_MEMORY,
} outcome;

typedef struct walker {
    uint32_t position;
    assay_csv_state state;
    uint32_t field_start;
    uint32_t flags;
    bool stores; /* whether field ends are added to the batch */
    bool spans;  /* has passed an unescaped terminator inside quotes */
} walker;

static bool is_inside(assay_csv_state state) { return state == ASSAY_CSV_QUOTED || state == ASSAY_CSV_QUOTED_ESCAPE; }

/* Whether the walker is after a closing quote, without text so far. */
static bool is_after_quote(assay_csv_state state)
{
    return state == ASSAY_CSV_QUOTE_IN_QUOTED || state == ASSAY_CSV_SPACE_AFTER_CLOSE;
}

static bool end_field(assay_scan_state *scan, walker *walk, uint32_t end)
{
    assay_batch *batch = scan->batch;
    if (walk->stores) {
        if (batch->field_count == batch->field_capacity && !assay_batch_reserve_fields(batch, batch->field_count, 1)) {
            return false;
        }
        batch->field_ends[batch->field_count++] = end;
        if (walk->state == ASSAY_CSV_COMMENT) {
            walk->flags = ASSAY_RECORD_COMMENT;
        } else if (end - walk->field_start > scan->limits.field_bytes) {
            walk->flags |= ASSAY_RECORD_TOO_LONG;
        }
    }
    walk->field_start = end + assay_dialect_delimiter_bytes(&scan->dialect);
    walk->state = ASSAY_CSV_FIELD_START;
    return true;
}

/* The outcome if the record has not ended before `limit`, which is at most the end of the buffer. */
static outcome at_limit(assay_scan_state *scan, walker *walk, uint32_t limit)
{
    walk->position = limit;
    if (limit < scan->count) return LIMIT_REACHED;
    if (!scan->is_last) return UNFINISHED;
    if (is_inside(walk->state)) return INPUT_ENDS_INSIDE;
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
            /* The LF of this CR LF is over the limit. Leave the CR unread, so that every terminator before `reach` is
             * inside quotes. */
            return LIMIT_REACHED;
        }
    }
    if (!end_field(scan, walk, field_end)) return NO_MEMORY;
    walk->position = end;
    return RECORD_ENDS;
}

/* Whether the byte at `i`, the first after a closing quote that does not continue the quoting, is text. Returns false
 * if that depends on bytes after the buffer. */
static bool is_text(const assay_scan_state *scan, uint32_t i)
{
    const uint8_t byte = scan->bytes[i];
    const bool has_next = i + 1 < scan->count;
    if (byte == '\r') return has_next ? scan->bytes[i + 1] != '\n' : scan->is_last;
    if (byte == scan->dialect.delimiter && scan->dialect.delimiter2 != 0) {
        return has_next ? scan->bytes[i + 1] != scan->dialect.delimiter2 : scan->is_last;
    }
    return true;
}

/* Whether a terminator or delimiter of two bytes begins at `i`, outside quotes. */
static bool is_cut(const assay_scan_state *scan, assay_csv_state state, uint32_t i)
{
    const uint8_t byte = scan->bytes[i];
    if (is_inside(state) || i + 1 == scan->count) return false;
    const uint8_t next = scan->bytes[i + 1];
    if (byte == '\r') return next == '\n';
    return scan->dialect.delimiter2 != 0 && byte == scan->dialect.delimiter && next == scan->dialect.delimiter2;
}

/* The first mark from `i` on, or `limit`. */
static uint32_t next_mark(assay_scan_state *scan, uint32_t i, uint32_t limit)
{
    while (scan->find_marks != NULL && i < limit && scan->count - i >= 64) {
        if (i - scan->block_start >= 64) {
            scan->block_start = i;
            scan->block_marks = scan->find_marks(scan->bytes + i, scan->marks);
        }
        const uint64_t marks = scan->block_marks >> (i - scan->block_start);
        if (marks != 0) {
            i += (uint32_t)__builtin_ctzll(marks);
            return i < limit ? i : limit;
        }
        i = scan->block_start + 64;
    }
    while (i < limit && !scan->is_mark[scan->bytes[i]]) i++;
    return i < limit ? i : limit;
}

/* Reads from walk->position to the end of the record, at most to `limit`. */
static outcome read_on(assay_scan_state *scan, walker *walk, uint32_t limit, bool may_jump)
{
    const uint8_t *bytes = scan->bytes;
    const uint8_t delimiter = scan->dialect.delimiter, quote = scan->dialect.quote;
    const bool quoting = scan->dialect.quoting, cr_ends = scan->dialect.cr_ends;
    for (uint32_t i = walk->position; i < limit; i++) {
        if (walk->state != ASSAY_CSV_FIELD_START && walk->state != ASSAY_CSV_QUOTE_IN_QUOTED) {
            i = next_mark(scan, i, limit);
            if (i == limit) break;
        }
        const uint8_t byte = bytes[i];
        const bool is_terminator = byte == '\n' || (byte == '\r' && cr_ends);
        if (walk->state == ASSAY_CSV_QUOTED) {
            if (byte == quote) {
                walk->state = ASSAY_CSV_QUOTE_IN_QUOTED;
            } else if (is_terminator) {
                walk->position = i;
                if (may_jump && i < scan->reach) return INSIDE_RUNAWAY;
                walk->spans = true;
            }
            continue;
        }

        if (is_terminator) return at_terminator(scan, walk, i, limit);
        if (byte == delimiter) {
            if (!end_field(scan, walk, i)) return NO_MEMORY;
        } else if (walk->state == ASSAY_CSV_FIELD_START) {
            walk->state = quoting && byte == quote ? ASSAY_CSV_QUOTED : ASSAY_CSV_UNQUOTED;
        } else if (walk->state == ASSAY_CSV_QUOTE_IN_QUOTED) {
            const bool begins_cr_lf = byte == '\r' && i + 1 < scan->count && bytes[i + 1] == '\n';
            walk->state = byte == quote ? ASSAY_CSV_QUOTED : ASSAY_CSV_AFTER_CLOSE;
            if (byte != quote && !begins_cr_lf) walk->flags |= ASSAY_RECORD_QUOTE_TEXT;
            if (walk->spans && byte != quote && is_text(scan, i)) {
                walk->position = i;
                return TEXT_ON_LATER_LINE;
            }
        }
    }
    return at_limit(scan, walk, limit);
}

/* The state after a byte that does not end a field or record, outside quotes and not escaped. `next` is the byte after
 * it, or 0. */
static assay_csv_state state_after(const assay_dialect *dialect, walker *walk, uint8_t byte, uint8_t next)
{
    const bool is_escape = dialect->escape != 0 && byte == dialect->escape;
    const assay_csv_state state = walk->state;
    if (state == ASSAY_CSV_FIELD_START) {
        if (assay_dialect_skips(dialect, byte)) return ASSAY_CSV_FIELD_START;
        if (dialect->quoting && byte == dialect->quote) return ASSAY_CSV_QUOTED;
    } else if (state == ASSAY_CSV_QUOTE_IN_QUOTED || state == ASSAY_CSV_SPACE_AFTER_CLOSE) {
        if (state == ASSAY_CSV_QUOTE_IN_QUOTED && byte == dialect->quote) return ASSAY_CSV_QUOTED;
        if (assay_dialect_skips(dialect, byte)) return ASSAY_CSV_SPACE_AFTER_CLOSE;
        if (byte != '\r' || next != '\n') walk->flags |= ASSAY_RECORD_QUOTE_TEXT;
        if (!is_escape) return ASSAY_CSV_AFTER_CLOSE;
    }
    return is_escape ? ASSAY_CSV_UNQUOTED_ESCAPE : ASSAY_CSV_UNQUOTED;
}

/* read_on() for any dialect. Without options, both are equivalent. */
static outcome read_on_with_options(assay_scan_state *scan, walker *walk, uint32_t limit, bool may_jump)
{
    const uint8_t *bytes = scan->bytes;
    const assay_dialect dialect = scan->dialect;
    const bool has_escape = dialect.escape != 0;
    for (uint32_t i = walk->position; i < limit; i++) {
        if (walk->state == ASSAY_CSV_UNQUOTED || walk->state == ASSAY_CSV_QUOTED || walk->state == ASSAY_CSV_COMMENT) {
            i = next_mark(scan, i, limit);
            if (i == limit) break;
        }
        const uint8_t byte = bytes[i];
        const bool is_terminator = byte == '\n' || (byte == '\r' && dialect.cr_ends);
        /* The byte at the limit does not change the meaning of earlier bytes, because the record is then too long or
         * continues in the next buffer. A reader that continues there must see both bytes of a pair. */
        const uint8_t next = i + 1 < limit ? bytes[i + 1] : 0;
        if (walk->spans && i + 1 == limit && is_cut(scan, walk->state, i)) {
            walk->position = i;
            return LIMIT_REACHED;
        }
        switch (walk->state) {
        case ASSAY_CSV_QUOTED:
            if (has_escape && byte == dialect.escape) {
                walk->state = ASSAY_CSV_QUOTED_ESCAPE;
            } else if (byte == dialect.quote) {
                walk->state = ASSAY_CSV_QUOTE_IN_QUOTED;
            } else if (is_terminator) {
                walk->position = i;
                if (may_jump && i < scan->reach) return INSIDE_RUNAWAY;
                walk->spans = true;
            }
            break;
        case ASSAY_CSV_QUOTED_ESCAPE:
        case ASSAY_CSV_UNQUOTED_ESCAPE:
            i += byte == '\r' && next == '\n';
            walk->state = walk->state == ASSAY_CSV_QUOTED_ESCAPE ? ASSAY_CSV_QUOTED : ASSAY_CSV_UNQUOTED;
            break;
        case ASSAY_CSV_COMMENT:
            if (is_terminator) return at_terminator(scan, walk, i, limit);
            break;
        case ASSAY_CSV_FIELD_START:
        case ASSAY_CSV_UNQUOTED:
        case ASSAY_CSV_QUOTE_IN_QUOTED:
        case ASSAY_CSV_AFTER_CLOSE:
        case ASSAY_CSV_SPACE_AFTER_CLOSE:
            if (is_terminator) return at_terminator(scan, walk, i, limit);
            if (byte == dialect.delimiter && (dialect.delimiter2 == 0 || next == dialect.delimiter2)) {
                if (!end_field(scan, walk, i)) return NO_MEMORY;
                i += dialect.delimiter2 != 0;
            } else {
                const assay_csv_state before = walk->state;
                walk->state = state_after(&dialect, walk, byte, next);
                if (walk->spans && is_after_quote(before) && !is_after_quote(walk->state) && !is_inside(walk->state) &&
                    is_text(scan, i)) {
                    walk->position = i;
                    return TEXT_ON_LATER_LINE;
                }
            }
            break;
        }
    }
    return at_limit(scan, walk, limit);
}

static outcome read_on_counting(assay_scan_state *scan, walker *walk, uint32_t limit, bool may_jump)
{
    uint32_t from = walk->position;
    outcome result =
        scan->has_options ? read_on_with_options(scan, walk, limit, may_jump) : read_on(scan, walk, limit, may_jump);
    scan->visited += walk->position - from;
    return result;
}

/* Sets the initial state of an entry. Returns false if it depends on bytes after the buffer. */
static bool find_first_state(assay_scan_state *scan, uint32_t start, assay_csv_state *state)
{
    const assay_dialect *dialect = &scan->dialect;
    const uint8_t byte = scan->bytes[start];
    *state = ASSAY_CSV_FIELD_START;
    if (dialect->comment != 0 && byte == dialect->comment) {
        *state = ASSAY_CSV_COMMENT;
    } else if (byte == '\n' || byte == '\r' || (dialect->end_mark && byte == ASSAY_END_MARK)) {
        const assay_blank_meaning meaning = assay_scan_blank(scan, start);
        if (meaning == ASSAY_BLANK_UNDECIDED) return false;
        if (meaning == ASSAY_BLANK_IS_KEPT) *state = ASSAY_CSV_COMMENT;
    }
    return true;
}

/* Reads the record at scan->position. Adds its fields to the batch, but not the record. */
static outcome read_record(assay_scan_state *scan, walker *record)
{
    const uint32_t start = scan->position, first_field = scan->batch->field_count;
    const uint32_t room = scan->count - start;
    const uint32_t limit = scan->limits.record_bytes < room ? start + scan->limits.record_bytes : scan->count;

    *record = (walker){.position = start, .field_start = start, .stores = true};
    if (!find_first_state(scan, start, &record->state)) return UNFINISHED;
    outcome result = read_on_counting(scan, record, limit, true);
    if (result == INSIDE_RUNAWAY) {
        walker ahead = {.position = scan->reach, .state = scan->reach_state, .spans = true};
        result = scan->reach_has_text ? TEXT_ON_LATER_LINE : read_on_counting(scan, &ahead, limit, false);
        scan->batch->field_count = first_field;
        *record = ahead;
        if (result == RECORD_ENDS) {
            /* The record ends after all. Read it again for its fields, which keeps the scan linear, because these bytes
             * are then taken. */
            *record = (walker){.position = start, .field_start = start, .stores = true};
            result = read_on_counting(scan, record, limit, false);
        }
    }
    return result;
}

/* Whether a terminator, or the first byte of one, ends at `i`. */
static bool ends_line(const assay_scan_state *scan, uint32_t i)
{
    return i > 0 && (scan->bytes[i - 1] == '\n' || (scan->bytes[i - 1] == '\r' && scan->dialect.cr_ends));
}

/* Stores the end of the runaway that starts at the current record. Returns its number of lines after the first one. A
 * runaway never ends before an earlier one, so that the terminators in each byte range are counted once. */
static uint32_t note_reach(assay_scan_state *scan, const walker *record, bool has_text)
{
    const uint32_t start = scan->position, reach = record->position;
    const bool is_known = scan->reach > start;
    const uint32_t from = is_known ? scan->reach : start;
    uint32_t lines = assay_count_lines(scan->bytes + from, reach - from, scan->dialect.cr_ends);
    const bool is_inside_crlf =
        from > 0 && from < reach && scan->bytes[from - 1] == '\r' && scan->bytes[from] == '\n' && scan->dialect.cr_ends;
    lines += (is_known ? scan->reach_lines : scan->batch->lines) - is_inside_crlf;
    scan->visited += reach - from;
    scan->reach = reach;
    scan->reach_state = record->state;
    scan->reach_has_text = has_text;
    scan->reach_lines = lines;
    const uint32_t after = lines - scan->batch->lines - ends_line(scan, reach);
    return after < ASSAY_RECORD_MAX_LINES ? after : ASSAY_RECORD_MAX_LINES;
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
    if (result != LIMIT_REACHED && result != INPUT_ENDS_INSIDE && result != TEXT_ON_LATER_LINE) return false;
    if (!is_inside(record.state) && result != TEXT_ON_LATER_LINE) {
        /* The quotes are balanced so far, so the previous lines are probably text of a cell and must not become
         * records. */
        return assay_scan_take_line(scan, record.position, ASSAY_RECORD_TOO_LONG);
    }
    const uint32_t lines = note_reach(scan, &record, result == TEXT_ON_LATER_LINE);
    return assay_scan_take_line(scan, start, ASSAY_RECORD_QUOTE_UNCLOSED | lines << ASSAY_RECORD_LINES_SHIFT);
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
