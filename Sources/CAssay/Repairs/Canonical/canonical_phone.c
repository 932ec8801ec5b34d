/* Telephone numbers in the form of ITU-T E.164: +442079460018.
 *
 *     0044 (0)20 7946 0018      without separators; 00 becomes +; (0) is not dialled after a country code
 *     +39 (0)6 4882 1234        in Italy the 0 is part of the number
 *     +49 030 901820            the national prefix 0 is not dialled after a country code
 *     020 7946 0018             with the region GB: +44 replaces the national prefix 0
 *
 * A value changes only if libphonenumber reads it as the result, the result is in a plan of its country code, and no
 * other reading of the value is in a plan. */
#include "Repairs/Canonical/phone_plans.h"
#include "Repairs/Canonical/repair_canonical.h"
#include "Repairs/assay_replacement.h"

#include "Types/Builtin/builtin_reasons.h"
#include "assay_error.h"

#include <stdio.h>

/* The region of a type such as "phone valid region=GB"; empty if the type has no region, or several. */
static assay_text only_region(assay_text builtin)
{
    static const char option[] = " region=";
    const size_t length = sizeof option - 1;
    for (size_t start = 0; start + length < builtin.count; start++) {
        if (memcmp(builtin.bytes + start, option, length) != 0) continue;
        const assay_text region = {builtin.bytes + start + length, 2};
        const size_t end = start + length + region.count;
        const bool is_only = end == builtin.count || (end < builtin.count && builtin.bytes[end] == ' ');
        return is_only && phone_plan_find(region) < builtin_phone_plan_count ? region : (assay_text){NULL, 0};
    }
    return (assay_text){NULL, 0};
}

bool canonical_phone_prepare(repair_canonical *canonical, assay_text builtin, assay_text region, assay_error *error)
{
    static const char any_plan[] = "phone valid";
    if (canonical->form != canonical_phone) return true;
    if (region.count == 0) region = only_region(builtin);
    canonical->phone_plan = phone_plan_find(region);
    if (region.count > 0 && (canonical->phone_plan == builtin_phone_plan_count || region.count != 2)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "'%.*s' is no region with telephone numbers, such as GB%s",
                         (int)(region.count < 32 ? region.count : 32), (const char *)region.bytes,
                         region.count == 2 && memcmp(region.bytes, "UK", 2) == 0 ? ", which the United Kingdom is"
                                                                                 : "");
        return false;
    }
    if (!assay_replacement_is_available(error)) return false;
    canonical->in_any_plan =
        assay_check_create_builtin((assay_text){(const uint8_t *)any_plan, sizeof any_plan - 1}, 0, error);
    canonical->phone_plans = canonical->in_any_plan == NULL ? NULL : phone_plans_create(error);
    return canonical->phone_plans != NULL;
}

