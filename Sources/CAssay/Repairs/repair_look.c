#include "Repairs/repair_look.h"

#include "Repairs/Canonical/repair_canonical.h"
#include "Repairs/assay_repair.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Making
 * ------------------------------------------------------------------------------------------------------------- */

static void add_ends(repair_look *look, uint8_t what, uint8_t first, uint8_t last)
{
    for (unsigned byte = first; byte <= last; byte++) look->bytes[byte] |= what;
}

void repair_look_add_range(repair_look *look, uint8_t first, uint8_t last)
{
    if (look->range_count == REPAIR_MOST_RANGES) {
        look->is_blind = true;
        return;
    }
    look->range_first[look->range_count] = first;
    look->range_span[look->range_count++] = (uint8_t)(last - first);
}

void repair_look_add_check(repair_look *look, const assay_check *check, bool stays_if_failed)
{
    if (look->check_count == REPAIR_MOST_CHECKS) {
        look->is_blind = true;
        return;
    }
    look->checks[look->check_count++] = (repair_look_check){check, stays_if_failed};
}

bool repair_look_add_pattern(repair_look *look, const char *text)
{
    if (look->owned_count == REPAIR_MOST_CHECKS) {
        look->is_blind = true;
        return true;
    }
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)text, strlen(text), 0, 0, NULL);
    assay_check *check = pattern == NULL ? NULL : assay_check_create_pattern(pattern);
    look->owned_patterns[look->owned_count] = pattern;
    look->owned_checks[look->owned_count++] = check;
    if (check == NULL) return false;
    repair_look_add_check(look, check, false);
    return true;
}

static bool add_search(repair_look *look, const assay_replacement *replacement)
{
    if (look->owned_count == REPAIR_MOST_CHECKS) {
        look->is_blind = true;
        return true;
    }
    assay_check *check = assay_check_create_pattern(assay_replacement_pattern(replacement));
    look->owned_checks[look->owned_count++] = check;
    if (check == NULL) return false;
    repair_look_add_check(look, check, true);
    return true;
}

static void add_word(void *context, assay_text word)
{
    repair_look *look = context;
    if (word.count == 0) {
        look->empty_may_change = true;
        return;
    }
    look->bytes[word.bytes[0]] |= LOOK_WORD;
    look->bytes[word.bytes[word.count - 1]] |= LOOK_WORD_END;
    look->word_lengths |= UINT64_C(1) << (word.count < 63 ? word.count : 63);
}

/* The lead bytes of characters that are white space, without width, direction marks or quotes. */
static void add_leads(repair_look *look, const char *leads)
{
    for (; *leads != 0; leads++) repair_look_add_range(look, (uint8_t)*leads, (uint8_t)*leads);
}

static bool add_step(repair_look *look, const repair_step *step)
{
    switch (step->kind) {
    case ASSAY_REPAIR_TRIM:
        add_ends(look, LOOK_FIRST | LOOK_LAST, '\t', '\r');
        add_ends(look, LOOK_FIRST | LOOK_LAST, ' ', ' ');
        /* U+0085 and A0; U+1680; U+2000 to 206F; U+3000; U+FEFF. */
        add_ends(look, LOOK_FIRST, 0xC2, 0xC2);
        add_ends(look, LOOK_FIRST, 0xE1, 0xE3);
        add_ends(look, LOOK_FIRST, 0xEF, 0xEF);
        add_ends(look, LOOK_LAST, 0x80, 0xBF);
        return true;
    case ASSAY_REPAIR_COLLAPSE:
        repair_look_add_range(look, '\t', '\r');
        look->finds_two_spaces = true;
        repair_look_add_range(look, 0xE1, 0xE3);
        add_leads(look, "\xC2");
        return true;
    case ASSAY_REPAIR_UPPER:
        repair_look_add_range(look, 'a', 'z');
        repair_look_add_range(look, 0x80, 0xFF);
        return true;
    case ASSAY_REPAIR_LOWER:
        repair_look_add_range(look, 'A', 'Z');
        repair_look_add_range(look, 0x80, 0xFF);
        return true;
    case ASSAY_REPAIR_NFC:
        /* The first character that is not the same in normal form C alone or beside others is U+0300. */
        repair_look_add_range(look, 0xCC, 0xFF);
        return true;
    case ASSAY_REPAIR_NFKC:
        repair_look_add_range(look, 0x80, 0xFF);
        return true;
    case ASSAY_REPAIR_STRIP_CONTROL:
        repair_look_add_range(look, 0, 0x1F);
        repair_look_add_range(look, 0x7F, 0x7F);
        add_leads(look, "\xC2\xD8\xE2\xEF");
        return true;
    case ASSAY_REPAIR_ASCII_DIGITS:
        /* The first digit that is not ASCII is U+0660. */
        repair_look_add_range(look, 0xD9, 0xFF);
        return true;
    case ASSAY_REPAIR_UNQUOTE:
        add_ends(look, LOOK_FIRST, '"', '"');
        add_ends(look, LOOK_FIRST, '\'', '\'');
        add_ends(look, LOOK_FIRST, 0xC2, 0xC2);
        add_ends(look, LOOK_FIRST, 0xE2, 0xE3);
        return true;
    case ASSAY_REPAIR_MISSING:
    case ASSAY_REPAIR_MAP:
    case ASSAY_REPAIR_DEFAULT:
        repair_words_for_each(step->words, add_word, look);
        return true;
    case ASSAY_REPAIR_REPLACE:
        look->empty_may_change = true;
        return add_search(look, step->replacement);
    case ASSAY_REPAIR_CANONICAL:
        return repair_canonical_look(step->canonical, look);
    }
    return true;
}

