/* Every built-in type must judge any text: the same alone and in a column, with JIT and without. The first byte chooses
   the type, the second among sets of its options. */
#include "test_scan_support.h"

#include "assay/core.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const with_options[] = {
    "email unicode quoted ip-literal single-label",
    "hostname trailing-dot underscore",
    "domain unicode icann",
    "ipv6 zone",
    "cidr network",
    "url credentials localhost ip idn unicode",
    "date min-age=18 max-age=99 on=2024-02-29",
    "time local basic-offset",
    "date-time space local",
    "duration gaps fraction sign",
    "integer bits=64 unsigned",
    "decimal point=, group=. precision=9 scale=3",
    "money currency=EUR",
    "percent bounded",
    "card any-brand",
    "iban experimental",
    "isbn hyphens",
    "language-tag registered",
    "phone valid",
    "phone region=GB national",
    "password lower upper digit symbol",
    "text lines min=1 max=99",
    "base64 loose unpadded",
};

enum { option_count = sizeof with_options / sizeof with_options[0] };

static const uint32_t engines[] = {0, ASSAY_PATTERN_NO_DFA, ASSAY_PATTERN_NO_JIT};

enum { engine_count = sizeof engines / sizeof engines[0], max_types = 512 };

/* Made once for each type and engine: that takes a thousand times as long as to judge a text. */
static assay_check *check_of(size_t choice, const char *type, size_t engine)
{
    static assay_check *checks[max_types][engine_count];
    if (choice >= max_types) abort();
    assay_check **check = &checks[choice][engine];
    if (*check == NULL) {
        *check = assay_check_create_builtin((assay_text){(const uint8_t *)type, strlen(type)}, engines[engine], NULL);
        if (*check == NULL) abort();
        const assay_pattern *pattern = assay_check_pattern(*check);
        if (pattern != NULL) assay_pattern_get_dfa(pattern); /* made now, if there may be one */
    }
    return *check;
}

static void evaluate(size_t choice, const char *type, const uint8_t *value, size_t count)
{
    static assay_scratch *scratch;
    if (scratch == NULL) scratch = assay_scratch_create(NULL);
    if (scratch == NULL) abort();
    assay_verdict first = ASSAY_UNDECIDED;
    for (size_t engine = 0; engine < engine_count; engine++) {
        assay_check *check = check_of(choice, type, engine);
        assay_verdict verdict = assay_check_value(check, scratch, value, count);
        uint64_t failed = 0;
        uint64_t undecided = 0;
        assay_cell cell = {0, (uint32_t)count};
        assay_check_column(check, scratch, value, &cell, 1, NULL, &failed, &undecided);
        if (failed != (verdict == ASSAY_FAIL) || undecided != (verdict == ASSAY_UNDECIDED)) abort();
        const assay_failure_reason *reason = assay_check_failure_reason(check, scratch, value, count);
        if (reason != NULL && verdict != ASSAY_FAIL) abort();
        uint8_t found = 0;
        assay_check_failure_reasons(check, scratch, value, &cell, 1, &failed, &found);
        if ((found == 0 ? NULL : assay_failure_reason_at(found - 1u)) != reason) abort();
        if (engine > 0 && verdict != first && verdict != ASSAY_UNDECIDED && first != ASSAY_UNDECIDED) abort();
        first = verdict;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    size_t types = 0;
    while (assay_builtin_at(types) != NULL) types++;
    size_t choice = (data[0] * 256u + data[1]) % (types + option_count);
    const char *type = choice < types ? assay_builtin_at(choice)->name : with_options[choice - types];
    /* Checks ask for well-formed UTF-8. */
    evaluate(choice, type, data + 2, assay_utf8_valid_prefix(data + 2, size - 2));
    return 0;
}
