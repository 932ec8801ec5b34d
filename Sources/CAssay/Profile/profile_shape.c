/* Shapes of values, such as AA-9999-99. */
#include "Profile/profile_shape.h"

#include "Bytes/assay_hash.h"

#include <string.h>

/* The bytes of a shape that are not characters of the value. */
enum {
    cut = 2,
    control = 3,
    run = 0x80,
    capitals = 'A' | run,
    letters = 'a' | run,
    digits = '9' | run,
    others = 'U' | run
};

/* The class of each byte; 0: a continuation byte, which the shape omits. */
static const uint8_t *classes(void)
{
#define R4(c) c, c, c, c
#define R16(c) R4(c), R4(c), R4(c), R4(c)
    static const uint8_t table[256] = {
        R16(control), R16(control), ' ',    '!',    '"',    '#',    '$',      '%',      '&',      '\'',     '(', ')',
        '*',          '+',          ',',    '-',    '.',    '/',    '9',      '9',      '9',      '9',      '9', '9',
        '9',          '9',          '9',    '9',    ':',    ';',    '<',      '=',      '>',      '?',      '@', 'A',
        'A',          'A',          'A',    'A',    'A',    'A',    'A',      'A',      'A',      'A',      'A', 'A',
        'A',          'A',          'A',    'A',    'A',    'A',    'A',      'A',      'A',      'A',      'A', 'A',
        'A',          '[',          '\\',   ']',    '^',    '_',    '`',      'a',      'a',      'a',      'a', 'a',
        'a',          'a',          'a',    'a',    'a',    'a',    'a',      'a',      'a',      'a',      'a', 'a',
        'a',          'a',          'a',    'a',    'a',    'a',    'a',      'a',      'a',      '{',      '|', '}',
        '~',          control,      R16(0), R16(0), R16(0), R16(0), R16('U'), R16('U'), R16('U'), R16('U'),
    };
#undef R16
#undef R4
    return table;
}

static const uint64_t each_byte = UINT64_C(0x0101010101010101);

/* The high bit of each byte that is at least `byte`. All bytes of `word` must be ASCII. */
static uint64_t at_least(uint64_t word, unsigned byte)
{
    return (word + each_byte * (0x80 - byte)) & profile_high_bits;
}

/* Extends each high bit in the mask to all bits of its byte. */
static uint64_t full_bytes(uint64_t mask) { return (mask << 1) - (mask >> 7); }

/* The classes of eight ASCII characters at once, equal to those in classes(). */
static uint64_t ascii_classes(uint64_t word)
{
    const uint64_t digit = full_bytes(at_least(word, '0') ^ at_least(word, '9' + 1));
    const uint64_t capital = full_bytes(at_least(word, 'A') ^ at_least(word, 'Z' + 1));
    const uint64_t small = full_bytes(at_least(word, 'a') ^ at_least(word, 'z' + 1));
    const uint64_t controls = full_bytes(~at_least(word, ' ') & profile_high_bits) | full_bytes(at_least(word, 0x7F));
    const uint64_t kept = word & ~(digit | capital | small | controls);
    return kept | (digit & each_byte * '9') | (capital & each_byte * 'A') | (small & each_byte * 'a') |
           (controls & each_byte * control);
}

/* The maximum length of a whole shape in characters, and of a shape with runs in bytes, without `cut`. */
enum { full_length = profile_whole_length, run_length = ASSAY_SHAPE_BYTES - 2 };

/* classes() for shapes with runs: a letter or digit with its high bit set stands for one or more of its class. */
static const uint8_t *run_classes(void)
{
#define R4(c) c, c, c, c
#define R16(c) R4(c), R4(c), R4(c), R4(c)
    static const uint8_t table[256] = {
        R16(control), R16(control), ' ',          '!',          '"',          '#',         '$',      '%',
        '&',          '\'',         '(',          ')',          '*',          '+',         ',',      '-',
        '.',          '/',          R4(digits),   R4(digits),   digits,       digits,      ':',      ';',
        '<',          '=',          '>',          '?',          '@',          capitals,    capitals, capitals,
        R4(capitals), R4(capitals), R4(capitals), R4(capitals), R4(capitals), capitals,    capitals, capitals,
        '[',          '\\',         ']',          '^',          '_',          '`',         letters,  letters,
        letters,      R4(letters),  R4(letters),  R4(letters),  R4(letters),  R4(letters), letters,  letters,
        letters,      '{',          '|',          '}',          '~',          control,     R16(0),   R16(0),
        R16(0),       R16(0),       R16(others),  R16(others),  R16(others),  R16(others),
    };
#undef R16
#undef R4
    return table;
}

static size_t write_runs(const uint8_t *value, size_t count, uint8_t *shape)
{
    const uint8_t *class_of = run_classes();
    size_t length = 0;
    uint8_t last = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t class = class_of[value[i]];
        shape[length] = class;
        length += (size_t)((class != 0) & ((class != last) | (class < run)));
        last = class == 0 ? last : class;
        if (length > run_length) {
            shape[run_length] = cut;
            return run_length + 1;
        }
    }
    return length;
}

size_t profile_write_full(const uint8_t *value, size_t count, bool is_cut, uint8_t *shape)
{
    const uint8_t *class_of = classes();
    size_t i = 0;
    for (; i + 8 <= count && i < full_length; i += 8) {
        const uint64_t word = assay_hash_load(value + i, 8);
        if ((word & profile_high_bits) != 0) break;
        const uint64_t classes = ascii_classes(word);
        memcpy(shape + i, &classes, 8);
    }
    size_t length = i;
    for (; i < count && length < full_length; i++) {
        const uint8_t class = class_of[value[i]];
        shape[length] = class;
        length += class != 0;
    }
    while (i < count && class_of[value[i]] == 0) i++;
    if (i == count) return length;
    if (!is_cut) return write_runs(value, count, shape);
    shape[length] = cut;
    return length + 1;
}

size_t assay_profile_write_shape(const uint8_t *value, size_t count, unsigned level, uint8_t shape[ASSAY_SHAPE_BYTES])
{
    if (level > 0) return write_runs(value, count, shape);
    return profile_write_full(value, count, false, shape);
}

size_t profile_shape_with_runs(const uint8_t *shape, size_t length, uint8_t runs[ASSAY_SHAPE_BYTES])
{
    size_t count = 0;
    uint8_t last = 0;
    for (size_t i = 0; i < length; i++) {
        const uint8_t class = shape[i];
        const bool has_runs = class == 'A' || class == 'a' || class == '9' || class == 'U';
        const uint8_t coarse = has_runs ? class | run : class;
        if (coarse == last && coarse > run) continue;
        if (count == run_length + 1) {
            runs[run_length] = cut;
            return run_length + 1;
        }
        runs[count++] = coarse;
        last = coarse;
    }
    return count;
}
