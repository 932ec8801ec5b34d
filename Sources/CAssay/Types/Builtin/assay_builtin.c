#include "Types/Builtin/assay_builtin.h"

#include "DFA/assay_dfa.h"
#include "Patterns/assay_dfa_only.h"
#include "Patterns/assay_scratch.h"
#include "Types/Builtin/builtin_definition.h"
#include "Types/assay_temporal.h"
#include "assay_error.h"

#include <stdlib.h>

/* The max length in bytes of a text that contains a type name and options. */
enum { text_capacity = 1000 };

/* ---------------------------------------------------------------------------------------------------------------
 * Lookup
 * ------------------------------------------------------------------------------------------------------------- */

static const builtin_definition *find(assay_text name)
{
    for (size_t i = 0; i < builtin_definition_count; i++) {
        if (builtin_is(name, builtin_definitions[i].info.name)) return &builtin_definitions[i];
    }
    return NULL;
}

/* The bytes up to the next space. */
static assay_text first_word(assay_text text)
{
    size_t length = 0;
    while (length < text.count && text.bytes[length] != ' ') length++;
    return (assay_text){text.bytes, length};
}

const assay_builtin_info *assay_builtin_at(size_t index)
{
    return index < builtin_definition_count ? &builtin_definitions[index].info : NULL;
}

const assay_builtin_info *assay_builtin_find(assay_text text)
{
    const builtin_definition *definition = find(first_word(text));
    return definition == NULL ? NULL : &definition->info;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Creation
 * ------------------------------------------------------------------------------------------------------------- */

static bool read_number(assay_text text, int64_t *number)
{
    if (text.count == 0 || text.count > 7) return false;
    *number = 0;
    for (size_t i = 0; i < text.count; i++) {
        if (!is_digit(text.bytes[i])) return false;
        *number = *number * 10 + (text.bytes[i] - '0');
    }
    return *number <= 1000000;
}

static bool read_list(assay_text text)
{
    if (text.count == 0) return false;
    for (size_t i = 0; i < text.count; i++) {
        bool is_edge = i == 0 || i + 1 == text.count || text.bytes[i - 1] == ',';
        if (text.bytes[i] == ',' && is_edge) return false;
    }
    return true;
}

/* Reads the value of an option, after its "=". Returns NULL, or a description of valid values. */
static const char *read_value(assay_builtin *type, size_t option, assay_text value)
{
    type->texts[option] = value;
    switch (type->definition->options[option].kind) {
    case OPTION_FLAG:
        return NULL; /* not called */
    case OPTION_NUMBER:
        return read_number(value, &type->numbers[option]) ? NULL : "a number from 0 to 1000000";
    case OPTION_TEXT:
        return value.count > 0 && value.count <= 64 ? NULL : "a short text";
    case OPTION_LIST:
        return read_list(value) ? NULL : "words with commas between";
    case OPTION_DATE: {
        assay_value date;
        if (!assay_date_parse(value.bytes, value.count, &date)) return "a date, such as 2024-02-29";
        type->numbers[option] = date.integer;
        return NULL;
    }
    }
    return "";
}

/* Reads one option, which begins at offset `place` of the text. */
static bool read_option(assay_builtin *type, assay_text word, size_t place, size_t *places, assay_error *error)
{
    const uint8_t *equals = memchr(word.bytes, '=', word.count);
    assay_text name = {word.bytes, equals == NULL ? word.count : (size_t)(equals - word.bytes)};
    const char *type_name = type->definition->info.name;
    size_t option = 0;
    while (option < BUILTIN_MAX_OPTIONS && type->definition->options[option].name != NULL &&
           !builtin_is(name, type->definition->options[option].name)) {
        option++;
    }
    int shown = (int)(name.count < 64 ? name.count : 64);
    if (option == BUILTIN_MAX_OPTIONS || type->definition->options[option].name == NULL) {
        const char *known = type->definition->info.options;
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, place, "%s has no option '%.*s'%s%s%s", type_name, shown,
                         (const char *)name.bytes, known[0] == 0 ? ", nor any other" : " (known are ", known,
                         known[0] == 0 ? "" : ")");
        return false;
    }
    if (builtin_given(type, option)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, place, "the option '%.*s' is there twice", shown,
                         (const char *)name.bytes);
        return false;
    }
    type->given |= 1u << option;
    places[option] = place;
    bool is_flag = type->definition->options[option].kind == OPTION_FLAG;
    if (is_flag && equals == NULL) return true;
    if (is_flag) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, place, "'%.*s' takes no value", shown,
                         (const char *)name.bytes);
        return false;
    }
    assay_text value = {word.bytes + word.count, 0};
    if (equals != NULL) value = (assay_text){equals + 1, word.count - name.count - 1};
    const char *target = read_value(type, option, value);
    if (target == NULL) return true;
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, place, "'%.*s=' wants %s", shown, (const char *)name.bytes,
                     target);
    return false;
}

