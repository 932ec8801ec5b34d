/* assay_encoding_list.h: the encodings that there are, and their names. */
#ifndef ASSAY_ENCODING_LIST_H
#define ASSAY_ENCODING_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How text of an encoding is read. */
typedef enum assay_encoding_kind {
    encoding_utf8,
    encoding_utf16,
    encoding_utf32,
    encoding_bytes,     /* a table of 256 entries */
    encoding_sequences, /* by iconv; outside of sequences ASCII bytes are ASCII */
    encoding_stateful,  /* by iconv, every byte of it */
} assay_encoding_kind;

/* A description. */
typedef struct assay_encoding {
    const char *name;
    assay_encoding_kind kind;
    bool is_big_endian; /* UTF-16, UTF-32 */
    /* For iconv, the first that it knows; separated by spaces. NULL: the entries 0 to `last` of a table are U+0000 and so on. */
    const char *iconv_names;
    uint8_t last;
    /* As assay_encoding_find compares them, separated by spaces. */
    const char *aliases;
} assay_encoding;

/* NULL: none of that name. */
const assay_encoding *assay_encoding_find(const char *name);

#endif
