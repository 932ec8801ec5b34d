/* assay_scan_blocks.h: records from blocks of 64 bytes. Included by assay_path_*.c after an assay_block_*.h.
 *
 * A block becomes three masks with one bit per byte: quotes, delimiters, line feeds. The running xor of the quotes is 1
 * from each opening quote up to its closing one, and a doubled quote closes and opens again:
 *
 *     bytes       7 , " a   " " b " " " , x ⏎
 *     quotes      . . 1 . . 1 1 . 1 1 1 . . .
 *     inside      . . 1 1 1 . 1 1 . 1 . . . .
 *     structural  . 1 . . . . . . . . . 1 . 1     (delimiters | line feeds) & ~inside
 *
 * That is right only if each quote stands where the state machine expects one:
 *   - an opening quote is the first byte of a field, or follows a closing one (a doubled quote);
 *   - after a closing quote comes a delimiter, LF, CR LF or a quote.
 * The first byte that breaks this ends the run: records before it are taken, the record it stands in goes to the state
 * machine. So do records over the limit and what the buffer cuts off. Up to there both see the same by induction: at a
 * record start both are at the start of a field; unless a rule is broken each quote moves both the same way.
 *
 * Work is O(1) a block and O(1) a field. */

#include <string.h>

#include "Records/assay_batch.h"
#include "Records/assay_scan_state.h"

/* What a block inherits from the block before it. */
typedef struct block_carry {
    uint64_t inside;      /* all ones: the block begins inside quotes */
    uint64_t may_open;    /* 1: a quote at the first byte opens properly */
    uint64_t after_close; /* 1: the byte before is a closing quote */
} block_carry;

/* The bits of one block that matter from here on. */
typedef struct block_marks {
    uint64_t structural;
    uint64_t line_feeds; /* inside quotes too */
    uint64_t quotes;
    bool ends_run; /* what comes after the marks is for the state machine */
} block_marks;

BLOCK_INLINE block_marks mark_block(block data, uint64_t present, uint8_t after, const assay_dialect *dialect,
                                    block_carry *carry)
{
    uint64_t delimiters = block_matches(data, dialect->delimiter) & present;
    uint64_t line_feeds = block_matches(data, '\n') & present;
    uint64_t quotes = dialect->quoting ? block_matches(data, dialect->quote) & present : 0;

    if ((quotes | carry->inside | carry->after_close) == 0) {
        uint64_t structural = delimiters | line_feeds;
        carry->may_open = structural >> 63;
        return (block_marks){.structural = structural, .line_feeds = line_feeds};
    }

    uint64_t inside = block_prefix_xor(quotes) ^ carry->inside;
    uint64_t opening = quotes & inside, closing = quotes & ~inside;
    uint64_t structural = (delimiters | line_feeds) & ~inside;
    uint64_t proper_openings = (structural | closing) << 1 | carry->may_open;
    uint64_t after_close = (closing << 1 | carry->after_close) & present;
    uint64_t odd = (opening & ~proper_openings) | (after_close & ~(delimiters | line_feeds | quotes));
    if (odd != 0) {
        /* Mostly this is only a CR LF after a closing quote. */
        uint64_t before_line_feed = line_feeds >> 1 | (uint64_t)(after == '\n') << 63;
        odd &= ~(block_matches(data, '\r') & before_line_feed);
    }
    carry->inside = 0 - (inside >> 63);
    carry->may_open = (structural | closing) >> 63;
    carry->after_close = closing >> 63;
    if (odd != 0) structural &= (odd & (0 - odd)) - 1;
    return (block_marks){structural, line_feeds, quotes, odd != 0};
}

/* Whether a field of [start, end) is over `limit`. Asked only for records that are over it as a whole. */
BLOCK_INLINE bool has_long_field(const uint32_t *field_ends, uint32_t first, uint32_t last, uint32_t start,
                                 uint32_t limit)
{
    for (uint32_t i = first; i <= last; i++) {
        if (field_ends[i] - start > limit) return true;
        start = field_ends[i] + 1;
    }
    return false;
}

