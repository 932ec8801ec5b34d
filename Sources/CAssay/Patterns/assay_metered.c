/* Charges PCRE2's work by callouts: see assay_metered.h. The first part charges, the second part reads the items of a
 * pattern at compile time, the third part runs it. */
#include "Patterns/assay_metered.h"

#include "Patterns/assay_pcre2.h"
#include "Regex/Syntax/assay_regex_tokens.h"

#include <stdlib.h>
#include <string.h>

#ifdef ASSAY_PCRE2

typedef enum item_kind {
    ITEM_MOVES, /* forward, or not at all */
    ITEM_REFERENCE,
    ITEM_LOOKBEHIND,
} item_kind;

/* The cost of an item of a pattern. */
typedef struct item_cost {
    uint32_t byte;    /* ticks for each byte that it examines */
    uint32_t minimum; /* of X{minimum,}: characters that it may examine before it fails */
    uint16_t group;   /* of a back reference, its group; 0: any group */
    uint8_t kind;
} item_cost;

struct assay_metered {
    pcre2_code *code; /* NULL: with callouts the pattern is too large */
    size_t jit_size;
    uint32_t step;             /* ticks of a callout from machine code */
    uint32_t step_interpreted; /* ticks of a callout from the interpreter */
    uint32_t lookbehind;       /* max bytes that a look-behind moves back */
    bool has_grapheme;
    bool has_calls;
    item_cost items[]; /* by byte offset in the pattern: PCRE2 names items by it */
};

/* ---------------------------------------------------------------------------------------------------------------
 * Charging
 * ------------------------------------------------------------------------------------------------------------- */

static size_t smaller(size_t one, size_t other) { return one < other ? one : other; }

/* Returns the maximum number of bytes that a back reference compares: the length of its group or, if it may refer to
 * any group, of the longest one. A group longer than the rest of the value is not compared, except when case is
 * ignored, because lengths may differ then. */
static size_t compared(const pcre2_callout_block *block, const item_cost *item)
{
    const size_t left = block->subject_length - block->current_position;
    const uint32_t group = item->group;
    size_t longest = 0;
    const uint32_t first = group == 0 ? 1 : group;
    for (uint32_t i = first; i < block->capture_top && (group == 0 || i == group); i++) {
        const size_t from = block->offset_vector[2 * i];
        const size_t to = block->offset_vector[2 * i + 1];
        if (from == PCRE2_UNSET || to <= from || (to - from > left && item->byte == 1)) continue;
        if (to - from > longest) longest = to - from;
    }
    return smaller(longest, left);
}

/* Whether `work` fits once the lease has given more of the reserve. */
static bool is_granted(assay_meter *meter, uint64_t work)
{
    const uint64_t needed = work - meter->left;
    if (needed > meter->reserve) return false;
    const uint64_t usual = meter->reserve < ASSAY_BUDGET_GRANT ? meter->reserve : ASSAY_BUDGET_GRANT;
    const uint64_t grant = needed > usual ? needed : usual;
    if (!assay_lease_spend(meter->lease, grant)) return false;
    meter->left += grant;
    meter->reserve -= grant;
    return true;
}

/* PCRE2 calls this before each item. A nonzero return ends the match, and PCRE2 passes it on. O(1), or O(groups) for a
   back reference that may mean any. */
