/* Checks: a uniform interface to all kinds of rules for a value. */
#include "Bytes/assay_length.h"
#include "Checks/assay_set.h"
#include "Patterns/assay_budget.h"
#include "Patterns/assay_dfa_only.h"
#include "Patterns/assay_scratch.h"
#include "Types/Builtin/assay_builtin.h"
#include "Types/assay_exponent.h"
#include "Types/assay_type.h"
#include "assay_error.h"

#include <stdlib.h>
#include <string.h>

typedef enum check_form {
    FORM_PATTERN,
    FORM_LENGTH,
    FORM_TYPE,
    FORM_SET,
    FORM_RANGE,
    FORM_BUILTIN,
    FORM_COUNT,
    FORM_MULTIPLE,
} check_form;

/* One end of a range. It keeps the text because the value points into it. */
typedef struct range_end {
    assay_type_bound bound;
    uint8_t *text;
} range_end;

/* A divisor: coefficient × 10^exponent. The coefficient does not end in 0. */
typedef struct decimal_divisor {
    uint32_t coefficient;
    int64_t exponent;
} decimal_divisor;

struct assay_check {
    check_form form;
    const assay_pattern *pattern;
    const assay_type *type;
    assay_length_rule length;
    size_t min; /* items, elements or members */
    size_t max;
    assay_set *set;
    assay_builtin *builtin;   /* for FORM_TYPE, the source of failure reasons for times; NULL: no reasons */
    assay_pattern *prefilter; /* see assay_prefilter.h; NULL: no prefilter */
    size_t prefilter_longest;
    assay_prefilter_confirm *confirm;
    range_end lower;
    range_end upper;
    decimal_divisor divisor;
};

/* ---------------------------------------------------------------------------------------------------------------
 * Making
 * ------------------------------------------------------------------------------------------------------------- */

static assay_check *new_check(check_form form)
{
    assay_check *check = calloc(1, sizeof *check);
    if (check != NULL) check->form = form;
    return check;
}

assay_check *assay_check_create_pattern(const assay_pattern *pattern)
{
    assay_check *check = new_check(FORM_PATTERN);
    if (check != NULL) check->pattern = pattern;
    return check;
}

assay_check *assay_check_create_length(size_t minimum, size_t maximum, assay_length_unit unit)
{
    assay_check *check = new_check(FORM_LENGTH);
    if (check != NULL) check->length = (assay_length_rule){minimum, maximum, unit};
    return check;
}

/* Creates the prefilter. If memory runs out, the check works without it. */
static void make_prefilter(assay_check *check, uint32_t options)
{
    if ((options & (ASSAY_PATTERN_NO_DFA | ASSAY_PATTERN_NO_JIT)) != 0) return;
    assay_prefilter prefilter = {.count = 0};
    switch (check->form) {
    case FORM_TYPE:
        assay_type_write_prefilter(check->type, &prefilter);
        break;
    case FORM_RANGE:
        assay_type_write_range_prefilter(check->type, &check->lower.bound, &check->upper.bound, &prefilter);
        break;
    case FORM_BUILTIN:
        assay_builtin_write_prefilter(check->builtin, &prefilter);
        break;
    case FORM_PATTERN:
    case FORM_LENGTH:
    case FORM_SET:
    case FORM_COUNT:
    case FORM_MULTIPLE:
        break;
    }
    if (prefilter.count == 0) return;
    check->prefilter =
        assay_pattern_create((const uint8_t *)prefilter.pattern, prefilter.count, ASSAY_PATTERN_ONLY_DFA, 0, NULL);
    check->prefilter_longest = prefilter.max == 0 ? UINT32_MAX : prefilter.max;
    check->confirm = prefilter.confirm;
}

/* Returns the built-in type with the values of a time type, which for TIME includes values with an offset. NULL: there
 * is no such type. */
