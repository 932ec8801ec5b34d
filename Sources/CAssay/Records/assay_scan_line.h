/* assay_scan_line.h: physical lines, for records with untrusted quotes. */
#ifndef ASSAY_SCAN_LINE_H
#define ASSAY_SCAN_LINE_H

#include "Records/assay_scan_state.h"

/* Takes the bytes from scan->position to the end of the physical line that contains `from` as one record of one field,
 * and ignores quotes. `from` must be at least scan->position. `flags` is QUOTE_UNCLOSED, TOO_LONG or CONTINUATION. A
 * record over the limit becomes TOO_LONG, and a record that continues after the buffer also gets CONTINUED. Returns
 * false if no record could be taken.
 *
 * Escapes apply: an escaped terminator does not end a line. Whether a byte is escaped does not depend on quotes. */
bool assay_scan_take_line(assay_scan_state *scan, uint32_t from, uint32_t flags);

#endif
