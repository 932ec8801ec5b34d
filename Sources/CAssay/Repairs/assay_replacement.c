/* Substitution of all matches of a pattern, from left to right.
 *
 *     value   a--b-c       pattern  -+      with  ' '
 *              └┘ └┘       matches from 0, from 3, from 5
 *     out     a b c
 *
 * All searches of a value share one work limit. A short value is searched by JIT code under a match limit so low that
 * even the most expensive steps stay within the work limit. Other values are searched by the metered form
 * (assay_metered.h). A value that reaches its limit stays unchanged.
 *
 * For the semantics of all occurrences, see PCRE2_SUBSTITUTE_GLOBAL in pcre2api. The match after an empty match must
 * not be empty at the same place. */
#include "Repairs/assay_replacement.h"

#include "Bytes/assay_ascii.h"
#include "Patterns/assay_pcre2.h"

#include <stdlib.h>

#ifdef ASSAY_PCRE2

/* A literal text or a group. */
typedef struct part {
    assay_text text; /* bytes == NULL: a group */
    uint32_t group;
} part;

struct assay_replacement {
    assay_pattern *pattern;
    pcre2_code *code;
    assay_metered *metered;
    bool has_jit;
    uint32_t pairs; /* the number of offset pairs that are read */
    uint8_t *storage;
    size_t part_count;
    part parts[];
};

const assay_pattern *assay_replacement_pattern(const assay_replacement *replacement) { return replacement->pattern; }

/* ---------------------------------------------------------------------------------------------------------------
 * The text
 * ------------------------------------------------------------------------------------------------------------- */

static bool refuse(assay_error *error, size_t offset, const char *message)
{
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, ASSAY_REPAIR_BAD_TEXT, offset, "%s", message);
    return false;
}

static bool is_word(uint8_t byte) { return is_digit(byte) || is_letter(byte) || byte == '_'; }

/* Finds a group by its name or number. */
static bool find_group(const pcre2_code *code, assay_text name, uint32_t *group)
{
    if (is_digit(name.bytes[0])) {
        uint32_t captures = 0;
        pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &captures);
        *group = 0;
        for (size_t i = 0; i < name.count; i++) {
            if (!is_digit(name.bytes[i]) || *group > UINT16_MAX) return false;
            *group = *group * 10 + (name.bytes[i] - (uint32_t)'0');
        }
        return *group <= captures;
    }
    char text[64];
    if (name.count >= sizeof text) return false;
    memcpy(text, name.bytes, name.count);
    text[name.count] = 0;
    const int number = pcre2_substring_number_from_name(code, (PCRE2_SPTR)text);
    *group = number > 0 ? (uint32_t)number : 0;
    return number > 0;
}

/* Reads $1, ${1}, $name, ${name} or $$ at `*at`, and advances `*at`. */
static bool read_group(assay_replacement *replacement, assay_text with, size_t *at, assay_error *error)
{
    const size_t start = *at;
    size_t from = start + 1;
    part *next = &replacement->parts[replacement->part_count++];
    if (from < with.count && with.bytes[from] == '$') {
        *next = (part){.text = {with.bytes + from, 1}};
        *at = from + 1;
        return true;
    }
    const bool has_braces = from < with.count && with.bytes[from] == '{';
    if (has_braces) from++;
    size_t end = from;
    const bool is_number = from < with.count && is_digit(with.bytes[from]);
    while (end < with.count && (is_number ? is_digit(with.bytes[end]) : is_word(with.bytes[end]))) end++;
    if (end == from || (has_braces && (end == with.count || with.bytes[end] != '}'))) {
        return refuse(error, start,
                      "a dollar sign is followed by the number or name of a group; write $$ for the sign");
    }
    if (!find_group(replacement->code, (assay_text){with.bytes + from, end - from}, &next->group)) {
        return refuse(error, from, "the pattern has no such group, or several");
    }
    if (next->group >= replacement->pairs) replacement->pairs = next->group + 1;
    *at = end + has_braces;
    return true;
}

