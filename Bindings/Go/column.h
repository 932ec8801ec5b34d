#ifndef ASSAY_GO_COLUMN_H
#define ASSAY_GO_COLUMN_H

#include <stddef.h>
#include <stdint.h>

/* A column of Go memory that is lent to C for one call. */
typedef struct assay_go_column {
    const uint8_t *bytes;
    size_t byte_count;
    const int64_t *offsets;
    const uint8_t *validity;
} assay_go_column;

#endif
