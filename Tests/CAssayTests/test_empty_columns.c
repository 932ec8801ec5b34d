/* Columns without a byte: all cells are empty and the buffer is NULL, as a reader of an empty source may pass it.
   Each function must give the same results as for a buffer that exists. The undefined-behaviour sanitizer reports a
   NULL that reaches memcmp, memcpy or memchr, because their arguments must not be null even for 0 bytes (make
   test-core-sanitized). */
#include "assay/encodings.h"
#include "assay/json.h"
#include "assay/keys.h"
#include "assay/profile.h"
#include "assay/repair.h"
#include "assay/rows.h"
#include "test.h"

enum { ROWS = 70, WORDS = (ROWS + 63) / 64 };

static const assay_cell cells[ROWS];
static const uint8_t present[1];
static assay_scratch *scratch;

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

/* Compares a check of the column, its reasons, and a check of one value, with and without a buffer. */
static void test_check_of(assay_check *check)
{
    if (check == NULL) return;
    uint64_t failed[2][WORDS], undecided[2][WORDS];
    uint8_t reasons[2][ROWS] = {{0}, {0}};
    assay_verdict verdict[2];
    for (int i = 0; i < 2; i++) {
        const uint8_t *bytes = i == 0 ? NULL : present;
        assay_check_column(check, scratch, bytes, cells, ROWS, NULL, failed[i], undecided[i]);
        assay_check_failure_reasons(check, scratch, bytes, cells, ROWS, failed[i], reasons[i]);
        verdict[i] = assay_check_value(check, scratch, bytes, 0);
        if (verdict[i] == ASSAY_FAIL) assay_check_failure_reason(check, scratch, bytes, 0);
    }
    CHECK_EQUAL(verdict[0], verdict[1]);
    CHECK(memcmp(failed[0], failed[1], sizeof failed[0]) == 0);
    CHECK(memcmp(undecided[0], undecided[1], sizeof undecided[0]) == 0);
    CHECK(memcmp(reasons[0], reasons[1], sizeof reasons[0]) == 0);
    assay_check_free(check);
}

static void test_all_checks(void)
{
    static const char *const patterns[] = {"", "[a-z]*", "[0-9]+x?", "(a)\\1*", "(?=.*x)[a-z]*", "(?:ab|cd)*"};
    static const uint32_t options[] = {0, ASSAY_PATTERN_SEARCH, ASSAY_PATTERN_NO_DFA, ASSAY_PATTERN_NO_JIT};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
            const assay_text text = text_of(patterns[i]);
            assay_pattern *pattern = assay_pattern_create(text.bytes, text.count, options[k], 0, NULL);
            if (!CHECK(pattern != NULL)) continue;
            for (int round = 0; round < 40; round++) test_check_of(assay_check_create_pattern(pattern));
            assay_pattern_free(pattern);
        }
    }
    for (int unit = ASSAY_LENGTH_BYTES; unit <= ASSAY_LENGTH_CHARACTERS; unit++) {
        test_check_of(assay_check_create_length(0, 3, (assay_length_unit)unit));
        test_check_of(assay_check_create_length(1, 3, (assay_length_unit)unit));
    }
    for (size_t i = 0; assay_builtin_at(i) != NULL; i++) {
        test_check_of(assay_check_create_builtin(text_of(assay_builtin_at(i)->name), 0, NULL));
        test_check_of(assay_check_create_builtin(text_of(assay_builtin_at(i)->name), ASSAY_PATTERN_NO_DFA, NULL));
    }
}

static assay_type *type_of(assay_kind kind)
{
    assay_type_description description = {.kind = kind};
    description.decimal_char = text_of(".");
    description.group_char = description.format = text_of("");
    if (kind == ASSAY_KIND_LIST) description.delimiter = text_of(",");
    return assay_type_create(&description, NULL);
}

