/* Measures assay_rules_accepts for single records beside a loop over PCRE2 (JIT) that a program would write by hand.
 *
 *     records                          prints, for each case: name, fields, ns per record of Assay and of PCRE2
 *     records CASE FIELDS COUNT        only checks COUNT records by Assay, for callgrind
 *
 * Half of the records are clean, and both must agree on each. */
#define _POSIX_C_SOURCE 200809L
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <assay/assay.h>

enum { MAX_FIELDS = 8, VALUES = 64, ROUNDS = 9, RECORDS = 100000 };

typedef struct kind {
    const char *name;
    const char *field;   /* without its name, in YAML */
    const char *pattern; /* the closest pattern for PCRE2 */
    const char *good, *bad;
} kind;

static const kind kinds[] = {
    {"code", "constraints: {pattern: '[A-Z]{3}-[0-9]{4}'}", "[A-Z]{3}-[0-9]{4}", "ABC-1234", "ABC-12x4"},
    {"digits", "constraints: {pattern: '[+-]?[0-9]+'}", "[+-]?[0-9]+", "-12345678", "-1234567x"},
    {"address", "constraints: {pattern: '[a-z0-9.]+@[a-z0-9-]+([.][a-z0-9-]+)+'}",
     "[a-z0-9.]+@[a-z0-9-]+([.][a-z0-9-]+)+", "anna.lee@example.org", "anna.lee@example"},
    {"date", "type: date", "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])", "2024-02-28", "2024-13-01"},
    {"datetime", "type: datetime",
     "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z",
     "2024-02-28T12:30:00Z", "2024-02-28T25:30:00Z"},
    {"integer", "type: integer", "[+-]?[0-9]+", "-12345678", "-1234567x"},
    {"email", "type: string, format: email", "[a-z0-9.]+@[a-z0-9-]+([.][a-z0-9-]+)+", "anna.lee@example.org",
     "anna.lee@example..org"},
    {"uuid", "type: string, format: uuid", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-7086772895"},
};

static void fail(const char *what)
{
    fprintf(stderr, "records: %s\n", what);
    exit(2);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static assay_rules *rules_of(const kind *kind, size_t fields)
{
    char text[2048];
    int count = snprintf(text, sizeof text, "fields:\n");
    for (size_t i = 0; i < fields; i++) {
        count += snprintf(text + count, sizeof text - (size_t)count, "  - {name: f%zu, %s}\n", i, kind->field);
    }
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_parse(text, (size_t)count, "records", &rules);
    if (fault != NULL) fail(fault->text);
    return rules;
}

/* The records: in every second one the last value is bad. */
typedef struct records {
    const uint8_t *values[VALUES][MAX_FIELDS];
    size_t lengths[VALUES][MAX_FIELDS];
} records;

static void make_records(const kind *kind, records *made)
{
    for (size_t i = 0; i < VALUES; i++) {
        for (size_t field = 0; field < MAX_FIELDS; field++) {
            made->values[i][field] = (const uint8_t *)kind->good;
            made->lengths[i][field] = strlen(kind->good);
        }
    }
}

static void spoil(const kind *kind, records *made, size_t fields)
{
    for (size_t i = 1; i < VALUES; i += 2) {
        made->values[i][fields - 1] = (const uint8_t *)kind->bad;
        made->lengths[i][fields - 1] = strlen(kind->bad);
    }
}

static size_t accepted_by_assay(const assay_rules *rules, const records *made, size_t count)
{
    size_t accepted = 0;
    for (size_t i = 0; i < count; i++) {
        accepted += assay_rules_accepts(rules, made->values[i % VALUES], made->lengths[i % VALUES]);
    }
    return accepted;
}

static size_t accepted_by_pcre2(const pcre2_code *code, pcre2_match_data *data, const records *made, size_t fields,
                                size_t count)
{
    size_t accepted = 0;
    for (size_t i = 0; i < count; i++) {
        bool passes = true;
        for (size_t field = 0; field < fields && passes; field++) {
            passes = pcre2_jit_match(code, made->values[i % VALUES][field], made->lengths[i % VALUES][field], 0, 0,
                                     data, NULL) >= 0;
        }
        accepted += passes;
    }
    return accepted;
}

static void measure(const kind *kind, size_t fields)
{
    static records made;
    make_records(kind, &made);
    spoil(kind, &made, fields);
    assay_rules *rules = rules_of(kind, fields);
    char pattern[512];
    snprintf(pattern, sizeof pattern, "\\A(?:%s)\\z", kind->pattern);
    int error;
    PCRE2_SIZE offset;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_NO_UTF_CHECK, &error,
                                     &offset, NULL);
    if (code == NULL || pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0) fail("PCRE2 has no JIT here");
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    double best[2] = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; round++) {
        const double start = seconds();
        const size_t ours = accepted_by_assay(rules, &made, RECORDS);
        const double middle = seconds();
        const size_t theirs = accepted_by_pcre2(code, data, &made, fields, RECORDS);
        const double end = seconds();
        if (ours != theirs || ours != RECORDS / 2) fail("the verdicts are wrong");
        if (middle - start < best[0]) best[0] = middle - start;
        if (end - middle < best[1]) best[1] = end - middle;
    }
    printf("%s\t%zu\t%.1f\t%.1f\n", kind->name, fields, best[0] * 1e9 / RECORDS, best[1] * 1e9 / RECORDS);
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    assay_rules_free(rules);
}

int main(int count, char **arguments)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (count == 4 && strcmp(arguments[1], kinds[i].name) == 0) {
            static records made;
            make_records(&kinds[i], &made);
            assay_rules *rules = rules_of(&kinds[i], strtoul(arguments[2], NULL, 10));
            const size_t records = strtoul(arguments[3], NULL, 10);
            if (accepted_by_assay(rules, &made, records) != records) fail("the verdicts are wrong");
            assay_rules_free(rules);
            return 0;
        }
        if (count != 1) continue;
        measure(&kinds[i], 1);
        measure(&kinds[i], MAX_FIELDS);
    }
    if (count != 1) fail("usage: records [CASE FIELDS COUNT]");
    return 0;
}
