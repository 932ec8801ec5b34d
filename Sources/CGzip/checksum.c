/* CRC-32 of two concatenated texts, from the CRC-32 of each (RFC 1952, section 8).
 *
 * A checksum is a polynomial over GF(2) modulo P of degree 32. Appending n bytes multiplies the checksum of the text
 * before them by x^(8n). Bit 31 represents x^0, as in the reflected form that gzip uses. */
#include "gzip.h"

static const uint32_t polynomial = 0xEDB88320;
static const uint32_t one = UINT32_C(1) << 31;

static uint32_t times_x(uint32_t a) { return a >> 1 ^ ((a & 1) != 0 ? polynomial : 0); }

static uint32_t product(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t bit = one; bit != 0; bit >>= 1) {
        if ((a & bit) != 0) sum ^= b;
        b = times_x(b);
    }
    return sum;
}

uint32_t gzip_checksum_of_both(uint32_t first, uint32_t second, size_t second_count)
{
    /* x^8, squared for each bit of the count. */
    uint32_t power = one >> 8, shift = one;
    for (; second_count != 0; second_count >>= 1) {
        if ((second_count & 1) != 0) shift = product(shift, power);
        power = product(power, power);
    }
    return product(shift, first) ^ second;
}
