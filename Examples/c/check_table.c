/* Checks a small table in memory with the rules of a file, with libassay.
 *
 *     cc check_table.c $(pkg-config --cflags --libs libassay) -o check_table
 *     check_table users.rules.yaml
 *
 * Prints a line for each finding, then the counts of each rule. The exit status is 1 if any record is rejected. */
#include <assay/assay.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { rows = 4 };

static const char *const ids[rows] = {"1", "2", "3", "x"};
static const char *const emails[rows] = {"anna@example.org", "bo.example.org", NULL, "carl@example.org"};

/* Prints all mistakes of a call and frees them. Returns the exit status. */
static int complain(assay_fault *fault)
{
    for (const assay_fault *one = fault; one != NULL; one = one->next) fprintf(stderr, "%s\n", one->text);
    assay_fault_free(fault);
    return 2;
}

static assay_column column(const char *name, const char *const *values, size_t *lengths)
{
    for (int row = 0; row < rows; row++) lengths[row] = values[row] == NULL ? 0 : strlen(values[row]);
    return (assay_column){
        .size = sizeof(assay_column),
        .name = name,
        .layout = ASSAY_LAYOUT_POINTERS,
        .pointers = (const uint8_t *const *)values, /* NULL is a missing value */
        .lengths = lengths,
    };
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        fprintf(stderr, "usage: %s RULES\n", arguments[0]);
        return 2;
    }
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_load(arguments[1], &rules);
    if (fault != NULL) return complain(fault);

    size_t id_lengths[rows], email_lengths[rows];
    const assay_column columns[] = {column("id", ids, id_lengths), column("email", emails, email_lengths)};
    assay_result *result = NULL;
    fault = assay_rules_check_columns(rules, columns, 2, rows, NULL, &result);
    assay_rules_free(rules); /* the result does not need the rules */
    if (fault != NULL) return complain(fault);

    assay_cursor cursor = {0};
    assay_finding findings[16];
    for (size_t count; (count = assay_result_findings(result, &cursor, findings, sizeof *findings, 16)) > 0;) {
        for (size_t i = 0; i < count; i++) {
            /* Findings of row rules and keys have no column. */
            printf("record %" PRIu64 ": %s%s%s (%s)\n", findings[i].record,
                   findings[i].column == NULL ? "" : findings[i].column, findings[i].column == NULL ? "" : " ",
                   findings[i].message, findings[i].rule);
        }
    }

    assay_tally *tally = assay_tally_create();
    assay_tally_add(tally, result);
    assay_rule_count count;
    for (size_t i = 0; assay_tally_get(tally, i, &count, sizeof count); i++) {
        if (count.failed + count.undecided > 0) printf("%-14s %" PRIu64 "\n", count.rule, count.failed);
    }
    assay_totals totals;
    assay_tally_totals(tally, &totals, sizeof totals);
    printf("%" PRIu64 " records: %" PRIu64 " clean, %" PRIu64 " rejected\n", totals.records, totals.clean,
           totals.rejected);
    assay_tally_free(tally);
    assay_result_free(result);
    return totals.rejected > 0 ? 1 : 0;
}
