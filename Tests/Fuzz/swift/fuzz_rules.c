/* Fuzzes rule files, in YAML and JSON, with their patterns, types, values and expressions of CEL. If a file
   is accepted, its JSON must be accepted and give the same JSON, and the rules must check a record. */
#include "assay/assay.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_parse((const char *)data, size, "fuzz.yaml", &rules);
    if (fault != NULL) {
        if (rules != NULL || fault->message[0] == '\0') abort();
        assay_fault_free(fault);
        return 0;
    }
    assay_rules *again = NULL;
    const char *json = assay_rules_json(rules);
    fault = assay_rules_parse_trusted(json, strlen(json), "again.json", &again);
    if (fault != NULL || strcmp(json, assay_rules_json(again)) != 0) abort();
    static const char table[] = "a,b,c,email\n1,2,3,anna@example.org\n,x,2024-02-30,\n";
    assay_result *result = NULL;
    fault = assay_rules_check_csv(rules, (const uint8_t *)table, sizeof table - 1, NULL, &result);
    assay_fault_free(fault);
    assay_result_free(result);
    assay_rules_free(again);
    assay_rules_free(rules);
    return 0;
}
