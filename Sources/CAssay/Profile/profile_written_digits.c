/* The digits of dates and times. */
#include "Bytes/assay_ascii.h"
#include "assay/profile.h"

static bool are_digits(const uint8_t *text, size_t count)
{
    bool are_digits = true;
    for (size_t i = 0; i < count; i++) are_digits &= is_digit(text[i]);
    return are_digits;
}

void assay_profile_require_digits(assay_written_digits digits, const uint8_t *bytes, const assay_cell *cells,
                                  size_t count, const uint64_t *skip, uint64_t *failed)
{
    const size_t first = digits.first, last = digits.last;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        uint64_t failures = 0;
        for (uint64_t bits = assay_mask_rest(skip, count, word) & ~failed[word]; bits != 0; bits &= bits - 1) {
            const assay_cell cell = cells[word * 64 + (size_t)__builtin_ctzll(bits)];
            const uint8_t *text = bytes + cell.start;
            const size_t length = cell.length;
            const bool has_digits = digits.length > 0 ? length == digits.length
                                                      : length >= first + last && are_digits(text, first) &&
                                                            are_digits(text + length - last, last);
            if (!has_digits) failures |= bits & -bits;
        }
        failed[word] |= failures;
    }
}
