#include "Bytes/assay_utf8.h"

#include <stdbool.h>
#include <string.h>

#include "Bytes/assay_scalars.h"
#include "Dispatch/assay_kernels.h"
#include "assay/core.h"

/* Whether at least eight bytes follow and the first eight are ASCII. */
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

/* States, as shift counts. The six bits at the shift count of a state contain its next state. Transitions that are not
 * listed lead to 0, utf8_wrong. */
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
