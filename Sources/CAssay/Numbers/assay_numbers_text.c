/* Integers of a column in decimal. */
#include "assay/numbers.h"

#include <string.h>

/* The two digits of each number below 100. */
static const char pairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546"
    "4748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293"
    "949596979899";

/* Writes a number and returns the end of its text. */
static uint8_t *write_number(uint8_t *text, uint64_t number)
{
    uint8_t digits[ASSAY_NUMBER_MAX_TEXT];
    uint8_t *first = digits + sizeof digits;
    while (number >= 100) {
        first -= 2;
        memcpy(first, pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (number >= 10) {
        first -= 2;
        memcpy(first, pairs + 2 * number, 2);
    } else {
        *--first = (uint8_t)('0' + number);
    }
    const size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(text, first, length);
    return text + length;
}

#define WRITE(name, type, is_negative)                                                                                 \
    static uint8_t *name(const uint8_t *at, size_t count, const uint64_t *skip, uint8_t *text, size_t start,           \
                         assay_cell *cells)                                                                            \
    {                                                                                                                  \
        const uint8_t *const base = text;                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            uint8_t *const first = text;                                                                               \
            if (!(skip[i / 64] >> (i % 64) & 1)) {                                                                     \
                type value;                                                                                            \
                memcpy(&value, at + i * sizeof value, sizeof value);                                                   \
                const uint64_t bits = (uint64_t)value;                                                                 \
                if (is_negative) *text++ = '-';                                                                        \
                text = write_number(text, is_negative ? 0 - bits : bits);                                              \
            }                                                                                                          \
            cells[i] = (assay_cell){(uint32_t)(start + (size_t)(first - base)), (uint32_t)(text - first)};             \
        }                                                                                                              \
        return text;                                                                                                   \
    }

WRITE(write_int8, int8_t, value < 0)
WRITE(write_int16, int16_t, value < 0)
WRITE(write_int32, int32_t, value < 0)
WRITE(write_int64, int64_t, value < 0)
WRITE(write_uint8, uint8_t, false)
WRITE(write_uint16, uint16_t, false)
WRITE(write_uint32, uint32_t, false)
WRITE(write_uint64, uint64_t, false)

size_t assay_numbers_write(assay_number_form form, const void *values, size_t count, const uint64_t *skip,
                           uint8_t *text, size_t start, assay_cell *cells)
{
    uint8_t *end = text;
    switch (form) {
    case ASSAY_NUMBER_INT8:
        end = write_int8(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_INT16:
        end = write_int16(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_INT32:
        end = write_int32(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_INT64:
        end = write_int64(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_UINT8:
        end = write_uint8(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_UINT16:
        end = write_uint16(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_UINT32:
        end = write_uint32(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_UINT64:
        end = write_uint64(values, count, skip, text, start, cells);
        break;
    case ASSAY_NUMBER_INT128:
    case ASSAY_NUMBER_FLOAT32:
    case ASSAY_NUMBER_FLOAT64:
        break;
    }
    return (size_t)(end - text);
}