int assay_metered_charge(pcre2_callout_block *block, void *context)
{
    assay_meter *meter = context;
    const item_cost *item = &meter->metered->items[block->pattern_position];
    const size_t position = block->current_position;
    /* Bytes that the previous item has consumed. Returning to a backtracking point is not charged. */
    size_t moved = position > meter->position ? position - meter->position : 0;
    if (meter->moves_back && position < meter->position) moved = meter->position - position;
    uint64_t work = meter->step + (uint64_t)moved * meter->byte;
    /* Bytes that this item may examine without advancing. */
    size_t in_vain = smaller(item->minimum, block->subject_length - position);
    if (item->kind == ITEM_REFERENCE) in_vain = compared(block, item);
    if (item->kind == ITEM_LOOKBEHIND) in_vain = smaller(meter->metered->lookbehind, position);
    work += (uint64_t)in_vain * item->byte;
    meter->position = position;
    meter->byte = item->byte;
    meter->moves_back = item->kind == ITEM_LOOKBEHIND;
    if (work > meter->left && !is_granted(meter, work)) {
        meter->left = 0;
        return PCRE2_ERROR_MATCHLIMIT;
    }
    meter->left -= work;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * The items of a pattern
 * ------------------------------------------------------------------------------------------------------------- */

/* Returns the cost of the item that the token begins. The item has `length` bytes of text, as PCRE2
   delimits it. Any verb counts as a look-behind, because it may be one. */
static item_cost cost_of(const regex_token *token, size_t length, bool folds)
{
    item_cost cost = {.byte = ASSAY_WORK_BYTE, .kind = ITEM_MOVES};
    if (token->kind == REGEX_TOKEN_REFERENCE) {
        cost.kind = ITEM_REFERENCE;
        cost.group = token->value <= UINT16_MAX ? (uint16_t)token->value : 0;
        cost.byte = folds ? ASSAY_WORK_FOLDED_BYTE : 1;
    } else if (token->kind == REGEX_TOKEN_VERB ||
               (token->kind == REGEX_TOKEN_GROUP && token->group == REGEX_GROUP_LOOKBEHIND)) {
        cost.kind = ITEM_LOOKBEHIND;
    } else if (token->kind == REGEX_TOKEN_CLASS_OPEN) {
        cost.byte = assay_work_class(length);
    } else if (token->kind == REGEX_TOKEN_ESCAPE && token->letter == 'X') {
        cost.byte = ASSAY_WORK_GRAPHEME_BYTE;
    }
    return cost;
}

typedef struct item_reader {
    assay_metered *metered;
    const uint8_t *text;
    size_t count;
    bool folds;
} item_reader;

/* Called by PCRE2 for each callout of the compiled pattern; 0 continues. An item begins at the callout, so the first
 * token of its text is that of the pattern. The minimum is the largest of all quantifiers in the text of the item
 * (read_minima). */
static int read_item(pcre2_callout_enumerate_block *block, void *context)
{
    const item_reader *reader = context;
    item_cost *item = &reader->metered->items[block->pattern_position];
    /* After a (?) at the end, PCRE2 10.42 reports three more bytes. */
    const size_t length = smaller(block->next_item_length, reader->count - block->pattern_position);
    uint32_t minimum = 0;
    for (size_t i = 0; i < length; i++) {
        if (item[i].minimum > minimum) minimum = item[i].minimum;
    }
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, reader->text + block->pattern_position, length, 0);
    const regex_token token = assay_regex_next_token(&tokens);
    *item = cost_of(&token, length, reader->folds);
    item->minimum = minimum;
    if (token.kind == REGEX_TOKEN_ESCAPE && token.letter == 'X') reader->metered->has_grapheme = true;
    if (token.kind == REGEX_TOKEN_CALL) reader->metered->has_calls = true;
    return 0;
}

