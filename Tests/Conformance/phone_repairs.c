/* Canonical forms of telephone numbers, for phones.py, which compares them with libphonenumber.

       stdin     DE␉0171 1781527          stdout    +491711781527␉
                 DE␉0171                            0171␉plan

   Each line of the output contains the value after the repair, and the reason for which it is not a telephone
   number. */
#include "assay/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_text text_of(const char *text) { return (assay_text){(const uint8_t *)text, strlen(text)}; }

static assay_repairs *create(const char *region, const assay_check *check)
{
    const assay_canonical_description canonical = {
        .kind = ASSAY_KIND_STRING, .builtin = text_of("phone"), .check = check, .region = text_of(region)};
    const assay_repair_description list = {.kind = ASSAY_REPAIR_CANONICAL, .canonical = &canonical};
    assay_error error = {.status = ASSAY_OK};
    size_t which = 0;
    assay_repairs *repairs = assay_repairs_create(&list, 1, NULL, 0, 0, &which, &error);
    if (repairs == NULL) fprintf(stderr, "%s: %s\n", region, error.message);
    return repairs;
}

static void print(const assay_repairs *repairs, const assay_check *check, assay_repaired *memory,
                  assay_scratch *scratch, const char *value)
{
    const assay_repaired_value result =
        assay_repairs_value(repairs, memory, scratch, (const uint8_t *)value, strlen(value), false);
    const assay_failure_reason *reason = NULL;
    if (assay_check_value(check, scratch, result.text.bytes, result.text.count) != ASSAY_PASS) {
        reason = assay_repairs_failure_reason(repairs, scratch, result.text.bytes, result.text.count);
        if (reason == NULL) {
            reason = assay_check_failure_reason(check, scratch, result.text.bytes, result.text.count);
        }
    }
    printf("%.*s\t%s\n", (int)result.text.count, (const char *)result.text.bytes, reason == NULL ? "" : reason->name);
}

int main(void)
{
    assay_error error = {.status = ASSAY_OK};
    assay_check *check = assay_check_create_builtin(text_of("phone"), 0, &error);
    assay_repaired *memory = assay_repaired_create();
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (check == NULL || memory == NULL || scratch == NULL) return 1;
    char line[256], region[8] = "?";
    assay_repairs *repairs = NULL;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, '\t');
        if (value == NULL || value - line >= (long)sizeof region) return 1;
        *value++ = 0;
        if (strcmp(region, line) != 0) {
            assay_repairs_free(repairs);
            strcpy(region, line);
            repairs = create(region, check);
            if (repairs == NULL) return 1;
        }
        print(repairs, check, memory, scratch, value);
    }
    assay_repairs_free(repairs);
    assay_scratch_free(scratch);
    assay_repaired_free(memory);
    assay_check_free(check);
    return 0;
}
