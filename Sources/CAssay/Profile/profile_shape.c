/* What a value looks like: AA-9999-99. */
#include "Profile/profile_shape.h"

#include <string.h>

/* The characters of a shape that have no other meaning in it. */
enum {
    cut = 2,
    control = 3,
    run = 0x80,
    capitals = 'A' | run,
    letters = 'a' | run,
    digits = '9' | run,
    others = 'U' | run
};

/* Of each byte: what stands for it; 0: nothing does, it goes on a character. */
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

/* The most bytes of a shape with runs, one for `cut` besides. */
enum { whole_length = 32, run_length = ASSAY_SHAPE_BYTES - 2 };

/* The same with runs: a letter or digit with its high bit is one or more of them. */
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

size_t profile_write_whole(const uint8_t *value, size_t count, bool is_cut, const uint8_t *last, uint8_t *shape,
                           bool *is_last)
{
    const uint8_t *class_of = classes();
    size_t length = 0;
    size_t i = 0;
    unsigned differing = !*is_last;
    for (; i < count && length < whole_length; i++) {
        const uint8_t class = class_of[value[i]];
        shape[length] = class;
        differing |= (class != 0) & (class != last[length]);
        length += class != 0;
    }
    while (i < count && class_of[value[i]] == 0) i++;
    *is_last = differing == 0;
    if (i == count) return length;
    if (!is_cut) {
        *is_last = false;
        return write_runs(value, count, shape);
    }
    *is_last = *is_last && last[length] == cut;
    shape[length] = cut;
    return length + 1;
}

size_t assay_profile_write_shape(const uint8_t *value, size_t count, unsigned level, uint8_t shape[ASSAY_SHAPE_BYTES])
{
    if (level > 0) return write_runs(value, count, shape);
    bool is_last = false;
    return profile_write_whole(value, count, false, shape, shape, &is_last);
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
