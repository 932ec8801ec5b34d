/* Classes of ASCII bytes, independent of the locale. */
#ifndef ASSAY_ASCII_H
#define ASSAY_ASCII_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

static inline bool is_letter(uint8_t byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

static inline bool is_hex_digit(uint8_t byte)
{
    return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
}

/* The value of a hexadecimal digit. The byte must be one. */
static inline unsigned hex_value(uint8_t byte)
{
    return is_digit(byte) ? byte - (unsigned)'0' : (byte | 0x20u) - 'a' + 10u;
}

static inline bool is_one_of(uint8_t byte, const char *bytes) { return byte != 0 && strchr(bytes, byte) != NULL; }

#endif
