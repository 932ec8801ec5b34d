/* strptime-like formats, as lenient as Python's datetime.strptime in the C locale:

     - %d %m %H %I %M %S take one digit or two, %j one to three, %f one to six;
     - %Y takes four digits and %y two (69 is 1969, 68 is 2068);
     - white space in the format is one or more ASCII white-space characters;
     - names, AM/PM and literal letters compare without ASCII case;
     - %z is Z, ±hhmm, ±hh:mm, ±hhmmss or ±hh:mm:ss, and, as in ISO 8601 and in PostgreSQL's output, ±hh;
     - missing parts of the time are 0; a weekday may contradict its date.

   Stricter than Python: no second 60 or 61, no %j 366 in a year of 365 days, ASCII digits only, and formats that do not
   determine one date or time are refused at creation. %e %h %T %D %F %R are as in C. */
#include "Types/assay_format.h"

#include "Types/assay_calendar.h"
#include "Types/assay_prefilter.h"
#include "Types/assay_temporal.h"
#include "assay_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of tokens other than directives, which have their letter as kind. */
enum { ITEM_LITERAL = 1, ITEM_SPACE = 2 };

typedef struct token {
    uint8_t kind;
    uint8_t byte;  /* the byte of a literal, in lowercase */
    uint8_t shape; /* the index of the shape of a number */
    bool is_alone; /* no digit can follow a number */
} token;

struct assay_format {
    assay_kind kind;
    size_t min_digits;
    size_t fixed_width; /* the max length, if values of this length have each item at a fixed place; otherwise 0 */
    size_t count;
    token items[];
};

enum {
    PART_YEAR = 1u << 0,
    PART_MONTH = 1u << 1,
    PART_DAY = 1u << 2,
    PART_DAY_OF_YEAR = 1u << 3,
    PART_WEEKDAY = 1u << 4,
    PART_HOUR = 1u << 5,
    PART_HALF_DAY_HOUR = 1u << 6,
    PART_HALF = 1u << 7,
    PART_MINUTE = 1u << 8,
    PART_SECOND = 1u << 9,
    PART_FRACTION = 1u << 10,
    PART_ZONE = 1u << 11,
    PARTS_OF_DATE = PART_YEAR | PART_MONTH | PART_DAY | PART_DAY_OF_YEAR | PART_WEEKDAY,
    PARTS_OF_TIME = PART_HOUR | PART_HALF_DAY_HOUR | PART_HALF | PART_MINUTE | PART_SECOND | PART_FRACTION,
};

static const struct directive {
    char letter;
    uint32_t part;
    const char *name;
    const char *stands_for; /* the expansion of a shorthand; NULL for other directives */
} directives[] = {
    {'Y', PART_YEAR, "the year", NULL},
    {'y', PART_YEAR, "the year", NULL},
    {'m', PART_MONTH, "the month", NULL},
    {'b', PART_MONTH, "the month", NULL},
    {'B', PART_MONTH, "the month", NULL},
    {'h', PART_MONTH, "the month", NULL},
    {'d', PART_DAY, "the day", NULL},
    {'e', PART_DAY, "the day", NULL},
    {'j', PART_DAY_OF_YEAR, "the day of the year", NULL},
    {'a', PART_WEEKDAY, "the weekday", NULL},
    {'A', PART_WEEKDAY, "the weekday", NULL},
    {'H', PART_HOUR, "the hour", NULL},
    {'I', PART_HALF_DAY_HOUR, "the hour", NULL},
    {'p', PART_HALF, "AM or PM", NULL},
    {'M', PART_MINUTE, "the minute", NULL},
    {'S', PART_SECOND, "the second", NULL},
    {'f', PART_FRACTION, "the fraction", NULL},
    {'z', PART_ZONE, "the zone", NULL},
    {'T', 0, "", "%H:%M:%S"},
    {'D', 0, "", "%m/%d/%y"},
    {'F', 0, "", "%Y-%m-%d"},
    {'R', 0, "", "%H:%M"},
};

static const char known_directives[] = "%Y %y %m %b %B %h %d %e %j %a %A %H %I %p %M %S %f %z %T %D %F %R %%";