static bool read_options(assay_builtin *type, size_t at, size_t count, size_t *places, assay_error *error)
{
    while (at < count) {
        if (type->storage[at] == ' ') {
            at++;
            continue;
        }
        assay_text word = first_word((assay_text){type->storage + at, count - at});
        if (!read_option(type, word, at, places, error)) return false;
        at += word.count;
    }
    return true;
}

static bool compile(assay_builtin *type, assay_error *error)
{
    size_t places[BUILTIN_MAX_OPTIONS] = {0};
    const builtin_definition *definition = type->definition;
    size_t count = strlen((const char *)type->storage);
    if (!read_options(type, strlen(definition->info.name), count, places, error)) return false;
    if (definition->prepare != NULL && !definition->prepare(type, error)) {
        if (error != NULL) error->offset = places[type->wrong];
        return false;
    }
    if (type->is_too_long) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                         "the options of %s have too many values: its pattern would be longer than %d bytes",
                         definition->info.name, BUILTIN_PATTERN_CAPACITY - 1);
        return false;
    }
    if (type->pattern_text == NULL) return true;
    const uint8_t *pattern = (const uint8_t *)type->pattern_text;
    type->pattern = assay_pattern_create(pattern, strlen(type->pattern_text), type->pattern_options,
                                         BUILTIN_PATTERN_CAPACITY, error);
    return type->pattern != NULL;
}

assay_builtin *assay_builtin_create(assay_text text, uint32_t pattern_options, assay_error *error)
{
    assay_text name = first_word(text);
    const builtin_definition *definition = find(name);
    if (definition == NULL || text.count > text_capacity || memchr(text.bytes, 0, text.count) != NULL) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "no built-in type is called '%.*s'",
                         (int)(name.count < 64 ? name.count : 64), (const char *)name.bytes);
        return NULL;
    }
    assay_builtin *type = calloc(1, sizeof *type);
    if (type != NULL) {
        type->storage = malloc(text.count + 1);
        type->built = calloc(1, BUILTIN_PATTERN_CAPACITY);
    }
    if (type == NULL || type->storage == NULL || type->built == NULL) {
        assay_error_no_memory(error);
        assay_builtin_free(type);
        return NULL;
    }
    memcpy(type->storage, text.bytes, text.count);
    type->storage[text.count] = 0;
    type->definition = definition;
    type->min = definition->min;
    type->max = definition->max == 0 ? SIZE_MAX : definition->max;
    type->pattern_text = definition->pattern;
    type->pattern_options = pattern_options | definition->pattern_options | ASSAY_PATTERN_BUILT_IN;
    type->test = definition->test;
    if (compile(type, error)) return type;
    assay_builtin_free(type);
    return NULL;
}

void assay_builtin_free(assay_builtin *type)
{
    if (type == NULL) return;
    if (type->free_data != NULL) type->free_data(type->data);
    assay_pattern_free(type->pattern);
    free(type->built);
    free(type->storage);
    free(type);
}

const assay_pattern *assay_builtin_pattern(const assay_builtin *type) { return type->pattern; }

