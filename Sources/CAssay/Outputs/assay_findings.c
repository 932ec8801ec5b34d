/* Findings: where many rows are bad, their text is what a run spends its time on. So nothing is done for a finding but to
 * copy what is known beforehand and to write three numbers, and nothing for a rule that found nothing in 64 rows. */
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

#include "SIMD/assay_bits.h"

enum {
    copied_bytes = 16, /* short texts are copied whole, without looking at their length */
    digits = 20,       /* of the largest number */
    /* What a finding takes beside its tail and a note beside its reasons, and what copies overshoot. */
    place_bytes = 3 * (copied_bytes + digits) + copied_bytes,
    note_place_bytes = 7 + digits + copied_bytes,
};

typedef struct short_text {
    uint8_t bytes[copied_bytes];
    size_t count;
} short_text;

/* The decimal digits of numbers that differ little: all but the last four are kept from one to the next. */
typedef struct digits_kept {
    uint64_t high; /* number / 10000 */
    short_text text;
} digits_kept;

/* What the caller sees, and behind it what he does not. */
typedef struct writer {
    assay_findings findings;
    const assay_batch *batch;
    uint32_t first;  /* the first entry of the slice */
    uint64_t record; /* the number of the batch's first entry */
    uint64_t offset;
    size_t most;
    short_text before[3];
    digits_kept record_digits, line_digits, offset_digits, note_digits;
    uint8_t delimiter, delimiter2, quote;
    /* Comments before the entries of one word, of which one was last asked for. */
    uint32_t comment_word, comments_before_word;
    /* For 64 rows: the kinds found in each, `kind_capacity` a row. */
    uint32_t *found;
    size_t kind_capacity;
} writer;

assay_findings *assay_findings_create(const assay_finding_form *form)
{
    writer *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    for (int i = 0; i < 3; i++) {
        w->before[i].count = form->before[i].count;
        memcpy(w->before[i].bytes, form->before[i].bytes, form->before[i].count);
    }
    w->delimiter = form->delimiter;
    w->delimiter2 = form->delimiter2;
    w->quote = form->quote;
    return &w->findings;
}

void assay_findings_free(assay_findings *findings)
{
    if (findings == NULL) return;
    writer *w = (writer *)findings;
    free(findings->text.bytes);
    free(findings->text.ends);
    free(findings->notes.bytes);
    free(findings->notes.ends);
    free(w->found);
    free(w);
}

void assay_findings_begin(assay_findings *findings, const assay_batch *batch, const uint8_t *bytes, bool cr_ends,
                          uint64_t record, uint64_t line, uint64_t offset, size_t most)
{
    writer *w = (writer *)findings;
    findings->text.count = 0;
    findings->notes.count = 0;
    findings->lines = assay_lines_begin(batch, bytes, cr_ends, line);
    w->batch = batch;
    w->record = record;
    w->offset = offset;
    w->most = most;
    w->comment_word = 0;
    w->comments_before_word = 0;
}

static size_t bytes_used(const assay_pieces *pieces)
{
    return pieces->count == 0 ? 0 : pieces->ends[pieces->count - 1];
}

/* `memory` with room for `more` entries beside those that are used, or NULL. What there is grows by half at least. */
static void *reserve(void *memory, size_t *capacity, size_t used, size_t more, size_t entry_bytes)
{
    if (more <= *capacity - used && memory != NULL) return memory;
    if (more > SIZE_MAX / 4 / entry_bytes || *capacity > SIZE_MAX / 4 / entry_bytes) return NULL;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted <= used + more) wanted = used + more + 1;
    void *moved = realloc(memory, wanted * entry_bytes);
    if (moved != NULL) *capacity = wanted;
    return moved;
}

static bool reserve_pieces(assay_pieces *pieces, size_t bytes, size_t count)
{
    uint8_t *text = reserve(pieces->bytes, &pieces->byte_capacity, bytes_used(pieces), bytes, 1);
    if (text == NULL) return false;
    pieces->bytes = text;
    size_t *ends = reserve(pieces->ends, &pieces->end_capacity, pieces->count, count, sizeof *ends);
    if (ends == NULL) return false;
    pieces->ends = ends;
    return true;
}

