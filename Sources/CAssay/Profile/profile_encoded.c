#include "Profile/profile_encoded.h"

#include "Bytes/assay_scalars.h"
#include "Bytes/assay_utf8.h"

/* The byte of a non-ASCII character in windows-1252 or ISO-8859-1, or 0 if both lack the character. */
static uint8_t western_byte(uint32_t character)
{
    /* The characters of the bytes 80 to 9F in windows-1252; 0: an unused byte. */
    static const uint16_t high[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    if (character >= 0x80 && character <= 0xFF) return (uint8_t)character;
    if (character > 0x2122) return 0;
    for (uint8_t i = 0; i < 32; i++) {
        if (high[i] == character) return (uint8_t)(0x80 + i);
    }
    return 0;
}

/* Whether a decoded character makes double encoding probable. Other characters result from correct text: the end of
   "NESCAF\u00C9\u00AE", an accented capital and a sign, has the bytes of U+026E. */
static bool is_probable(uint32_t character)
{
    return (character >= 0xA0 && character <= 0x17F) || (character >= 0x386 && character <= 0x4FF) ||
           (character >= 0x5D0 && character <= 0x5EA) || (character >= 0x620 && character <= 0x6FF) ||
           (character >= 0x900 && character <= 0xD7FF) || (character >= 0xFE00 && character <= 0xFFFD) ||
           character >= 0x1F000;
}

bool profile_is_twice_encoded(const uint8_t *value, size_t count)
{
    bool has_any = false;
    for (size_t at = 0; at < count;) {
        size_t length = 0;
        if (value[at] < 0x80) {
            at++;
            continue;
        }
        if (value[at] > 0xE2) return false; /* from U+3000 on */
        uint8_t inner[4] = {western_byte(character_at(value + at, &length)), 0, 0, 0};
        at += length;
        const size_t target = inner[0] < 0xC2 ? 0 : inner[0] < 0xE0 ? 2 : inner[0] < 0xF0 ? 3 : 4;
        size_t found = 1;
        for (; found < target && at < count && value[at] >= 0x80; found++, at += length) {
            inner[found] = western_byte(character_at(value + at, &length));
        }
        if (target == 0 || found < target || assay_utf8_character(inner, target) != target) return false;
        if (!is_probable(character_at(inner, &length))) return false;
        has_any = true;
    }
    return has_any;
}