static const struct directive *directive_of(uint8_t letter)
{
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        if (directives[i].letter == (char)letter) return &directives[i];
    }
    return NULL;
}

static bool is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static uint8_t lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte; }

/* ---------------------------------------------------------------------------------------------------------------
 * Creation
 * ------------------------------------------------------------------------------------------------------------- */

static const char *name_of(assay_kind kind)
{
    return kind == ASSAY_KIND_DATE ? "date" : kind == ASSAY_KIND_TIME ? "time" : "datetime";
}

/* The reason why a part must not follow the parts before it, which errors show after the name of the directive; NULL if
   the part is allowed. */
static const char *refusal_reason(uint32_t part, uint32_t present, assay_kind kind)
{
    uint32_t allowed = kind == ASSAY_KIND_DATE ? PARTS_OF_DATE : kind == ASSAY_KIND_TIME ? PARTS_OF_TIME : UINT32_MAX;
    if ((part & allowed) == 0) return "does not belong to this type";
    if ((part & present) != 0) return "is there twice";
    uint32_t hours = PART_HOUR | PART_HALF_DAY_HOUR;
    if ((part & hours) != 0 && (present & hours) != 0) return "is there twice";
    uint32_t day_and_month = PART_MONTH | PART_DAY;
    if (part == PART_DAY_OF_YEAR && (present & day_and_month) != 0) return "is there beside a month or day";
    if ((part & day_and_month) != 0 && (present & PART_DAY_OF_YEAR) != 0) return "is there beside a day of the year";
    return NULL;
}

/* The missing part of a format; NULL if its parts determine one date or time. */
static const char *lack(uint32_t present, assay_kind kind)
{
    if (kind != ASSAY_KIND_TIME) {
        bool has_day = (present & PART_DAY_OF_YEAR) != 0 || ((present & PART_MONTH) != 0 && (present & PART_DAY) != 0);
        if ((present & PART_YEAR) == 0 || !has_day) return "a year, month and day, such as %Y-%m-%d";
    }
    bool has_hour = (present & (PART_HOUR | PART_HALF_DAY_HOUR)) != 0;
    if (kind == ASSAY_KIND_TIME && !has_hour) return "an hour, such as %H:%M";
    if ((present & PART_HALF_DAY_HOUR) != 0 && (present & PART_HALF) == 0) return "%p beside %I";
    if ((present & PART_HALF) != 0 && (present & PART_HALF_DAY_HOUR) == 0) return "%I beside %p";
    if ((present & PART_MINUTE) != 0 && !has_hour) return "an hour beside the minute";
    if ((present & PART_SECOND) != 0 && (present & PART_MINUTE) == 0) return "a minute beside the second";
    if ((present & PART_FRACTION) != 0 && (present & PART_SECOND) == 0) return "a second beside the fraction";
    return NULL;
}

/* Appends the items of `text`. Errors report the offset `place`, which is the offset of a shorthand with the expansion
   `text`, or the offset in `text` if `place` is SIZE_MAX. */
static bool append_items(assay_format *format, assay_text text, size_t place, uint32_t *present, assay_error *error)
{
    for (size_t i = 0; i < text.count; i++) {
        size_t here = place == SIZE_MAX ? i : place;
        uint8_t byte = text.bytes[i];
        if (is_space(byte)) {
            bool continues = format->count > 0 && format->items[format->count - 1].kind == ITEM_SPACE;
            if (!continues) format->items[format->count++] = (token){.kind = ITEM_SPACE};
            continue;
        }
        if (byte != '%') {
            format->items[format->count++] = (token){.kind = ITEM_LITERAL, .byte = lower(byte)};
            continue;
        }
        if (++i == text.count) {
            assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, here, "%% at the end; write %%%% for a percent sign");
            return false;
        }
        uint8_t letter = text.bytes[i];
        if (letter == '%') {
            format->items[format->count++] = (token){.kind = ITEM_LITERAL, .byte = '%'};
            continue;
        }
        const struct directive *directive = directive_of(letter);
        if (directive == NULL) {
            bool printable = letter > ' ' && letter < 0x7F;
            assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, here, "unknown directive %%%c; known are %s",
                             printable ? letter : '?', known_directives);
            return false;
        }
        if (directive->stands_for != NULL) {
            assay_text full = {(const uint8_t *)directive->stands_for, strlen(directive->stands_for)};
            if (!append_items(format, full, here, present, error)) return false;
            continue;
        }
        const char *reason = refusal_reason(directive->part, *present, format->kind);
        if (reason != NULL) {
            assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, here, "%s (%%%c) %s", directive->name, letter, reason);
            return false;
        }
        *present |= directive->part;
        format->items[format->count++] = (token){.kind = letter};
    }
    return true;
}

