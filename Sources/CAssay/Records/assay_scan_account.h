/* assay_scan_account.h: what a batch notes of a record besides its bounds. */
#ifndef ASSAY_SCAN_ACCOUNT_H
#define ASSAY_SCAN_ACCOUNT_H

#include "Records/assay_scan_state.h"

/* Counts the line terminators of the record that the batch has just taken, looks for what its cells may be without, notes whether
 * it is a comment, and leaves its UTF-8 unverified. */
void assay_scan_account(assay_scan_state *scan);

#endif
