/* Telephone numbers: the form of ITU-T E.164, and the numbering plans of libphonenumber's metadata.

       +44 7400123456      calling code 44, then digits that must match a plan of GB, GG, IM or JE

   The first thread that needs the patterns of a plan compiles them. */
#include "Types/Builtin/builtin_tests.h"

#include "Memory/assay_chaos.h"
#include "Patterns/assay_scratch.h"
#include "Types/Builtin/builtin_tables.h"
#include "assay_error.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { PHONE_REGION, PHONE_VALID, PHONE_MOBILE, PHONE_FIXED_LINE, PHONE_NATIONAL };

enum { shortest_value = sizeof "+1" - 1 + 4 }; /* in bytes: E.164 with a code of one digit and four digits after it */

enum { longest_number = 24 }; /* the max number of digits in a value, with a national prefix */

/* The patterns of all plans, compiled on demand. */
typedef struct plan_patterns {
    const assay_builtin *type;
    /* Two per entry of builtin_phone_plans: for the number alone, and as dialled inside the region; NULL: not
       compiled. */
    _Atomic(assay_pattern *) *patterns;
    bool *chosen;
} plan_patterns;

static void free_patterns(void *data)
{
    plan_patterns *plans = data;
    if (plans == NULL) return;
    for (size_t i = 0; plans->patterns != NULL && i < 2 * builtin_phone_plan_count; i++) {
        assay_pattern_free(atomic_load(&plans->patterns[i]));
    }
    free(plans->patterns);
    free(plans->chosen);
    free(plans);
}

/* Compiles the pattern of a plan: "(?=leading digits)(?:fixed|mobile|…)", or inside the region
   "(?:prefix)?(?:fixed|mobile|…)". The leading digits only select a region among those with the same calling code, so
   they are ignored if the type has a region. The caller owns the result. */
static assay_pattern *compile_plan(const assay_builtin *type, const builtin_phone_plan *plan, bool is_national)
{
    bool mobile = builtin_given(type, PHONE_MOBILE);
    bool fixed = builtin_given(type, PHONE_FIXED_LINE);
    bool any = !mobile && !fixed;
    const char *parts[3] = {any || fixed ? plan->fixed_line : "", any || mobile ? plan->mobile : "",
                            any ? plan->other_countries : ""};
    const char *before_it = is_national ? plan->national_prefix : plan->leading_digits;
    if (!is_national && builtin_given(type, PHONE_REGION)) before_it = "";
    size_t capacity = strlen(before_it) + 32;
    for (size_t i = 0; i < 3; i++) capacity += strlen(parts[i]) + 1;
    char *text = malloc(capacity);
    if (text == NULL) return NULL;
    text[0] = 0;
    if (before_it[0] != 0) {
        strcat(text, is_national ? "(?:" : "(?=");
        strcat(text, before_it);
        strcat(text, is_national ? ")?" : ")");
    }
    strcat(text, "(?:");
    const char *before = "";
    for (size_t i = 0; i < 3; i++) {
        if (parts[i][0] == 0) continue;
        strcat(text, before);
        strcat(text, parts[i]);
        before = "|";
    }
    strcat(text, before[0] == 0 ? "(?!))" : ")");
    assay_pattern *pattern =
        assay_pattern_create((const uint8_t *)text, strlen(text), type->pattern_options, capacity, NULL);
    free(text);
    return pattern;
}

static const assay_pattern *pattern_of(const plan_patterns *plans, size_t index, bool is_national)
{
    _Atomic(assay_pattern *) *place = &plans->patterns[2 * index + is_national];
    assay_pattern *known = atomic_load_explicit(place, memory_order_acquire);
    if (known != NULL) return known;
    assay_pattern *made = compile_plan(plans->type, &builtin_phone_plans[index], is_national);
    if (made == NULL) return NULL;
    ASSAY_CHAOS_POINT();
    if (atomic_compare_exchange_strong(place, &known, made)) return made;
    assay_pattern_free(made); /* another thread was faster */
    return known;
}