/* The max number of digits of a directive, or 0 if it is not a number. */
static size_t full_width(uint8_t kind)
{
    switch (kind) {
    case 'Y':
        return 4;
    case 'j':
        return 3;
    case 'f':
        return 1; /* a fraction of any length is complete */
    case 'y':
    case 'm':
    case 'd':
    case 'e':
    case 'H':
    case 'I':
    case 'M':
    case 'S':
        return 2;
    default:
        return 0;
    }
}

static size_t min_digits(const assay_format *format)
{
    size_t digits = 0;
    bool are_adjacent = false;
    for (size_t i = 0; i < format->count; i++) {
        const token item = format->items[i];
        const bool is_digit = item.kind == ITEM_LITERAL && item.byte >= '0' && item.byte <= '9';
        const size_t width = is_digit ? 1 : full_width(item.kind);
        digits += width;
        if (width > 0 && i > 0 && full_width(format->items[i - 1].kind) > 0) are_adjacent = true;
    }
    return are_adjacent ? digits : 0;
}

/* The length of the longest value of the first `count` items of a format in which every number has two or four digits
   and no digit follows a number, so that values of this length have all digits; 0 for other formats. */
static size_t fixed_width(const assay_format *format, size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++) {
        const token item = format->items[i];
        if (item.kind == ITEM_LITERAL) {
            width++;
            continue;
        }
        const size_t digits = full_width(item.kind);
        if (digits != 2 && digits != 4) return 0;
        if (i + 1 < count) {
            const token next = format->items[i + 1];
            if (next.kind != ITEM_LITERAL || (next.byte >= '0' && next.byte <= '9')) return 0;
        }
        width += digits;
    }
    return width;
}

typedef struct number_shape {
    char letter;
    int8_t min;
    int8_t max;
    int16_t minimum;
    int16_t maximum;
} number_shape;

static const number_shape number_shapes[] = {
    {'Y', 4, 4, 0, 9999}, {'y', 2, 2, 0, 99}, {'m', 1, 2, 1, 12}, {'d', 1, 2, 1, 31}, {'e', 1, 2, 1, 31},
    {'j', 1, 3, 1, 366},  {'H', 1, 2, 0, 23}, {'I', 1, 2, 1, 12}, {'M', 1, 2, 0, 59}, {'S', 1, 2, 0, 59},
};

/* Whether no digit can follow item `index`: a literal, a space, a name or a zone follows, or the end. */
static bool is_alone(const assay_format *format, size_t index)
{
    if (index + 1 == format->count) return true;
    const token next = format->items[index + 1];
    if (next.kind == ITEM_LITERAL) return next.byte < '0' || next.byte > '9';
    return next.kind != 'f' && full_width(next.kind) == 0;
}

static void shape_numbers(assay_format *format)
{
    for (size_t i = 0; i < format->count; i++) {
        token *item = &format->items[i];
        for (uint8_t shape = 0; shape < sizeof number_shapes / sizeof number_shapes[0]; shape++) {
            if (number_shapes[shape].letter == (char)item->kind) item->shape = shape;
        }
        item->is_alone = is_alone(format, i);
    }
}

assay_format *assay_format_create(assay_text text, assay_kind kind, assay_error *error)
{
    /* A shorthand of two bytes expands to at most five items, so three items per byte suffice. */
    if (text.count > 10000) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 10000, "a format of more than 10000 bytes");
        return NULL;
    }
    assay_format *format = calloc(1, sizeof *format + text.count * 3 * sizeof(token));
    if (format == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    format->kind = kind;
    uint32_t present = 0;
    if (!append_items(format, text, SIZE_MAX, &present, error)) {
        assay_format_free(format);
        return NULL;
    }
    const char *missing = lack(present, kind);
    if (missing != NULL) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, text.count, "this %s format needs %s", name_of(kind),
                         missing);
        assay_format_free(format);
        return NULL;
    }
    format->min_digits = min_digits(format);
    format->fixed_width = fixed_width(format, format->count);
    shape_numbers(format);
    return format;
}

