/* assay_scan_account.h: the properties of a record that a batch stores in addition to its bounds. */
#ifndef ASSAY_SCAN_ACCOUNT_H
#define ASSAY_SCAN_ACCOUNT_H

#include "Records/assay_scan_state.h"

/* Updates the batch for its last record: counts line terminators, marks comments and records with bytes that cells may
 * omit, and marks the UTF-8 as unverified. */
void assay_scan_account(assay_scan_state *scan);

#endif
