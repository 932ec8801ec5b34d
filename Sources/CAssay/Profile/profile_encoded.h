/* Texts that were encoded twice. */
#ifndef ASSAY_PROFILE_ENCODED_H
#define ASSAY_PROFILE_ENCODED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a non-ASCII text was probably encoded in UTF-8, read as windows-1252 and encoded again, such as
   Jos\u00C3\u00A9: all non-ASCII characters, as bytes of windows-1252, are well-formed UTF-8. */
bool profile_is_twice_encoded(const uint8_t *value, size_t count);

#endif
