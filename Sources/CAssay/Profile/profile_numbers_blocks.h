/* profile_numbers_blocks.h: reads the short numbers of a group of rows. Included by assay_kernels_*.c after an
 * assay_block_*.h.
 *
 *     cells ──► the last 16 bytes of each, as two words ──► digits and facts ──► numbers, with their hashes
 *
 * Each value is a lane. The loops over lanes do not contain branches, so that the compiler turns them into vectors. */
#include "Columns/assay_column_view.h"
#include "Profile/profile_distinct.h"
#include "Profile/profile_numbers.h"

#if ASSAY_HAS_DIGIT_WORDS

/* Facts about a lane, after the bits of its form. */
enum {
    lane_is_number = 1 << 16,
    lane_is_negative = 1 << 17,
    lane_has_leading_zero = 1 << 18,
    lane_is_rare = 1 << 19, /* may be a placeholder */
    lane_behind_shift = 20  /* the number of digits after the point */
};

typedef struct number_lanes {
    uint64_t front[profile_group_rows], last[profile_group_rows]; /* the last 16 bytes up to the end of the value */
    uint64_t counts[profile_group_rows];                          /* the lengths: 1 to 16 */
    uint64_t digits[profile_group_rows];                          /* the value of all digits */
    uint64_t facts[profile_group_rows];
    uint64_t ends[profile_group_rows]; /* assay_hash_load() of the last bytes: 8 if there are more, otherwise all */
    uint16_t rows[profile_group_rows];
} number_lanes;

/* A text without its point: the bytes before the point are moved toward the end. */
typedef struct lane_text {
    uint64_t text;
    uint64_t points; /* the high bit of each byte that was a point */
    uint64_t behind; /* the number of bytes after the first point, or 7 */
} lane_text;

/* `moved`: the byte that takes the place of the first one. */
BLOCK_INLINE lane_text lane_without_point(uint64_t text, uint8_t point, uint64_t moved)
{
    const uint64_t points = assay_points_of(text, point), before = ((points & -points) >> 7) - (points != 0);
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t joined = (text & ~(before << 8 | 0xFF)) | (text & before) << 8 | moved;
    return (lane_text){points != 0 ? joined : text, points, 7 - ((before & ones) * ones >> 56)};
}

