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

BLOCK_INLINE block_marks mark_block(block data, uint8_t after, const assay_dialect *dialect, block_carry *carry)
{
    const uint64_t ends = block_matches_either(data, dialect->delimiter, '\n');
    const uint64_t line_feeds = block_has(data, '\n') ? block_matches(data, '\n') : 0;
    if ((carry->inside | carry->after_close) == 0 && !(dialect->quoting && block_has(data, dialect->quote))) {
        carry->may_open = ends >> 63;
        return (block_marks){.structural = ends, .line_feeds = line_feeds};
    }

    const uint64_t quotes = block_matches(data, dialect->quote);
    uint64_t inside = block_prefix_xor(quotes) ^ carry->inside;
    uint64_t opening = quotes & inside, closing = quotes & ~inside;
    uint64_t structural = ends & ~inside;
    uint64_t proper_openings = (structural | closing) << 1 | carry->may_open;
    uint64_t after_close = closing << 1 | carry->after_close;
    uint64_t odd = (opening & ~proper_openings) | (after_close & ~(ends | quotes));
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

/* The record that is open: it is not in the batch yet, though its first fields may be written already. */
typedef struct open_record {
    uint32_t start;
    uint32_t first_field;
    bool is_quoted; /* in the blocks before this one */
} open_record;

/* Takes the records that end in a block, whose first field end stands at `field`. Not inline: it is asked once a record, and
 * the loop over blocks is to keep its own numbers in registers. False: the run ends here. */
__attribute__((noinline)) BLOCK_TARGET static bool take_records(assay_scan_state *scan, open_record *open,
                                                                uint32_t field, uint64_t structural,
                                                                uint64_t record_ends, uint64_t quotes)
{
    assay_batch *const batch = scan->batch;
    if (batch->record_capacity - batch->record_count < 65 &&
        !assay_batch_reserve_records(batch, batch->record_count, 64)) {
        scan->status = ASSAY_NO_MEMORY;
        return false;
    }
    for (; record_ends != 0; record_ends &= record_ends - 1) {
        const uint64_t up_to_end = record_ends ^ (record_ends - 1);
        const uint32_t last_field = field + block_count_ones(structural & up_to_end) - 1;
        const uint32_t line_feed = batch->field_ends[last_field];
        const uint32_t length = line_feed + 1 - open->start;
        if (length > scan->limits.record_bytes || batch->record_count == scan->max_records) return false;
        if (length > 1 && scan->bytes[line_feed - 1] == '\r') batch->field_ends[last_field]--;
        uint32_t flags = 0;
        if (length > scan->limits.field_bytes &&
            has_long_field(batch->field_ends, open->first_field, last_field, open->start, scan->limits.field_bytes)) {
            flags = ASSAY_RECORD_TOO_LONG;
        }
        if (open->is_quoted || (quotes & up_to_end) != 0) {
            assay_batch_set_bit(batch->quoted, batch->record_count);
            quotes &= ~up_to_end;
            open->is_quoted = false;
        }
        batch->records[batch->record_count++] = (assay_record){open->start, line_feed + 1, open->first_field, flags};
        open->start = line_feed + 1;
        open->first_field = last_field + 1;
    }
    open->is_quoted = open->is_quoted || quotes != 0;
    return true;
}

/* What a run over blocks carries along. */
typedef struct block_run {
    block_carry carry;
    uint32_t field_count; /* those of the open record too */
    uint64_t lines;
} block_run;

/* False: the run ends with this block. */
BLOCK_INLINE bool scan_block(assay_scan_state *scan, block_run *run, open_record *open, const assay_dialect *dialect,
                             uint32_t position, block data, uint8_t after)
{
    const block_marks marks = mark_block(data, after, dialect, &run->carry);
    const uint32_t ones = block_count_ones(marks.structural);
    block_flatten(scan->batch->field_ends + run->field_count, position, marks.structural, ones);
    bool runs = !marks.ends_run;
    if (marks.line_feeds != 0) {
        run->lines += block_count_ones(marks.line_feeds);
        runs = take_records(scan, open, run->field_count, marks.structural, marks.line_feeds & marks.structural,
                            marks.quotes) &&
               runs;
    } else if (marks.quotes != 0) {
        open->is_quoted = true;
    }
    run->field_count += ones;
    return runs;
}

enum {
    blocks_at_once = 16, /* for which room is made once */
    bytes_at_once = blocks_at_once * 64,
};

BLOCK_TARGET static void scan_blocks(assay_scan_state *scan)
{
    assay_batch *const batch = scan->batch;
    const uint8_t *const bytes = scan->bytes;
    const assay_dialect dialect = scan->dialect;
    const uint32_t count = scan->count, run_start = scan->position;

    open_record open = {.start = run_start, .first_field = batch->field_count};
    block_run run = {.carry = {.may_open = 1}, .field_count = batch->field_count};
    uint32_t position = run_start;
    bool runs = batch->record_count < scan->max_records;
    while (runs && position < count) {
        if (!assay_batch_reserve_fields(batch, run.field_count, bytes_at_once + block_flatten_slack)) {
            scan->status = ASSAY_NO_MEMORY;
            break;
        }
        const uint32_t room = count - position;
        if (room > 64) {
            /* Whole blocks behind which there is a byte. */
            const uint32_t blocks = (room - 1) / 64;
            const uint32_t stop = position + (blocks < blocks_at_once ? blocks : blocks_at_once) * 64;
            for (; runs && position < stop; position += 64) {
                runs = scan_block(scan, &run, &open, &dialect, position, block_load(bytes + position),
                                  bytes[position + 64]);
            }
        } else {
            uint8_t tail[64]; /* what is not there is no mark: marks are ASCII */
            memset(tail, 0xFF, sizeof tail);
            memcpy(tail, bytes + position, room);
            runs = scan_block(scan, &run, &open, &dialect, position, block_load(tail), 0);
            position = count;
        }
        /* A record that is over the limit already need not be followed to its end. */
        if (position - open.start > scan->limits.record_bytes) runs = false;
    }

    scan->visited += position - run_start;
    scan->position = open.start;
    batch->field_count = open.first_field;
    /* Blocks were counted whole; the open record is not taken yet. */
    run.lines -= bytes_count_blocks(bytes + open.start, position - open.start, '\n');
    batch->lines += (uint32_t)run.lines;
}
