/* assay_encoding_list.h: the supported encodings and their names. */
#ifndef ASSAY_ENCODING_LIST_H
#define ASSAY_ENCODING_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The method of decoding. */
typedef enum assay_encoding_kind {
    encoding_utf8,
    encoding_utf16,
    encoding_utf32,
    encoding_bytes,     /* a table of 256 entries */
    encoding_sequences, /* by iconv; outside of sequences, bytes below 80 are ASCII */
    encoding_stateful,  /* by iconv, for every byte */
} assay_encoding_kind;

/* The description of an encoding. */
typedef struct assay_encoding {
    const char *name;
    assay_encoding_kind kind;
    bool is_big_endian; /* UTF-16, UTF-32 */
    /* Names for iconv, separated by spaces; the first supported one is used. NULL: the bytes 0 to `last` are U+0000 to
     * U+0000 + `last`. */
    const char *iconv_names;
    uint8_t last;
    /* Normalized for assay_encoding_find(), separated by spaces. */
    const char *aliases;
} assay_encoding;

/* Finds an encoding by its name or an alias. Returns NULL if the name is unknown. */
const assay_encoding *assay_encoding_find(const char *name);

#endif