size_t assay_format_min_digits(const assay_format *format) { return format->min_digits; }

void assay_format_free(assay_format *format) { free(format); }

/* A pattern of values of a directive that are valid with any other parts; NULL: unknown. `is_delimited`: no digit can
   follow, so that a value has only one reading. */
static const char *prefilter_for(uint8_t letter, bool is_delimited)
{
    switch (letter) {
    case 'Y':
        return "[0-9]{4}";
    case 'y':
        return "[0-9]{2}";
    case 'm':
    case 'I':
        return is_delimited ? "(?:0?[1-9]|1[0-2])" : "(?:0[1-9]|1[0-2])";
    case 'd':
    case 'e':
        return is_delimited ? "(?:0?[1-9]|1[0-9]|2[0-8])" : "(?:0[1-9]|1[0-9]|2[0-8])";
    case 'H':
        return is_delimited ? "(?:[01]?[0-9]|2[0-3])" : "(?:[01][0-9]|2[0-3])";
    case 'M':
    case 'S':
        return is_delimited ? "[0-5]?[0-9]" : "[0-5][0-9]";
    case 'f':
        return is_delimited ? "[0-9]{1,6}" : "[0-9]{6}";
    case 'z':
        return PREFILTER_ZONE;
    default:
        return NULL;
    }
}

static bool is_day(token item) { return item.kind == 'd' || item.kind == 'e'; }

static bool is_separator(token item) { return item.kind == ITEM_LITERAL || item.kind == ITEM_SPACE; }

static void add_separator(assay_prefilter *into, token item)
{
    if (item.kind == ITEM_SPACE) {
        assay_prefilter_add(into, " ");
    } else {
        assay_prefilter_add_letter(into, item.byte);
    }
}

/* Whether no digit can follow item `index`. */
static bool is_delimited(const assay_format *format, size_t index)
{
    if (index + 1 == format->count) return true;
    const token next = format->items[index + 1];
    if (next.kind == 'z') return true;
    return is_separator(next) && (next.kind == ITEM_SPACE || next.byte < '0' || next.byte > '9');
}

/* Days up to 28 with all months, then 29 and 30, then 31, each with the months that have these days in every year. */
enum { day_spans = 3 };
static const char *const spanned_days[day_spans] = {NULL, "(?:29|30)", "31"};
static const char *const spanned_months[day_spans] = {"(?:%s[1-9]|1[0-2])", "(?:%s[13-9]|1[0-2])",
                                                      "(?:%s[13578]|1[02])"};

/* Adds a day and a month, in either order, with at most one separator between them: the items `first` to `second`. */
static void add_day_and_month(assay_prefilter *into, const assay_format *format, size_t first, size_t second)
{
    for (size_t span = 0; span < day_spans; span++) {
        assay_prefilter_add(into, span == 0 ? "(?:" : "|");
        for (size_t index = first; index <= second; index++) {
            const token item = format->items[index];
            char months[32];
            if (is_separator(item)) {
                add_separator(into, item);
            } else if (is_day(item)) {
                const char *days = spanned_days[span];
                assay_prefilter_add(into, days == NULL ? prefilter_for('d', is_delimited(format, index)) : days);
            } else {
                snprintf(months, sizeof months, spanned_months[span], is_delimited(format, index) ? "0?" : "0");
                assay_prefilter_add(into, months);
            }
        }
    }
    assay_prefilter_add(into, ")");
}

/* The index of the month after a day at `index`, or of the day after a month; 0: another item follows. */
static size_t partner_of(const assay_format *format, size_t index)
{
    const token item = format->items[index];
    size_t other = index + 1;
    if (other < format->count && is_separator(format->items[other])) other++;
    if (other >= format->count) return 0;
    const token partner = format->items[other];
    return (is_day(item) && partner.kind == 'm') || (item.kind == 'm' && is_day(partner)) ? other : 0;
}

