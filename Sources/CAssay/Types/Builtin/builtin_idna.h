/* Internationalized labels: IDNA 2008 (RFC 5890 to 5893) and Punycode (RFC 3492). */
#ifndef ASSAY_BUILTIN_IDNA_H
#define ASSAY_BUILTIN_IDNA_H

#include "assay/core.h"

/* A label has at most 63 characters as Punycode, and therefore at most 63 scalars. */
enum { IDNA_LABEL_SCALARS = 63 };

/* A Unicode label. */
typedef struct idna_label {
    uint32_t scalars[IDNA_LABEL_SCALARS];
    size_t count;
} idna_label;

/* Reads UTF-8. Returns false if it is ill-formed or too long for a label. */
bool idna_label_read(const uint8_t *bytes, size_t count, idna_label *label);

/* Normalizes a label to NFC. Returns false if it becomes too long. */
bool idna_label_compose(idna_label *label);

/* Maps a label to lowercase and NFC (RFC 5895, section 2, steps 1 and 3). Returns false if it becomes too long. Does
   not map capitals that may result in another name, such as U+0130 and the Kelvin sign. */
bool idna_label_map(idna_label *label);

/* Decodes Punycode after xn--, in either case. Returns false if it is not the Punycode of a label. */
bool idna_punycode_decode(const uint8_t *bytes, size_t count, idna_label *label);

/* The length of a label as Punycode, without xn--. */
size_t idna_punycode_length(const idna_label *label);

/* The properties of a label. */
typedef struct idna_findings {
    bool is_valid;    /* a U-label (RFC 5891, section 4.2) of any length */
    bool is_bidi;     /* contains a right-to-left character, which makes the name a bidi name */
    bool breaks_bidi; /* not allowed in a bidi name (RFC 5893, section 2) */
} idna_findings;

/* Checks a label with non-ASCII characters. */
idna_findings idna_label_evaluate(const idna_label *label);

/* Whether an identifier may begin with a character (ID_Start), or continue with it (ID_Continue). */
bool builtin_starts_identifier(uint32_t scalar);
bool builtin_continues_identifier(uint32_t scalar);

#endif
