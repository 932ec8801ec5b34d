/* Telephone numbers in the form of ITU-T E.164: +442079460018.
 *
 *     0044 (0)20 7946 0018      separators go, 00 is +, (0) is not dialled from abroad
 *     +39 (0)6 4882 1234        in Italy it is: the 0 stays
 *     020 7946 0018             with the region GB: its national prefix 0 goes, +44 comes
 *
 * Nothing is guessed: of a number with (0) the plans must have one reading only, and what has no + must be a number of the
 * plan of its region, in one way only. */
#include "Repairs/Canonical/repair_canonical.h"

#include "assay_error.h"

#include <stdio.h>
#include <stdlib.h>

enum { longest_number = 32 };

static const builtin_phone_plan *find_plan(assay_text region)
{
    for (size_t i = 0; i < builtin_phone_plan_count; i++) {
        const char *name = builtin_phone_plans[i].region;
        if (strlen(name) == region.count && memcmp(name, region.bytes, region.count) == 0) {
            return &builtin_phone_plans[i];
        }
    }
    return NULL;
}

static assay_check *check_of(const char *text, assay_error *error)
{
    return assay_check_create_builtin((assay_text){(const uint8_t *)text, strlen(text)}, 0, error);
}

static assay_replacement *prefix_of(const builtin_phone_plan *plan, assay_error *error)
{
    const size_t count = strlen(plan->national_prefix) + sizeof "^(?:)";
    char *text = malloc(count);
    if (text == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    snprintf(text, count, "^(?:%s)", plan->national_prefix);
    assay_replacement *replacement = assay_replacement_create((assay_text){(const uint8_t *)text, strlen(text)},
                                                              (assay_text){(const uint8_t *)"", 0}, 0, error);
    free(text);
    return replacement;
}

/* The region of a type such as "phone valid region=GB"; empty: it has none, or several. */
static assay_text only_region(assay_text builtin)
{
    static const char option[] = " region=";
    const size_t length = sizeof option - 1;
    for (size_t start = 0; start + length < builtin.count; start++) {
        if (memcmp(builtin.bytes + start, option, length) != 0) continue;
        const assay_text region = {builtin.bytes + start + length, 2};
        const size_t end = start + length + region.count;
        const bool is_only = end == builtin.count || (end < builtin.count && builtin.bytes[end] == ' ');
        return is_only && find_plan(region) != NULL ? region : (assay_text){NULL, 0};
    }
    return (assay_text){NULL, 0};
}

bool canonical_phone_prepare(repair_canonical *canonical, assay_text builtin, assay_text region, assay_error *error)
{
    if (canonical->form != canonical_phone) return true;
    if (region.count == 0) region = only_region(builtin);
    canonical->in_any_plan = check_of("phone valid", error);
    if (canonical->in_any_plan == NULL || region.count == 0) return canonical->in_any_plan != NULL;
    canonical->plan = find_plan(region);
    if (canonical->plan == NULL || region.count != 2) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "'%.*s' is no region with telephone numbers, such as GB%s",
                         (int)(region.count < 32 ? region.count : 32), (const char *)region.bytes,
                         region.count == 2 && memcmp(region.bytes, "UK", 2) == 0 ? ", which the United Kingdom is"
                                                                                 : "");
        return false;
    }
    char text[32];
    snprintf(text, sizeof text, "phone valid region=%s", canonical->plan->region);
    canonical->in_plan = check_of(text, error);
    if (canonical->in_plan == NULL) return false;
    if (canonical->plan->national_prefix[0] == 0) return true;
    canonical->national_prefix = prefix_of(canonical->plan, error);
    return canonical->national_prefix != NULL;
}

void canonical_phone_free(repair_canonical *canonical)
{
    assay_replacement_free(canonical->national_prefix);
    assay_check_free(canonical->in_plan);
    assay_check_free(canonical->in_any_plan);
}

/* A number as it is written. */
typedef struct dialled {
    uint8_t digits[longest_number];
    size_t count;
    bool has_plus;
    size_t zero; /* where the 0 of a (0) behind a country code is among the digits; 0: there is none */
} dialled;

