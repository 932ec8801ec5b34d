/* profile_numbers_blocks.h: reads the short numbers of a group of rows. Included by assay_kernels_*.c after an
 * assay_block_*.h. */
#include "Columns/assay_column_view.h"
#include "Profile/profile_classes.h"
#include "Profile/profile_distinct.h"
#include "Profile/profile_numbers.h"

#ifdef PROFILE_HAS_DIGITS
/* assay_read_sixteen_digits(), for 1 to 16 bytes. */
BLOCK_TARGET static inline bool read_digits(const uint8_t *end, size_t count, uint8_t point, assay_digits *digits)
{
    /* Sixteen bytes with all bits set, then as many zeros: the bytes up to the point. */
    static const uint8_t front[32] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    const profile_sixteen kept = profile_ones_before(count);
    unsigned points = 0;
    profile_sixteen found;
    const unsigned read = profile_digits(profile_load(end - 16), kept, point, &found, &points);
    const unsigned all = 0xFFFFu << (16 - count) & 0xFFFF;
    if ((read | points) != all || read == 0 || (points & (points - 1)) != 0) return false;
    const bool has_point = points != 0;
    const unsigned behind = has_point ? 15 - (unsigned)__builtin_ctz(points) : 0;
    digits->has_point = has_point;
    digits->behind = behind;
    digits->value = profile_digits_value(found, profile_load(front + (has_point ? behind : 16)));
    return digits->value >> 53 == 0;
}
#elif ASSAY_HAS_DIGIT_WORDS
static inline bool read_digits(const uint8_t *end, size_t count, uint8_t point, assay_digits *digits)
{
    return assay_read_sixteen_digits(end, count, point, digits) && digits->value >> 53 == 0;
}
#else
static inline bool read_digits(const uint8_t *end, size_t count, uint8_t point, assay_digits *digits)
{
    (void)end, (void)count, (void)point, (void)digits;
    return false;
}
#endif

/* Reads the short numbers among the rows of `there`, and clears their bits in it. */
BLOCK_TARGET static void profile_numbers_blocks(profile_numbers *numbers, const assay_column_view *group,
                                                uint64_t *there, uint8_t decimal)
{
    enum { ahead = 12 };
    size_t found = 0, leading_zeros = 0;
    for (size_t word = 0; word < assay_mask_words(group->count); word++) {
        uint64_t read = 0;
        for (uint64_t bits = there[word]; bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const assay_cell cell = group->cells[row];
            const size_t count = cell.length;
            const uint8_t *text = group->bytes + cell.start;
            /* The values of wide records are far from each other. */
            if (row + ahead < group->count) __builtin_prefetch(group->bytes + group->cells[row + ahead].start);
            if (count > 16 || cell.start + count < 16) continue;
            const bool is_negative = text[0] == '-';
            const bool has_sign = is_negative || text[0] == '+';
            const size_t length = count - has_sign;
            assay_digits digits;
            if (length == 0 || !read_digits(text + count, length, decimal, &digits)) continue;
            const size_t integer_digits = length - digits.behind - digits.has_point;
            double value = (double)(int64_t)digits.value;
            /* Both operands are exact, so the result is rounded once. */
            if (digits.behind != 0) value /= profile_powers_of_ten[digits.behind];
            numbers->values[found] = is_negative ? -value : value;
            const size_t sign = is_negative ? 1 : has_sign ? 2 : 0;
            numbers->forms[found] = (uint16_t)((sign * profile_form_digits + integer_digits) * profile_form_fractions +
                                               (digits.has_point ? digits.behind + 1 : 0));
            leading_zeros += integer_digits > 1 && text[has_sign] == '0';
            numbers->hashes[found] = profile_hash_short(text, count);
            numbers->rows[found] = (uint16_t)row;
            found++;
            read |= bits & -bits;
        }
        there[word] &= ~read;
    }
    numbers->count = found;
    numbers->leading_zeros = leading_zeros;
}