/* Writes the minimum of each quantifier in braces to the offset where it begins. */
static void read_minima(const item_reader *reader, uint32_t options)
{
    regex_tokens tokens;
    assay_regex_tokens_begin(&tokens, reader->text, reader->count, options);
    for (;;) {
        const regex_token token = assay_regex_next_token(&tokens);
        if (token.kind == REGEX_TOKEN_END) return;
        if (token.kind != REGEX_TOKEN_QUANTIFIER || reader->text[token.start] != '{') continue;
        reader->metered->items[token.start].minimum = token.value;
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Making it
 * ------------------------------------------------------------------------------------------------------------- */

assay_metered *assay_metered_create(const uint8_t *text, size_t count, uint32_t flags, bool folds)
{
    assay_metered *metered = calloc(1, sizeof *metered + (count + 1) * sizeof *metered->items);
    if (metered == NULL) return NULL;
    assay_error error = {.status = ASSAY_OK};
    metered->code = assay_compile(text, count, flags | PCRE2_AUTO_CALLOUT, SIZE_MAX, &error);
    if (metered->code == NULL && error.status == ASSAY_NO_MEMORY) {
        free(metered);
        return NULL;
    }
    if (metered->code == NULL) return metered;
    uint32_t captures = 0;
    uint32_t lookbehind = 0;
    size_t frame_size = 0;
    pcre2_pattern_info(metered->code, PCRE2_INFO_CAPTURECOUNT, &captures);
    pcre2_pattern_info(metered->code, PCRE2_INFO_MAXLOOKBEHIND, &lookbehind);
    pcre2_pattern_info(metered->code, PCRE2_INFO_FRAMESIZE, &frame_size);
    /* Machine code passes all captures to each callout, and saves them when it calls groups. */
    metered->step = ASSAY_WORK_STEP + 2 * captures;
    metered->step_interpreted = ASSAY_WORK_STEP + assay_work_frame(frame_size);
    metered->lookbehind = 4 * lookbehind; /* characters */
    item_reader reader = {.metered = metered, .text = text, .count = count, .folds = folds};
    read_minima(&reader, (flags & PCRE2_EXTENDED) != 0 ? ASSAY_PATTERN_EXTENDED : 0);
    pcre2_callout_enumerate(metered->code, read_item, &reader);
    return metered;
}

/* Compiles the metered form of a pattern, wrapped as its plain form is. */
static assay_metered *make(const assay_pattern *pattern)
{
    const assay_pattern_features features = assay_pattern_scan(pattern->text, pattern->count, pattern->options);
    const bool folds = assay_pattern_scan_work(pattern->text, pattern->count, pattern->options).caseless;
    const uint32_t flags = assay_compile_flags(pattern->options, &features);
    assay_metered *metered = NULL;
    if (pattern->is_wrapped) {
        size_t count = 0;
        uint8_t *full = assay_compile_wrapped(SEARCH_PREFIX, pattern->text, pattern->count, "", &count);
        if (full != NULL) metered = assay_metered_create(full, count, flags | PCRE2_ANCHORED, folds);
        free(full);
    } else {
        metered = assay_metered_create(pattern->text, pattern->count, flags, folds);
    }
    const bool has_code = metered != NULL && metered->code != NULL;
    if (has_code && assay_pattern_form(pattern)->jit_size > 0)
        metered->jit_size = assay_compile_to_machine_code(metered->code);
    return metered;
}

bool assay_metered_has_code(const assay_metered *metered) { return metered->code != NULL; }

uint32_t assay_metered_interpreted_step(const assay_metered *metered) { return metered->step_interpreted; }

size_t assay_metered_minima(const assay_metered *metered, size_t count, uint32_t largest, uint32_t *minima, size_t max)
{
    size_t found = 0;
    for (size_t i = 0; i <= count && found < max; i++) {
        const uint32_t minimum = metered->items[i].minimum;
        bool is_new = minimum > 1 && minimum <= largest;
        for (size_t j = 0; j < found; j++) is_new = is_new && minima[j] != minimum;
        if (is_new) minima[found++] = minimum;
    }
    return found;
}

/* Compiled by the first thread that needs it. If several threads compile it at once, one publishes its result, and the
 * others free theirs. */
const assay_metered *assay_metered_of(const assay_pattern *shared)
{
    /* The const is cast away: a pattern is shared as immutable, and this cache is atomic and changes no verdict. */
    assay_pattern *pattern = (assay_pattern *)shared;
    assay_metered *metered = atomic_load_explicit(&pattern->metered, memory_order_acquire);
    if (metered != NULL) return metered;
    assay_metered *made = make(pattern);
    if (made == NULL) return NULL;
    ASSAY_CHAOS_POINT();
    if (atomic_compare_exchange_strong_explicit(&pattern->metered, &metered, made, memory_order_acq_rel,
                                                memory_order_acquire)) {
        return made;
    }
    assay_metered_free(made);
    return metered;
}

void assay_metered_free(assay_metered *metered)
{
    if (metered == NULL) return;
    assay_code_free(metered->code);
    free(metered);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Running it
 * ------------------------------------------------------------------------------------------------------------- */

/* Starts a run with the remaining ticks of the meter, because two runs of one value share its limit. */
static void begin(const assay_metered *metered, assay_meter *meter, uint32_t step)
{
    *meter = (assay_meter){.metered = metered,
                           .left = meter->left,
                           .reserve = meter->reserve,
                           .lease = meter->lease,
                           .step = step,
                           .byte = ASSAY_WORK_BYTE};
}

static bool admits(const assay_metered *metered, const uint8_t *value, size_t count)
{
    return !metered->has_grapheme || !assay_work_has_long_row(value, count);
}

int assay_metered_interpret(const assay_metered *metered, assay_meter *meter, const uint8_t *value, size_t count,
                            uint32_t options, pcre2_match_data *data, pcre2_match_context *context)
{
    if (!admits(metered, value, count)) return PCRE2_ERROR_MATCHLIMIT;
    begin(metered, meter, metered->step_interpreted);
    return assay_interpret(metered->code, metered->has_calls, (assay_text){value, count}, 0, options, data, context);
}

int assay_metered_search(const assay_metered *metered, assay_meter *meter, bool by_jit, assay_text value, size_t from,
                         uint32_t options, pcre2_match_data *data, pcre2_match_context *context)
{
    begin(metered, meter, by_jit ? metered->step : metered->step_interpreted);
    meter->position = from;
    if (by_jit) return pcre2_jit_match(metered->code, value.bytes, value.count, from, options, data, context);
    return assay_interpret(metered->code, metered->has_calls, value, from, options, data, context);
}

bool assay_metered_compile_to_machine_code(assay_metered *metered)
{
    metered->jit_size = assay_compile_to_machine_code(metered->code);
    return metered->jit_size > 0;
}

static int run(const assay_metered *metered, assay_scratch *scratch, bool by_jit, const uint8_t *value, size_t count)
{
    if (by_jit) {
        begin(metered, &scratch->meter, metered->step);
        return pcre2_jit_match(metered->code, value, count, 0, 0, scratch->match_data, scratch->context);
    }
    scratch->heap_may_be_large = true;
    return assay_metered_interpret(metered, &scratch->meter, value, count, 0, scratch->match_data, scratch->context);
}

/* Ticks of a compilation with callouts, and for each byte of the code without them. */
enum { COMPILE_TICKS = 50000, COMPILE_BYTE_TICKS = 500 };

int assay_metered_match(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                        int rc)
{
    if (atomic_load_explicit(&pattern->metered, memory_order_relaxed) == NULL) {
        size_t size = 0;
        const pcre2_code *code = pattern->interpreted.code;
        if (code != NULL) pcre2_pattern_info(code, PCRE2_INFO_SIZE, &size);
        assay_lease_spend_once(&scratch->lease, COMPILE_TICKS + (uint64_t)COMPILE_BYTE_TICKS * size);
    }
    const assay_metered *metered = assay_metered_of(pattern);
    if (metered == NULL || metered->code == NULL) return rc;
    if (!admits(metered, value, count)) return PCRE2_ERROR_MATCHLIMIT;
    /* A metered run has the same costs in all forms. */
    const assay_work_costs *costs = &pattern->interpreted.costs;
    const uint64_t steps = assay_work_steps(&scratch->limits, costs, count);
    assay_meter *meter = &scratch->meter;
    meter->left = steps < UINT64_MAX / ASSAY_WORK_STEP ? steps * ASSAY_WORK_STEP : UINT64_MAX;
    meter->reserve = 0;
    meter->lease = NULL;
    /* An item is charged after it has run, so a single one over the whole value must be affordable from the start. */
    if ((uint64_t)costs->byte * count > meter->left) return rc;
    if (scratch->lease.budget != NULL) {
        meter->lease = &scratch->lease;
        meter->reserve = meter->left;
        meter->left = 0;
    }
    /* Callouts do the counting. PCRE2's own limit stays as a backstop for steps without a callout. */
    pcre2_set_match_limit(scratch->context, steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX);
    if (metered->jit_size > 0 && rc != PCRE2_ERROR_JIT_STACKLIMIT) rc = run(metered, scratch, true, value, count);
    const bool is_for_interpreter = rc == PCRE2_ERROR_JIT_STACKLIMIT || metered->jit_size == 0;
    if (is_for_interpreter && pattern->interpreter_may_retry) rc = run(metered, scratch, false, value, count);
    if (meter->lease != NULL) meter->lease->left += meter->left;
    pcre2_set_match_limit(scratch->context, scratch->match_limit);
    return rc;
}
#else

/* No pattern has a metered form. */
void assay_metered_free(assay_metered *metered) { (void)metered; }

int assay_metered_match(const assay_pattern *pattern, assay_scratch *scratch, const uint8_t *value, size_t count,
                        int rc)
{
    (void)pattern, (void)scratch, (void)value, (void)count;
    return rc;
}

int assay_metered_charge(pcre2_callout_block *block, void *meter)
{
    (void)block, (void)meter;
    return 0;
}
#endif