static bool has_code(const dialled *number)
{
    return number->has_plus || (number->count > 1 && number->digits[0] == '0' && number->digits[1] == '0');
}

/* Reads the digits, and a plus before them. False: there is something else than separators, or too much. */
static bool read_digits(assay_text in, dialled *number)
{
    *number = (dialled){.count = 0};
    for (size_t i = 0; i < in.count;) {
        const size_t separator = separator_at(in, i);
        const bool is_zero = in.count - i >= 3 && memcmp(in.bytes + i, "(0)", 3) == 0;
        if (separator > 0) {
            i += separator;
        } else if (is_zero && number->count > 0 && has_code(number)) {
            if (number->zero > 0 || number->count == longest_number) return false;
            number->zero = number->count;
            number->digits[number->count++] = '0';
            i += 3;
        } else if (is_digit(in.bytes[i])) {
            if (number->count == longest_number) return false;
            number->digits[number->count++] = in.bytes[i++];
        } else if (in.bytes[i] == '+' && number->count == 0 && !number->has_plus) {
            number->has_plus = true;
            i++;
        } else if (is_one_of(in.bytes[i], "./()")) {
            i++;
        } else {
            return false;
        }
    }
    return number->count > 0;
}

static bool passes(const assay_check *check, assay_scratch *scratch, const repair_text *out)
{
    return assay_check_value(check, scratch, out->bytes, out->count) == ASSAY_PASS;
}

static void write_digits(const dialled *number, size_t start, bool has_zero, repair_text *out)
{
    out->count = 0;
    put(out, '+');
    for (size_t i = start; i < number->count; i++) {
        if (has_zero || i != number->zero) put(out, number->digits[i]);
    }
}

/* A number with its country code, which begins at `start`. A (0) is dialled only inside the country, as in Britain, or part of the
 * number, as in Italy: it must be a number in one of the two ways only. */
static bool write_international(const repair_canonical *canonical, assay_scratch *scratch, const dialled *number,
                                size_t start, repair_text *out)
{
    write_digits(number, start, true, out);
    if (number->zero == 0) return number->has_plus || passes(canonical->in_any_plan, scratch, out);
    const bool is_with = passes(canonical->in_any_plan, scratch, out);
    write_digits(number, start, false, out);
    const bool is_without = passes(canonical->in_any_plan, scratch, out);
    if (is_with) write_digits(number, start, true, out);
    return is_with != is_without;
}

static bool append(void *context, const uint8_t *bytes, size_t count)
{
    put_bytes(context, bytes, count);
    return true;
}

static void write_code(const builtin_phone_plan *plan, repair_text *out)
{
    char code[8];
    snprintf(code, sizeof code, "+%d", plan->calling_code);
    out->count = 0;
    put_text(out, code);
}

/* A number as it is dialled in the region: with the national prefix or without it, but only one of the two may be a number. */
static bool write_national(const repair_canonical *canonical, assay_scratch *scratch, assay_text digits,
                           repair_text *out)
{
    write_code(canonical->plan, out);
    put_bytes(out, digits.bytes, digits.count);
    const bool is_without = passes(canonical->in_plan, scratch, out);
    if (canonical->national_prefix == NULL) return is_without;
    write_code(canonical->plan, out);
    const bool is_with =
        assay_replacement_apply(canonical->national_prefix, scratch, digits, append, out) == ASSAY_REPLACEMENT_DONE &&
        passes(canonical->in_plan, scratch, out);
    if (is_with) return !is_without;
    write_code(canonical->plan, out);
    put_bytes(out, digits.bytes, digits.count);
    return is_without;
}

bool canonical_phone(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    dialled number;
    if (!read_digits(in, &number)) return false;
    if (number.has_plus) return write_international(canonical, scratch, &number, 0, out);
    /* 00 is dialled before the country code nearly everywhere (ITU-T E.123 section 2.3). */
    if (number.count > 2 && has_code(&number) && write_international(canonical, scratch, &number, 2, out)) return true;
    if (canonical->plan == NULL || number.zero > 0) return false;
    return write_national(canonical, scratch, (assay_text){number.digits, number.count}, out);
}
