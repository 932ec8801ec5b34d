/* repair_characters.h: classes of characters that repairs remove or keep. */
#ifndef ASSAY_REPAIR_CHARACTERS_H
#define ASSAY_REPAIR_CHARACTERS_H

#include "Bytes/assay_invisible.h"
#include "Bytes/assay_scalars.h"
#include "assay/core.h"

/* Whether trim removes a character. */
static inline bool is_trimmed(uint32_t character) { return is_white_space(character) || is_zero_width(character); }

#endif
