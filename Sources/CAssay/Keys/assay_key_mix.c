/* Values as hashes: first in a form in which equal values have equal words, then SipHash. */
#include "assay/keys.h"

#include "Bytes/assay_ascii.h"
#include "Keys/assay_sip.h"
#include "Types/assay_type.h"

/* A value on its way into a hash. Its last word counts the others, and has a bit that is 0 in the last word of a text whose
   bytes would be the same words. */
typedef struct value_hash {
    assay_sip sip;
    uint64_t words;
} value_hash;

static void add_word(value_hash *h, uint64_t word)
{
    assay_sip_word(&h->sip, word);
    h->words++;
}

/* Digits by sixteens, each as one more than it is: 0 is what follows the last. What stands between digits is left out. */
static void add_digits(value_hash *h, const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    int shift = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_digit(bytes[i])) continue;
        word |= (uint64_t)(bytes[i] - '0' + 1) << shift;
        shift += 4;
        if (shift < 64) continue;
        add_word(h, word);
        word = 0;
        shift = 0;
    }
    add_word(h, word);
}

/* Most numbers are one word: up to thirteen digits above the exponent, the form and the sign. `false`: this one is not. */
static bool add_short(value_hash *h, const assay_decimal *decimal)
{
    if (decimal->span == 0 || decimal->exponent < -128 || decimal->exponent > 127) return false;
    uint64_t word =
        (uint64_t)(decimal->exponent + 128) << 4 | (uint64_t)decimal->form << 2 | (uint64_t)(decimal->sign + 1);
    int shift = 12;
    for (size_t i = 0; i < decimal->span; i++) {
        if (!is_digit(decimal->digits[i])) continue;
        if (shift == 64) return false;
        word |= (uint64_t)(decimal->digits[i] - '0' + 1) << shift;
        shift += 4;
    }
    add_word(h, word);
    return true;
}

static void add_decimal(value_hash *h, const assay_decimal *decimal)
{
    if (add_short(h, decimal)) return;
    add_word(h, (uint64_t)decimal->form << 2 | (uint64_t)(decimal->sign + 1));
    if (decimal->span == 0) return;
    add_word(h, (uint64_t)decimal->exponent);
    add_digits(h, decimal->digits, decimal->span);
}

static assay_key_hash mixed(assay_key_hash key, const assay_type *type, const uint8_t *bytes, size_t count)
{
    static const uint8_t nothing[1] = {0};
    assay_value value = {0};
    const uint8_t *text = bytes == NULL ? nothing : bytes;
    /* Durations beyond what is compared equal nothing else that is written otherwise. */
    if (!assay_type_parse(type, text, count, &value) || value.too_large) return assay_sip_bytes(key, text, count);
    value_hash h = {assay_sip_begin(key), 0};
    const assay_kind kind = assay_type_kind(type);
    if (kind == ASSAY_KIND_INTEGER || kind == ASSAY_KIND_NUMBER) {
        add_decimal(&h, &value.decimal);
    } else {
        add_word(&h, (uint64_t)value.whole);
        if (kind == ASSAY_KIND_DURATION) add_word(&h, (uint64_t)value.months * 4 + (uint64_t)(value.sign + 1));
        if (kind == ASSAY_KIND_DATETIME) add_word(&h, value.has_zone);
        if (value.fraction.count > 0) add_digits(&h, value.fraction.digits, value.fraction.count);
    }
    assay_sip_word(&h.sip, h.words << 59 | 1);
    return assay_sip_end(&h.sip);
}

void assay_key_mix(const assay_type *type, const uint8_t *bytes, const assay_cell *cells, const uint64_t *rows,
                   size_t count, assay_key_hash *hashes)
{
    const bool is_text = type == NULL || assay_type_kind(type) == ASSAY_KIND_STRING;
    for (size_t word = 0; word < assay_mask_words(count); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(bits);
            const uint8_t *start = bytes + cells[row].start;
            hashes[row] = is_text ? assay_sip_bytes(hashes[row], start, cells[row].length)
                                  : mixed(hashes[row], type, start, cells[row].length);
        }
    }
}