void assay_format_write_prefilter(const assay_format *format, assay_prefilter *into)
{
    for (size_t i = 0; i < format->count; i++) {
        const token item = format->items[i];
        const size_t partner = partner_of(format, i);
        if (is_separator(item)) {
            add_separator(into, item);
        } else if (partner > 0) {
            add_day_and_month(into, format, i, partner);
            i = partner;
        } else {
            const char *text = prefilter_for(item.kind, is_delimited(format, i));
            if (text == NULL) {
                into->count = 0;
                return;
            }
            assay_prefilter_add(into, text);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Reading
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct moment {
    int year;
    int month;
    int day;
    int day_of_year; /* 0: absent */
    int hour;
    int minute;
    int second;
    bool is_half_day; /* hour is 1 … 12 */
    bool is_afternoon;
    bool has_zone;
    int64_t offset;
    assay_fraction fraction;
} moment;

static const char *const months[] = {"january", "february", "march",     "april",   "may",      "june",
                                     "july",    "august",   "september", "october", "november", "december"};
static const char *const weekdays[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

/* Reads one of `names`, in full or as its first three letters. Returns its length, or 0 for other bytes. */
static size_t read_name(const uint8_t *bytes, size_t count, const char *const *names, int names_count, bool full,
                        int *index)
{
    for (int i = 0; i < names_count; i++) {
        size_t length = full ? strlen(names[i]) : 3;
        if (length > count) continue;
        size_t same = 0;
        while (same < length && lower(bytes[same]) == (uint8_t)names[i][same]) same++;
        if (same < length) continue;
        *index = i;
        return length;
    }
    return 0;
}

enum { zone_numbers = 3 };

/* Reads Z, or ±hh[:mm[:ss]] or ±hh[mm[ss]] with exactly `numbers` numbers. Returns the length, or 0 for other bytes. */
static size_t read_zone(const uint8_t *bytes, size_t count, int numbers, int64_t *offset)
{
    *offset = 0;
    if (count > 0 && bytes[0] == 'Z') return numbers == zone_numbers ? 1 : 0;
    if (count == 0 || (bytes[0] != '+' && bytes[0] != '-')) return 0;
    bool colons = count > 3 && bytes[3] == ':';
    int parts[zone_numbers] = {0, 0, 0};
    size_t at = 1;
    for (int read = 0; read < numbers; read++) {
        size_t start = at + (colons && read > 0);
        if (start + 2 > count || (start > at && bytes[at] != ':')) return 0;
        uint8_t tens = bytes[start];
        uint8_t ones = bytes[start + 1];
        if (tens < '0' || tens > '9' || ones < '0' || ones > '9') return 0;
        parts[read] = (tens - '0') * 10 + (ones - '0');
        if (parts[read] > (read == 0 ? 23 : 59)) return 0;
        at = start + 2;
    }
    *offset = ((int64_t)parts[0] * 3600 + parts[1] * 60 + parts[2]) * (bytes[0] == '-' ? -1 : 1);
    return at;
}

static void set_number(moment *fields, uint8_t letter, int number)
{
    switch (letter) {
    case 'Y':
        fields->year = number;
        break;
    case 'y':
        fields->year = number + (number < 69 ? 2000 : 1900);
        break;
    case 'm':
        fields->month = number;
        break;
    case 'd':
    case 'e':
        fields->day = number;
        break;
    case 'j':
        fields->day_of_year = number;
        break;
    case 'H':
        fields->hour = number;
        break;
    case 'I':
        fields->hour = number;
        fields->is_half_day = true;
        break;
    case 'M':
        fields->minute = number;
        break;
    default:
        fields->second = number;
        break;
    }
}

static bool match(const assay_format *format, size_t index, const uint8_t *bytes, size_t count, moment *fields);

/* A number may have one digit or two ("%d%m" reads "15" as the 1st of May), so the following items decide. Tries the
   longest first, as Python's regular expression does. A format contains each part at most once, which limits the
   combinations to a few thousand. */
static bool match_number(const assay_format *format, size_t index, const uint8_t *bytes, size_t count, moment *fields)
{
    uint8_t letter = format->items[index].kind;
    const number_shape *shape = &number_shapes[format->items[index].shape];
    /* Python accepts " 5" for the day, because %e in C writes it in this form. */
    bool padded = (letter == 'd' || letter == 'e') && count > 1 && bytes[0] == ' ';
    int max = padded ? 1 : shape->max;
    const uint8_t *digits = bytes + padded;
    size_t left = count - padded;
    for (int length = max; length >= (padded ? 1 : shape->min); length--) {
        if ((size_t)length > left) continue;
        int number = 0;
        int at = 0;
        for (; at < length && digits[at] >= '0' && digits[at] <= '9'; at++) number = number * 10 + (digits[at] - '0');
        if (at < length || number < shape->minimum || number > shape->maximum) continue;
        set_number(fields, letter, number);
        if (match(format, index + 1, digits + length, left - (size_t)length, fields)) return true;
    }
    return false;
}

static bool match_space(const assay_format *format, size_t index, const uint8_t *bytes, size_t count, moment *fields)
{
    size_t spaces = 0;
    while (spaces < count && is_space(bytes[spaces])) spaces++;
    /* The last space may be the padding of a day. */
    for (size_t taken = spaces; taken > 0 && taken + 2 > spaces; taken--) {
        if (match(format, index + 1, bytes + taken, count - taken, fields)) return true;
    }
    return false;
}

static bool match_fraction(const assay_format *format, size_t index, const uint8_t *bytes, size_t count, moment *fields)
{
    size_t digits = 0;
    assay_fraction_read(bytes, count < 6 ? count : 6, &digits);
    for (; digits > 0; digits--) {
        size_t length = 0;
        fields->fraction = assay_fraction_read(bytes, digits, &length);
        if (match(format, index + 1, bytes + digits, count - digits, fields)) return true;
    }
    return false;
}

static bool match_zone(const assay_format *format, size_t index, const uint8_t *bytes, size_t count, moment *fields)
{
    for (int numbers = zone_numbers; numbers > 0; numbers--) {
        size_t length = read_zone(bytes, count, numbers, &fields->offset);
        if (length > 0 && match(format, index + 1, bytes + length, count - length, fields)) {
            fields->has_zone = true;
            return true;
        }
    }
    return false;
}

/* Reads a number that no digit can follow, and therefore all digits there. Returns its length; 0 for other bytes. */
static size_t read_number(token item, const uint8_t *bytes, size_t count, moment *fields)
{
    const number_shape *shape = &number_shapes[item.shape];
    const size_t padding = is_day(item) && count > 1 && bytes[0] == ' ';
    const size_t min = padding > 0 ? 1 : (size_t)shape->min;
    const size_t max = padding > 0 ? 1 : (size_t)shape->max;
    const uint8_t *digits = bytes + padding;
    const size_t left = count - padding;
    int number = 0;
    size_t length = 0;
    for (; length < left && length <= max && digits[length] >= '0' && digits[length] <= '9'; length++) {
        number = number * 10 + (digits[length] - '0');
    }
    if (length < min || length > max || number < shape->minimum || number > shape->maximum) return 0;
    set_number(fields, item.kind, number);
    return padding + length;
}

/* Whether the items from `index` on match all of the bytes. */
static bool match(const assay_format *format, size_t index, const uint8_t *bytes, size_t count, moment *fields)
{
    for (; index < format->count; index++) {
        token item = format->items[index];
        size_t length = 0;
        int name = 0;
        switch (item.kind) {
        case ITEM_LITERAL:
            length = count > 0 && lower(bytes[0]) == item.byte;
            break;
        case ITEM_SPACE:
            return match_space(format, index, bytes, count, fields);
        case 'f':
            return match_fraction(format, index, bytes, count, fields);
        case 'z':
            return match_zone(format, index, bytes, count, fields);
        case 'b':
        case 'h':
        case 'B':
            length = read_name(bytes, count, months, 12, item.kind == 'B', &name);
            fields->month = name + 1;
            break;
        case 'a':
        case 'A':
            length = read_name(bytes, count, weekdays, 7, item.kind == 'A', &name);
            break;
        case 'p':
            if (count < 2 || lower(bytes[1]) != 'm') return false;
            fields->is_afternoon = lower(bytes[0]) == 'p';
            length = fields->is_afternoon || lower(bytes[0]) == 'a' ? 2 : 0;
            break;
        default:
            if (!item.is_alone) return match_number(format, index, bytes, count, fields);
            length = read_number(item, bytes, count, fields);
            break;
        }
        if (length == 0) return false;
        bytes += length;
        count -= length;
    }
    return count == 0;
}

/* match() for a value with the length `fixed_width`: each number has its max number of digits, or is a day after a
   space. */
static bool match_fixed(const assay_format *format, const uint8_t *bytes, moment *fields)
{
    for (size_t i = 0; i < format->count; i++) {
        const token item = format->items[i];
        if (item.kind == ITEM_LITERAL) {
            if (lower(*bytes++) != item.byte) return false;
            continue;
        }
        const number_shape *shape = &number_shapes[item.shape];
        const uint8_t *end = bytes + shape->max;
        if (is_day(item) && *bytes == ' ') bytes++;
        int number = 0;
        for (; bytes < end; bytes++) {
            if (*bytes < '0' || *bytes > '9') return false;
            number = number * 10 + (*bytes - '0');
        }
        if (number < shape->minimum || number > shape->maximum) return false;
        set_number(fields, item.kind, number);
    }
    return true;
}

bool assay_format_places(const assay_format *format, assay_time_places *places)
{
    const bool ends_with_zone = format->items[format->count - 1].kind == 'z';
    const size_t count = format->count - ends_with_zone;
    const size_t width = fixed_width(format, count);
    if (width == 0 || width >= UINT8_MAX) return false;
    *places = (assay_time_places){width,     UINT8_MAX, UINT8_MAX, UINT8_MAX,
                                  UINT8_MAX, UINT8_MAX, UINT8_MAX, .zone = ends_with_zone ? ZONE_ALWAYS : ZONE_NEVER};
    uint8_t at = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t *place = NULL;
        uint8_t digits = 2;
        switch (format->items[i].kind) {
        case ITEM_LITERAL:
            at++;
            continue;
        case 'Y':
            place = &places->year;
            digits = 4;
            break;
        case 'm':
            place = &places->month;
            break;
        case 'd':
            place = &places->day;
            break;
        case 'H':
            place = &places->hour;
            break;
        case 'M':
            place = &places->minute;
            break;
        case 'S':
            place = &places->second;
            break;
        default:
            return false;
        }
        if (*place != UINT8_MAX) return false;
        *place = at;
        at = (uint8_t)(at + digits);
    }
    return true;
}

bool assay_format_parse(const assay_format *format, const uint8_t *bytes, size_t count, assay_value *value)
{
    moment fields = {.month = 1, .day = 1};
    if (format->fixed_width > 0 && count >= format->fixed_width) {
        if (count > format->fixed_width || !match_fixed(format, bytes, &fields)) return false;
    } else if (!match(format, 0, bytes, count, &fields)) {
        return false;
    }
    if (fields.is_half_day) fields.hour = fields.hour % 12 + (fields.is_afternoon ? 12 : 0);
    int64_t days = 0;
    if (fields.day_of_year > 0) {
        if (fields.day_of_year > 365 + assay_is_leap_year(fields.year)) return false;
        days = assay_days_from_date(fields.year, 1, 1) + fields.day_of_year - 1;
    } else {
        if (fields.day > assay_days_in_month(fields.year, fields.month)) return false;
        days = assay_days_from_date(fields.year, fields.month, fields.day);
    }
    int64_t seconds = (int64_t)fields.hour * 3600 + (int64_t)fields.minute * 60 + fields.second;
    value->fraction = fields.fraction;
    value->has_zone = fields.has_zone;
    switch (format->kind) {
    case ASSAY_KIND_DATE:
        value->integer = days;
        break;
    case ASSAY_KIND_TIME:
        value->integer = seconds;
        break;
    default:
        value->integer = days * ASSAY_SECONDS_PER_DAY + seconds - fields.offset;
        break;
    }
    return true;
}