static assay_builtin *builtin_of_time(const assay_type *type)
{
    const char *text = NULL;
    if (assay_type_format(type) != NULL) return NULL;
    switch (assay_type_kind(type)) {
    case ASSAY_KIND_DATE:
        text = "date";
        break;
    case ASSAY_KIND_TIME:
        text = "time local no-leap-second upper-case";
        break;
    case ASSAY_KIND_DATETIME:
        text = "date-time local no-leap-second upper-case";
        break;
    default:
        return NULL;
    }
    return assay_builtin_create((assay_text){(const uint8_t *)text, strlen(text)}, 0, NULL);
}

assay_check *assay_check_create_type(const assay_type *type, uint32_t options)
{
    assay_check *check = new_check(FORM_TYPE);
    if (check == NULL) return NULL;
    check->type = type;
    check->builtin = builtin_of_time(type);
    make_prefilter(check, options);
    return check;
}

assay_check *assay_check_create_count(const assay_type *type, size_t minimum, size_t maximum, assay_error *error)
{
    if (!assay_type_has_members(type)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "only lists, arrays and objects have items to count");
        return NULL;
    }
    assay_check *check = new_check(FORM_COUNT);
    if (check == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    check->type = type;
    check->min = minimum;
    check->max = maximum;
    return check;
}

assay_check *assay_check_create_set(const assay_type *type, const assay_text *values, size_t count, assay_error *error)
{
    assay_check *check = new_check(FORM_SET);
    if (check == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    check->type = type;
    check->set = assay_set_create(type, values, count, error);
    if (check->set != NULL) return check;
    assay_check_free(check);
    return NULL;
}

/* `place` is 0 for the lower end and 1 for the upper one. */
static bool make_end(range_end *end, const assay_type *type, assay_bound bound, size_t place, assay_error *error)
{
    assay_value *value = &end->bound.value;
    end->bound.is_open = bound.text.count == 0;
    end->bound.exclusive = bound.exclusive;
    if (end->bound.is_open) return true;
    end->text = malloc(bound.text.count);
    if (end->text == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    memcpy(end->text, bound.text.bytes, bound.text.count);
    bool is_of_type = assay_type_parse(type, end->text, bound.text.count, value);
    /* A bound that does not equal itself (NaN, a duration beyond the comparable range) would fail every value. */
    bool compares = is_of_type && assay_type_compare(type, value, value) == ASSAY_EQUAL;
    if (compares && assay_exponent_is_comparable(value)) return true;
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, place, "\"%.*s\" is %s",
                     (int)(bound.text.count < 64 ? bound.text.count : 64), (const char *)bound.text.bytes,
                     compares     ? assay_exponent_message
                     : is_of_type ? "not a bound, because values cannot be compared with it"
                                  : "not of the type");
    return false;
}

static bool make_range(assay_check *check, assay_bound lower, assay_bound upper, assay_error *error)
{
    assay_kind kind = assay_type_kind(check->type);
    if (kind == ASSAY_KIND_STRING || kind == ASSAY_KIND_BOOLEAN || assay_type_has_members(check->type)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "text, booleans, lists, arrays and objects have no order to bound");
        return false;
    }
    if (!make_end(&check->lower, check->type, lower, 0, error)) return false;
    if (!make_end(&check->upper, check->type, upper, 1, error)) return false;
    const assay_type_bound *low = &check->lower.bound;
    const assay_type_bound *high = &check->upper.bound;
    if (kind == ASSAY_KIND_DATETIME && !low->is_open && !high->is_open && low->value.has_zone != high->value.has_zone) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 1, "only one of the two bounds has a time zone");
        return false;
    }
    return true;
}

