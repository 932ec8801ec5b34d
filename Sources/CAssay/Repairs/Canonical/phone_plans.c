#include "Repairs/Canonical/phone_plans.h"

#include "Memory/assay_chaos.h"
#include "Repairs/assay_replacement.h"
#include "assay_error.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The compiled patterns of one plan. A replacement writes the last group of its pattern and a mark before the remaining
 * digits:
 *
 *     read_prefix  0|([59]\d{7})$  →  $1:      0412345678  →  :412345678      91621234  →  91621234: */
typedef struct plan_rules {
    assay_replacement *prefix;        /* NULL: the plan has no national prefix */
    assay_replacement *international; /* NULL: the plan has no international prefix */
    assay_pattern *general;
} plan_rules;

struct phone_plans {
    size_t count;
    _Atomic(plan_rules *) rules[]; /* one for each of builtin_phone_plans; NULL: not compiled yet */
};

/* ---------------------------------------------------------------------------------------------------------------
 * Rules
 * ------------------------------------------------------------------------------------------------------------- */

static void free_rules(plan_rules *rules)
{
    if (rules == NULL) return;
    assay_replacement_free(rules->prefix);
    assay_replacement_free(rules->international);
    assay_pattern_free(rules->general);
    free(rules);
}

/* The number of capture groups in a pattern. The pattern must not contain escaped parentheses. */
static unsigned count_groups(const char *pattern)
{
    unsigned count = 0;
    for (; *pattern != 0; pattern++) count += pattern[0] == '(' && pattern[1] != '?';
    return count;
}

static assay_replacement *compile_prefix(const char *pattern, bool has_group)
{
    char with[16] = ":";
    if (has_group) snprintf(with, sizeof with, "$%u:", count_groups(pattern));
    const size_t capacity = strlen(pattern) + sizeof "^(?:)";
    char *text = malloc(capacity);
    if (text == NULL) return NULL;
    snprintf(text, capacity, "^(?:%s)", pattern);
    assay_replacement *replacement =
        assay_replacement_create((assay_text){(const uint8_t *)text, strlen(text)},
                                 (assay_text){(const uint8_t *)with, strlen(with)}, capacity, NULL);
    free(text);
    return replacement;
}

static plan_rules *compile_rules(const builtin_phone_plan *plan)
{
    plan_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL) return NULL;
    const size_t count = strlen(plan->general);
    rules->general = assay_pattern_create((const uint8_t *)plan->general, count, 0, count + 1, NULL);
    bool is_complete = rules->general != NULL;
    if (is_complete && plan->read_prefix[0] != 0) {
        rules->prefix = compile_prefix(plan->read_prefix, plan->transform != NULL);
        is_complete = rules->prefix != NULL;
    }
    if (is_complete && plan->international_prefix[0] != 0) {
        rules->international = compile_prefix(plan->international_prefix, false);
        is_complete = rules->international != NULL;
    }
    if (is_complete) return rules;
    free_rules(rules);
    return NULL;
}

/* The rules of a plan, or NULL if memory runs out. */
static const plan_rules *rules_of(phone_plans *plans, size_t plan)
{
    plan_rules *known = atomic_load_explicit(&plans->rules[plan], memory_order_acquire);
    if (known != NULL) return known;
    plan_rules *compiled = compile_rules(&builtin_phone_plans[plan]);
    if (compiled == NULL) return NULL;
    ASSAY_CHAOS_POINT();
    if (atomic_compare_exchange_strong(&plans->rules[plan], &known, compiled)) return compiled;
    free_rules(compiled); /* another thread was faster */
    return known;
}

