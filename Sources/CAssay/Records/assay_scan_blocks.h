/* assay_scan_blocks.h: records from blocks of 64 bytes. Included by assay_kernels_*.c after an assay_block_*.h,
 * assay_bytes_blocks.h and an assay_utf8_*.h.
 *
 * A block becomes three masks with one bit per byte: quotes, delimiters, line feeds. The running xor of the quotes is 1
 * from each opening quote up to its closing one, and a doubled quote closes and opens again:
 *
 *     bytes       7 , " a   " " b " " " , x ⏎
 *     quotes      . . 1 . . 1 1 . 1 1 1 . . .
 *     inside      . . 1 1 1 . 1 1 . 1 . . . .
 *     structural  . 1 . . . . . . . . . 1 . 1     (delimiters | line feeds) & ~inside
 *
 * This is correct only if each quote is at a place where the state machine expects one:
 *   - an opening quote is the first byte of a field, or follows a closing one (a doubled quote);
 *   - a delimiter, LF, CR LF or a quote follows a closing quote.
 * The first byte that violates these rules ends the run. The records before it are taken, and the state machine reads
 * the record that contains it. The state machine also reads records over the limit and the incomplete record at the end
 * of the buffer. Before the violation, both scanners agree by induction: at a record start, both are at the start of a
 * field, and each quote that obeys the rules changes both states in the same way.
 *
 * The work is O(1) per block and O(1) per field. */

#include <string.h>

#include "Bytes/assay_prefetch.h"
#include "Records/assay_batch.h"
#include "Records/assay_scan_state.h"

/* The state that a block inherits from the blocks before it. */
typedef struct block_carry {
    uint64_t inside;      /* all ones: the block begins inside quotes */
    uint64_t after_close; /* 1: the byte before is a closing quote */
    bool has_begun;       /* either of the above */
    bool is_cut;          /* a character may continue in the block */
    bool end_run;         /* the state machine reads the bytes after the structural bytes found */
    uint32_t inner_lines; /* line feeds that do not end a record */
    uint32_t marked_end;  /* records from this index on are not marked as quoted or unverified */
} block_carry;

/* Marks the records that contain quotes of a block. The first byte of the block is in record `index`. */
BLOCK_INLINE void mark_quoted(assay_batch *batch, uint32_t index, uint64_t record_ends, uint64_t quotes,
                              block_carry *carry)
{
    do {
        const uint64_t before_quote = (quotes & (0 - quotes)) - 1;
        const uint32_t quoted = index + block_count_ones(record_ends & before_quote);
        assay_batch_set_bit(batch->quoted, quoted);
        carry->marked_end = quoted + 1;
        const uint64_t next_ends = record_ends & ~before_quote;
        quotes &= ~(next_ends ^ (next_ends - 1));
    } while (quotes != 0);
}

/* The structural bytes of a block that contains quotes, or begins inside quotes or after a closing one. `before` is the
 * byte before the block, or LF if a record begins there. The byte after the block must be readable. Not inline, because
 * most blocks have no quotes, and the loop over blocks must keep its state in registers. */
__attribute__((noinline)) BLOCK_TARGET static uint64_t mark_quotes(assay_batch *batch, uint32_t index,
                                                                   const assay_dialect *dialect, const uint8_t *bytes,
                                                                   uint8_t before, block_carry *carry)
{
    const block data = block_load(bytes);
    const uint64_t line_feeds = block_matches(data, '\n');
    const uint64_t ends = block_matches_either(data, dialect->delimiter, '\n');
    const uint64_t quotes = block_matches(data, dialect->quote);
    const uint64_t inside = block_prefix_xor(quotes) ^ carry->inside;
    const uint64_t opening = quotes & inside, closing = quotes & ~inside;
    const bool is_behind_end = before == dialect->delimiter || before == '\n';
    uint64_t structural = ends & ~inside;
    const uint64_t proper_openings = (structural | closing) << 1 | (is_behind_end | carry->after_close);
    const uint64_t after_close = closing << 1 | carry->after_close;
    uint64_t odd = (opening & ~proper_openings) | (after_close & ~(ends | quotes));
    if (odd != 0) {
        /* Usually this is only the CR of a CR LF after a closing quote. */
        const uint64_t before_line_feed = line_feeds >> 1 | (uint64_t)(bytes[64] == '\n') << 63;
        odd &= ~(block_matches(data, '\r') & before_line_feed);
    }
    carry->inside = 0 - (inside >> 63);
    carry->after_close = closing >> 63;
    carry->has_begun = (inside | closing) >> 63;
    carry->end_run = odd != 0;
    if (odd != 0) structural &= (odd & (0 - odd)) - 1;
    carry->inner_lines += block_count_ones(line_feeds & ~structural);
    if (quotes != 0) mark_quoted(batch, index, line_feeds & structural, quotes, carry);
    return structural;
}

/* Whether one of the fields `first` to `last` is longer than `limit`. Called only for records longer than `limit`. */
BLOCK_INLINE bool has_long_field(const uint32_t *field_ends, uint32_t first, uint32_t last, uint32_t start,
                                 uint32_t limit)
{
    for (uint32_t i = first; i <= last; i++) {
        if (field_ends[i] - start > limit) return true;
        start = field_ends[i] + 1;
    }
    return false;
}

