/* assay_scan_line.h: physical lines, for records that are not believed. */
#ifndef ASSAY_SCAN_LINE_H
#define ASSAY_SCAN_LINE_H

#include "Records/assay_scan_state.h"

/* Takes what stands from scan->position to the end of the physical line of `from`, which is no less, as one record of one field,
 * quotes ignored. `flags` is QUOTE_UNCLOSED, TOO_LONG or CONTINUATION; what is over the record limit becomes TOO_LONG, and what
 * goes on beyond the buffer CONTINUED besides. False: nothing could be taken.
 *
 * Escapes are not ignored: an escaped terminator ends no line. Inside quotes and outside it is the same ones that are escaped. */
bool assay_scan_take_line(assay_scan_state *scan, uint32_t from, uint32_t flags);

#endif
