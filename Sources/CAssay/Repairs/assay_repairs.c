/* Lists of repairs: compilation, and application to one value. */
#include "Repairs/assay_repair.h"

#include "Repairs/Canonical/repair_canonical.h"
#include "assay_error.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------------
 * Creation
 * ------------------------------------------------------------------------------------------------------------- */

static bool make_words(repair_step *step, const assay_text *texts, size_t count, bool are_pairs, assay_error *error)
{
    step->words = repair_words_create(texts, count, are_pairs);
    if (step->words == NULL) assay_error_no_memory(error);
    return step->words != NULL;
}

/* Maps each word that means "no value" to the default, and the default to itself. */
static bool make_default(repair_step *step, const assay_repair_description *description, const assay_text *missing,
                         size_t missing_count, assay_error *error)
{
    assay_text *pairs = malloc((2 * missing_count + 2) * sizeof *pairs);
    if (pairs == NULL) {
        assay_error_no_memory(error);
        return false;
    }
    for (size_t i = 0; i <= missing_count; i++) {
        pairs[2 * i] = i < missing_count ? missing[i] : description->texts[0];
        pairs[2 * i + 1] = description->texts[0];
    }
    const bool is_made = make_words(step, pairs, 2 * missing_count + 2, true, error);
    free(pairs);
    if (is_made) step->text = repair_words_find(step->words, description->texts[0]);
    return is_made;
}

static bool make_step(repair_step *step, const assay_repair_description *description, const assay_text *missing,
                      size_t missing_count, size_t max_pattern_bytes, assay_error *error)
{
    static repair_function *const functions[] = {
        [ASSAY_REPAIR_TRIM] = repair_trim,
        [ASSAY_REPAIR_COLLAPSE] = repair_collapse,
        [ASSAY_REPAIR_UPPER] = repair_upper,
        [ASSAY_REPAIR_LOWER] = repair_lower,
        [ASSAY_REPAIR_NFC] = repair_nfc,
        [ASSAY_REPAIR_NFKC] = repair_nfkc,
        [ASSAY_REPAIR_STRIP_CONTROL] = repair_strip_control,
        [ASSAY_REPAIR_ASCII_DIGITS] = repair_ascii_digits,
        [ASSAY_REPAIR_UNQUOTE] = repair_unquote,
        [ASSAY_REPAIR_MISSING] = repair_missing,
        [ASSAY_REPAIR_REPLACE] = repair_replace,
        [ASSAY_REPAIR_MAP] = repair_map,
        [ASSAY_REPAIR_DEFAULT] = repair_default,
        [ASSAY_REPAIR_CANONICAL] = repair_canonical_apply,
    };
    step->kind = description->kind;
    step->apply = functions[description->kind];
    switch (description->kind) {
    case ASSAY_REPAIR_MISSING:
    case ASSAY_REPAIR_MAP:
        return make_words(step, description->texts, description->text_count, step->kind == ASSAY_REPAIR_MAP, error);
    case ASSAY_REPAIR_DEFAULT:
        return make_default(step, description, missing, missing_count, error);
    case ASSAY_REPAIR_REPLACE:
        step->replacement =
            assay_replacement_create(description->texts[0], description->texts[1], max_pattern_bytes, error);
        return step->replacement != NULL;
    case ASSAY_REPAIR_CANONICAL:
        step->canonical = repair_canonical_create(description->canonical, error);
        return step->canonical != NULL;
    default:
        return true;
    }
}

/* Returns whether applying the list twice certainly gives the same result as applying it once. This is true for a
 * single unquote, nfc or nfkc, and for repairs in the following order, because they preserve the effect of the earlier
 * ones. Other lists are applied twice to each value that changes.
 *
 *     0  ascii-digits  strip-control      1  trim  collapse      2  upper or lower      3  missing
 *     4  canonical, but not in a list with 2 or 3, because it may change the case or write a word that 3 replaces;
 *        its results need no trim */
static bool is_settled(const assay_repairs *repairs)
{
    int stage = 0;
    for (size_t i = 0; i < repairs->count; i++) {
        int next;
        switch (repairs->steps[i].kind) {
        case ASSAY_REPAIR_ASCII_DIGITS:
        case ASSAY_REPAIR_STRIP_CONTROL:
            next = 0;
            break;
        case ASSAY_REPAIR_TRIM:
        case ASSAY_REPAIR_COLLAPSE:
            next = 1;
            break;
        case ASSAY_REPAIR_UPPER:
        case ASSAY_REPAIR_LOWER:
            next = 2;
            break;
        case ASSAY_REPAIR_MISSING:
            next = 3;
            break;
        case ASSAY_REPAIR_CANONICAL:
            if (!repair_canonical_is_settled(repairs->steps[i].canonical)) return false;
            next = 4;
            break;
        default:
            return repairs->count == 1 &&
                   (repairs->steps[i].kind == ASSAY_REPAIR_UNQUOTE || repairs->steps[i].kind == ASSAY_REPAIR_NFC ||
                    repairs->steps[i].kind == ASSAY_REPAIR_NFKC);
        }
        if (next < stage || ((next == 2 || next == 4) && stage == next) || (next == 4 && stage > 1)) return false;
        stage = next;
    }
    return true;
}