static assay_status append(assay_pieces *pieces, const uint8_t *text, size_t count)
{
    if (!reserve_pieces(pieces, count, 1)) return ASSAY_NO_MEMORY;
    const size_t used = bytes_used(pieces);
    if (count > 0) memcpy(pieces->bytes + used, text, count);
    pieces->ends[pieces->count++] = used + count;
    return ASSAY_OK;
}

static uint8_t *put_text(const short_text *text, uint8_t *out)
{
    memcpy(out, text->bytes, copied_bytes);
    return out + text->count;
}

/* The digits of a number below 10^16. */
static short_text decimal_text(uint64_t number)
{
    uint8_t reversed[copied_bytes];
    short_text text = {{0}, 0};
    do {
        reversed[text.count++] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    for (size_t i = 0; i < text.count; i++) text.bytes[i] = reversed[text.count - 1 - i];
    return text;
}

static inline uint8_t *put_decimal(digits_kept *kept, uint64_t number, uint8_t *out)
{
    const uint64_t high = number / 10000;
    const uint32_t low = (uint32_t)(number % 10000);
    if (high == 0) {
        const short_text text = decimal_text(low);
        return put_text(&text, out);
    }
    if (high != kept->high) {
        kept->high = high;
        kept->text = decimal_text(high);
    }
    out = put_text(&kept->text, out);
    /* Two pairs of digits side by side: x * 103 >> 10 is x / 10 for every x below 100. */
    const uint32_t pairs = low / 100 | low % 100 << 16;
    const uint32_t tens = pairs * 103 >> 10 & 0x000F000Fu;
    const uint32_t text = (tens | (pairs - 10 * tens) << 8) + 0x30303030u;
    for (int i = 0; i < 4; i++) out[i] = (uint8_t)(text >> 8 * i);
    return out + 4;
}

/* The number of the record that is an entry. Asked in ascending order it counts every word of the mask once. */
static uint64_t record_number(writer *w, uint32_t entry)
{
    const assay_batch *batch = w->batch;
    if (batch->comment_count == 0) return w->record + entry;
    const uint32_t word = entry / 64;
    if (word < w->comment_word) {
        w->comment_word = 0;
        w->comments_before_word = 0;
    }
    while (w->comment_word < word) {
        w->comments_before_word += count_ones_by_adding(batch->comments[w->comment_word++]);
    }
    const uint64_t before = batch->comments[word] & ((UINT64_C(1) << entry % 64) - 1);
    return w->record + entry - w->comments_before_word - count_ones_by_adding(before);
}

static void add_finding(writer *w, const assay_finding_kind *kind, uint32_t entry)
{
    assay_pieces *text = &w->findings.text;
    if (text->count >= w->most) return;
    const assay_record *record = &w->batch->records[entry];
    const size_t delimiter_bytes = w->delimiter2 == 0 ? 1 : 2;
    const size_t place = kind->places != NULL ? kind->places[entry - w->first]
                         : kind->field == 0
                             ? record->start
                             : w->batch->field_ends[record->first_field + kind->field - 1] + delimiter_bytes;
    const uint64_t line = assay_lines_at(&w->findings.lines, place, entry);
    uint8_t *out = text->bytes + bytes_used(text);
    out = put_decimal(&w->record_digits, record_number(w, entry), put_text(&w->before[0], out));
    out = put_decimal(&w->line_digits, line, put_text(&w->before[1], out));
    out = put_decimal(&w->offset_digits, w->offset + place, put_text(&w->before[2], out));
    memcpy(out, kind->tail.bytes, kind->tail.count);
    text->ends[text->count++] = (size_t)(out - text->bytes) + kind->tail.count;
}

static uint8_t *put_delimiter(const writer *w, uint8_t *out)
{
    *out++ = w->delimiter;
    if (w->delimiter2 != 0) *out++ = w->delimiter2;
    return out;
}

/* The kinds of one row as a note, unless none of them has a reason. */
static void add_note(writer *w, const assay_finding_kind *kinds, const uint32_t *found, uint32_t found_count,
                     uint32_t entry)
{
    assay_pieces *notes = &w->findings.notes;
    uint32_t reasons = 0;
    bool is_quoted = false;
    for (uint32_t i = 0; i < found_count; i++) {
        if (kinds[found[i]].reason.bytes == NULL) continue;
        is_quoted |= kinds[found[i]].needs_quotes || (reasons > 0 && w->delimiter == ';');
        reasons++;
    }
    if (reasons == 0) return;
    const uint64_t line = assay_lines_at(&w->findings.lines, w->batch->records[entry].start, entry);
    uint8_t *out = notes->bytes + bytes_used(notes);
    if (w->batch->records[entry].flags & ASSAY_RECORD_QUOTE_UNCLOSED) *out++ = w->quote;
    out = put_delimiter(w, out);
    out = put_decimal(&w->note_digits, line, out);
    out = put_delimiter(w, out);
    if (is_quoted) *out++ = w->quote;
    for (uint32_t i = 0; i < found_count; i++) {
        const assay_text reason = kinds[found[i]].reason;
        if (reason.bytes == NULL) continue;
        memcpy(out, reason.bytes, reason.count);
        out += reason.count;
        if (--reasons > 0) *out++ = ';';
    }
    if (is_quoted) *out++ = w->quote;
    notes->ends[notes->count++] = (size_t)(out - notes->bytes);
}

/* The rows of a word that are asked for. */
static uint64_t rows_between(uint32_t base, uint32_t row, uint32_t end)
{
    uint64_t rows = ~(uint64_t)0;
    if (row > base) rows &= ~(uint64_t)0 << (row - base);
    if (end - base < 64) rows &= ((uint64_t)1 << (end - base)) - 1;
    return rows;
}

/* The findings of up to 64 rows. The masks go kind by kind and the text row by row: each row first gets its list. */
static bool add_word(writer *w, const assay_finding_kind *kinds, size_t kind_count, uint32_t first, uint32_t base,
                     uint64_t wanted, bool annotates)
{
    uint32_t found_count[64] = {0};
    uint64_t marked = 0;
    size_t count = 0, text_bytes = 0, note_bytes = 0;
    for (size_t kind = 0; kind < kind_count; kind++) {
        uint64_t rows = kinds[kind].rows[base / 64] & wanted;
        if (rows == 0) continue;
        const size_t ones = count_ones_by_adding(rows);
        marked |= rows;
        count += ones;
        text_bytes += ones * (place_bytes + kinds[kind].tail.count);
        note_bytes += ones * (kinds[kind].reason.count + 1);
        for (; rows != 0; rows &= rows - 1) {
            const int row = __builtin_ctzll(rows);
            w->found[(size_t)row * w->kind_capacity + found_count[row]++] = (uint32_t)kind;
        }
    }
    if (marked == 0) return true;
    if (!reserve_pieces(&w->findings.text, text_bytes, count)) return false;
    if (annotates && !reserve_pieces(&w->findings.notes, note_bytes + 64 * note_place_bytes, 64)) return false;
    for (; marked != 0; marked &= marked - 1) {
        const uint32_t row = (uint32_t)__builtin_ctzll(marked);
        const uint32_t *found = w->found + row * w->kind_capacity;
        if (annotates) add_note(w, kinds, found, found_count[row], first + base + row);
        for (uint32_t i = 0; i < found_count[row]; i++) add_finding(w, &kinds[found[i]], first + base + row);
    }
    return true;
}

assay_status assay_findings_add_rows(assay_findings *findings, const assay_finding_kind *kinds, size_t kind_count,
                                     uint32_t first, uint32_t row, uint32_t end, bool annotates)
{
    writer *w = (writer *)findings;
    uint32_t *found = reserve(w->found, &w->kind_capacity, 0, kind_count, 64 * sizeof *found);
    if (found == NULL) return ASSAY_NO_MEMORY;
    w->found = found;
    w->first = first;
    for (uint32_t base = row / 64 * 64; base < end; base += 64) {
        if (!add_word(w, kinds, kind_count, first, base, rows_between(base, row, end), annotates))
            return ASSAY_NO_MEMORY;
    }
    return ASSAY_OK;
}

assay_status assay_findings_add_text(assay_findings *findings, const uint8_t *text, size_t count)
{
    const writer *w = (const writer *)findings;
    return findings->text.count < w->most ? append(&findings->text, text, count) : ASSAY_OK;
}

assay_status assay_findings_add_note(assay_findings *findings, const uint8_t *note, size_t count)
{
    return append(&findings->notes, note, count);
}