bool repair_look_create(repair_look *look, const assay_repairs *repairs)
{
    for (size_t i = 0; i < repairs->count; i++) {
        if (!add_step(look, &repairs->steps[i])) return false;
    }
    look->is_idle = look->range_count == 0 && look->word_lengths == 0 && !look->finds_two_spaces;
    for (unsigned byte = 0; byte < 256; byte++) look->is_idle &= look->bytes[byte] == 0;
    return true;
}

void repair_look_clear(repair_look *look)
{
    for (size_t i = 0; i < look->owned_count; i++) {
        assay_check_free(look->owned_checks[i]);
        assay_pattern_free(look->owned_patterns[i]);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Looking
 * ------------------------------------------------------------------------------------------------------------- */

/* Sixteen bytes; compilers make of it what the processor has. */
typedef uint8_t sixteen __attribute__((vector_size(16)));

enum { width = 16 };

static inline sixteen load(const uint8_t *bytes)
{
    sixteen data;
    memcpy(&data, bytes, sizeof data);
    return data;
}

static inline bool has_any(sixteen data)
{
    uint64_t words[2];
    memcpy(words, &data, sizeof words);
    return (words[0] | words[1]) != 0;
}

/* The bytes from `first` on, `span` and one in number: 0xFF where they are. */
static inline sixteen in_range(sixteen data, sixteen first, sixteen span) { return (sixteen)((data - first) <= span); }

/* Keeps the last n of sixteen bytes: &kept_last[n]. */
static const uint8_t kept_last[2 * width] = {0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                             0,    0,    0,    0,    0,    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                             0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/* Whether a value, which is not empty, has a byte of the ranges. Up to 15 bytes before it are read. */
static inline __attribute__((always_inline)) bool has_range(const sixteen *firsts, const sixteen *spans, size_t ranges,
                                                            const uint8_t *value, size_t count)
{
    sixteen found = {0};
    const uint8_t *end = value + count;
    const sixteen last = load(end - width);
    for (size_t i = 0; i < ranges; i++) found |= in_range(last, firsts[i], spans[i]);
    if (count < width) return has_any(found & load(kept_last + count));
    for (const uint8_t *at = value; end - at > width; at += width) {
        const sixteen data = load(at);
        for (size_t i = 0; i < ranges; i++) found |= in_range(data, firsts[i], spans[i]);
    }
    return has_any(found);
}

/* Whether two spaces stand side by side in a value of two bytes or more. */
static inline bool has_two_spaces(const uint8_t *value, size_t count)
{
    sixteen spaces;
    memset(&spaces, ' ', width);
    const uint8_t *end = value + count;
    sixteen found = (sixteen)(load(end - width) == spaces) & (sixteen)(load(end - width - 1) == spaces);
    if (count <= width) return has_any(found & load(kept_last + count - 1));
    for (const uint8_t *at = value; end - at > width; at += width) {
        found |= (sixteen)(load(at) == spaces) & (sixteen)(load(at + 1) == spaces);
    }
    return has_any(found);
}

/* For so many ranges, which the compiler is to know where it can. */
static inline __attribute__((always_inline)) uint64_t look_at_word(const repair_look *look, size_t ranges,
                                                                   bool finds_two_spaces, const uint8_t *bytes,
                                                                   const assay_cell *cells, uint64_t rows)
{
    sixteen firsts[REPAIR_MOST_RANGES], spans[REPAIR_MOST_RANGES];
    for (size_t i = 0; i < ranges; i++) {
        memset(&firsts[i], look->range_first[i], width);
        memset(&spans[i], look->range_span[i], width);
    }
    uint64_t may = 0;
    for (; rows != 0; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        const size_t count = cells[row].length;
        if (count == 0) {
            may |= (uint64_t)look->empty_may_change << row;
            continue;
        }
        const uint8_t *value = bytes + cells[row].start;
        const uint8_t first = look->bytes[value[0]], last = look->bytes[value[count - 1]];
        const uint64_t has_length = look->word_lengths >> (count < 63 ? count : 63) & 1;
        const bool may_be_word = (first & LOOK_WORD) != 0 && (last & LOOK_WORD_END) != 0 && has_length != 0;
        bool found = ((first & LOOK_FIRST) | (last & LOOK_LAST)) != 0 || may_be_word;
        if (ranges > 0) found |= has_range(firsts, spans, ranges, value, count);
        if (finds_two_spaces && count > 1) found |= has_two_spaces(value, count);
        may |= (uint64_t)found << row;
    }
    return may;
}

static __attribute__((noinline)) void look_at_bytes(const repair_look *look, const uint8_t *bytes,
                                                    const assay_cell *cells, size_t count, const uint64_t *skip,
                                                    uint64_t *may)
{
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        const uint64_t rows = assay_mask_rest(skip, count, word);
        const assay_cell *block = cells + 64 * word;
        const size_t ranges = look->range_count;
        if (ranges == 0 && !look->finds_two_spaces) {
            may[word] = look_at_word(look, 0, false, bytes, block, rows);
        } else if (ranges == 2 && !look->finds_two_spaces) {
            may[word] = look_at_word(look, 2, false, bytes, block, rows);
        } else {
            may[word] = look_at_word(look, ranges, look->finds_two_spaces, bytes, block, rows);
        }
    }
}

/* Empty values: they are not asked for by checks. */
static void look_at_empty(const repair_look *look, const assay_cell *cells, size_t count, const uint64_t *skip,
                          uint64_t *may)
{
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        may[word] = 0;
        if (!look->empty_may_change) continue;
        for (uint64_t rows = assay_mask_rest(skip, count, word); rows != 0; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctzll(rows);
            may[word] |= (uint64_t)(cells[64 * word + row].length == 0) << row;
        }
    }
}

/* Adds what a check does not say to stay. */
static void look_by_check(const repair_look_check *one, assay_scratch *scratch, const uint8_t *bytes,
                          const assay_cell *cells, size_t count, const uint64_t *skip, uint64_t *may, uint64_t *failed,
                          uint64_t *undecided)
{
    assay_check_column(one->check, scratch, bytes, cells, count, skip, failed, undecided);
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        uint64_t rows = assay_mask_rest(skip, count, word);
        rows &= one->stays_if_failed ? ~failed[word] | undecided[word] : failed[word] | undecided[word];
        for (uint64_t rest = rows & ~may[word]; rest != 0; rest &= rest - 1) {
            const uint64_t bit = rest & (0 - rest);
            if (cells[64 * word + (size_t)__builtin_ctzll(rest)].length > 0) may[word] |= bit;
        }
    }
}

void repair_look_at(const repair_look *look, assay_scratch *scratch, const uint8_t *bytes, const assay_cell *cells,
                    size_t count, const uint64_t *skip, uint64_t *may, uint64_t *failed, uint64_t *undecided)
{
    if (look->is_blind) {
        for (size_t word = 0; word < assay_mask_words(count); word++) may[word] = assay_mask_rest(skip, count, word);
        return;
    }
    if (look->is_idle) {
        look_at_empty(look, cells, count, skip, may);
    } else {
        look_at_bytes(look, bytes, cells, count, skip, may);
    }
    for (size_t i = 0; i < look->check_count; i++) {
        look_by_check(&look->checks[i], scratch, bytes, cells, count, skip, may, failed, undecided);
    }
}
