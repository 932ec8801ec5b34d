/* assay_invisible.h: classes of characters that readers do not see. Profiles count them, and repairs remove them. */
#ifndef ASSAY_INVISIBLE_H
#define ASSAY_INVISIBLE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a character joins letters (U+200D) or prevents a joint (U+200C). */
static inline bool is_joiner(uint32_t character) { return character == 0x200C || character == 0x200D; }

/* Whether a character has no width, such as U+200B between words. */
static inline bool is_zero_width(uint32_t character)
{
    return character == 0x200B || is_joiner(character) || character == 0x2060 || character == 0xFEFF;
}

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

/* Decomposition type noBreak among the spaces (Unicode 15, UnicodeData.txt). */
static inline bool is_no_break_space(uint32_t character)
{
    return character == 0xA0 || character == 0x2007 || character == 0x202F;
}

#endif