enum {
    blocks_at_once = 64, /* the blocks scanned before their records are taken: one per bit of a word */
    bytes_at_once = blocks_at_once * 64,
};

/* The progress of a run over blocks. The fields of some ended records, and of the open one, are found before these
 * records are in the batch. */
typedef struct block_run {
    uint32_t position;
    uint32_t stop;         /* blocks begin before this position */
    uint32_t record_count; /* the records in the batch */
    uint32_t record_start; /* the start of the first record that is not in the batch */
    uint32_t first_field;  /* the first field of the same record */
    uint32_t field_count;
    uint32_t ended; /* the number of ended records that are not in the batch */
    uint32_t lines;
    uint64_t non_ascii; /* a bit per block, the latest in bit 0: the block is not all ASCII */
} block_run;

/* Finds the fields of a block, which may be a copy. For each record that ends in the block, `behind` gets the index of
 * the field after its last one. The first iteration is unconditional, because most blocks contain at most one record
 * end. */
BLOCK_INLINE void scan_block(assay_scan_state *scan, const assay_dialect *dialect, const uint8_t *bytes,
                             uint32_t *field_ends, uint32_t *behind, block_run *run, block_carry *carry)
{
    assay_prefetch(bytes, assay_prefetch_block);
    const block data = block_load(bytes);
    const uint32_t index = run->record_count + run->ended;
    const uint64_t line_feeds = block_matches(data, '\n');
    uint64_t structural = block_matches_either(data, dialect->delimiter, '\n');
    const bool has_quotes = dialect->quoting && block_has(data, dialect->quote);
    if (__builtin_expect(has_quotes || carry->has_begun, 0)) {
        const uint8_t before = run->position == scan->position ? '\n' : scan->bytes[run->position - 1];
        structural = mark_quotes(scan->batch, index, dialect, bytes, before, carry);
        if (carry->end_run) run->stop = 0;
    }
    const uint32_t fields = block_count_ones(structural);
    block_flatten(field_ends + run->field_count, run->position, structural, fields);
    uint64_t record_ends = line_feeds & structural;
    do {
        const uint64_t up_to_end = record_ends ^ (record_ends - 1);
        behind[run->ended] = run->field_count + block_count_ones(structural & up_to_end);
        run->ended += record_ends != 0;
        record_ends &= record_ends - 1;
    } while (__builtin_expect(record_ends != 0, 0));
    run->field_count += fields;
    run->non_ascii = 2 * run->non_ascii + !block_is_ascii(data);
    run->position += 64;
}

/* The flags of a record that is short enough for a blank line, or UINT32_MAX if they depend on bytes after the buffer.
 * Not inline, because few records are that short. */
__attribute__((noinline)) BLOCK_TARGET static uint32_t short_record_flags(assay_scan_state *scan, uint32_t start,
                                                                          uint32_t length, uint32_t index)
{
    if (length == 2 && scan->bytes[start] != '\r') return 0;
    const assay_blank_meaning meaning = assay_scan_blank(scan, start);
    if (meaning == ASSAY_BLANK_UNDECIDED) return UINT32_MAX;
    if (meaning == ASSAY_BLANK_IS_RECORD) return 0;
    assay_batch_set_bit(scan->batch->comments, index);
    scan->batch->comment_count++;
    return ASSAY_RECORD_COMMENT;
}

/* Adds the ended records to the batch. Returns false if the run ends before the last of the records. */
BLOCK_INLINE bool take_records(assay_scan_state *scan, const uint32_t *behind, block_run *run)
{
    assay_batch *const batch = scan->batch;
    uint32_t *const field_ends = batch->field_ends;
    const uint32_t ended = run->ended;
    run->ended = 0;
    run->lines += ended;
    /* One unsigned comparison finds records over the limit, and records that may be blank lines, which have at most two
     * bytes. The limit must be at least `min_length`; assay_scan_rest_fast() checks this. */
    const uint32_t min_length = assay_scan_min_length(scan);
    const uint32_t span = scan->limits.record_bytes - min_length;
    for (uint32_t i = 0; i < ended; i++) {
        const uint32_t last_field = behind[i] - 1;
        const uint32_t line_feed = field_ends[last_field];
        const uint32_t length = line_feed + 1 - run->record_start;
        uint32_t flags = 0;
        if (run->record_count == scan->max_records) return false;
        if (__builtin_expect(length - min_length > span, 0)) {
            if (length > scan->limits.record_bytes) return false;
            flags = short_record_flags(scan, run->record_start, length, run->record_count);
            if (flags == UINT32_MAX) return false;
        }
        if (length > 1 && scan->bytes[line_feed - 1] == '\r') field_ends[last_field]--;
        if (length > scan->limits.field_bytes &&
            has_long_field(field_ends, run->first_field, last_field, run->record_start, scan->limits.field_bytes)) {
            flags = ASSAY_RECORD_TOO_LONG;
        }
        batch->records[run->record_count++] = (assay_record){run->record_start, line_feed + 1, run->first_field, flags};
        run->record_start = line_feed + 1;
        run->first_field = behind[i];
    }
    return true;
}