static void test_types(void)
{
    for (int kind = ASSAY_KIND_STRING; kind <= ASSAY_KIND_OBJECT; kind++) {
        assay_type *type = type_of((assay_kind)kind);
        if (!CHECK(type != NULL)) continue;
        test_check_of(assay_check_create_type(type, 0));
        test_check_of(assay_check_create_type(type, ASSAY_PATTERN_NO_DFA));
        test_check_of(assay_check_create_count(type, 0, 2, NULL));
        if (kind == ASSAY_KIND_INTEGER || kind == ASSAY_KIND_NUMBER) {
            test_check_of(assay_check_create_multiple(type, text_of("2"), NULL));
        }
        const assay_text values[] = {text_of("1"), text_of("2024-01-31"), text_of(""), {NULL, 0}};
        for (size_t i = 0; i < 4; i++) test_check_of(assay_check_create_set(type, values + i, 1, NULL));
        test_check_of(assay_check_create_set(type, values, 4, NULL));
        test_check_of(assay_check_create_range(type, (assay_bound){text_of("1"), false},
                                               (assay_bound){{NULL, 0}, false}, 0, NULL));
        int64_t numbers[ROWS];
        uint8_t scales[ROWS];
        uint64_t uncomputed[2][WORDS] = {{0}, {0}};
        assay_key_hash hashes[2][ROWS] = {{{1, 2}}, {{1, 2}}};
        const uint64_t rows[WORDS] = {UINT64_MAX, 63};
        for (int i = 0; i < 2; i++) {
            const uint8_t *bytes = i == 0 ? NULL : present;
            if (kind != ASSAY_KIND_STRING) {
                assay_row_values(type, bytes, cells, ROWS, NULL, numbers, kind == ASSAY_KIND_NUMBER ? scales : NULL,
                                 uncomputed[i]);
            }
            assay_key_mix(type, bytes, cells, rows, ROWS, hashes[i]);
            assay_profile_times times = assay_profile_no_times();
            const assay_profile_rows records = {1, NULL, NULL};
            if (kind == ASSAY_KIND_DATETIME) assay_profile_add_times(&times, type, bytes, cells, ROWS, NULL, records);
        }
        if (kind != ASSAY_KIND_STRING) CHECK(memcmp(uncomputed[0], uncomputed[1], sizeof uncomputed[0]) == 0);
        CHECK(memcmp(hashes[0], hashes[1], sizeof hashes[0]) == 0);
        assay_type_free(type);
    }
}

static void test_rows(void)
{
    const assay_row_texts none = {NULL, cells};
    uint64_t mask[WORDS];
    for (int relation = ASSAY_ROW_EQUAL; relation <= ASSAY_ROW_LESS_OR_EQUAL; relation++) {
        assay_row_compare_texts((assay_row_relation)relation, none, none, ROWS, mask);
        CHECK_EQUAL(mask[1], relation == ASSAY_ROW_LESS ? 0 : 63);
    }
    for (int place = ASSAY_ROW_AT_START; place <= ASSAY_ROW_ANYWHERE; place++) {
        assay_row_find((assay_row_place)place, none, none, ROWS, mask);
        CHECK_EQUAL(mask[0], UINT64_MAX);
        CHECK_EQUAL(mask[1], 63);
    }
    int64_t sizes[ROWS];
    assay_row_sizes(none, ROWS, sizes);
    CHECK_EQUAL(sizes[ROWS - 1], 0);
}

static void test_profile(void)
{
    const assay_profile_options options = {.values = 8, .shapes = 8, .keys = 8, .precision = 10, .decimal = '.'};
    assay_profile *profile = assay_profile_create(&options);
    if (!CHECK(profile != NULL)) return;
    const uint64_t skip[WORDS] = {0};
    uint64_t absent[WORDS], words[WORDS];
    CHECK_EQUAL(assay_profile_add(profile, NULL, cells, ROWS, skip, NULL, (assay_profile_rows){0}, absent, words, NULL),
                ASSAY_OK);
    CHECK_EQUAL(absent[1] & 63, 63);
    CHECK_EQUAL(assay_profile_hash(NULL, 0), assay_profile_hash(present, 0));
    assay_profile_free(profile);
}

static void test_repair_of(assay_repaired *repaired, const assay_repair_description *description)
{
    size_t which = 0, changed = 0;
    assay_repairs *repairs = assay_repairs_create(description, 1, NULL, 0, 0, &which, NULL);
    if (!CHECK(repairs != NULL)) return;
    const uint8_t *bytes = NULL;
    assay_cell own[ROWS] = {{0, 0}};
    assay_repaired_begin(repaired);
    CHECK_EQUAL(assay_repairs_column(repairs, repaired, scratch, &bytes, own, ROWS, NULL, NULL, NULL, NULL, &changed),
                ASSAY_OK);
    const assay_repaired_value value = assay_repairs_value(repairs, repaired, scratch, NULL, 0, false);
    CHECK_EQUAL(value.status, ASSAY_OK);
    CHECK_EQUAL(value.text.count, own[ROWS - 1].length);
    assay_repairs_free(repairs);
}

static void test_repair(assay_repaired *repaired, assay_repair_kind kind, const char *const *texts, size_t count)
{
    assay_text list[2];
    for (size_t i = 0; i < count; i++) list[i] = text_of(texts[i]);
    test_repair_of(repaired, &(assay_repair_description){.kind = kind, .texts = list, .text_count = count});
}