void canonical_phone_free(repair_canonical *canonical)
{
    phone_plans_free(canonical->phone_plans);
    assay_check_free(canonical->in_any_plan);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------------------- */

/* The digits of a value. */
typedef struct dialled {
    phone_digits digits;
    bool has_plus;
    size_t zero; /* the index of the 0 of a (0) that follows other digits; 0: there is no such 0 */
} dialled;

/* Reads the digits, and a plus before them. Returns false if the value has other characters than separators, or too
 * many digits. */
static bool read_digits(assay_text in, dialled *number)
{
    phone_digits *digits = &number->digits;
    *number = (dialled){.zero = 0};
    for (size_t i = 0; i < in.count;) {
        const size_t separator = separator_at(in, i);
        if (separator > 0) {
            i += separator;
        } else if (is_digit(in.bytes[i])) {
            const bool is_zero = i > 0 && in.count - i > 1 && memcmp(in.bytes + i - 1, "(0)", 3) == 0;
            if (digits->count == PHONE_MAX_DIGITS || (is_zero && number->zero > 0)) return false;
            if (is_zero) number->zero = digits->count;
            digits->bytes[digits->count++] = in.bytes[i++];
        } else if (in.bytes[i] == '+' && digits->count == 0 && !number->has_plus) {
            number->has_plus = true;
            i++;
        } else if (is_one_of(in.bytes[i], "./()")) {
            i++;
        } else {
            return false;
        }
    }
    return digits->count > 0;
}

/* Whether a value looks like a decimal number, as spreadsheets write 4930123456 as 4930123456.0. */
static bool is_decimal(assay_text in)
{
    enum { longest_fraction = 2 };
    size_t at = in.count > 0 && in.bytes[0] == '+';
    while (at < in.count && is_digit(in.bytes[at])) at++;
    if (at == in.count || in.bytes[at] != '.') return false;
    const size_t start = ++at;
    bool are_zeros = true;
    for (; at < in.count && is_digit(in.bytes[at]); at++) are_zeros &= in.bytes[at] == '0';
    return at == in.count && at > start && (are_zeros || at - start <= longest_fraction);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Readings
 * ------------------------------------------------------------------------------------------------------------- */

/* The possible readings of a value. */
typedef struct readings {
    phone_digits number; /* the first number in a plan, with its country code */
    bool is_found;
    bool is_ambiguous;     /* another number is also in a plan */
    bool is_main;          /* libphonenumber reads `number` */
    bool is_dialled;       /* the value has a country code, or the region is known */
    bool has_unknown_code; /* the digits after a plus or an international prefix start with no country code */
    bool has_code_before_zero;
} readings;

/* Digits, some of which are the country code. */
typedef struct numeral {
    const phone_digits *digits;
    size_t zero; /* the index at which the 0 of a (0) was left out; 0: all digits are there */
} numeral;

/* Whether the digits before `rest` can be a country code: (0) is not dialled after a country code, and is a digit like
 * others elsewhere. */
static bool may_be_code(numeral from, const phone_digits *rest, readings *found)
{
    const bool ends_at_zero = from.digits->count - rest->count == from.zero;
    found->has_code_before_zero |= from.zero > 0 && ends_at_zero;
    return from.zero == 0 || ends_at_zero;
}

static bool is_in_plan(const repair_canonical *canonical, assay_scratch *scratch, const phone_digits *number)
{
    uint8_t text[PHONE_MAX_DIGITS + 1] = {'+'};
    memcpy(text + 1, number->bytes, number->count);
    return assay_check_value(canonical->in_any_plan, scratch, text, number->count + 1) == ASSAY_PASS;
}

/* Writes a country code and a national number. Returns false if the result is too long. */
static bool join(size_t plan, const phone_digits *national, phone_digits *number)
{
    char code[8];
    const size_t length = (size_t)snprintf(code, sizeof code, "%d", builtin_phone_plans[plan].calling_code);
    if (length + national->count > PHONE_MAX_DIGITS) return false;
    memcpy(number->bytes, code, length);
    memcpy(number->bytes + length, national->bytes, national->count);
    number->count = length + national->count;
    return true;
}

static void add_reading(const repair_canonical *canonical, assay_scratch *scratch, size_t plan,
                        const phone_digits *national, bool is_main, readings *found)
{
    phone_digits number;
    if (!join(plan, national, &number)) return;
    const bool is_known = found->is_found && number.count == found->number.count &&
                          memcmp(number.bytes, found->number.bytes, number.count) == 0;
    if (!is_known) {
        if (!is_in_plan(canonical, scratch, &number)) return;
        found->is_ambiguous |= found->is_found;
        if (!found->is_found) found->number = number;
        found->is_found = true;
    }
    found->is_main |= is_main;
}

/* Reads digits that start with a country code, with and without a national prefix after the code. */
static void read_international(const repair_canonical *canonical, assay_scratch *scratch, numeral from, bool is_main,
                               readings *found)
{
    phone_digits rest, national;
    const size_t plan = phone_plan_of_code(from.digits, &rest);
    found->is_dialled = true;
    if (plan == builtin_phone_plan_count) {
        found->has_unknown_code |= is_main;
        return;
    }
    if (!may_be_code(from, &rest, found)) return;
    phone_plans_split_national(canonical->phone_plans, plan, scratch, &rest, &national);
    add_reading(canonical, scratch, plan, &national, is_main, found);
    add_reading(canonical, scratch, plan, &rest, false, found);
}

/* Reads digits as dialled in the region: with and without the national prefix, and with the country code of the region
 * but without an international prefix. */
static void read_national(const repair_canonical *canonical, assay_scratch *scratch, numeral from, bool is_main,
                          readings *found)
{
    const phone_digits *digits = from.digits;
    const size_t plan = canonical->phone_plan;
    phone_plans *plans = canonical->phone_plans;
    phone_digits rest, national;
    found->is_dialled = true;
    const bool has_code = phone_plans_split_own_code(plans, plan, scratch, digits, &rest);
    if (has_code && may_be_code(from, &rest, found)) {
        const size_t main_plan = builtin_phone_first_plan(builtin_phone_plans[plan].calling_code);
        phone_plans_split_national(plans, main_plan, scratch, &rest, &national);
        add_reading(canonical, scratch, plan, &national, is_main, found);
    }
    if (from.zero == 0) {
        phone_plans_split_national(plans, plan, scratch, digits, &national);
        add_reading(canonical, scratch, plan, &national, is_main && !has_code, found);
        add_reading(canonical, scratch, plan, digits, false, found);
    }
    if (!phone_plan_starts_with_code(plan, digits, &rest) || !may_be_code(from, &rest, found)) return;
    add_reading(canonical, scratch, plan, &rest, false, found);
    phone_plans_split_national(plans, plan, scratch, &rest, &national);
    add_reading(canonical, scratch, plan, &national, false, found);
}

/* Reads the digits after an international prefix. */
static void read_after_prefix(const repair_canonical *canonical, assay_scratch *scratch, numeral from,
                              const phone_digits *rest, bool is_main, readings *found)
{
    const size_t prefix = from.digits->count - rest->count;
    if (from.zero > 0 && from.zero <= prefix) return;
    const numeral after = {rest, from.zero > 0 ? from.zero - prefix : 0};
    read_international(canonical, scratch, after, is_main, found);
}

/* Reads digits after 00, the international prefix in most countries (ITU-T E.123 section 2.3). Not the main reading in
 * a region, because in Brazil 00 55 is the prefix of a carrier. */
static void read_after_zeros(const repair_canonical *canonical, assay_scratch *scratch, numeral from, bool is_main,
                             readings *found)
{
    if (from.digits->count < 3 || memcmp(from.digits->bytes, "00", 2) != 0) return;
    phone_digits rest = {.count = from.digits->count - 2};
    memcpy(rest.bytes, from.digits->bytes + 2, rest.count);
    read_after_prefix(canonical, scratch, from, &rest, is_main, found);
}

static void read_all(const repair_canonical *canonical, assay_scratch *scratch, numeral from, bool has_plus,
                     readings *found)
{
    const bool has_region = canonical->phone_plan < builtin_phone_plan_count;
    if (has_plus) {
        read_international(canonical, scratch, from, true, found);
        return;
    }
    read_after_zeros(canonical, scratch, from, !has_region, found);
    if (!has_region) return;
    phone_digits rest;
    const bool has_prefix =
        phone_plans_split_international(canonical->phone_plans, canonical->phone_plan, scratch, from.digits, &rest);
    if (has_prefix) read_after_prefix(canonical, scratch, from, &rest, true, found);
    read_national(canonical, scratch, from, !has_prefix, found);
}

/* Whether libphonenumber reads the result as the same number. It reads +375 8 101834563 as 101834563 after the prefix
 * 8. */
static bool is_stable(const repair_canonical *canonical, assay_scratch *scratch, const phone_digits *number)
{
    phone_digits rest, national;
    const size_t plan = phone_plan_of_code(number, &rest);
    phone_plans_split_national(canonical->phone_plans, plan, scratch, &rest, &national);
    return national.count == rest.count && memcmp(national.bytes, rest.bytes, rest.count) == 0;
}

/* Finds all readings of a value. Returns false if the value contains other characters than telephone numbers, or looks
 * like a decimal number. */
static bool read_value(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, readings *found)
{
    dialled number;
    *found = (readings){.is_found = false};
    if (is_decimal(in) || !read_digits(in, &number)) return false;
    read_all(canonical, scratch, (numeral){&number.digits, 0}, number.has_plus, found);
    if (number.zero > 0) {
        phone_digits without = number.digits;
        without.count--;
        memmove(without.bytes + number.zero, number.digits.bytes + number.zero + 1, without.count - number.zero);
        read_all(canonical, scratch, (numeral){&without, number.zero}, number.has_plus, found);
        /* Elsewhere it is not known whether (0) is dialled. */
        if (!found->has_code_before_zero) found->is_found = false;
    }
    return true;
}

bool canonical_phone(const repair_canonical *canonical, assay_scratch *scratch, assay_text in, repair_text *out)
{
    readings found;
    if (!read_value(canonical, scratch, in, &found) || !found.is_found || found.is_ambiguous || !found.is_main ||
        !is_stable(canonical, scratch, &found.number)) {
        return false;
    }
    put(out, '+');
    put_bytes(out, found.number.bytes, found.number.count);
    return true;
}

const assay_failure_reason *canonical_phone_reason(const repair_canonical *canonical, assay_scratch *scratch,
                                                   assay_text in)
{
    readings found;
    bool has_form = in.bytes[0] == '+';
    for (size_t i = 1; i < in.count; i++) has_form &= is_digit(in.bytes[i]);
    if (has_form) return NULL; /* because the type knows the reason */
    if (is_decimal(in)) return assay_failure_reason_at(REASON_SEPARATORS - 1);
    if (!read_value(canonical, scratch, in, &found) || !found.is_dialled) return NULL;
    if (found.is_ambiguous) return assay_failure_reason_at(REASON_AMBIGUOUS - 1);
    if (found.has_unknown_code) return assay_failure_reason_at(REASON_COUNTRY - 1);
    return assay_failure_reason_at(REASON_PLAN - 1);
}
