/* Hashes of typed values. A value becomes a sequence of words, in which equal values are identical, and then a SipHash.
 *
 *     cells ──► words of a value ──► lanes of equal word counts ──► eight hashes at once
 *                    └── many words, or few rows ──► one hash */
#include "assay/keys.h"

#include "Bytes/assay_ascii.h"
#include "Dispatch/assay_kernels.h"
#include "Keys/assay_sip.h"
#include "Keys/assay_sip_lanes.h"
#include "Types/assay_type.h"

/* ---------------------------------------------------------------------------------------------------------------
 * The words of a value
 * ------------------------------------------------------------------------------------------------------------- */

/* The words of a value. The last word contains the byte length of the other words in its high byte, as the last word of
 * a text does (assay_sip_last()), and has bit 0 set, which is clear in a text of this length. So a text never has the
 * same words. */
typedef struct value_words {
    assay_key_hash key;
    uint64_t words[sip_lane_words];
    size_t count;
    assay_sip sip; /* the state after all words so far; valid if `count` exceeds `sip_lane_words` */
} value_words;

static void add_word(value_words *value, uint64_t word)
{
    if (value->count < sip_lane_words) {
        value->words[value->count++] = word;
        return;
    }
    if (value->count++ == sip_lane_words) {
        value->sip = assay_sip_begin(value->key);
        for (size_t i = 0; i < sip_lane_words; i++) assay_sip_word(&value->sip, value->words[i]);
    }
    assay_sip_word(&value->sip, word);
}

static void add_last_word(value_words *value) { add_word(value, (uint64_t)value->count << 59 | 1); }

/* Adds digits, sixteen per word. Each digit is stored plus one, so that 0 marks the end. Skips bytes between digits,
 * such as the decimal point. */
static void add_digits(value_words *value, const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    int shift = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_digit(bytes[i])) continue;
        word |= (uint64_t)(bytes[i] - '0' + 1) << shift;
        shift += 4;
        if (shift < 64) continue;
        add_word(value, word);
        word = 0;
        shift = 0;
    }
    add_word(value, word);
}

/* Most numbers fit in one word: up to thirteen digits in the high bits, then the exponent, the form and the sign. */
enum { short_digits = 13, short_digits_at = 12 };

static uint64_t short_word(int64_t exponent, assay_decimal_form form, int sign)
{
    return (uint64_t)(exponent + 128) << 4 | (uint64_t)form << 2 | (uint64_t)(sign + 1);
}

/* Adds a number as one word. Returns false, and adds no words, if it does not fit. */
static bool add_short(value_words *value, const assay_decimal *decimal)
{
    if (decimal->span == 0 || decimal->exponent < -128 || decimal->exponent > 127) return false;
    uint64_t word = short_word(decimal->exponent, decimal->form, decimal->sign);
    int shift = short_digits_at;
    for (size_t i = 0; i < decimal->span; i++) {
        if (!is_digit(decimal->digits[i])) continue;
        if (shift == 64) return false;
        word |= (uint64_t)(decimal->digits[i] - '0' + 1) << shift;
        shift += 4;
    }
    add_word(value, word);
    return true;
}

