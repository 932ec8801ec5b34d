/* Line numbers in a file, as an editor counts them. A record may have several lines, and a line several records. */
#include "assay/core.h"

static size_t count_lines(const uint8_t *bytes, size_t start, size_t end, bool cr_ends)
{
    const size_t feeds = assay_bytes_count(bytes + start, end - start, '\n');
    if (!cr_ends) return feeds;
    /* LF and CR LF end lines even if a bare CR does. Count CR LF once. */
    size_t lines = feeds + assay_bytes_count(bytes + start, end - start, '\r');
    for (size_t i = start; i < end; i++) lines -= i > 0 && bytes[i] == '\n' && bytes[i - 1] == '\r';
    return lines;
}

assay_lines assay_lines_begin(const assay_batch *batch, const uint8_t *bytes, bool cr_ends, uint64_t line)
{
    assay_lines lines = {bytes, line, 0, cr_ends, false};
    if (batch->record_count == 0 || batch->lines != batch->record_count) return lines;
    /* The batch has one line per record. All records except the last end with a terminator. If the last one also does,
     * each record has exactly one. */
    const uint32_t flags = batch->records[0].flags | batch->records[batch->record_count - 1].flags;
    const uint8_t last = bytes[batch->consumed - 1];
    lines.is_regular = (flags & (ASSAY_RECORD_CONTINUED | ASSAY_RECORD_CONTINUATION)) == 0 &&
                       (last == '\n' || (cr_ends && last == '\r'));
    return lines;
}

uint64_t assay_lines_at(assay_lines *lines, size_t place, uint32_t record)
{
    if (lines->is_regular) return lines->line + record;
    if (place < lines->place) return lines->line - count_lines(lines->bytes, place, lines->place, lines->cr_ends);
    lines->line += count_lines(lines->bytes, lines->place, place, lines->cr_ends);
    lines->place = place;
    return lines->line;
}