assay_check *assay_check_create_range(const assay_type *type, assay_bound lower, assay_bound upper, uint32_t options,
                                      assay_error *error)
{
    assay_check *check = new_check(FORM_RANGE);
    if (check == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    check->type = type;
    if (!make_range(check, lower, upper, error)) {
        assay_check_free(check);
        return NULL;
    }
    make_prefilter(check, options);
    return check;
}

/* Returns the exponent of a number, written as a whole number without trailing zeros times a power of ten, and the
 * whole number modulo `modulus`.
 *
 *     1250   125 × 10^1        0.05   5 × 10^-2 */
static int64_t read_coefficient(const assay_decimal *decimal, uint64_t modulus, uint64_t *coefficient)
{
    int64_t digits = 0;
    uint64_t rest = 0;
    for (size_t i = 0; i < decimal->span; i++) {
        const unsigned digit = (unsigned)decimal->digits[i] - '0';
        if (digit > 9) continue; /* a separator */
        rest = (rest * 10 + digit) % modulus;
        digits++;
    }
    *coefficient = rest;
    return decimal->exponent - digits;
}

static bool make_divisor(assay_check *check, assay_text text, assay_error *error)
{
    const assay_kind kind = assay_type_kind(check->type);
    if (kind != ASSAY_KIND_INTEGER && kind != ASSAY_KIND_NUMBER) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "only numbers are multiples of a number");
        return false;
    }
    assay_value value;
    if (text.count == 0 || !assay_type_parse(check->type, text.bytes, text.count, &value) ||
        value.decimal.form != ASSAY_DECIMAL_FINITE || value.decimal.sign <= 0) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "\"%.*s\" is not a number greater than 0",
                         (int)(text.count < 64 ? text.count : 64), (const char *)text.bytes);
        return false;
    }
    size_t digits = 0;
    for (size_t i = 0; i < value.decimal.span; i++) digits += (unsigned)value.decimal.digits[i] - '0' <= 9;
    uint64_t coefficient = 0;
    /* All numbers of ten digits are below this modulus. */
    check->divisor.exponent = read_coefficient(&value.decimal, UINT64_C(10000000000), &coefficient);
    if (digits > 10 || coefficient > UINT32_MAX) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "\"%.*s\" has more digits than values are divided by: at most %u",
                         (int)(text.count < 64 ? text.count : 64), (const char *)text.bytes, UINT32_MAX);
        return false;
    }
    if (!assay_exponent_is_comparable(&value)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "%s", assay_exponent_message);
        return false;
    }
    check->divisor.coefficient = (uint32_t)coefficient;
    return true;
}