/* Packs one to eight digits into four bits each, plus one as in add_digits(). Returns false for other bytes. */
static bool pack_digits(const uint8_t *bytes, size_t count, uint64_t *packed)
{
    const uint64_t ones = UINT64_C(0x0101010101010101) >> 8 * (8 - count);
    uint64_t word = 0;
    if (count == 8) {
        memcpy(&word, bytes, 8);
    } else {
        word = assay_sip_tail(bytes, count);
    }
    word ^= ones * '0';
    if (((word + ones * (0x80 - 10)) | word) & ones * 0x80) return false;
    word += ones;
    word = (word | word >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
    *packed = (word | word >> 16) & UINT64_C(0x00000000ffffffff);
    return true;
}

/* Adds the word of add_short() without parsing, for the most common texts: an optional minus sign and up to thirteen
 * digits without a leading 0. Returns false for other texts. */
static bool add_plain(value_words *value, const uint8_t *bytes, size_t count)
{
    const bool is_negative = count > 0 && bytes[0] == '-';
    const uint8_t *digits = bytes + is_negative;
    const size_t places = count - is_negative;
    if (places == 0 || places > short_digits || digits[0] == '0') return false;
    const size_t first = places < 8 ? places : 8;
    uint64_t low = 0;
    uint64_t high = 0;
    if (!pack_digits(digits, first, &low)) return false;
    if (places > 8 && !pack_digits(digits + 8, places - 8, &high)) return false;
    uint64_t packed = low | high << 32;
    /* Remove trailing zeros, because equal numbers must have equal words. */
    for (size_t top = 4 * (places - 1); packed >> top == 1; top -= 4) packed ^= UINT64_C(1) << top;
    add_word(value,
             short_word((int64_t)places, ASSAY_DECIMAL_FINITE, is_negative ? -1 : 1) | packed << short_digits_at);
    return true;
}

static void add_decimal(value_words *value, const assay_decimal *decimal)
{
    if (add_short(value, decimal)) return;
    add_word(value, (uint64_t)decimal->form << 2 | (uint64_t)(decimal->sign + 1));
    if (decimal->span == 0) return;
    add_word(value, (uint64_t)decimal->exponent);
    add_digits(value, decimal->digits, decimal->span);
}

static void add_parsed(value_words *value, assay_kind kind, const assay_value *parsed)
{
    if (kind == ASSAY_KIND_INTEGER || kind == ASSAY_KIND_NUMBER) {
        add_decimal(value, &parsed->decimal);
        return;
    }
    add_word(value, (uint64_t)parsed->integer);
    if (kind == ASSAY_KIND_DURATION) add_word(value, (uint64_t)parsed->months * 4 + (uint64_t)(parsed->sign + 1));
    if (kind == ASSAY_KIND_DATETIME) add_word(value, parsed->has_zone);
    if (parsed->fraction.count > 0) add_digits(value, parsed->fraction.digits, parsed->fraction.count);
}

static void add_text(value_words *value, const uint8_t *bytes, size_t count)
{
    for (size_t at = 0; at + 8 <= count; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, 8);
        add_word(value, word);
    }
    add_word(value, assay_sip_last(bytes, count));
}

