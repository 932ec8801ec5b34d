/* assay_utf16_shuffles.h: shuffles that remove the unused bytes of converted UTF-16 units. assay_decoder_create() fills
 * the tables.
 *
 *     8 units below 800, each as two bytes or as ASCII and an unused byte; bit k of the index: unit k has two bytes
 *
 *     ж     a     я         D0 B6 | 61 .. | D1 8F | …       index = …101
 *                           D0 B6 61 D1 8F …
 *
 *     4 units, each in four bytes; bit k: unit k has two or three bytes; bit 4 + k: it has three */
#ifndef ASSAY_UTF16_SHUFFLES_H
#define ASSAY_UTF16_SHUFFLES_H

#include <stdint.h>

typedef struct assay_utf16_shuffles {
    uint8_t of_8[256][16];
    uint8_t of_4[256][16];
} assay_utf16_shuffles;

#endif