assay_check *assay_check_create_multiple(const assay_type *type, assay_text divisor, assay_error *error)
{
    assay_check *check = new_check(FORM_MULTIPLE);
    if (check == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    check->type = type;
    if (make_divisor(check, divisor, error)) return check;
    assay_check_free(check);
    return NULL;
}

assay_check *assay_check_create_builtin(assay_text text, uint32_t options, assay_error *error)
{
    assay_check *check = new_check(FORM_BUILTIN);
    if (check == NULL) {
        assay_error_no_memory(error);
        return NULL;
    }
    check->builtin = assay_builtin_create(text, options, error);
    if (check->builtin == NULL) {
        assay_check_free(check);
        return NULL;
    }
    make_prefilter(check, options);
    return check;
}

void assay_check_free(assay_check *check)
{
    if (check == NULL) return;
    assay_pattern_free(check->prefilter);
    assay_builtin_free(check->builtin);
    assay_set_free(check->set);
    free(check->lower.text);
    free(check->upper.text);
    free(check);
}

const assay_pattern *assay_check_pattern(const assay_check *check)
{
    return check->form == FORM_BUILTIN ? assay_builtin_pattern(check->builtin) : check->pattern;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Judging
 * ------------------------------------------------------------------------------------------------------------- */

static assay_verdict verdict_of(bool passes) { return passes ? ASSAY_PASS : ASSAY_FAIL; }

static assay_verdict evaluate_length(const assay_check *check, const uint8_t *value, size_t count)
{
    return assay_length_evaluate(&check->length, value, count);
}

static assay_verdict evaluate_type(const assay_check *check, const uint8_t *value, size_t count)
{
    return assay_type_evaluate(check->type, value, count);
}

static assay_verdict evaluate_count(const assay_check *check, const uint8_t *value, size_t count)
{
    size_t members = 0;
    const assay_verdict verdict = assay_type_count_members(check->type, value, count, &members);
    if (verdict != ASSAY_PASS) return verdict;
    return verdict_of(members >= check->min && members <= check->max);
}

static assay_verdict evaluate_set(const assay_check *check, const uint8_t *value, size_t count)
{
    return assay_set_evaluate(check->set, value, count);
}

static bool is_within(const assay_check *check, const assay_value *value)
{
    const assay_type_bound *lower = &check->lower.bound;
    const assay_type_bound *upper = &check->upper.bound;
    if (!lower->is_open) {
        assay_order order = assay_type_compare(check->type, &lower->value, value);
        if (order != ASSAY_LESS && (order != ASSAY_EQUAL || lower->exclusive)) return false;
    }
    if (!upper->is_open) {
        assay_order order = assay_type_compare(check->type, value, &upper->value);
        if (order != ASSAY_LESS && (order != ASSAY_EQUAL || upper->exclusive)) return false;
    }
    return true;
}

static assay_verdict evaluate_range(const assay_check *check, const uint8_t *value, size_t count)
{
    assay_value parsed;
    if (!assay_type_parse(check->type, value, count, &parsed)) return ASSAY_FAIL;
    return verdict_of(is_within(check, &parsed));
}

static uint64_t power_of_ten(uint64_t exponent, uint64_t modulus)
{
    uint64_t power = 1 % modulus;
    for (uint64_t base = 10 % modulus; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) power = power * base % modulus;
        base = base * base % modulus;
    }
    return power;
}

/* Exact for numbers of any length. Clamped exponents do not change the result: 10^32 and every higher power of ten have
 * the same common divisors with a coefficient of 32 bits. */
static assay_verdict evaluate_multiple(const assay_check *check, const uint8_t *value, size_t count)
{
    assay_value parsed;
    if (!assay_type_parse(check->type, value, count, &parsed)) return ASSAY_FAIL;
    if (parsed.decimal.form != ASSAY_DECIMAL_FINITE) return ASSAY_FAIL;
    if (parsed.decimal.sign == 0) return ASSAY_PASS;
    const uint64_t modulus = check->divisor.coefficient;
    uint64_t rest = 0;
    const int64_t exponent = read_coefficient(&parsed.decimal, modulus, &rest) - check->divisor.exponent;
    /* The coefficient does not end in 0, so it is not a multiple of a power of ten. */
    if (exponent < 0) return ASSAY_FAIL;
    return verdict_of(rest * power_of_ten((uint64_t)exponent, modulus) % modulus == 0);
}

typedef assay_verdict evaluate_function(const assay_check *check, const uint8_t *value, size_t count);

static evaluate_function *evaluator_of(check_form form)
{
    switch (form) {
    case FORM_LENGTH:
        return evaluate_length;
    case FORM_TYPE:
        return evaluate_type;
    case FORM_SET:
        return evaluate_set;
    case FORM_RANGE:
        return evaluate_range;
    case FORM_COUNT:
        return evaluate_count;
    case FORM_MULTIPLE:
        return evaluate_multiple;
    case FORM_PATTERN:
    case FORM_BUILTIN:
        break; /* need scratch: see assay_pattern_value.c and assay_builtin.c */
    }
    return NULL;
}

/* The address of empty values if the caller has no bytes. */
static const uint8_t empty_value[1] = {0};

assay_verdict assay_check_value(const assay_check *check, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    if (check->form == FORM_PATTERN) return assay_pattern_match(check->pattern, scratch, value, count);
    if (value == NULL) value = empty_value;
    if (check->form == FORM_BUILTIN) return assay_builtin_evaluate(check->builtin, scratch, value, count);
    assay_verdict verdict = evaluator_of(check->form)(check, value, count);
    if (verdict == ASSAY_UNDECIDED) assay_scratch_set_engine_code(scratch, 0);
    return verdict;
}

/* Whether the prefilter alone passes a value. For an e-mail address, this takes half of the time of its type. */
static bool passes_prefilter(const assay_check *check, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    return check->form == FORM_BUILTIN && check->prefilter != NULL && count <= check->prefilter_longest &&
           assay_pattern_passes_by_dfa(check->prefilter, scratch, value, count);
}

bool assay_check_passes(const assay_check *check, assay_scratch *scratch, const uint8_t *value, size_t count)
{
    if (check->form == FORM_PATTERN) return assay_pattern_match(check->pattern, scratch, value, count) == ASSAY_PASS;
    if (value == NULL) value = empty_value;
    return passes_prefilter(check, scratch, value, count) ||
           assay_check_value(check, scratch, value, count) == ASSAY_PASS;
}

bool assay_check_has_reasons(const assay_check *check) { return check->builtin != NULL; }

/* Whether a time may have an offset, which TIME does not allow. */
static bool may_have_offset(const uint8_t *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (value[i] == 'Z' || value[i] == '+' || value[i] == '-') return true;
    }
    return false;
}

