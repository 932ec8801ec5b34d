/* Findings. If many rows are invalid, a run spends most of its time on their text. So the code for a finding only
 * copies prepared text and writes the last digits of three numbers, and rules without findings in 64 rows are skipped.
 * */
#include "Memory/assay_grow.h"
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

#include "SIMD/assay_bits.h"

enum {
    label_bytes = 16, /* the max length of the text before a number */
    digits = 20,      /* the max number of digits */
    place_bytes = 3 * (label_bytes + digits),
    copied_bytes = 64,                 /* copied for each place without testing its length, which is rarely greater */
    note_place_bytes = 7 + 2 * digits, /* including the excess bytes of put_digits() */
};

typedef struct label {
    uint8_t bytes[label_bytes];
    size_t count;
} label;

/* The cached text of a place: record, line and offset, which differ little between consecutive findings. The text is
 * valid for all places with numbers that differ only in the last four digits:
 *
 *     {"record":120416,"line":120417,"offset":28415307
 *               ··└──┘        ··└──┘          ····└──┘     ends of the numbers: 16, 30, 48 */
typedef struct kept_place {
    uint64_t first[3]; /* the numbers with their last four digits set to zero */
    size_t ends[3];
    size_t count;
    uint8_t text[place_bytes + digits];
} kept_place;

/* Larger than any number of a place, so that an empty cache never matches. */
static const uint64_t is_empty = UINT64_C(1) << 63;

/* The public struct, followed by the private state. */
typedef struct writer {
    assay_findings findings;
    const assay_batch *batch;
    uint32_t first;  /* the first entry of the slice */
    uint64_t record; /* the number of the batch's first entry */
    uint64_t offset;
    size_t max;
    label before[3];
    kept_place place;
    uint8_t delimiter, delimiter2, quote;
    uint32_t delimiter_bytes;
    /* The mask word of the last call of comments_before(), and the number of comments before this word. */
    uint32_t comment_word, comments_before_word;
    /* The kinds found in each of 64 rows, `kind_capacity` entries per row. */
    uint32_t *found;
    size_t kind_capacity;
} writer;

assay_findings *assay_findings_create(const assay_finding_form *form)
{
    writer *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    for (int i = 0; i < 3; i++) {
        w->before[i].count = form->before[i].count;
        if (form->before[i].count > 0) memcpy(w->before[i].bytes, form->before[i].bytes, form->before[i].count);
        w->place.first[i] = is_empty;
    }
    w->delimiter = form->delimiter;
    w->delimiter2 = form->delimiter2;
    w->delimiter_bytes = form->delimiter2 == 0 ? 1 : 2;
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
                          uint64_t record, uint64_t line, uint64_t offset, size_t max)
{
    writer *w = (writer *)findings;
    findings->text.count = 0;
    findings->notes.count = 0;
    findings->lines = assay_lines_begin(batch, bytes, cr_ends, line);
    w->batch = batch;
    w->record = record;
    w->offset = offset;
    w->max = max;
    w->comment_word = 0;
    w->comments_before_word = 0;
}

static size_t bytes_used(const assay_pieces *pieces)
{
    return pieces->count == 0 ? 0 : pieces->ends[pieces->count - 1];
}

/* Reserves room for more pieces, and one byte more, so that the pointer to the bytes is never NULL. */
static bool reserve_pieces(assay_pieces *pieces, size_t bytes, size_t count)
{
    return assay_grow(&pieces->bytes, &pieces->byte_capacity, 1, bytes_used(pieces) + bytes + 1) &&
           assay_grow(&pieces->ends, &pieces->end_capacity, sizeof *pieces->ends, pieces->count + count);
}

