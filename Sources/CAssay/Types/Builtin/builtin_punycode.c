/* Punycode (RFC 3492). */
#include "Types/Builtin/builtin_idna.h"

#include "Types/Builtin/builtin_definition.h"

enum { PUNY_BASE = 36, PUNY_TMIN = 1, PUNY_TMAX = 26, PUNY_SKEW = 38, PUNY_DAMP = 700, PUNY_BIAS = 72, PUNY_N = 128 };

static uint32_t adapt(uint32_t delta, uint32_t points, bool is_first)
{
    delta = is_first ? delta / PUNY_DAMP : delta / 2;
    delta += delta / points;
    uint32_t k = 0;
    for (; delta > (PUNY_BASE - PUNY_TMIN) * PUNY_TMAX / 2; k += PUNY_BASE) delta /= PUNY_BASE - PUNY_TMIN;
    return k + (PUNY_BASE - PUNY_TMIN + 1) * delta / (delta + PUNY_SKEW);
}

static uint32_t threshold(uint32_t k, uint32_t bias)
{
    return k <= bias ? PUNY_TMIN : k >= bias + PUNY_TMAX ? PUNY_TMAX : k - bias;
}

/* Writes up to `capacity` characters. Returns the full length. */
static size_t encode(const idna_label *label, uint8_t *text, size_t capacity)
{
    size_t written = 0;
    uint32_t basic = 0;
    for (size_t i = 0; i < label->count; i++) {
        if (label->scalars[i] >= 0x80) continue;
        if (written < capacity) text[written] = (uint8_t)label->scalars[i];
        written++;
        basic++;
    }
    if (basic > 0) {
        if (written < capacity) text[written] = '-';
        written++;
    }
    uint32_t n = PUNY_N;
    uint32_t delta = 0;
    uint32_t bias = PUNY_BIAS;
    for (uint32_t handled = basic; handled < label->count; delta++, n++) {
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < label->count; i++) {
            if (label->scalars[i] >= n && label->scalars[i] < next) next = label->scalars[i];
        }
        delta += (next - n) * (handled + 1); /* below 2^21 × 64 */
        n = next;
        for (size_t i = 0; i < label->count; i++) {
            if (label->scalars[i] < n) delta++;
            if (label->scalars[i] != n) continue;
            uint32_t rest = delta;
            for (uint32_t k = PUNY_BASE;; k += PUNY_BASE) {
                uint32_t min = threshold(k, bias);
                uint32_t digit = rest < min ? rest : min + (rest - min) % (PUNY_BASE - min);
                if (written < capacity) text[written] = (uint8_t)(digit < 26 ? 'a' + digit : '0' + digit - 26);
                written++;
                if (rest < min) break;
                rest = (rest - min) / (PUNY_BASE - min);
            }
            bias = adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled++;
        }
    }
    return written;
}

size_t idna_punycode_length(const idna_label *label) { return encode(label, NULL, 0); }

static int digit_value(uint8_t byte)
{
    uint8_t lower = byte | 0x20;
    if (lower >= 'a' && lower <= 'z') return lower - 'a';
    return byte >= '0' && byte <= '9' ? byte - '0' + 26 : -1;
}

/* Reads one number of variable length. Returns false if it is incomplete or too large for any label. */
static bool read_delta(const uint8_t *bytes, size_t count, size_t *at, uint32_t bias, uint32_t *index)
{
    uint32_t weight = 1;
    for (uint32_t k = PUNY_BASE;; k += PUNY_BASE) {
        if (*at == count) return false;
        int digit = digit_value(bytes[(*at)++]);
        if (digit < 0 || (uint32_t)digit > (UINT32_MAX / 2 - *index) / weight) return false;
        *index += (uint32_t)digit * weight;
        uint32_t min = threshold(k, bias);
        if ((uint32_t)digit < min) return true;
        if (weight > UINT32_MAX / 2 / (PUNY_BASE - min)) return false;
        weight *= PUNY_BASE - min;
    }
}

bool idna_punycode_decode(const uint8_t *bytes, size_t count, idna_label *label)
{
    if (count > IDNA_LABEL_SCALARS) return false;
    size_t basic = count;
    while (basic > 0 && bytes[basic - 1] != '-') basic--;
    size_t at = basic;
    if (basic > 0) basic--;
    label->count = basic;
    for (size_t i = 0; i < basic; i++) label->scalars[i] = builtin_lower(bytes[i]);
    uint32_t n = PUNY_N;
    uint32_t index = 0;
    uint32_t bias = PUNY_BIAS;
    while (at < count) {
        if (label->count == IDNA_LABEL_SCALARS) return false;
        uint32_t before = index;
        if (!read_delta(bytes, count, &at, bias, &index)) return false;
        uint32_t points = (uint32_t)label->count + 1;
        bias = adapt(index - before, points, before == 0);
        n += index / points;
        index %= points;
        if (n > 0x10FFFF || (n >= 0xD800 && n <= 0xDFFF)) return false;
        memmove(label->scalars + index + 1, label->scalars + index, (label->count - index) * sizeof label->scalars[0]);
        label->scalars[index++] = n;
        label->count++;
    }
    /* Reject other encodings of the same label, and labels that do not need Punycode. */
    uint8_t again[IDNA_LABEL_SCALARS];
    if (encode(label, again, sizeof again) != count) return false;
    for (size_t i = 0; i < count; i++) {
        if (again[i] != builtin_lower(bytes[i])) return false;
    }
    return label->count > basic;
}
