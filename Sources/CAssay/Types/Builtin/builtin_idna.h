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

/* Maps capitals to small letters and brings a label to NFC (RFC 5895, section 2, steps 1 and 3); false if it becomes too long.
   Capitals whose small letter can give another name, such as U+0130 and the Kelvin sign, are not mapped. */
bool idna_label_map(idna_label *label);

/* Decodes what follows xn--. Digits and letters in either case; false if that is not Punycode of anything. */
bool idna_punycode_decode(const uint8_t *bytes, size_t count, idna_label *label);

/* How many characters a label has as Punycode, without xn--. */
size_t idna_punycode_length(const idna_label *label);

/* What a label is. */
typedef struct idna_findings {
    bool is_valid;    /* a U-label: RFC 5891, section 4.2; its length is not asked */
    bool is_bidi;     /* makes its name a bidi name: some character is written from right to left */
    bool breaks_bidi; /* may not stand in a bidi name: RFC 5893, section 2 */
} idna_findings;

/* Judges a label that is not all ASCII. */
idna_findings idna_label_judge(const idna_label *label);

/* Whether Unicode lets an identifier begin with a character (ID_Start), and go on with it (ID_Continue). */
bool builtin_starts_identifier(uint32_t scalar);
bool builtin_continues_identifier(uint32_t scalar);

#endif
