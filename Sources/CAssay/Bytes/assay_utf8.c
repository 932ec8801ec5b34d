/* Well-formed UTF-8, by table 3-7 of the Unicode standard:
 *
 *     first byte   second   third    fourth
 *     00..7F
 *     C2..DF       80..BF
 *     E0           A0..BF   80..BF              (below A0: overlong)
 *     E1..EC       80..BF   80..BF
 *     ED           80..9F   80..BF              (above 9F: a surrogate)
 *     EE..EF       80..BF   80..BF
 *     F0           90..BF   80..BF   80..BF     (below 90: overlong)
 *     F1..F3       80..BF   80..BF   80..BF
 *     F4           80..8F   80..BF   80..BF     (above 8F: beyond U+10FFFF)
 */
#include "Bytes/assay_utf8.h"

#include <stdbool.h>
#include <string.h>

#include "Dispatch/assay_kernels.h"
#include "assay/core.h"

static bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

size_t assay_utf8_character(const uint8_t *bytes, size_t count)
{
    uint8_t first = bytes[0];
    if (first < 0x80) return 1;
    if (first < 0xC2 || count < 2) return 0;
    if (first < 0xE0) return is_continuation(bytes[1]) ? 2 : 0;
    if (first < 0xF0) {
        uint8_t lowest = first == 0xE0 ? 0xA0 : 0x80;
        uint8_t highest = first == 0xED ? 0x9F : 0xBF;
        if (bytes[1] < lowest || bytes[1] > highest) return 0;
        return count >= 3 && is_continuation(bytes[2]) ? 3 : 0;
    }
    if (first < 0xF5) {
        uint8_t lowest = first == 0xF0 ? 0x90 : 0x80;
        uint8_t highest = first == 0xF4 ? 0x8F : 0xBF;
        if (bytes[1] < lowest || bytes[1] > highest) return 0;
        return count >= 4 && is_continuation(bytes[2]) && is_continuation(bytes[3]) ? 4 : 0;
    }
    return 0;
}

/* Whether eight characters follow that are ASCII. */
static bool is_ascii(const uint8_t *bytes, size_t count)
{
    uint64_t eight;
    if (count < sizeof eight) return false;
    memcpy(&eight, bytes, sizeof eight);
    return (eight & 0x8080808080808080u) == 0;
}

size_t assay_utf8_valid_prefix_plain(const uint8_t *bytes, size_t count)
{
    size_t i = 0;
    while (i < count) {
        const size_t length = is_ascii(bytes + i, count - i) ? 8 : assay_utf8_character(bytes + i, count - i);
        if (length == 0) break;
        i += length;
    }
    return i;
}

/* States, as the amount to shift by. Each transition stands at the place of the state it leaves; what is not named leads
 * to 0, utf8_wrong. */
enum {
    one_more = 12,
    two_more = 18,
    three_more = 24,
    after_e0 = 30,
    after_ed = 36,
    after_f0 = 42,
    after_f4 = 48,
};
#define GO(from, to) ((uint64_t)(to) << (from))
#define CONTINUES (GO(one_more, utf8_between) | GO(two_more, one_more) | GO(three_more, two_more))
#define TIMES_2(x) x, x
#define TIMES_4(x) TIMES_2(x), TIMES_2(x)
#define TIMES_8(x) TIMES_4(x), TIMES_4(x)
#define TIMES_16(x) TIMES_8(x), TIMES_8(x)
#define TIMES_128(x)                                                                                                   \
    TIMES_16(x), TIMES_16(x), TIMES_16(x), TIMES_16(x), TIMES_16(x), TIMES_16(x), TIMES_16(x), TIMES_16(x)

/* clang-format off */
const uint64_t assay_utf8_transitions[256] = {
    TIMES_128(GO(utf8_between, utf8_between)),                                                 /* 00..7F */
    TIMES_16(CONTINUES | GO(after_ed, one_more) | GO(after_f4, two_more)),                     /* 80..8F */
    TIMES_16(CONTINUES | GO(after_ed, one_more) | GO(after_f0, two_more)),                     /* 90..9F */
    TIMES_16(CONTINUES | GO(after_e0, one_more) | GO(after_f0, two_more)),                     /* A0..AF */
    TIMES_16(CONTINUES | GO(after_e0, one_more) | GO(after_f0, two_more)),                     /* B0..BF */
    TIMES_2(0),                                                                                /* C0, C1 */
    TIMES_2(GO(utf8_between, one_more)), TIMES_4(GO(utf8_between, one_more)),                  /* C2..C7 */
    TIMES_8(GO(utf8_between, one_more)), TIMES_16(GO(utf8_between, one_more)),                 /* C8..DF */
    GO(utf8_between, after_e0),                                                                /* E0 */
    TIMES_4(GO(utf8_between, two_more)), TIMES_8(GO(utf8_between, two_more)),                  /* E1..EC */
    GO(utf8_between, after_ed),                                                                /* ED */
    TIMES_2(GO(utf8_between, two_more)),                                                       /* EE, EF */
    GO(utf8_between, after_f0),                                                                /* F0 */
    TIMES_2(GO(utf8_between, three_more)), GO(utf8_between, three_more),                       /* F1..F3 */
    GO(utf8_between, after_f4),                                                                /* F4 */
    0, TIMES_2(0), TIMES_8(0),                                                                 /* F5..FF */
};
/* clang-format on */

size_t assay_utf8_valid_prefix(const uint8_t *bytes, size_t count)
{
    return assay_kernels_current()->utf8_valid_prefix(bytes, count);
}