/* The value of eight digits, as by assay_eight_digits(), but with one multiplication, of 32 bits. */
BLOCK_INLINE uint64_t lane_value(uint64_t text)
{
    const uint64_t digits = text & UINT64_C(0x0F0F0F0F0F0F0F0F);
    const uint64_t pairs = ((digits << 3) + (digits << 1) + (digits >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    const uint64_t fours = ((pairs << 6) + (pairs << 5) + (pairs << 2) + (pairs >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (fours & UINT32_MAX) * 10000 + (fours >> 32);
}

/* assay_hash_load() of the last `count` bytes of a word, 1 to 8. */
BLOCK_INLINE uint64_t lane_end(uint64_t last, uint64_t count)
{
    const uint64_t word = last >> (64 - 8 * count);
    const uint64_t four = (word & UINT32_MAX) | (last & ~(uint64_t)UINT32_MAX);
    const uint64_t three = (word & 0xFF) | (word >> (count >> 1 << 3) & 0xFF) << 8 | last >> 56 << 16;
    return count >= 4 ? four : three;
}

/* The facts about a value of `length` bytes after the sign. `text`: its digits; its last bytes if there are more. */
BLOCK_INLINE uint64_t lane_facts(uint64_t text, uint64_t digits, uint64_t length, uint64_t first_digit,
                                 uint64_t is_negative, uint64_t has_sign, uint64_t behind, uint64_t has_point,
                                 uint64_t are_digits)
{
    const uint64_t sign = is_negative + 2 * (has_sign & (is_negative ^ 1)), whole = length - behind - has_point;
    const uint64_t form =
        sign * (profile_form_digits * profile_form_fractions) + whole * profile_form_fractions + behind + has_point;
    const uint64_t is_number = are_digits & (uint64_t)(length > has_point);
    /* A placeholder has one digit or ends in 99 (profile_may_be_placeholder). After a point it has zeros. */
    const uint64_t ends_whole = (uint64_t)(digits < 10) | (uint64_t)(text >> 48 == 0x3939);
    const uint64_t ends_zero = (uint64_t)(behind == 0) | (uint64_t)(text >> 56 == '0');
    const uint64_t is_rare = has_point != 0 ? ends_zero : ends_whole;
    const uint64_t has_zero = (uint64_t)(whole > 1) & (uint64_t)(first_digit == '0');
    return (form & 0xFFFF) | is_number * lane_is_number | is_negative * lane_is_negative |
           has_zero * lane_has_leading_zero | is_rare * lane_is_rare | behind << lane_behind_shift;
}

/* Reads values of up to eight bytes. */
BLOCK_TARGET static void read_short_lanes(number_lanes *lanes, size_t count, uint8_t point)
{
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    for (size_t i = 0; i < count; i++) {
        const uint64_t last = lanes->last[i], length = lanes->counts[i], shift = 64 - 8 * length;
        const uint64_t word = last >> shift, first = word & 0xFF;
        const uint64_t is_negative = first == '-', has_sign = is_negative | (uint64_t)(first == '+');
        const uint64_t unused = (((uint64_t)1 << shift) << 8 * has_sign) - 1;
        const lane_text text = lane_without_point((last & ~unused) | (zeros & unused), point, '0');
        const uint64_t has_point = text.points != 0, digits = lane_value(text.text);
        const uint64_t are_digits = (uint64_t)assay_are_digits(text.text);
        lanes->digits[i] = digits;
        lanes->ends[i] = lane_end(last, length);
        lanes->facts[i] = lane_facts(text.text, digits, length - has_sign, word >> 8 * has_sign & 0xFF, is_negative,
                                     has_sign, text.behind * has_point, has_point, are_digits);
    }
}

/* Reads values of up to sixteen bytes. */
BLOCK_TARGET static void read_long_lanes(number_lanes *lanes, size_t count, uint8_t point)
{
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    for (size_t i = 0; i < count; i++) {
        const uint64_t last = lanes->last[i], front = lanes->front[i], length = lanes->counts[i];
        const uint64_t is_long = length > 8, kept = is_long ? length - 8 : length;
        const uint64_t begin = is_long ? front : last, shift = 64 - 8 * kept;
        const uint64_t word = begin >> shift, first = word & 0xFF;
        const uint64_t is_negative = first == '-', has_sign = is_negative | (uint64_t)(first == '+');
        /* The second byte of a value that has one byte in `front` is the first one of `last`. */
        const uint64_t next = kept > has_sign ? word >> 8 * has_sign & 0xFF : last & 0xFF;
        const uint64_t unused = (((uint64_t)1 << shift) << 8 * has_sign) - 1;
        const uint64_t unused_front = is_long ? unused : UINT64_MAX, unused_last = is_long ? 0 : unused;
        const uint64_t front_text = (front & ~unused_front) | (zeros & unused_front);
        const uint64_t last_text = (last & ~unused_last) | (zeros & unused_last);
        const lane_text low = lane_without_point(last_text, point, front_text >> 56);
        const lane_text high = lane_without_point(front_text, point, '0');
        const uint64_t high_text = low.points != 0 ? front_text << 8 | '0' : high.text;
        const uint64_t has_point = (low.points | high.points) != 0;
        const uint64_t behind = low.points != 0 ? low.behind : 8 + high.behind;
        const uint64_t digits = (lane_value(high_text) & UINT32_MAX) * 100000000 + lane_value(low.text);
        const uint64_t are_digits = (uint64_t)assay_are_digits(high_text) & (uint64_t)assay_are_digits(low.text) &
                                    (uint64_t)(digits >> 53 == 0);
        lanes->digits[i] = digits;
        lanes->ends[i] = lane_end(last, kept);
        lanes->facts[i] = lane_facts(low.text, digits, length - has_sign, next, is_negative, has_sign,
                                     behind * has_point, has_point, are_digits);
    }
}

/* Collects the values of `there` that have up to sixteen bytes, and clears their bits. Returns the maximum length. */
BLOCK_TARGET static uint64_t collect_lanes(number_lanes *lanes, size_t *count, const assay_column_view *group,
                                           uint64_t *there)
{
    enum { ahead = 12 };
    size_t found = 0;
    uint64_t longest = 0;
    for (size_t word = 0; word < assay_mask_words(group->count); word++) {
        uint64_t others = 0;
        for (uint64_t bits = there[word]; bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const assay_cell cell = group->cells[row];
            const uint8_t *end = group->bytes + cell.start + cell.length;
            /* The values of wide records are far from each other. */
            if (row + ahead < group->count) __builtin_prefetch(group->bytes + group->cells[row + ahead].start);
            if (cell.length > 16 || cell.start + (size_t)cell.length < 16) {
                others |= bits & -bits;
                continue;
            }
            memcpy(&lanes->front[found], end - 16, sizeof lanes->front[found]);
            memcpy(&lanes->last[found], end - 8, sizeof lanes->last[found]);
            lanes->counts[found] = cell.length;
            lanes->rows[found] = (uint16_t)row;
            longest = cell.length > longest ? cell.length : longest;
            found++;
        }
        there[word] = others;
    }
    *count = found;
    return longest;
}

/* Removes the lanes that are not numbers, and sets the bits of their rows. Returns the number of the other lanes. */
BLOCK_TARGET static size_t keep_numbers(number_lanes *lanes, size_t count, uint64_t *there)
{
    uint64_t all = lane_is_number;
    for (size_t i = 0; i < count; i++) all &= lanes->facts[i];
    if (all != 0) return count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t row = lanes->rows[i];
        if ((lanes->facts[i] & lane_is_number) == 0) {
            there[row / 64] |= UINT64_C(1) << row % 64;
            continue;
        }
        lanes->facts[kept] = lanes->facts[i];
        lanes->digits[kept] = lanes->digits[i];
        lanes->ends[kept] = lanes->ends[i];
        lanes->counts[kept] = lanes->counts[i];
        lanes->last[kept] = lanes->last[i];
        lanes->rows[kept++] = row;
    }
    return kept;
}

/* The hashes of the values, up to eight or up to sixteen bytes long. */
BLOCK_INLINE void hash_lanes(const number_lanes *lanes, size_t count, const assay_column_view *group, uint64_t longest,
                             uint64_t *hashes)
{
    uint64_t begins[17];
    for (size_t length = 1; length <= longest; length++) begins[length] = profile_hash_begin(length);
    for (size_t i = 0; i < count; i++) {
        const uint64_t length = lanes->counts[i];
        uint64_t hash = begins[length];
        if (longest > 8) {
            uint64_t first = 0;
            const uint8_t *start = group->bytes + group->cells[lanes->rows[i]].start;
            /* Not after the end of a shorter value. */
            memcpy(&first, length > 8 ? start : (const uint8_t *)&lanes->last[i], sizeof first);
            const uint64_t mixed = assay_hash_mix(hash, first);
            hash = length > 8 ? mixed : hash;
        }
        hashes[i] = profile_hash_end(assay_hash_mix(hash, lanes->ends[i]));
    }
}

/* Reads the short numbers among the rows of `there`, and clears their bits in it. */
BLOCK_TARGET static void profile_numbers_blocks(profile_numbers *numbers, const assay_column_view *group,
                                                uint64_t *there, uint8_t decimal)
{
    number_lanes lanes;
    size_t collected = 0, leading_zeros = 0;
    const uint64_t longest = collect_lanes(&lanes, &collected, group, there);
    if (longest <= 8) {
        read_short_lanes(&lanes, collected, decimal);
    } else {
        read_long_lanes(&lanes, collected, decimal);
    }
    const size_t count = keep_numbers(&lanes, collected, there);
    if (longest <= 8) {
        hash_lanes(&lanes, count, group, longest, numbers->hashes);
    } else {
        hash_lanes(&lanes, count, group, 16, numbers->hashes);
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t facts = lanes.facts[i];
        const size_t behind = (size_t)(facts >> lane_behind_shift);
        double value = (double)(int64_t)lanes.digits[i];
        /* Both operands are exact, so the result is rounded once. */
        if (behind != 0) value /= profile_powers_of_ten[behind];
        numbers->values[i] = (facts & lane_is_negative) != 0 ? -value : value;
    }
    for (size_t i = 0; i < count; i++) {
        numbers->forms[i] = (uint16_t)lanes.facts[i];
        numbers->is_rare[i] = (lanes.facts[i] & lane_is_rare) != 0;
        leading_zeros += (lanes.facts[i] & lane_has_leading_zero) != 0;
    }
    memcpy(numbers->rows, lanes.rows, count * sizeof numbers->rows[0]);
    numbers->count = count;
    numbers->leading_zeros = leading_zeros;
}

#else

BLOCK_TARGET static void profile_numbers_blocks(profile_numbers *numbers, const assay_column_view *group,
                                                uint64_t *there, uint8_t decimal)
{
    (void)group, (void)there, (void)decimal;
    numbers->count = numbers->leading_zeros = 0;
}

#endif