static void test_canonical(assay_repaired *repaired, const char *name)
{
    if (assay_canonical_form(text_of(name))[0] == 0) return;
    assay_check *check = assay_check_create_builtin(text_of(name), 0, NULL);
    const assay_canonical_description canonical = {.builtin = text_of(name), .check = check};
    test_repair_of(repaired, &(assay_repair_description){.kind = ASSAY_REPAIR_CANONICAL, .canonical = &canonical});
    assay_check_free(check);
}

static void test_repairs(void)
{
    static const char *const word[] = {"n/a"}, *const pair[] = {"", "x"}, *const replace[] = {"b*", "-"};
    assay_repaired *repaired = assay_repaired_create();
    if (!CHECK(repaired != NULL)) return;
    for (int kind = ASSAY_REPAIR_TRIM; kind <= ASSAY_REPAIR_UNQUOTE; kind++) {
        test_repair(repaired, (assay_repair_kind)kind, NULL, 0);
    }
    test_repair(repaired, ASSAY_REPAIR_MISSING, word, 1);
    test_repair(repaired, ASSAY_REPAIR_REPLACE, replace, 2);
    test_repair(repaired, ASSAY_REPAIR_MAP, pair, 2);
    test_repair(repaired, ASSAY_REPAIR_DEFAULT, word, 1);
    for (size_t i = 0; assay_builtin_at(i) != NULL; i++) test_canonical(repaired, assay_builtin_at(i)->name);
    assay_repaired_free(repaired);
}

static void ignore_visit(void *context, const char *path, size_t path_count, assay_json_kind kind)
{
    (void)context, (void)path, (void)path_count, (void)kind;
}

static void test_buffers(void)
{
    assay_batch *batch = assay_batch_create();
    const assay_dialect dialects[] = {{.delimiter = ',', .quote = '"', .quoting = true},
                                      {.delimiter = ',', .escape = '\\', .skip_initial_space = true}};
    const assay_record_limits limits = {.record_bytes = 100, .field_bytes = 100};
    for (size_t i = 0; i < 2; i++) {
        CHECK_EQUAL(assay_scan(batch, &dialects[i], &limits, NULL, 0, 10, true, false), ASSAY_OK);
        CHECK_EQUAL(assay_scan_plain(batch, &dialects[i], &limits, NULL, 0, 10, true, false), ASSAY_OK);
        CHECK_EQUAL(assay_scan_until(batch, &dialects[i], &limits, NULL, 0, 0, true, false), ASSAY_OK);
        CHECK_EQUAL(assay_scan_guess(&dialects[i], NULL, 0, 0), 0);
    }
    assay_batch_free(batch);
    for (size_t i = 0; assay_encoding_at(i) != NULL; i++) {
        uint8_t out[64];
        assay_decoder *decoder = assay_decoder_create(assay_encoding_at(i));
        assay_encoder *encoder = assay_encoder_create(assay_encoding_at(i));
        if (decoder != NULL) CHECK_EQUAL(assay_decoder_step(decoder, NULL, 0, true, out, sizeof out).consumed, 0);
        if (encoder != NULL) CHECK_EQUAL(assay_encoder_step(encoder, NULL, 0, true, out, sizeof out).consumed, 0);
        assay_decoder_free(decoder);
        assay_encoder_free(encoder);
    }
    const assay_finding_form form = {.delimiter = ',', .quote = '"'};
    assay_findings *findings = assay_findings_create(&form);
    CHECK_EQUAL(assay_findings_add_text(findings, NULL, 0), ASSAY_OK);
    CHECK_EQUAL(assay_findings_add_note(findings, NULL, 0), ASSAY_OK);
    assay_findings_free(findings);
    assay_type_free(assay_type_create(&(assay_type_description){.kind = ASSAY_KIND_NUMBER}, NULL));
    assay_json_walk(NULL, 0, ignore_visit, NULL);
    CHECK_EQUAL(assay_utf8_valid_prefix(NULL, 0), 0);
    CHECK_EQUAL(assay_bytes_count(NULL, 0, '\n'), 0);
    CHECK(assay_bytes_are_ascii(NULL, 0));
    CHECK_EQUAL(assay_count_lines(NULL, 0, true), assay_count_lines(present, 0, true));
    CHECK_EQUAL(assay_count_lines(NULL, 0, false), assay_count_lines(present, 0, false));
}

int main(void)
{
    scratch = assay_scratch_create(NULL);
    if (!CHECK(scratch != NULL)) return test_result();
    test_all_checks();
    test_types();
    test_rows();
    test_profile();
    test_repairs();
    test_buffers();
    assay_scratch_free(scratch);
    return test_result();
}