const assay_failure_reason *assay_check_failure_reason(const assay_check *check, assay_scratch *scratch,
                                                       const uint8_t *value, size_t count)
{
    if (check->builtin == NULL) return NULL;
    if (value == NULL) value = empty_value;
    if (check->form == FORM_BUILTIN) return assay_builtin_reason(check->builtin, scratch, value, count);
    if (assay_type_kind(check->type) == ASSAY_KIND_TIME && may_have_offset(value, count)) return NULL;
    return assay_builtin_reason_beyond_form(check->builtin, scratch, value, count);
}

void assay_check_failure_reasons(const assay_check *check, assay_scratch *scratch, const uint8_t *bytes,
                                 const assay_cell *cells, size_t count, const uint64_t *failed, uint8_t *found)
{
    if (bytes == NULL) bytes = empty_value;
    if (check->form != FORM_BUILTIN) {
        for (size_t row = 0; row < count; row++) {
            if ((failed[row / 64] >> (row % 64) & 1) == 0) continue;
            const assay_failure_reason *reason =
                assay_check_failure_reason(check, scratch, bytes + cells[row].start, cells[row].length);
            found[row] = (uint8_t)(reason == NULL ? 0 : reason - assay_failure_reason_at(0) + 1);
        }
        return;
    }
    const assay_column_view column = {.bytes = bytes, .cells = cells, .count = count};
    assay_builtin_reasons(check->builtin, scratch, &column, failed, found);
}

/* Runs the code for the form of the check. */
static void evaluate_column(const assay_check *check, assay_scratch *scratch, const assay_column_view *column,
                            assay_verdict_masks verdicts)
{
    if (check->form == FORM_BUILTIN) {
        assay_builtin_column(check->builtin, scratch, column, verdicts);
        return;
    }
    const assay_column_view here = *column; /* a copy in registers, which stores to the masks cannot change */
    evaluate_function *evaluate = evaluator_of(check->form);
    const bool asks_for_any = check->form == FORM_LENGTH && assay_length_asks_for_any(&check->length);
    bool any_undecided = false;
    for (size_t row = 0, word = 0; row < here.count; row += 64, word++) {
        const assay_cell *cells = here.cells + row;
        uint64_t rows = assay_column_rest(&here, word);
        if (asks_for_any) {
            const size_t left = here.count - row;
            verdicts.failed[word] = assay_length_empty_rows(cells, left < 64 ? left : 64, rows);
            verdicts.undecided[word] = 0;
            continue;
        }
        uint64_t failed_word = 0;
        uint64_t undecided_word = 0;
        for (; rows != 0; rows &= rows - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(rows);
            assay_verdict verdict = evaluate(check, here.bytes + cells[bit].start, cells[bit].length);
            failed_word |= (uint64_t)(verdict == ASSAY_FAIL) << bit;
            undecided_word |= (uint64_t)(verdict == ASSAY_UNDECIDED) << bit;
        }
        verdicts.failed[word] = failed_word;
        verdicts.undecided[word] = undecided_word;
        any_undecided |= undecided_word != 0;
    }
    if (any_undecided) assay_scratch_set_engine_code(scratch, 0);
}

