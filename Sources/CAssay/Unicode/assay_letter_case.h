/* Simple case mappings (UnicodeData.txt), which map a character to one character, and decimal digits. */
#ifndef ASSAY_LETTER_CASE_H
#define ASSAY_LETTER_CASE_H

#include <stdint.h>

/* Returns the capital or the small letter of a scalar; the scalar itself if it has none, such as ß. */
uint32_t assay_letter_to_capital(uint32_t scalar);
uint32_t assay_letter_to_small(uint32_t scalar);

/* Returns the ASCII digit of a decimal digit (Nd) of any script; other scalars are returned unchanged. */
uint32_t assay_digit_to_ascii(uint32_t scalar);

#endif