/* Validates the UTF-8 of the latest blocks. The first block is at `bytes`, at offset `position`, and begins in record
 * `index`. Marks the records of an invalid block as unverified. */
BLOCK_INLINE void check_utf8(assay_batch *batch, const block_run *run, const uint8_t *bytes, uint32_t position,
                             uint32_t index, block_carry *carry)
{
    const uint32_t blocks = (run->position - position) / 64;
    const uint64_t first = UINT64_C(1) << (blocks - 1);
    uint64_t left = run->non_ascii | (carry->is_cut ? first : 0);
    while (left != 0) {
        const uint32_t number = blocks - 64 + (uint32_t)__builtin_clzll(left);
        const uint64_t here = first >> number;
        const uint8_t *const text = bytes + 64 * (size_t)number;
        const bool is_right = utf8_block_is_right(text, !carry->is_cut);
        carry->is_cut = utf8_block_is_cut(text);
        left = (left & ~here) | (carry->is_cut ? here >> 1 : 0);
        if (is_right) continue;
        const uint32_t block_start = position + 64 * number;
        while (index < run->record_count && batch->records[index].end <= block_start) index++;
        assay_batch_set_bit(batch->utf8_unverified, index);
        while (index < run->record_count && batch->records[index].end < block_start + 64) {
            assay_batch_set_bit(batch->utf8_unverified, ++index);
        }
        if (carry->marked_end <= index) carry->marked_end = index + 1;
    }
}

BLOCK_TARGET static uint64_t find_marks_block(const uint8_t *bytes, const uint8_t *marks)
{
    const block data = block_load(bytes);
    return block_matches_either(data, marks[0], marks[1]) | block_matches_either(data, marks[2], marks[3]) |
           block_matches(data, marks[4]);
}

BLOCK_TARGET static void scan_blocks(assay_scan_state *scan)
{
    assay_batch *const batch = scan->batch;
    const uint8_t *const bytes = scan->bytes;
    const assay_dialect dialect = scan->dialect;
    const uint32_t count = scan->count, run_start = scan->position;

    uint32_t behind[bytes_at_once + 1];
    block_carry carry = {.inside = 0};
    block_run run = {
        .position = run_start,
        .record_count = batch->record_count,
        .record_start = run_start,
        .first_field = batch->field_count,
        .field_count = batch->field_count,
    };
    bool runs = batch->record_count < scan->max_records;
    while (runs && run.position < count) {
        if (!assay_batch_reserve_fields(batch, run.field_count, bytes_at_once + block_flatten_slack) ||
            !assay_batch_reserve_records(batch, run.record_count, bytes_at_once)) {
            scan->status = ASSAY_NO_MEMORY;
            break;
        }
        uint32_t *const field_ends = batch->field_ends;
        const uint32_t position = run.position, room = count - position, index = run.record_count;
        const uint8_t *first_block = bytes + position;
        /* Pad the last block with FF, which does not match delimiters, quotes or LF, because these are ASCII.
         * The padding is not valid UTF-8, so that these records usually stay unverified. */
        uint8_t tail[2 * 64 + 1];
        run.non_ascii = 0;
        if (room > 64) {
            /* Whole blocks with at least one byte after them, because mark_quotes() reads it. */
            const uint32_t blocks = (room - 1) / 64;
            run.stop = position + (blocks < blocks_at_once ? blocks : blocks_at_once) * 64;
            while (run.position < run.stop) {
                scan_block(scan, &dialect, bytes + run.position, field_ends, behind, &run, &carry);
            }
        } else {
            memset(tail, 0xFF, sizeof tail);
            memcpy(tail + 64, bytes + position, room);
            first_block = tail + 64;
            scan_block(scan, &dialect, first_block, field_ends, behind, &run, &carry);
        }
        runs = take_records(scan, behind, &run) && !carry.end_run;
        if (run.non_ascii != 0 || carry.is_cut) {
            check_utf8(batch, &run, first_block, position, index, &carry);
        }
        if (room <= 64) run.position = count;
        /* Stop if the open record already exceeds the limit. */
        if (run.position - run.record_start > scan->limits.record_bytes) runs = false;
    }
    batch->record_count = run.record_count;
    batch->field_count = run.first_field;
    /* Clear the marks of records that are not in the batch, because whichever scanner takes them marks them again. */
    for (uint32_t index = run.record_count; index < carry.marked_end; index++) {
        batch->quoted[index / 64] &= ~(UINT64_C(1) << index % 64);
        batch->utf8_unverified[index / 64] &= ~(UINT64_C(1) << index % 64);
    }
    scan->visited += run.position - run_start;
    scan->position = run.record_start;
    /* The counts cover whole blocks, so subtract the lines of the open record. */
    const uint32_t open_lines =
        (uint32_t)bytes_count_blocks(bytes + run.record_start, run.position - run.record_start, '\n');
    batch->lines += run.lines + carry.inner_lines - open_lines;
}