assay_repairs *assay_repairs_create(const assay_repair_description *list, size_t count, const assay_text *missing,
                                    size_t missing_count, size_t max_pattern_bytes, size_t *which, assay_error *error)
{
    if (count > ASSAY_MAX_REPAIRS) {
        *which = ASSAY_MAX_REPAIRS;
        assay_error_fill(error, ASSAY_BAD_DESCRIPTION, 0, 0, "a list has at most %d repairs", ASSAY_MAX_REPAIRS);
        return NULL;
    }
    assay_repairs *repairs = calloc(1, sizeof *repairs + count * sizeof *repairs->steps);
    if (repairs == NULL) {
        *which = 0;
        assay_error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        repairs->count = i + 1;
        repairs->has_default |= list[i].kind == ASSAY_REPAIR_DEFAULT;
        if (make_step(&repairs->steps[i], &list[i], missing, missing_count, max_pattern_bytes, error)) continue;
        *which = i;
        assay_repairs_free(repairs);
        return NULL;
    }
    repairs->is_settled = is_settled(repairs);
    if (!repair_look_create(&repairs->look, repairs)) {
        *which = 0;
        assay_error_no_memory(error);
        assay_repairs_free(repairs);
        return NULL;
    }
    return repairs;
}

void assay_repairs_free(assay_repairs *repairs)
{
    if (repairs == NULL) return;
    repair_look_clear(&repairs->look);
    for (size_t i = 0; i < repairs->count; i++) {
        repair_words_free(repairs->steps[i].words);
        assay_replacement_free(repairs->steps[i].replacement);
        repair_canonical_free(repairs->steps[i].canonical);
    }
    free(repairs);
}

/* ---------------------------------------------------------------------------------------------------------------
 * One value
 * ------------------------------------------------------------------------------------------------------------- */

/* Applies the list once. *result points to the value, to the text of the default, or into turns[0] or turns[1]. Returns
 * false if memory runs out. */
static bool apply_list(const assay_repairs *repairs, repair_text *turns, assay_scratch *scratch, assay_text value,
                       bool is_null, assay_text *result, uint32_t *causes)
{
    *result = value;
    *causes = 0;
    repair_text *out = &turns[0];
    for (size_t i = 0; i < repairs->count; i++) {
        const repair_step *step = &repairs->steps[i];
        assay_text written = step->text;
        if (!is_null) {
            out->count = 0;
            const repair_outcome outcome = step->apply(step, scratch, *result, out);
            if (outcome == REPAIR_NO_MEMORY) return false;
            if (outcome == REPAIR_LEFT) continue;
            if (out->count > ASSAY_REPAIR_LONGEST && out->count > result->count) continue;
            written = (assay_text){out->bytes, out->count};
            if (repair_text_equal(written, *result)) continue;
        } else if (step->kind != ASSAY_REPAIR_DEFAULT) {
            continue;
        }
        *result = written;
        *causes |= UINT32_C(1) << i;
        /* The other buffer is free, because the previous text is not needed any more. */
        if (!is_null) out = out == &turns[0] ? &turns[1] : &turns[0];
        is_null = false;
    }
    return true;
}

assay_repaired_value repair_value(const assay_repairs *repairs, struct assay_repair_memory *memory,
                                  assay_scratch *scratch, assay_text value, bool is_null)
{
    static const uint8_t nothing[1] = {0};
    if (value.bytes == NULL) value.bytes = nothing;
    assay_repaired_value repaired = {ASSAY_OK, value, 0, false};
    if (!apply_list(repairs, memory->turns, scratch, value, is_null, &repaired.text, &repaired.causes)) {
        return (assay_repaired_value){ASSAY_NO_MEMORY, value, 0, false};
    }
    if (repaired.causes == 0) return repaired;
    /* If only one repair changed the text, it differs from the value. Several repairs may have undone each other's
     * changes. */
    const bool was_one = (repaired.causes & (repaired.causes - 1)) == 0;
    if (!is_null && !was_one && repair_text_equal(repaired.text, value))
        return (assay_repaired_value){ASSAY_OK, value, 0, false};
    if (repairs->is_settled) return repaired;
    /* The second application reads the result of the first. If that is in turns[0] or turns[1], this moves it to
     * turns[2], so that it is not overwritten. */
    repair_text *kept = repaired.text.bytes == memory->turns[1].bytes ? &memory->turns[1] : &memory->turns[0];
    const repair_text moved = *kept;
    *kept = memory->turns[2];
    memory->turns[2] = moved;
    assay_text again;
    uint32_t causes;
    if (!apply_list(repairs, memory->turns, scratch, repaired.text, false, &again, &causes)) {
        return (assay_repaired_value){ASSAY_NO_MEMORY, value, 0, false};
    }
    if (!repair_text_equal(again, repaired.text)) return (assay_repaired_value){ASSAY_OK, value, 0, true};
    return repaired;
}

assay_repaired_value assay_repairs_value(const assay_repairs *repairs, assay_repaired *repaired, assay_scratch *scratch,
                                         const uint8_t *value, size_t count, bool is_null)
{
    return repair_value(repairs, repaired->memory, scratch, (assay_text){value, count}, is_null);
}

const assay_failure_reason *assay_repairs_failure_reason(const assay_repairs *repairs, assay_scratch *scratch,
                                                         const uint8_t *value, size_t count)
{
    for (size_t i = 0; i < repairs->count; i++) {
        const repair_canonical *canonical = repairs->steps[i].canonical;
        if (canonical == NULL || count == 0) continue;
        if (canonical->format_count > 0) return canonical_time_reason(canonical, scratch, (assay_text){value, count});
        if (canonical->form == canonical_phone) {
            return canonical_phone_reason(canonical, scratch, (assay_text){value, count});
        }
    }
    return NULL;
}
