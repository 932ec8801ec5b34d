/* assay_views_blocks.h: Arrow's string views as cells. Included by assay_kernels_*.c after an assay_block_*.h. The loop
 * has selections instead of branches, because inline and out-of-line strings alternate unpredictably, and so that
 * compilers can vectorize it: 16 views at once with AVX-512, 8 with AVX2. */

#include "assay/core.h"

BLOCK_TARGET static bool cells_from_views_blocks(const assay_string_view *restrict views, size_t count,
                                                 const assay_view_source *source, assay_cell *restrict cells,
                                                 assay_view_texts *texts)
{
    const assay_view_source from = *source;
    assay_view_texts found = {.shortest = UINT32_MAX};
    uint32_t other_buffers = 0;
    int32_t begin = INT32_MAX;
    for (size_t row = 0; row < count; row++) {
        const assay_string_view view = views[row];
        const uint32_t length = (uint32_t)view.length, offset = (uint32_t)view.offset;
        const bool is_inline = view.length <= ASSAY_STRING_VIEW_INLINE;
        /* All ones for an out-of-line string. */
        const uint32_t mask = is_inline ? 0 : UINT32_MAX;
        const uint32_t inside = from.views_start + (uint32_t)row * (uint32_t)sizeof view + 4;
        cells[row] = (assay_cell){is_inline ? inside : from.buffer_start + offset, length};

        found.shortest = length < found.shortest ? length : found.shortest;
        found.longest = length > found.longest ? length : found.longest;
        found.inline_count += is_inline;
        found.inline_bits |= ~mask & (view.prefix | (uint32_t)view.buffer | offset);
        other_buffers |= mask & (uint32_t)(view.buffer ^ from.buffer);
        found.buffer_bytes += mask & length;
        const int32_t start = is_inline ? INT32_MAX : view.offset;
        begin = start < begin ? start : begin;
        const uint32_t end = mask & (offset + length);
        found.buffer_end = end > found.buffer_end ? end : found.buffer_end;
    }
    found.buffer_begin = found.inline_count == count ? 0 : (uint32_t)begin;
    *texts = found;
    /* A negative length is above INT32_MAX here. Without negative lengths and offsets, no end overflows. */
    return found.longest <= INT32_MAX && found.longest <= from.longest && other_buffers == 0 && begin >= 0 &&
           (uint32_t)begin >= from.begin && found.buffer_end <= from.end;
}
