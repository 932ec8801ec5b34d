/* Untrusted rules may open files only in their folder: the paths of Tests/Escapes, in the folder that ASSAY_ESCAPES
   names. */
#include "support.h"

#include <stdlib.h>

static const char secret[] = "SECRET-";

/* Whether a record with the secret is clean. Frees the rules, and copies the text of a fault to `message`. */
static bool is_accepted(assay_fault *fault, assay_rules *rules, char *message, size_t room)
{
    message[0] = '\0';
    assay_result *result = NULL;
    if (fault == NULL) {
        static const uint8_t value[] = "SECRET-0451";
        const uint8_t *const pointers[] = {value};
        const size_t lengths[] = {sizeof value - 1};
        const assay_column column = {.size = sizeof column,
                                     .name = "id",
                                     .layout = ASSAY_LAYOUT_POINTERS,
                                     .pointers = pointers,
                                     .lengths = lengths};
        fault = assay_rules_check_columns(rules, &column, 1, 1, NULL, &result);
    }
    assay_rules_free(rules);
    if (fault != NULL) {
        snprintf(message, room, "%s", fault->text);
        assay_fault_free(fault);
        return false;
    }
    assay_totals totals;
    assay_result_totals(result, &totals, sizeof totals);
    assay_result_free(result);
    return totals.clean == 1;
}

static void escape(const char *folder, const char *kind, const char *name)
{
    char path[4096], message[4096], text[4096];
    snprintf(path, sizeof path, "%s/rules/%s", folder, name);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    if (file == NULL) return;
    const size_t count = fread(text, 1, sizeof text, file);
    fclose(file);

    assay_rules *rules = NULL;
    assay_fault *fault = assay_rules_load(path, &rules);
    char own[4096] = "";
    if (fault == NULL) snprintf(own, sizeof own, "%s", assay_rules_folder(rules));
    const bool is_loaded = is_accepted(fault, rules, message, sizeof message);
    if (is_loaded != (strcmp(kind, "allowed") == 0))
        fprintf(stderr, "    %s: %.*s: %s\n", kind, (int)count, text, message);
    CHECK(is_loaded == (strcmp(kind, "allowed") == 0));
    CHECK(strstr(message, secret) == NULL);
    if (strcmp(kind, "secret") == 0)
        CHECK(strstr(message, "if you trust the rules, read them as trusted rules") != NULL);

    rules = NULL;
    fault = assay_rules_parse(text, count, path, &rules);
    if (fault == NULL) CHECK(assay_rules_folder(rules) == NULL);
    CHECK(!is_accepted(fault, rules, message, sizeof message));
    CHECK(message[0] != '\0' && strstr(message, secret) == NULL);

    /* Another process may use the serialized rules with the same result. */
    if (own[0] != '\0') {
        rules = NULL;
        fault = assay_rules_parse_within(text, count, "sent", own, &rules);
        CHECK(is_accepted(fault, rules, message, sizeof message) == is_loaded);
        CHECK(strstr(message, secret) == NULL);
    }
    if (strcmp(kind, "other") == 0) return;
    rules = NULL;
    fault = assay_rules_load_trusted(path, &rules);
    CHECK(is_accepted(fault, rules, message, sizeof message));
    rules = NULL;
    fault = assay_rules_parse_trusted(text, count, path, &rules);
    if (fault == NULL) CHECK(assay_rules_folder(rules) == NULL);
    CHECK(is_accepted(fault, rules, message, sizeof message));
}

static void arguments(void)
{
    static const char text[] = "fields: [{name: id}]";
    assay_rules *rules = NULL;
    CHECK(refused(assay_rules_parse_within(text, sizeof text - 1, NULL, NULL, &rules), ASSAY_FAULT_ARGUMENT, "folder"));
    CHECK(assay_rules_folder(NULL) == NULL);
    CHECK(assay_rules_parse_within(text, sizeof text - 1, NULL, "/a", &rules) == NULL);
    CHECK(strcmp(assay_rules_folder(rules), "/a/") == 0);
    assay_rules_free(rules);
}

int main(void)
{
    arguments();
    const char *folder = getenv("ASSAY_ESCAPES");
    char path[4096], kind[16], name[64];
    int lines = 0;
    snprintf(path, sizeof path, "%s/list.tsv", folder == NULL ? "." : folder);
    FILE *list = fopen(path, "r");
    while (list != NULL && fscanf(list, "%15s %63s", kind, name) == 2) {
        escape(folder, kind, name);
        lines++;
    }
    if (list != NULL) fclose(list);
    CHECK(lines > 60);
    return test_result();
}
