/* Internationalized labels: IDNA 2008 (RFC 5890 to 5893) and Punycode (RFC 3492). */
#ifndef ASSAY_BUILTIN_IDNA_H
#define ASSAY_BUILTIN_IDNA_H

#include "assay/core.h"

/* A label has at most 63 characters as Punycode, so no more than that many before it is made. */
enum { IDNA_LABEL_SCALARS = 63 };

/* A label in Unicode. */
typedef struct idna_label {
    uint32_t scalars[IDNA_LABEL_SCALARS];
    size_t count;
} idna_label;

/* Reads UTF-8; false if it is ill-formed or too long for a label. */
bool idna_label_read(const uint8_t *bytes, size_t count, idna_label *label);

/* Brings a label to NFC; false if it becomes too long. */
bool idna_label_compose(idna_label *label);

/* Decodes what follows xn--. Digits and letters in either case; false if that is not Punycode of anything. */
bool idna_punycode_decode(const uint8_t *bytes, size_t count, idna_label *label);

/* How many characters a label has as Punycode, without xn--. */
size_t idna_punycode_length(const idna_label *label);

/* Whether a label that is not all ASCII is a U-label: RFC 5891, section 4.2, and 63 characters as A-label. */
bool idna_label_is_valid(const idna_label *label);

/* Whether a label of a name in which some label is written from right to left obeys RFC 5893, section 2. */
bool idna_label_obeys_bidi(const idna_label *label);

/* Whether the label holds a character that makes its name a bidi name. */
bool idna_label_is_bidi(const idna_label *label);

#endif
