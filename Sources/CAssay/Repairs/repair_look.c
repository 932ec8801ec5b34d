#include "Repairs/repair_look.h"

#include "Repairs/Canonical/repair_canonical.h"
#include "Repairs/assay_repair.h"
#include "Repairs/repair_characters.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Creation
 * ------------------------------------------------------------------------------------------------------------- */

static void add_ends(repair_look *look, uint8_t what, uint8_t first, uint8_t last)
{
    for (unsigned byte = first; byte <= last; byte++) look->bytes[byte] |= what;
}

static bool add_search(repair_look *look, const assay_replacement *replacement)
{
    if (look->owned_count == REPAIR_MAX_CHECKS) {
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

static void add_high(repair_look *look, uint8_t first, uint8_t last) { add_ends(look, LOOK_HIGH, first, last); }

/* Records the characters that a repair changes, by applying it to each. Returns false if memory runs out. */
static bool add_characters(repair_look *look, const repair_step *step)
{
    repair_text out = {NULL, 0, 0};
    bool has_memory = true;
    for (uint32_t point = 0; point < LOOK_CHARACTERS && has_memory; point++) {
        uint8_t bytes[4];
        const assay_text text = {bytes, put_character(point, bytes)};
        out.count = 0;
        const repair_outcome outcome = step->apply(step, NULL, text, &out);
        has_memory = outcome != REPAIR_NO_MEMORY;
        const bool changes = outcome == REPAIR_WRITTEN && !repair_text_equal((assay_text){out.bytes, out.count}, text);
        const bool joins =
            (step->kind == ASSAY_REPAIR_NFC || step->kind == ASSAY_REPAIR_NFKC) && repair_joins_neighbors(point);
        if (changes || joins) look->changing[point / 64] |= UINT64_C(1) << (point % 64);
    }
    repair_text_free(&out);
    return has_memory;
}

static bool add_step(repair_look *look, const repair_step *step)
{
    switch (step->kind) {
    case ASSAY_REPAIR_TRIM:
        look->finds_ends = true;
        add_ends(look, LOOK_FIRST | LOOK_LAST, '\t', '\r');
        add_ends(look, LOOK_FIRST | LOOK_LAST, ' ', ' ');
        /* Lead bytes of U+0085, U+00A0; U+1680; U+2000 to 206F; U+3000; U+FEFF. */
        add_ends(look, LOOK_FIRST, 0xC2, 0xC2);
        add_ends(look, LOOK_FIRST, 0xE1, 0xE3);
        add_ends(look, LOOK_FIRST, 0xEF, 0xEF);
        add_ends(look, LOOK_LAST, 0x80, 0xBF);
        return true;
    case ASSAY_REPAIR_COLLAPSE:
        look->finds_two_spaces = true;
        repair_look_add_range(look, '\t', '\r');
        repair_look_add_range(look, 0xC2, 0xC2);
        repair_look_add_range(look, 0xE1, 0xE3);
        add_high(look, 0xE1, 0xE3);
        return add_characters(look, step);
    case ASSAY_REPAIR_UPPER:
    case ASSAY_REPAIR_LOWER: {
        const uint8_t first = step->kind == ASSAY_REPAIR_UPPER ? 'a' : 'A';
        repair_look_add_range(look, first, first + 25);
        repair_look_add_range(look, 0xC2, 0xFF);
        /* Scripts with two cases are in U+1000 to 2FFF, A000 to AFFF, and from F000 on. */
        add_high(look, 0xE1, 0xE2);
        add_high(look, 0xEA, 0xEA);
        add_high(look, 0xEF, 0xF4);
        return add_characters(look, step);
    }
    case ASSAY_REPAIR_NFC:
    case ASSAY_REPAIR_NFKC:
        /* U+0300 is the first character that form C changes, alone or next to others. */
        repair_look_add_range(look, step->kind == ASSAY_REPAIR_NFC ? 0xCC : 0xC2, 0xFF);
        /* Not Han and Hangul: U+4000 to 9FFF, B000 to CFFF. */
        add_high(look, 0xD8, 0xE3);
        add_high(look, 0xEA, 0xEA);
        add_high(look, 0xED, 0xF4);
        return add_characters(look, step);
    case ASSAY_REPAIR_STRIP_CONTROL:
        repair_look_add_range(look, 0, 0x1F);
        repair_look_add_range(look, 0x7F, 0x7F);
        repair_look_add_range(look, 0xC2, 0xC2);
        repair_look_add_range(look, 0xD8, 0xEF);
        add_high(look, 0xD8, 0xD8);
        add_high(look, 0xE2, 0xE2);
        add_high(look, 0xEF, 0xEF);
        return add_characters(look, step);
    case ASSAY_REPAIR_ASCII_DIGITS:
        /* The first non-ASCII digit is U+0660. */
        repair_look_add_range(look, 0xD9, 0xFF);
        add_high(look, 0xD9, 0xF4);
        return true;
    case ASSAY_REPAIR_UNQUOTE:
        add_ends(look, LOOK_QUOTE, '"', '"');
        add_ends(look, LOOK_QUOTE, '\'', '\'');
        add_ends(look, LOOK_QUOTE, 0xC2, 0xC2);
        add_ends(look, LOOK_QUOTE, 0xE2, 0xE3);
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

/* A vector of sixteen bytes. Compilers map it to the vectors of the processor. */
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

/* 0xFF for each byte from `first` to `first` + `span`. */
static inline sixteen in_range(sixteen data, sixteen first, sixteen span) { return (sixteen)((data - first) <= span); }

/* A mask that keeps the last n of sixteen bytes is at &kept_last[n]. */
static const uint8_t kept_last[2 * width] = {0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                             0,    0,    0,    0,    0,    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                             0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/* Whether a value has a byte in the ranges. The value must not be empty. Reads up to 15 bytes before it. */
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

/* Whether a value contains two consecutive spaces. The value must have at least two bytes. */
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

static inline bool may_be_word(const repair_look *look, uint8_t first, uint8_t last, size_t count)
{
    return (first & LOOK_WORD) != 0 && (last & LOOK_WORD_END) != 0 &&
           (look->word_lengths >> (count < 63 ? count : 63) & 1) != 0;
}

static bool has_end(const uint8_t *value, size_t count)
{
    size_t length;
    return is_trimmed(character_at(value, &length)) || is_trimmed(character_before(value + count, &length));
}

/* Whether a value with matching bytes may change, decided by its characters. */
static __attribute__((noinline)) bool look_closely(const repair_look *look, const uint8_t *value, size_t count)
{
    const uint8_t first = look->bytes[value[0]], last = look->bytes[value[count - 1]];
    if (look->is_rough || (first & LOOK_QUOTE) != 0 || may_be_word(look, first, last, count)) return true;
    if (look->finds_ends && has_end(value, count)) return true;
    bool is_after_space = false;
    for (size_t i = 0, length; i < count; i += length) {
        const uint32_t point = character_at(value + i, &length);
        const bool is_tabled = point < LOOK_CHARACTERS;
        if (is_tabled ? look->changing[point / 64] >> (point % 64) & 1 : (look->bytes[value[i]] & LOOK_HIGH) != 0) {
            return true;
        }
        if (look->finds_two_spaces && point == ' ' && is_after_space) return true;
        is_after_space = point == ' ';
    }
    return false;
}

/* Looks at 64 rows. Inlined, so that `ranges` is a constant in the common cases. */
static inline __attribute__((always_inline)) uint64_t look_at_word(const repair_look *look, size_t ranges,
                                                                   bool finds_two_spaces, const uint8_t *bytes,
                                                                   const assay_cell *cells, uint64_t rows)
{
    sixteen firsts[REPAIR_MAX_RANGES], spans[REPAIR_MAX_RANGES];
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
        bool found =
            ((first & (LOOK_FIRST | LOOK_QUOTE)) | (last & LOOK_LAST)) != 0 || may_be_word(look, first, last, count);
        if (ranges > 0) found |= has_range(firsts, spans, ranges, value, count);
        if (finds_two_spaces && count > 1) found |= has_two_spaces(value, count);
        if (found) found = look_closely(look, value, count);
        may |= (uint64_t)found << row;
    }
    return may;
}

static __attribute__((noinline)) void look_at_bytes(const repair_look *look, const assay_column_view *column,
                                                    uint64_t *may)
{
    const uint8_t *bytes = column->bytes;
    for (size_t word = 0; word < assay_mask_words(column->count); word++) {
        const uint64_t rows = assay_column_rest(column, word);
        const assay_cell *block = column->cells + 64 * word;
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

/* Looks at empty values, which look_by_check() ignores. */
static void look_at_empty(const repair_look *look, const assay_column_view *column, uint64_t *may)
{
    for (size_t word = 0; word < assay_mask_words(column->count); word++) {
        may[word] = 0;
        if (!look->empty_may_change) continue;
        for (uint64_t rows = assay_column_rest(column, word); rows != 0; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctzll(rows);
            may[word] |= (uint64_t)(column->cells[64 * word + row].length == 0) << row;
        }
    }
}

/* Adds the rows that a check does not prove to be unchanged. */
static void look_by_check(const repair_look_check *one, assay_scratch *scratch, const assay_column_view *column,
                          uint64_t *may, assay_verdict_masks verdicts)
{
    const uint64_t *failed = verdicts.failed, *undecided = verdicts.undecided;
    assay_check_column(one->check, scratch, column->bytes, column->cells, column->count, column->skip, verdicts.failed,
                       verdicts.undecided);
    for (size_t word = 0; word < assay_mask_words(column->count); word++) {
        uint64_t rows = assay_column_rest(column, word);
        rows &= one->stays_if_failed ? ~failed[word] | undecided[word] : failed[word] | undecided[word];
        for (uint64_t rest = rows & ~may[word]; rest != 0; rest &= rest - 1) {
            const uint64_t bit = rest & (0 - rest);
            if (column->cells[64 * word + (size_t)__builtin_ctzll(rest)].length > 0) may[word] |= bit;
        }
    }
}

void repair_look_at(const repair_look *look, assay_scratch *scratch, const assay_column_view *column, uint64_t *may,
                    assay_verdict_masks verdicts)
{
    if (look->is_blind) {
        for (size_t word = 0; word < assay_mask_words(column->count); word++)
            may[word] = assay_column_rest(column, word);
        return;
    }
    if (look->is_idle) {
        look_at_empty(look, column, may);
    } else {
        look_at_bytes(look, column, may);
    }
    for (size_t i = 0; i < look->check_count; i++) {
        look_by_check(&look->checks[i], scratch, column, may, verdicts);
    }
}
