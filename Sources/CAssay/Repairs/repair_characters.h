/* repair_characters.h: classes of characters that repairs remove or keep. */
#ifndef ASSAY_REPAIR_CHARACTERS_H
#define ASSAY_REPAIR_CHARACTERS_H

#include "Bytes/assay_scalars.h"
#include "assay/core.h"

/* Whether a character has no width, such as U+200B between words. */
static inline bool is_zero_width(uint32_t character)
{
    return (character >= 0x200B && character <= 0x200D) || character == 0x2060 || character == 0xFEFF;
}

/* Whether trim removes a character. */
static inline bool is_trimmed(uint32_t character) { return is_white_space(character) || is_zero_width(character); }

/* Bidi_Control (Unicode 15, PropList.txt): invisible marks and embeddings, which are often pasted by accident. */
static inline bool is_direction_mark(uint32_t character)
{
    return character == 0x061C || character == 0x200E || character == 0x200F ||
           (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

/* General category Cc. */
static inline bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character <= 0x9F);
}

#endif