static assay_status append(assay_pieces *pieces, const uint8_t *text, size_t count)
{
    if (!reserve_pieces(pieces, count, 1)) return ASSAY_NO_MEMORY;
    const size_t used = bytes_used(pieces);
    if (count > 0) memcpy(pieces->bytes + used, text, count);
    pieces->ends[pieces->count++] = used + count;
    return ASSAY_OK;
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                            "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

/* Writes a number and returns its end. Always writes `digits` bytes, and so overwrites bytes after the end. */
static uint8_t *put_digits(uint64_t number, uint8_t *out)
{
    uint8_t text[2 * digits];
    uint8_t *const end = text + digits, *start = end;
    for (; number >= 100; number /= 100) memcpy(start -= 2, pairs + 2 * (number % 100), 2);
    memcpy(start -= 2, pairs + 2 * number, 2);
    start += number < 10;
    memcpy(out, start, digits);
    return out + (end - start);
}

/* Writes a number below 10000 with leading zeros. */
static inline void put_four_digits(uint32_t number, uint8_t *out)
{
    const uint32_t high = number * 5243 >> 19; /* number / 100 */
    memcpy(out, pairs + 2 * high, 2);
    memcpy(out + 2, pairs + 2 * (number - 100 * high), 2);
}

/* Writes a place that does not match the cached text, and caches its text. */
__attribute__((noinline)) static uint8_t *put_other_place(writer *w, const uint64_t numbers[3], uint8_t *out)
{
    kept_place *kept = &w->place;
    uint8_t *end = kept->text;
    bool is_kept = true;
    for (int i = 0; i < 3; i++) {
        memcpy(end, w->before[i].bytes, w->before[i].count);
        end = put_digits(numbers[i], end + w->before[i].count);
        kept->ends[i] = (size_t)(end - kept->text);
        is_kept &= numbers[i] >= 10000;
    }
    kept->count = kept->ends[2];
    for (int i = 0; i < 3; i++) kept->first[i] = is_kept ? numbers[i] / 10000 * 10000 : is_empty;
    memcpy(out, kept->text, place_bytes);
    return out + kept->count;
}

static inline uint8_t *put_place(writer *w, uint64_t record, uint64_t line, uint64_t offset, uint8_t *out)
{
    const kept_place *kept = &w->place;
    const uint64_t last[3] = {record - kept->first[0], line - kept->first[1], offset - kept->first[2]};
    if (last[0] >= 10000 || last[1] >= 10000 || last[2] >= 10000) {
        return put_other_place(w, (const uint64_t[3]){record, line, offset}, out);
    }
    memcpy(out, kept->text, copied_bytes);
    if (kept->count > copied_bytes) memcpy(out + copied_bytes, kept->text + copied_bytes, place_bytes - copied_bytes);
    for (int i = 0; i < 3; i++) put_four_digits((uint32_t)last[i], out + kept->ends[i] - 4);
    return out + kept->count;
}

/* The number of comments before an entry. Calls in ascending order count each word of the mask once. */
__attribute__((noinline)) static uint32_t comments_before(writer *w, uint32_t entry)
{
    const assay_batch *batch = w->batch;
    const uint32_t word = entry / 64;
    if (word < w->comment_word) {
        w->comment_word = 0;
        w->comments_before_word = 0;
    }
    while (w->comment_word < word) {
        w->comments_before_word += count_ones_by_adding(batch->comments[w->comment_word++]);
    }
    const uint64_t before = batch->comments[word] & ((UINT64_C(1) << entry % 64) - 1);
    return w->comments_before_word + count_ones_by_adding(before);
}

static uint64_t record_number(writer *w, uint32_t entry)
{
    return w->record + entry - (w->batch->comment_count == 0 ? 0 : comments_before(w, entry));
}

static uint64_t line_at(writer *w, size_t place, uint32_t entry)
{
    assay_lines *lines = &w->findings.lines;
    return lines->is_regular ? lines->line + entry : assay_lines_at(lines, place, entry);
}

static uint8_t *put_delimiter(const writer *w, uint8_t *out)
{
    *out++ = w->delimiter;
    if (w->delimiter2 != 0) *out++ = w->delimiter2;
    return out;
}

/* Adds the reasons of one row as a note. A row without reasons gets no note. */
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
    const uint64_t line = line_at(w, w->batch->records[entry].start, entry);
    uint8_t *out = notes->bytes + bytes_used(notes);
    if (w->batch->records[entry].flags & ASSAY_RECORD_QUOTE_UNCLOSED) *out++ = w->quote;
    out = put_delimiter(w, out);
    out = put_digits(line, out);
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

/* The rows [row, end) in the word that begins at row `base`. */
static uint64_t rows_between(uint32_t base, uint32_t row, uint32_t end)
{
    uint64_t rows = ~(uint64_t)0;
    if (row > base) rows &= ~(uint64_t)0 << (row - base);
    if (end - base < 64) rows &= ((uint64_t)1 << (end - base)) - 1;
    return rows;
}

/* Writes the findings of the marked rows, among 64 entries, up to the limit of the call. */
__attribute__((noinline)) static void write_findings(writer *w, const assay_finding_kind *kinds,
                                                     const uint32_t *found_count, uint32_t first, uint64_t marked)
{
    const assay_record *const records = w->batch->records;
    const uint32_t *const field_ends = w->batch->field_ends;
    assay_pieces *text = &w->findings.text;
    uint8_t *out = text->bytes + bytes_used(text);
    for (; marked != 0; marked &= marked - 1) {
        const uint32_t row = (uint32_t)__builtin_ctzll(marked), entry = first + row;
        const uint32_t *found = w->found + row * w->kind_capacity, *const end = found + found_count[row];
        const uint64_t number = record_number(w, entry);
        for (; found < end && text->count < w->max; found++) {
            const assay_finding_kind *kind = &kinds[*found];
            const size_t place = kind->places != NULL ? kind->places[entry - w->first]
                                 : kind->field == 0
                                     ? records[entry].start
                                     : field_ends[records[entry].first_field + kind->field - 1] + w->delimiter_bytes;
            out = put_place(w, number, line_at(w, place, entry), w->offset + place, out);
            memcpy(out, kind->tail.bytes, kind->tail.count);
            out += kind->tail.count;
            text->ends[text->count++] = (size_t)(out - text->bytes);
        }
    }
}

/* Adds the findings of up to 64 rows. First builds a list of kinds per row, because masks are ordered by kind and the
 * text by row. */
static bool add_word(writer *w, const assay_finding_kind *kinds, size_t kind_count, uint32_t first, uint32_t base,
                     uint64_t selected, bool annotates)
{
    uint32_t found_count[64] = {0};
    uint64_t marked = 0;
    size_t count = 0, text_bytes = 0, note_bytes = 0;
    for (size_t kind = 0; kind < kind_count; kind++) {
        uint64_t rows = kinds[kind].rows[base / 64] & selected;
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
    if (annotates) {
        for (uint64_t rows = marked; rows != 0; rows &= rows - 1) {
            const uint32_t row = (uint32_t)__builtin_ctzll(rows);
            add_note(w, kinds, w->found + row * w->kind_capacity, found_count[row], first + base + row);
        }
    }
    write_findings(w, kinds, found_count, first + base, marked);
    return true;
}

assay_status assay_findings_add_rows(assay_findings *findings, const assay_finding_kind *kinds, size_t kind_count,
                                     uint32_t first, uint32_t row, uint32_t end, bool annotates)
{
    writer *w = (writer *)findings;
    if (!assay_grow(&w->found, &w->kind_capacity, 64 * sizeof *w->found, kind_count)) return ASSAY_NO_MEMORY;
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
    return findings->text.count < w->max ? append(&findings->text, text, count) : ASSAY_OK;
}

assay_status assay_findings_add_note(assay_findings *findings, const uint8_t *note, size_t count)
{
    return append(&findings->notes, note, count);
}