/* Reads the parts. `with` must live as long as the replacement. */
static bool read_parts(assay_replacement *replacement, assay_text with, assay_error *error)
{
    for (size_t at = 0; at < with.count;) {
        if (with.bytes[at] == '$') {
            if (!read_group(replacement, with, &at, error)) return false;
            continue;
        }
        const size_t start = at;
        while (at < with.count && with.bytes[at] != '$') at++;
        replacement->parts[replacement->part_count++] = (part){.text = {with.bytes + start, at - start}};
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Making
 * ------------------------------------------------------------------------------------------------------------- */

/* Creates the metered form of the search. */
static bool make_metered(assay_replacement *replacement, assay_text pattern, assay_error *error)
{
    assay_pattern_features features = assay_pattern_scan(pattern.bytes, pattern.count, 0);
    const uint32_t flags = assay_compile_flags(ASSAY_PATTERN_SEARCH, &features);
    const bool folds = assay_pattern_scan_work(pattern.bytes, pattern.count, 0).caseless;
    replacement->metered = assay_metered_create(pattern.bytes, pattern.count, flags, folds);
    if (replacement->metered == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    if (!assay_metered_has_code(replacement->metered)) {
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "the pattern is too large for replacing");
        return false;
    }
    return true;
}

/* Decides between JIT and interpreter. Captured text must be correct, as for back references, so patterns with groups
 * that are used are treated like patterns with back references. */
static bool choose_engine(assay_replacement *replacement, assay_text pattern, assay_error *error)
{
    assay_pattern_features features = assay_pattern_scan(pattern.bytes, pattern.count, 0);
    features.backreference |= replacement->pairs > 1;
    if (assay_engine_jit_bug(&features, ASSAY_PATTERN_SEARCH) == NULL) {
        replacement->has_jit = assay_compile_to_machine_code(replacement->code) > 0 &&
                               assay_metered_compile_to_machine_code(replacement->metered);
    }
    const char *bug = assay_engine_interpreter_bug(&features);
    if (replacement->has_jit || bug == NULL) return true;
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                     "JIT cannot be used for this pattern here, and the interpreter of PCRE2 before 10.43 errs on %s",
                     bug);
    return false;
}

assay_replacement *assay_replacement_create(assay_text pattern, assay_text with, size_t max_bytes, assay_error *error)
{
    pcre2_code *code = NULL;
    assay_pattern *search =
        assay_pattern_create_with_code(pattern.bytes, pattern.count, ASSAY_PATTERN_SEARCH, max_bytes, &code, error);
    /* The text has at most one part per byte. */
    assay_replacement *replacement =
        search == NULL ? NULL : calloc(1, sizeof *replacement + with.count * sizeof *replacement->parts);
    if (replacement == NULL) {
        if (search != NULL) assay_error_no_memory(error);
        assay_pattern_free(search);
        assay_code_free(code);
        return NULL;
    }
    replacement->pattern = search;
    replacement->code = code;
    replacement->pairs = 1;
    replacement->storage = malloc(with.count + 1);
    if (replacement->storage == NULL) {
        assay_error_no_memory(error);
        assay_replacement_free(replacement);
        return NULL;
    }
    if (with.count > 0) memcpy(replacement->storage, with.bytes, with.count);
    if (!make_metered(replacement, pattern, error) ||
        !read_parts(replacement, (assay_text){replacement->storage, with.count}, error) ||
        !choose_engine(replacement, pattern, error)) {
        assay_replacement_free(replacement);
        return NULL;
    }
    return replacement;
}

bool assay_replacement_is_available(assay_error *error)
{
    (void)error;
    return true;
}

void assay_replacement_free(assay_replacement *replacement)
{
    if (replacement == NULL) return;
    assay_pattern_free(replacement->pattern);
    assay_code_free(replacement->code);
    assay_metered_free(replacement->metered);
    free(replacement->storage);
    free(replacement);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Applying
 * ------------------------------------------------------------------------------------------------------------- */

/* The state of the substitution in one value. */
typedef struct replacing {
    const assay_replacement *replacement;
    assay_scratch *scratch;
    assay_text value;
    pcre2_match_data *data;
    bool is_metered;
    bool (*append)(void *context, const uint8_t *bytes, size_t count);
    void *context;
} replacing;

/* Searches the next match from a place on. Returns the result of pcre2_match(). */
static int search(replacing *run, size_t from, uint32_t options)
{
    const assay_replacement *replacement = run->replacement;
    assay_scratch *scratch = run->scratch;
    if (run->is_metered) {
        return assay_metered_search(replacement->metered, &scratch->meter, replacement->has_jit, run->value, from,
                                    options, run->data, scratch->context);
    }
    return pcre2_jit_match(replacement->code, run->value.bytes, run->value.count, from, options, run->data,
                           scratch->context);
}

/* Appends the replacement of the last match. */
static bool append_parts(const replacing *run)
{
    const size_t *offsets = pcre2_get_ovector_pointer(run->data);
    for (size_t i = 0; i < run->replacement->part_count; i++) {
        const part *next = &run->replacement->parts[i];
        assay_text text = next->text;
        if (text.bytes == NULL) {
            const size_t from = offsets[2 * next->group], to = offsets[2 * next->group + 1];
            if (from == PCRE2_UNSET || to <= from) continue;
            text = (assay_text){run->value.bytes + from, to - from};
        }
        if (!run->append(run->context, text.bytes, text.count)) return false;
    }
    return true;
}

static assay_replacement_outcome replace_all(replacing *run)
{
    const size_t *offsets = pcre2_get_ovector_pointer(run->data);
    size_t copied = 0, from = 0;
    uint32_t options = 0;
    for (;;) {
        const int rc = from > run->value.count ? PCRE2_ERROR_NOMATCH : search(run, from, options);
        if (rc == PCRE2_ERROR_NOMATCH) break;
        /* \K can set the start after the end, or before bytes that are already copied. */
        if (rc < 0 || offsets[0] < copied || offsets[1] < offsets[0]) return ASSAY_REPLACEMENT_LEFT;
        if (!run->append(run->context, run->value.bytes + copied, offsets[0] - copied) || !append_parts(run)) {
            return ASSAY_REPLACEMENT_STOPPED;
        }
        copied = from = offsets[1];
        options = offsets[0] == offsets[1] ? PCRE2_NOTEMPTY_ATSTART : 0;
    }
    if (!run->append(run->context, run->value.bytes + copied, run->value.count - copied)) {
        return ASSAY_REPLACEMENT_STOPPED;
    }
    return ASSAY_REPLACEMENT_DONE;
}

/* Whether a value can be searched without the meter. Sets the match limit so that all starts together stay within the
 * work limit, because PCRE2 counts from zero at each start. Halves it, because the search after an empty match begins
 * at the same start again. */
static bool can_be_plain(const assay_replacement *replacement, assay_scratch *scratch, size_t count)
{
    if (!replacement->has_jit || count > SHORT_BLOCK) return false;
    assay_work_costs costs = replacement->pattern->jit_costs;
    costs.counts_each_start = 1;
    bool is_lowered;
    const uint32_t limit = assay_work_match_limit(&scratch->limits, &costs, SHORT_BLOCK, &is_lowered) / 2;
    pcre2_set_match_limit(scratch->context, limit);
    return limit > 0;
}

static void prepare_meter(const replacing *run)
{
    assay_scratch *scratch = run->scratch;
    const assay_work_costs *costs = &run->replacement->pattern->interpreted.costs;
    const uint64_t steps = assay_work_steps(&scratch->limits, costs, run->value.count);
    scratch->meter.left = steps < UINT64_MAX / ASSAY_WORK_STEP ? steps * ASSAY_WORK_STEP : UINT64_MAX;
    pcre2_set_match_limit(scratch->context, steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX);
    if (!run->replacement->has_jit) scratch->heap_may_be_large = true;
}

assay_replacement_outcome assay_replacement_apply(const assay_replacement *replacement, assay_scratch *scratch,
                                                  assay_text value,
                                                  bool (*append)(void *context, const uint8_t *bytes, size_t count),
                                                  void *context)
{
    if (assay_pattern_match(replacement->pattern, scratch, value.bytes, value.count) != ASSAY_PASS) {
        return ASSAY_REPLACEMENT_LEFT;
    }
    if (value.count == 0) value.bytes = assay_empty_value;
    replacing run = {replacement, scratch, value, scratch->match_data, false, append, context};
    if (replacement->pairs > 1) {
        run.data = pcre2_match_data_create(replacement->pairs, NULL);
        if (run.data == NULL) return ASSAY_REPLACEMENT_STOPPED;
    }
    run.is_metered = !can_be_plain(replacement, scratch, value.count);
    if (run.is_metered) prepare_meter(&run);
    const assay_replacement_outcome outcome = replace_all(&run);
    /* Invalidate the cached limit, because the match limit of the context changed. */
    scratch->limit_blocks = SIZE_MAX;
    if (run.data != scratch->match_data) pcre2_match_data_free(run.data);
    if (scratch->heap_may_be_large) assay_scratch_trim_heap(scratch);
    return outcome;
}
#else

assay_replacement *assay_replacement_create(assay_text pattern, assay_text with, size_t max_bytes, assay_error *error)
{
    (void)pattern, (void)with, (void)max_bytes;
    assay_replacement_is_available(error);
    return NULL;
}

bool assay_replacement_is_available(assay_error *error)
{
    assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0,
                     "this build has no PCRE2, which 'replace' and the canonical form of telephone numbers need");
    return false;
}

void assay_replacement_free(assay_replacement *replacement) { (void)replacement; }

const assay_pattern *assay_replacement_pattern(const assay_replacement *replacement)
{
    (void)replacement;
    return NULL;
}

assay_replacement_outcome assay_replacement_apply(const assay_replacement *replacement, assay_scratch *scratch,
                                                  assay_text value,
                                                  bool (*append)(void *context, const uint8_t *bytes, size_t count),
                                                  void *context)
{
    (void)replacement, (void)scratch, (void)value, (void)append, (void)context;
    return ASSAY_REPLACEMENT_LEFT;
}
#endif