size_t builtin_phone_first_plan(unsigned code)
{
    size_t low = 0;
    size_t high = builtin_phone_plan_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (builtin_phone_plans[middle].calling_code < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < builtin_phone_plan_count && builtin_phone_plans[low].calling_code == code ? low
                                                                                           : builtin_phone_plan_count;
}

static assay_verdict evaluate_plan(const plan_patterns *plans, size_t index, bool is_national, assay_scratch *scratch,
                                   const uint8_t *digits, size_t count)
{
    if (count > longest_number) return ASSAY_FAIL;
    if (!is_national && (builtin_phone_plans[index].lengths >> count & 1) == 0) return ASSAY_FAIL;
    const assay_pattern *pattern = pattern_of(plans, index, is_national);
    if (pattern == NULL) assay_scratch_set_engine_code(scratch, 0); /* out of memory */
    return pattern == NULL ? ASSAY_UNDECIDED : assay_pattern_match(pattern, scratch, digits, count);
}

static assay_verdict evaluate_international(const plan_patterns *plans, assay_scratch *scratch, const uint8_t *digits,
                                            size_t count)
{
    unsigned code = 0;
    assay_verdict verdict = ASSAY_FAIL;
    if (count == 0 || digits[0] == '0') return ASSAY_FAIL;
    for (size_t length = 1; length <= 3 && length < count; length++) {
        code = code * 10 + (unsigned)(digits[length - 1] - '0');
        for (size_t i = builtin_phone_first_plan(code);
             i < builtin_phone_plan_count && builtin_phone_plans[i].calling_code == code; i++) {
            if (!plans->chosen[i]) continue;
            verdict = evaluate_plan(plans, i, false, scratch, digits + length, count - length);
            if (verdict != ASSAY_FAIL) return verdict;
        }
    }
    return verdict;
}

/* Mobile numbers of Argentina have a 9 before the area code from abroad, and a 15 after the area code inside the
   country: 9 11 2345 6789 is dialled as 011 15 2345 6789. */
static assay_verdict evaluate_argentine_mobile(const plan_patterns *plans, size_t index, assay_scratch *scratch,
                                               const uint8_t *digits, size_t count)
{
    enum { area_shortest = 2, area_longest = 4 };
    const size_t area = digits[0] == '0';
    uint8_t from_abroad[longest_number + 1] = {'9'};
    for (size_t length = area_shortest; length <= area_longest; length++) {
        const size_t rest = area + length + 2;
        if (rest >= count || count > longest_number || memcmp(digits + rest - 2, "15", 2) != 0) continue;
        memcpy(from_abroad + 1, digits + area, length);
        memcpy(from_abroad + 1 + length, digits + rest, count - rest);
        const assay_verdict verdict =
            evaluate_plan(plans, index, false, scratch, from_abroad, 1 + length + count - rest);
        if (verdict != ASSAY_FAIL) return verdict;
    }
    return ASSAY_FAIL;
}

/* Checks digits as dialled inside a chosen region, with or without its national prefix. */
static assay_verdict evaluate_national(const plan_patterns *plans, assay_scratch *scratch, const uint8_t *digits,
                                       size_t count)
{
    for (size_t i = 0; i < builtin_phone_plan_count; i++) {
        if (!plans->chosen[i]) continue;
        assay_verdict verdict = evaluate_plan(plans, i, true, scratch, digits, count);
        if (verdict == ASSAY_FAIL && strcmp(builtin_phone_plans[i].region, "AR") == 0) {
            verdict = evaluate_argentine_mobile(plans, i, scratch, digits, count);
        }
        if (verdict != ASSAY_FAIL) return verdict;
    }
    return ASSAY_FAIL;
}

static assay_verdict plan_test(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    bool is_international = value[0] == '+';
    if (!is_international && !builtin_given(type, PHONE_NATIONAL)) return ASSAY_FAIL;
    for (size_t i = is_international; i < count; i++) {
        if (!is_digit(value[i])) return ASSAY_FAIL;
    }
    if (is_international) return evaluate_international(type->data, scratch, value + 1, count - 1);
    return evaluate_national(type->data, scratch, value, count);
}

static bool choose(assay_builtin *type, plan_patterns *plans, assay_error *error)
{
    if (!builtin_given(type, PHONE_REGION)) {
        for (size_t i = 0; i < builtin_phone_plan_count; i++) plans->chosen[i] = true;
        return true;
    }
    assay_text rest = type->texts[PHONE_REGION];
    assay_text word;
    while (builtin_next_word(&rest, &word)) {
        bool found = false;
        for (size_t i = 0; i < builtin_phone_plan_count; i++) {
            if (!builtin_is(word, builtin_phone_plans[i].region)) continue;
            plans->chosen[i] = true;
            found = true;
        }
        if (!found && builtin_is(word, "UK")) {
            return builtin_refuse(type, PHONE_REGION, error, "UK is GB among the codes of ISO 3166");
        }
        if (!found) return builtin_refuse(type, PHONE_REGION, error, "regions are codes of ISO 3166 such as GB,IE");
    }
    return true;
}

bool builtin_phone_prepare(assay_builtin *type, assay_error *error)
{
    bool region = builtin_given(type, PHONE_REGION);
    if (builtin_given(type, PHONE_NATIONAL) && !region) {
        return builtin_refuse(type, PHONE_NATIONAL, error, "inside which region? Write phone region=GB national");
    }
    bool by_plan = region || builtin_given(type, PHONE_VALID) || builtin_given(type, PHONE_MOBILE) ||
                   builtin_given(type, PHONE_FIXED_LINE);
    if (!by_plan) {
        type->pattern_text = builtin_phone_form;
        type->min = shortest_value;
        return true;
    }
    plan_patterns *plans = calloc(1, sizeof *plans);
    type->data = plans;
    type->free_data = free_patterns;
    if (plans != NULL) {
        plans->type = type;
        plans->patterns = calloc(2 * builtin_phone_plan_count, sizeof *plans->patterns);
        plans->chosen = calloc(builtin_phone_plan_count, sizeof *plans->chosen);
    }
    if (plans == NULL || plans->patterns == NULL || plans->chosen == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    type->test = plan_test;
    return choose(type, plans, error);
}

/* The length of the country code at the start of the digits, or 0 if they do not start with one. */
static size_t code_length(const uint8_t *digits, size_t count)
{
    enum { longest_code = 3 };
    unsigned code = 0;
    for (size_t length = 1; length <= longest_code && length <= count; length++) {
        code = code * 10 + (digits[length - 1] - (unsigned)'0');
        if (builtin_phone_first_plan(code) < builtin_phone_plan_count) return length;
    }
    return 0;
}

/* The length of the separator at the start of a text, or 0. Separators are " -./()", no-break spaces, dashes and the
   minus sign. */
static size_t separator_length(const uint8_t *value, size_t count)
{
    if (value[0] != 0 && strchr(" -./()", value[0]) != NULL) return 1;
    if (count >= 2 && value[0] == 0xC2 && value[1] == 0xA0) return 2;
    if (count < 3 || value[0] != 0xE2) return 0;
    if (value[1] == 0x80 && ((value[2] >= 0x90 && value[2] <= 0x94) || value[2] == 0xAF)) return 3;
    return value[1] == 0x88 && value[2] == 0x92 ? 3 : 0;
}

builtin_reason builtin_phone_reason(const assay_builtin *type, const uint8_t *value, size_t count, bool has_shape)
{
    enum { min_after_code = 4, max_digits = 15 }; /* by E.164 */
    uint8_t digits[max_digits + 1];
    size_t digit_count = 0;
    bool has_separators = false;
    const bool has_plus = count > 0 && value[0] == '+';
    for (size_t i = has_plus; i < count;) {
        const size_t separator = separator_length(value + i, count - i);
        has_separators |= separator > 0;
        if (separator == 0 && !is_digit(value[i])) return REASON_PHONE_CHARACTER;
        if (separator == 0 && digit_count < sizeof digits) digits[digit_count++] = value[i];
        i += separator == 0 ? 1 : separator;
    }
    const bool may_have_code = has_plus && digit_count > 0 && digits[0] != '0';
    if (!may_have_code && !builtin_given(type, PHONE_NATIONAL)) return REASON_PLUS;
    const size_t code = may_have_code ? code_length(digits, digit_count) : 0;
    if (may_have_code && code == 0) return REASON_COUNTRY;
    if (!has_separators && type->test != NULL) return has_shape ? REASON_PLAN : REASON_NONE;
    if (may_have_code && digit_count > max_digits) return REASON_TOO_LONG;
    if (may_have_code && digit_count < code + min_after_code) return REASON_TOO_SHORT;
    return has_separators ? REASON_SEPARATORS : REASON_NONE;
}
