/* Computes the reach of a pattern: see assay_pattern_reach.h. */
#include "Patterns/assay_pattern_reach.h"

#include "assay/core.h"

enum { CHARACTER = 4, REACH_MAX = 1 << 20 };

static void add_item(assay_reach *reach, uint64_t bytes)
{
    reach->item = bytes;
    reach->references_of_item = 0;
    reach->total += bytes;
    if (reach->total > REACH_MAX) reach->is_unbounded = true;
}

/* A reference has at most the bytes of all items before it, if its group is closed. Another length of the same letters,
 * in the other case, is at most four times as long. */
static void add_reference(assay_reach *reach, const regex_token *token)
{
    const bool is_folded = (token->options & ASSAY_PATTERN_CASE_INSENSITIVE) != 0;
    if (reach->open_captures > 0) reach->is_unbounded = true;
    add_item(reach, reach->total * (is_folded ? CHARACTER : 1));
    reach->references++;
}

static void open_group(assay_reach *reach, const regex_token *token)
{
    if (reach->depth == assay_reach_depth_max) {
        reach->is_unbounded = true;
        return;
    }
    const bool is_capture = token->group == REGEX_GROUP_CAPTURE || token->group == REGEX_GROUP_NAMED;
    reach->groups[reach->depth].total = reach->total;
    reach->groups[reach->depth].references = reach->references;
    reach->groups[reach->depth].is_capture = is_capture;
    reach->open_captures += is_capture;
    reach->depth++;
}

static void close_group(assay_reach *reach)
{
    if (reach->depth == 0) {
        reach->is_unbounded = true;
        return;
    }
    reach->depth--;
    reach->item = reach->total - reach->groups[reach->depth].total;
    reach->references_of_item = reach->references - reach->groups[reach->depth].references;
    reach->open_captures -= reach->groups[reach->depth].is_capture;
}

/* A group that repeats references may match longer text in each iteration. */
static void repeat_item(assay_reach *reach, const regex_token *token)
{
    const bool is_without_end = token->maximum == regex_token_unbounded;
    const uint64_t times = is_without_end ? token->value : token->maximum;
    if (is_without_end && reach->depth > 0) reach->is_unbounded = true;
    if (reach->references_of_item > 0 && (is_without_end || times > 1)) reach->is_unbounded = true;
    reach->ends_alternative = is_without_end;
    if (times < 2) return;
    reach->total += reach->item * (times - 1);
    reach->item *= times;
    if (reach->total > REACH_MAX) reach->is_unbounded = true;
}

void assay_reach_add(assay_reach *reach, const regex_token *token, bool is_search)
{
    if (reach->is_unbounded) return;
    const bool ends = token->kind == REGEX_TOKEN_END || token->kind == REGEX_TOKEN_ALTERNATION;
    if (reach->ends_alternative && (!ends || !is_search)) reach->is_unbounded = true;
    reach->ends_alternative = false;
    switch (token->kind) {
    case REGEX_TOKEN_LITERAL:
    case REGEX_TOKEN_ANY:
    case REGEX_TOKEN_PROPERTY:
    case REGEX_TOKEN_CLASS_CLOSE:
        add_item(reach, CHARACTER);
        return;
    case REGEX_TOKEN_ESCAPE:
        reach->is_unbounded |= token->letter == 'X';
        add_item(reach, CHARACTER);
        return;
    case REGEX_TOKEN_ASSERTION:
        add_item(reach, 0);
        return;
    case REGEX_TOKEN_REFERENCE:
        add_reference(reach, token);
        return;
    case REGEX_TOKEN_GROUP:
        open_group(reach, token);
        return;
    case REGEX_TOKEN_CLOSE:
        close_group(reach);
        return;
    case REGEX_TOKEN_QUANTIFIER:
        repeat_item(reach, token);
        return;
    case REGEX_TOKEN_CALL:
    case REGEX_TOKEN_VERB:
    case REGEX_TOKEN_UNCERTAIN:
        reach->is_unbounded = true;
        return;
    case REGEX_TOKEN_END:
    case REGEX_TOKEN_CLASS_OPEN:
    case REGEX_TOKEN_POSIX:
    case REGEX_TOKEN_ALTERNATION:
    case REGEX_TOKEN_SETTINGS:
    case REGEX_TOKEN_QUOTE:
    case REGEX_TOKEN_COMMENT:
    case REGEX_TOKEN_BLANK:
        return;
    }
}

uint32_t assay_reach_of(const assay_reach *reach)
{
    const bool is_bounded = !reach->is_unbounded && reach->depth == 0;
    return is_bounded ? (uint32_t)reach->total : assay_reach_unbounded;
}