BLOCK_TARGET static void scan_blocks(assay_scan_state *scan)
{
    assay_batch *const batch = scan->batch;
    const uint8_t *const bytes = scan->bytes;
    const assay_dialect dialect = scan->dialect;
    const uint32_t count = scan->count, record_limit = scan->limits.record_bytes;
    const uint32_t max_records = scan->max_records;
    const uint32_t run_start = scan->position;

    /* The open record, which is not in the batch yet, though its first fields may be written already. */
    uint32_t record_start = run_start;
    uint32_t first_field = batch->field_count;
    uint32_t field_count = first_field;
    uint32_t record_count = batch->record_count;

    bool is_quoted = false; /* the open record, before this block */
    uint64_t lines = 0;
    block_carry carry = {.may_open = 1};
    uint32_t position = run_start;
    bool runs = record_count < max_records;
    while (runs && position < count) {
        block data;
        uint64_t present = ~(uint64_t)0;
        uint8_t after = 0;
        const uint32_t room = count - position;
        if (room >= 64) {
            data = block_load(bytes + position);
            if (room > 64) after = bytes[position + 64];
        } else {
            uint8_t tail[64] = {0};
            memcpy(tail, bytes + position, room);
            data = block_load(tail);
            present = ((uint64_t)1 << room) - 1;
        }

        block_marks marks = mark_block(data, present, after, &dialect, &carry);
        lines += block_count_ones(marks.line_feeds);
        runs = !marks.ends_run;

        const uint32_t ones = block_count_ones(marks.structural);
        if (batch->field_capacity - field_count < 64 + block_flatten_slack &&
            !assay_batch_reserve_fields(batch, field_count, 64 + block_flatten_slack)) {
            scan->status = ASSAY_NO_MEMORY;
            break;
        }
        block_flatten(batch->field_ends + field_count, position, marks.structural, ones);

        uint64_t record_ends = marks.line_feeds & marks.structural;
        if (record_ends != 0 && batch->record_capacity - record_count < 65 &&
            !assay_batch_reserve_records(batch, record_count, 64)) {
            scan->status = ASSAY_NO_MEMORY;
            break;
        }
        while (record_ends != 0) {
            const uint64_t up_to_end = record_ends ^ (record_ends - 1);
            const uint32_t last_field = field_count + block_count_ones(marks.structural & up_to_end) - 1;
            const uint32_t line_feed = batch->field_ends[last_field];
            const uint32_t length = line_feed + 1 - record_start;
            if (length > record_limit || record_count == max_records) {
                runs = false;
                break;
            }
            if (length > 1 && bytes[line_feed - 1] == '\r') batch->field_ends[last_field]--;
            uint32_t flags = 0;
            if (length > scan->limits.field_bytes &&
                has_long_field(batch->field_ends, first_field, last_field, record_start, scan->limits.field_bytes)) {
                flags = ASSAY_RECORD_TOO_LONG;
            }
            if (is_quoted || (marks.quotes & up_to_end) != 0) {
                assay_batch_set_bit(batch->quoted, record_count);
                marks.quotes &= ~up_to_end;
                is_quoted = false;
            }
            batch->records[record_count++] = (assay_record){record_start, line_feed + 1, first_field, flags};
            record_start = line_feed + 1;
            first_field = last_field + 1;
            record_ends &= record_ends - 1;
        }
        is_quoted = is_quoted || marks.quotes != 0;
        field_count += ones;
        position = room > 64 ? position + 64 : count;
        /* A record that is over the limit already need not be followed to its end. */
        if (position - record_start > record_limit) runs = false;
    }

    scan->visited += position - run_start;
    scan->position = record_start;
    batch->record_count = record_count;
    batch->field_count = first_field;
    /* Blocks were counted whole; the open record is not taken yet. */
    lines -= bytes_count_blocks(bytes + record_start, position - record_start, '\n');
    batch->lines += (uint32_t)lines;
}