/* Returns the rows, of 64, that are too long for the prefilter alone to decide. */
static uint64_t longer_rows(const assay_check *check, const assay_cell *cells, uint64_t rows)
{
    uint64_t longer = 0;
    for (; rows != 0; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        longer |= (uint64_t)(cells[row].length > check->prefilter_longest) << row;
    }
    return longer;
}

/* Returns the rows, of 64, that the second test confirms. */
static uint64_t confirmed_rows(const assay_check *check, const uint8_t *bytes, const assay_cell *cells, uint64_t rows)
{
    uint64_t confirmed = 0;
    for (; rows != 0 && check->confirm != NULL; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        confirmed |= (uint64_t)check->confirm(bytes + cells[row].start, cells[row].length) << row;
    }
    return confirmed;
}

/* Sets in `settled` the skipped rows and those that the prefilter passes, of at most ASSAY_DFA_ROWS rows. */
static void find_settled(const assay_check *check, assay_scratch *scratch, const assay_column_view *column,
                         uint64_t *settled)
{
    uint64_t unmatched[ASSAY_DFA_ROWS / 64];
    for (size_t word = 0; word * 64 < column->count; word++) settled[word] = ~assay_column_rest(column, word);
    if (!assay_pattern_find_unmatched(check->prefilter, scratch, column, unmatched)) return;
    for (size_t word = 0; word * 64 < column->count; word++) {
        const assay_cell *block = column->cells + word * 64;
        uint64_t passed = ~(settled[word] | unmatched[word]);
        if (check->prefilter_longest < UINT32_MAX) {
            const uint64_t longer = longer_rows(check, block, passed);
            passed ^= longer ^ confirmed_rows(check, column->bytes, block, longer);
        }
        settled[word] |= passed;
    }
}

/* The max number of rows that are checked as single values, because the batch forms sort the rows of a column and clear
 * their tables, which takes 100 ns even for one row. */
enum { MAX_SINGLE_ROWS = 4 };

static void evaluate_singles(const assay_check *check, assay_scratch *scratch, const assay_column_view *column,
                             assay_verdict_masks verdicts)
{
    uint64_t failed = 0, undecided = 0;
    for (uint64_t rows = assay_column_rest(column, 0); rows != 0; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        const assay_cell cell = column->cells[row];
        if (passes_prefilter(check, scratch, column->bytes + cell.start, cell.length)) continue;
        const assay_verdict verdict = assay_check_value(check, scratch, column->bytes + cell.start, cell.length);
        failed |= (uint64_t)(verdict == ASSAY_FAIL) << row;
        undecided |= (uint64_t)(verdict == ASSAY_UNDECIDED) << row;
    }
    verdicts.failed[0] = failed;
    verdicts.undecided[0] = undecided;
}