phone_plans *phone_plans_create(assay_error *error)
{
    phone_plans *plans = malloc(sizeof *plans + builtin_phone_plan_count * sizeof *plans->rules);
    if (plans == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    plans->count = builtin_phone_plan_count;
    for (size_t i = 0; i < plans->count; i++) atomic_init(&plans->rules[i], NULL);
    return plans;
}

void phone_plans_free(phone_plans *plans)
{
    if (plans == NULL) return;
    for (size_t i = 0; i < plans->count; i++) free_rules(atomic_load(&plans->rules[i]));
    free(plans);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Digits
 * ------------------------------------------------------------------------------------------------------------- */

static phone_digits digits_after(const phone_digits *digits, size_t start)
{
    phone_digits rest = {.count = digits->count - start};
    memcpy(rest.bytes, digits->bytes + start, rest.count);
    return rest;
}

static bool is_general(const plan_rules *rules, assay_scratch *scratch, const phone_digits *digits)
{
    return assay_pattern_match(rules->general, scratch, digits->bytes, digits->count) == ASSAY_PASS;
}

static bool has_length(uint32_t lengths, size_t count) { return count < 32 && (lengths >> count & 1) != 0; }

/* Whether `count` digits exceed all general lengths of the plan, and are not a local length. */
static bool is_too_long(const builtin_phone_plan *plan, size_t count)
{
    return !has_length(plan->local_lengths, count) && (count >= 32 || plan->general_lengths >> count == 0);
}

/* The output of a replacement: digits and a mark. */
typedef struct replaced {
    uint8_t bytes[2 * PHONE_MAX_DIGITS];
    size_t count;
} replaced;

static bool append(void *context, const uint8_t *bytes, size_t count)
{
    replaced *text = context;
    if (count > sizeof text->bytes - text->count) return false;
    if (count > 0) memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
    return true;
}

/* Applies a prefix to digits. `group` is the last group of the prefix, `rest` the digits after the prefix. */
static bool split(const assay_replacement *prefix, assay_scratch *scratch, const phone_digits *digits,
                  phone_digits *group, phone_digits *rest)
{
    replaced text = {.count = 0};
    if (prefix == NULL || assay_replacement_apply(prefix, scratch, (assay_text){digits->bytes, digits->count}, append,
                                                  &text) != ASSAY_REPLACEMENT_DONE) {
        return false;
    }
    const uint8_t *mark = memchr(text.bytes, ':', text.count);
    group->count = (size_t)(mark - text.bytes);
    rest->count = text.count - group->count - 1;
    memcpy(group->bytes, text.bytes, group->count);
    memcpy(rest->bytes, mark + 1, rest->count);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Plans
 * ------------------------------------------------------------------------------------------------------------- */

size_t phone_plan_find(assay_text region)
{
    for (size_t i = 0; i < builtin_phone_plan_count; i++) {
        const char *name = builtin_phone_plans[i].region;
        if (strlen(name) == region.count && memcmp(name, region.bytes, region.count) == 0) return i;
    }
    return builtin_phone_plan_count;
}

size_t phone_plan_of_code(const phone_digits *digits, phone_digits *rest)
{
    enum { shortest_rest = 2, longest_code = 3 };
    unsigned code = 0;
    if (digits->count <= shortest_rest || digits->bytes[0] == '0') return builtin_phone_plan_count;
    for (size_t length = 1; length <= longest_code && length < digits->count; length++) {
        code = code * 10 + (digits->bytes[length - 1] - (unsigned)'0');
        const size_t plan = builtin_phone_first_plan(code);
        if (plan == builtin_phone_plan_count) continue;
        *rest = digits_after(digits, length);
        return plan;
    }
    return builtin_phone_plan_count;
}

bool phone_plans_split_international(phone_plans *plans, size_t plan, assay_scratch *scratch,
                                     const phone_digits *digits, phone_digits *rest)
{
    const plan_rules *rules = rules_of(plans, plan);
    phone_digits group;
    if (rules == NULL || !split(rules->international, scratch, digits, &group, rest)) return false;
    return rest->count == 0 || rest->bytes[0] != '0'; /* because no country code starts with 0 */
}

/* The method maybe_strip_national_prefix_carrier_code of libphonenumber. */
static void remove_prefix(const plan_rules *rules, const builtin_phone_plan *plan, assay_scratch *scratch,
                          const phone_digits *digits, phone_digits *number)
{
    phone_digits group, rest;
    *number = *digits;
    if (digits->count == 0 || !split(rules->prefix, scratch, digits, &group, &rest)) return;
    if (group.count > 0) {
        const size_t added = strlen(plan->transform);
        if (added + group.count + rest.count > PHONE_MAX_DIGITS) return;
        phone_digits transformed = {.count = added + group.count + rest.count};
        memcpy(transformed.bytes, plan->transform, added);
        memcpy(transformed.bytes + added, group.bytes, group.count);
        memcpy(transformed.bytes + added + group.count, rest.bytes, rest.count);
        rest = transformed;
    }
    if (!is_general(rules, scratch, digits) || is_general(rules, scratch, &rest)) *number = rest;
}

void phone_plans_split_national(phone_plans *plans, size_t plan, assay_scratch *scratch, const phone_digits *digits,
                                phone_digits *number)
{
    const builtin_phone_plan *described = &builtin_phone_plans[plan];
    const plan_rules *rules = rules_of(plans, plan);
    *number = *digits;
    if (rules == NULL) return;
    phone_digits without;
    remove_prefix(rules, described, scratch, digits, &without);
    const bool is_possible =
        !has_length(described->local_lengths, without.count) && has_length(described->general_lengths, without.count);
    if (is_possible || is_too_long(described, without.count)) *number = without;
}

bool phone_plan_starts_with_code(size_t plan, const phone_digits *digits, phone_digits *rest)
{
    char code[8];
    const size_t length = (size_t)snprintf(code, sizeof code, "%d", builtin_phone_plans[plan].calling_code);
    if (digits->count <= length || memcmp(digits->bytes, code, length) != 0) return false;
    *rest = digits_after(digits, length);
    return true;
}

bool phone_plans_split_own_code(phone_plans *plans, size_t plan, assay_scratch *scratch, const phone_digits *digits,
                                phone_digits *rest)
{
    const builtin_phone_plan *described = &builtin_phone_plans[plan];
    const plan_rules *rules = rules_of(plans, plan);
    phone_digits after;
    if (rules == NULL || !phone_plan_starts_with_code(plan, digits, &after)) return false;
    remove_prefix(rules, described, scratch, &after, rest);
    return is_too_long(described, digits->count) ||
           (!is_general(rules, scratch, digits) && is_general(rules, scratch, rest));
}