static void add_value(value_words *value, const assay_type *type, const uint8_t *bytes, size_t count)
{
    static const uint8_t nothing[1] = {0};
    const uint8_t *text = bytes == NULL ? nothing : bytes;
    const assay_kind kind = assay_type_kind(type);
    const bool is_number = kind == ASSAY_KIND_INTEGER || kind == ASSAY_KIND_NUMBER;
    assay_value parsed = {0};
    if (is_number && add_plain(value, text, count)) {
        add_last_word(value);
    } else if (assay_type_parse(type, text, count, &parsed) && !parsed.too_large) {
        add_parsed(value, kind, &parsed);
        add_last_word(value);
    } else {
        /* Durations beyond the comparable range are equal only if their texts are equal. */
        add_text(value, text, count);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Hashing
 * ------------------------------------------------------------------------------------------------------------- */

/* Values with the same number of words, collected until the lanes are full. */
typedef struct value_lanes {
    assay_sip_lanes lanes;
    size_t rows[sip_lane_count];
    size_t count;
} value_lanes;

/* For fewer lanes, hashing one by one is faster. */
enum { min_lanes = 3 };

/* Clears the lanes from `from` on. */
static void clear_lanes(assay_sip_lanes *lanes, size_t from, size_t words)
{
    for (size_t lane = from; lane < sip_lane_count; lane++) {
        lanes->low[lane] = lanes->high[lane] = 0;
        for (size_t word = 0; word < words; word++) lanes->words[word][lane] = 0;
    }
}

static void hash_lanes(value_lanes *waiting, size_t words, assay_key_hash *hashes)
{
    assay_sip_lanes *lanes = &waiting->lanes;
    if (waiting->count >= min_lanes) {
        clear_lanes(lanes, waiting->count, words);
        assay_kernels_current()->sip_lanes(lanes, words);
        for (size_t lane = 0; lane < waiting->count; lane++) {
            hashes[waiting->rows[lane]] = (assay_key_hash){lanes->low[lane], lanes->high[lane]};
        }
    } else {
        for (size_t lane = 0; lane < waiting->count; lane++) {
            assay_sip sip = assay_sip_begin((assay_key_hash){lanes->low[lane], lanes->high[lane]});
            for (size_t word = 0; word < words; word++) assay_sip_word(&sip, lanes->words[word][lane]);
            hashes[waiting->rows[lane]] = assay_sip_end(&sip);
        }
    }
    waiting->count = 0;
}

/* Takes the next lane for the value of a row. `key` is the SipHash key. */
static size_t next_lane(value_lanes *waiting, size_t row, assay_key_hash key)
{
    const size_t lane = waiting->count++;
    waiting->rows[lane] = row;
    waiting->lanes.low[lane] = key.low;
    waiting->lanes.high[lane] = key.high;
    return lane;
}

/* Hashes a long value at once and puts a short one into a lane. Returns the number of words of the value. */
static size_t add_typed_value(value_lanes *waiting, const assay_type *type, const uint8_t *bytes, size_t count,
                              size_t row, assay_key_hash *hashes)
{
    value_words value;
    value.key = hashes[row];
    value.count = 0;
    add_value(&value, type, bytes, count);
    if (value.count > sip_lane_words) {
        hashes[row] = assay_sip_end(&value.sip);
        return value.count;
    }
    assay_sip_lanes *lanes = &waiting[value.count].lanes;
    const size_t lane = next_lane(&waiting[value.count], row, value.key);
    for (size_t word = 0; word < value.count; word++) lanes->words[word][lane] = value.words[word];
    return value.count;
}

static size_t add_text_value(value_lanes *waiting, const uint8_t *bytes, size_t count, size_t row,
                             assay_key_hash *hashes)
{
    const size_t words = count / 8 + 1;
    if (words > sip_lane_words) {
        hashes[row] = assay_sip_bytes(hashes[row], bytes, count);
        return words;
    }
    assay_sip_lanes *lanes = &waiting[words].lanes;
    const size_t lane = next_lane(&waiting[words], row, hashes[row]);
    for (size_t word = 0; word + 1 < words; word++) memcpy(&lanes->words[word][lane], bytes + 8 * word, 8);
    lanes->words[words - 1][lane] = assay_sip_last(bytes, count);
    return words;
}

void assay_key_mix(const assay_type *type, const uint8_t *bytes, const assay_cell *cells, const uint64_t *rows,
                   size_t count, assay_key_hash *hashes)
{
    const bool is_text = type == NULL || assay_type_kind(type) == ASSAY_KIND_STRING;
    value_lanes waiting[sip_lane_words + 1]; /* by the count of words */
    for (size_t words = 1; words <= sip_lane_words; words++) waiting[words].count = 0;
    for (size_t mask = 0; mask < assay_mask_words(count); mask++) {
        for (uint64_t bits = rows[mask]; bits != 0; bits &= bits - 1) {
            const size_t row = mask * 64 + (size_t)__builtin_ctzll(bits);
            const uint8_t *start = bytes + cells[row].start;
            const size_t length = cells[row].length;
            const size_t words = is_text ? add_text_value(waiting, start, length, row, hashes)
                                         : add_typed_value(waiting, type, start, length, row, hashes);
            if (words > sip_lane_words || waiting[words].count < sip_lane_count) continue;
            hash_lanes(&waiting[words], words, hashes);
        }
    }
    for (size_t words = 1; words <= sip_lane_words; words++) hash_lanes(&waiting[words], words, hashes);
}