void assay_builtin_write_prefilter(const assay_builtin *type, assay_prefilter *into)
{
    const builtin_definition *definition = type->definition;
    if (definition->prefilter == NULL || (type->given & definition->narrowing) != 0) return;
    assay_prefilter_add(into, definition->prefilter);
    into->max = definition->prefilter_longest;
    into->confirm = definition->confirm;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Judging
 * ------------------------------------------------------------------------------------------------------------- */

static bool is_possible(const assay_builtin *type, const uint8_t *value, size_t count)
{
    if (count < type->min || count > type->max) return false;
    return count == 0 || value[count - 1] != '\n' || type->may_end_in_newline;
}

assay_verdict assay_builtin_evaluate(const assay_builtin *type, assay_scratch *scratch, const uint8_t *value,
                                     size_t count)
{
    if (!is_possible(type, value, count)) return ASSAY_FAIL;
    if (type->pattern != NULL) {
        assay_verdict verdict = assay_pattern_match(type->pattern, scratch, value, count);
        if (verdict != ASSAY_PASS) return verdict;
    }
    return type->test == NULL ? ASSAY_PASS : type->test(type, scratch, value, count);
}

/* The rows, among `rows` of word `word`, with a length or a last byte that the type excludes. */
static uint64_t impossible_rows(const assay_builtin *type, const assay_column_view *column, size_t word, uint64_t rows)
{
    const assay_cell *cells = column->cells + 64 * word;
    uint64_t impossible = 0;
    for (; rows != 0; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        impossible |= (uint64_t)!is_possible(type, column->bytes + cells[row].start, cells[row].length) << row;
    }
    return impossible;
}

/* Runs the test of the type on rows of word `word`, and adds the verdicts to the masks. */
static void test_rows(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column, size_t word,
                      uint64_t rows, assay_verdict_masks verdicts)
{
    const assay_cell *cells = column->cells + 64 * word;
    for (; rows != 0; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        const assay_verdict verdict = type->test(type, scratch, column->bytes + cells[row].start, cells[row].length);
        verdicts.failed[word] |= (uint64_t)(verdict == ASSAY_FAIL) << row;
        verdicts.undecided[word] |= (uint64_t)(verdict == ASSAY_UNDECIDED) << row;
    }
}

/* Judges at most ASSAY_DFA_ROWS rows: lengths first, then one call of the pattern, then the test. Not 64 rows at a
   time, because the engine for columns sorts and shuffles the rows of one call: calls of 64 rows took 1.4 times as long
   for slug (2026-11). */
static void evaluate_group(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column,
                           assay_verdict_masks verdicts)
{
    uint64_t *failed = verdicts.failed, *undecided = verdicts.undecided;
    uint64_t impossible[ASSAY_DFA_ROWS / 64];
    uint64_t closed[ASSAY_DFA_ROWS / 64];
    uint64_t any_open = 0;
    const size_t words = assay_mask_words(column->count);
    for (size_t word = 0; word < words; word++) {
        const uint64_t rows = assay_column_rest(column, word);
        impossible[word] = impossible_rows(type, column, word, rows);
        closed[word] = ~(rows & ~impossible[word]);
        any_open |= ~closed[word];
        failed[word] = impossible[word];
        undecided[word] = 0;
    }
    if (any_open == 0) return;
    if (type->pattern != NULL) {
        assay_column_view open = *column;
        open.skip = closed;
        assay_pattern_column(type->pattern, scratch, &open, verdicts);
    }
    for (size_t word = 0; word < words; word++) {
        const uint64_t passed = ~(closed[word] | failed[word] | undecided[word]);
        failed[word] |= impossible[word];
        if (type->test == NULL) continue;
        test_rows(type, scratch, column, word, passed, verdicts);
    }
}

void assay_builtin_column(const assay_builtin *type, assay_scratch *scratch, const assay_column_view *column,
                          assay_verdict_masks verdicts)
{
    for (size_t row = 0; row < column->count; row += ASSAY_DFA_ROWS) {
        const assay_column_view part = assay_column_part(column, row, ASSAY_DFA_ROWS);
        evaluate_group(type, scratch, &part, assay_verdict_masks_from(verdicts, row));
    }
}
