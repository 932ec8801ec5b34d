#include "Types/assay_prefilter.h"

#include "Bytes/assay_ascii.h"

#include <stdio.h>
#include <string.h>

enum { max_digits = 15 };

void assay_prefilter_add(assay_prefilter *into, const char *text)
{
    const size_t count = strlen(text);
    if (into->is_too_long || into->count + count > sizeof into->pattern) {
        into->is_too_long = true;
        into->count = 0;
        return;
    }
    memcpy(into->pattern + into->count, text, count);
    into->count += count;
}

void assay_prefilter_add_letter(assay_prefilter *into, uint8_t byte)
{
    char text[16] = {(char)byte};
    if (byte < 0x80)
        snprintf(text, sizeof text, is_letter(byte) ? "[\\x{%02x}\\x{%02x}]" : "\\x{%02x}", byte, byte ^ 0x20);
    assay_prefilter_add(into, text);
}

static void add_digits(assay_prefilter *into, char lower, char upper, size_t more)
{
    char text[24];
    snprintf(text, sizeof text, lower == upper ? "%c" : "[%c-%c]", lower, upper);
    assay_prefilter_add(into, text);
    if (more == 0) return;
    snprintf(text, sizeof text, "[0-9]{%u}", (unsigned)more);
    assay_prefilter_add(into, text);
}

static bool are_all(const char *digits, size_t count, char digit)
{
    for (size_t i = 0; i < count; i++) {
        if (digits[i] != digit) return false;
    }
    return true;
}

/* Adds the numbers of `count` digits from `lower` to `upper`:
 *
 *     218 to 560    (?:2(?:1[8-9]|[2-9][0-9]{1})|[3-4][0-9]{2}|5(?:[0-5][0-9]{1}|60)) */
static void add_alike(assay_prefilter *into, const char *lower, const char *upper, size_t count)
{
    static const char zeros[] = "000000000000000", nines[] = "999999999999999";
    size_t same = 0;
    for (; same < count && lower[same] == upper[same]; same++) add_digits(into, lower[same], lower[same], 0);
    lower += same;
    upper += same;
    count -= same;
    if (count == 0) return;
    const bool takes_all_from_first = are_all(lower + 1, count - 1, '0');
    const bool takes_all_to_last = are_all(upper + 1, count - 1, '9');
    const char first = takes_all_from_first ? lower[0] : (char)(lower[0] + 1);
    const char last = takes_all_to_last ? upper[0] : (char)(upper[0] - 1);
    assay_prefilter_add(into, "(?:");
    if (!takes_all_from_first) {
        add_digits(into, lower[0], lower[0], 0);
        add_alike(into, lower + 1, nines, count - 1);
    }
    if (first <= last) {
        if (!takes_all_from_first) assay_prefilter_add(into, "|");
        add_digits(into, first, last, count - 1);
    }
    if (!takes_all_to_last) {
        if (!takes_all_from_first || first <= last) assay_prefilter_add(into, "|");
        add_digits(into, upper[0], upper[0], 0);
        add_alike(into, zeros, upper + 1, count - 1);
    }
    assay_prefilter_add(into, ")");
}

/* Adds all numbers of `min` to `max` digits. SIZE_MAX: no max. */
static void add_lengths(assay_prefilter *into, size_t min, size_t max)
{
    char text[48];
    if (min == 1) assay_prefilter_add(into, max > 1 ? "[0-9]|" : "[0-9]");
    const size_t from = min == 1 ? 1 : min - 1;
    if (max == SIZE_MAX) {
        snprintf(text, sizeof text, "[1-9][0-9]{%u,}", (unsigned)from);
    } else if (max > 1) {
        snprintf(text, sizeof text, "[1-9][0-9]{%u,%u}", (unsigned)from, (unsigned)max - 1);
    } else {
        return;
    }
    assay_prefilter_add(into, text);
}

void assay_prefilter_add_numbers(assay_prefilter *into, uint64_t lower, uint64_t upper, unsigned digits)
{
    const char *between = "(?:";
    uint64_t first = 0; /* the first number of `length` digits */
    uint64_t after = 10;
    size_t all_from = 0; /* all numbers of `all_from` to `length` digits are in the range; 0: no such length yet */
    for (size_t length = 1; length <= max_digits && upper >= first; length++, first = after, after *= 10) {
        if (digits > length || lower >= after) continue;
        if (digits == 0 && lower <= first && upper >= after - 1) {
            if (all_from == 0) all_from = length;
            const bool is_last = length == max_digits || upper == after - 1;
            if (!is_last) continue;
            assay_prefilter_add(into, between);
            add_lengths(into, all_from, upper == prefilter_unbounded ? SIZE_MAX : length);
            break;
        }
        assay_prefilter_add(into, between);
        between = "|";
        if (all_from > 0) {
            add_lengths(into, all_from, length - 1);
            assay_prefilter_add(into, between);
            all_from = 0;
        }
        char lowest[24];
        char highest[24];
        const uint64_t begin = digits > 0 || lower > first ? lower : first;
        const uint64_t end = upper < after ? upper : after - 1;
        snprintf(lowest, sizeof lowest, "%0*llu", (int)length, (unsigned long long)begin);
        snprintf(highest, sizeof highest, "%0*llu", (int)length, (unsigned long long)end);
        add_alike(into, lowest, highest, length);
        if (digits > 0) break;
    }
    assay_prefilter_add(into, ")");
}