/* Inlined twice, so that a call without a budget has no additional call. */
static inline __attribute__((always_inline)) void evaluate_full_column(const assay_check *check, assay_scratch *scratch,
                                                                       const assay_column_view *column,
                                                                       assay_verdict_masks verdicts)
{
    if (check->form == FORM_PATTERN) {
        assay_pattern_column(check->pattern, scratch, column, verdicts);
        return;
    }
    if (check->prefilter == NULL) {
        evaluate_column(check, scratch, column, verdicts);
        return;
    }
    for (size_t row = 0; row < column->count; row += ASSAY_DFA_ROWS) {
        assay_column_view part = assay_column_part(column, row, ASSAY_DFA_ROWS);
        uint64_t settled[ASSAY_DFA_ROWS / 64];
        find_settled(check, scratch, &part, settled);
        part.skip = settled;
        evaluate_column(check, scratch, &part, assay_verdict_masks_from(verdicts, row));
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Under a budget
 * ------------------------------------------------------------------------------------------------------------- */

/* Ticks for each value and for each of its bytes. */
typedef struct form_cost {
    uint32_t value;
    uint32_t byte;
} form_cost;

/* Returns an upper bound of the cost of most values. The work of PCRE2 is charged separately. */
static form_cost cost_of(check_form form)
{
    switch (form) {
    case FORM_PATTERN:
        return (form_cost){8, ASSAY_BUDGET_DFA_BYTE};
    case FORM_LENGTH:
        return (form_cost){4, 1};
    case FORM_TYPE:
    case FORM_RANGE:
    case FORM_COUNT:
    case FORM_MULTIPLE:
        return (form_cost){32, 8};
    case FORM_SET:
        return (form_cost){32, 4};
    case FORM_BUILTIN:
        return (form_cost){32, 16};
    }
    return (form_cost){32, 16};
}

/* Nominally a quarter of a millisecond. */
enum { PART_TICKS = 1 << 18 };

/* Returns the number of rows from `first` on that are charged together: words of 64 until they reach PART_TICKS. */
static size_t part_from(const assay_column_view *column, size_t first, form_cost cost, uint64_t *ticks)
{
    size_t row = first;
    *ticks = 0;
    while (row < column->count && row - first < ASSAY_DFA_ROWS && *ticks < PART_TICKS) {
        uint64_t bytes = 0;
        uint64_t rest = assay_column_rest(column, row / 64);
        *ticks += (uint64_t)cost.value * (uint64_t)__builtin_popcountll(rest);
        for (; rest != 0; rest &= rest - 1) bytes += column->cells[row + (unsigned)__builtin_ctzll(rest)].length;
        *ticks += cost.byte * bytes;
        row += 64;
    }
    return (row < column->count ? row : column->count) - first;
}

static void note_over(assay_lease *lease, size_t row)
{
    if (row < lease->first_over) lease->first_over = row;
}

/* Checks a column part by part until the budget is exhausted. The remaining rows are undecided. */
static __attribute__((noinline)) void evaluate_charged(const assay_check *check, assay_scratch *scratch,
                                                       const assay_column_view *column, assay_verdict_masks verdicts)
{
    assay_lease *lease = assay_scratch_lease(scratch);
    const form_cost cost = cost_of(check->form);
    size_t row = 0;
    while (row < column->count) {
        uint64_t ticks = 0;
        const size_t count = part_from(column, row, cost, &ticks);
        if (!assay_lease_spend(lease, ticks)) break;
        const assay_column_view part = assay_column_part(column, row, count);
        lease->stopped_at = NULL;
        evaluate_full_column(check, scratch, &part, assay_verdict_masks_from(verdicts, row));
        if (lease->stopped_at != NULL) {
            /* For a pattern, `stopped_at` is a cell of the column, because PCRE2 receives the cells in their order. */
            note_over(lease, check->form == FORM_PATTERN ? (size_t)(lease->stopped_at - column->cells) : row);
        }
        row += count;
    }
    if (row >= column->count) return;
    note_over(lease, row);
    for (size_t word = row / 64; word * 64 < column->count; word++) {
        verdicts.failed[word] = 0;
        verdicts.undecided[word] = assay_column_rest(column, word);
    }
}

void assay_check_column(const assay_check *check, assay_scratch *scratch, const uint8_t *bytes, const assay_cell *cells,
                        size_t count, const uint64_t *skip, uint64_t *failed, uint64_t *undecided)
{
    /* Without bytes every cell is empty. */
    const assay_column_view column = {bytes == NULL ? empty_value : bytes, cells, count, skip};
    const assay_verdict_masks verdicts = {failed, undecided};
    if (__builtin_expect(assay_scratch_lease(scratch)->budget != NULL, 0)) {
        evaluate_charged(check, scratch, &column, verdicts);
    } else if (count - 1 < MAX_SINGLE_ROWS) { /* not for 0 rows, which have no masks */
        evaluate_singles(check, scratch, &column, verdicts);
    } else {
        evaluate_full_column(check, scratch, &column, verdicts);
    }
}
