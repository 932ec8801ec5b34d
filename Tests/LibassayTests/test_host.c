/* A library must not end its host process, and must not read or write files other than the named ones. */
#define _GNU_SOURCE
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char rules_text[] = "fields: [{name: a}]";

static void write_file(const char *path, const char *line, int count)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs("a\n", file);
    for (int i = 0; i < count; i++) fputs(line, file);
    CHECK(fclose(file) == 0);
}

/* Opens a pipe, reads a byte, and closes the pipe. */
static void *read_little(void *path)
{
    char byte;
    const int pipe = open(path, O_RDONLY);
    const bool was_read = pipe >= 0 && read(pipe, &byte, 1) == 1;
    close(pipe);
    return was_read ? path : NULL;
}

/* A pipe without a reader must lead to a fault, not to a signal, which would end this program. */
static void pipes_break(const char *folder)
{
    assay_rules *rules = must_parse(rules_text);
    char input[512], pipe[512];
    snprintf(input, sizeof input, "%s/host.csv", folder);
    snprintf(pipe, sizeof pipe, "%s/host.pipe", folder);
    write_file(input, "a line that is a record\n", 50000);
    CHECK(mkfifo(pipe, 0600) == 0);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        pthread_t reader;
        CHECK(pthread_create(&reader, NULL, read_little, pipe) == 0);
        const assay_outputs outputs = {.size = sizeof outputs, .clean = pipe};
        const assay_options options = {.size = sizeof options, .threads = threads};
        char *report = NULL;
        CHECK(refused(assay_clean_file(rules, input, &outputs, &options, &report), ASSAY_FAULT_FILE, "Broken pipe"));
        void *was_read = NULL;
        CHECK(pthread_join(reader, &was_read) == 0 && was_read != NULL);
    }
    CHECK(unlink(pipe) == 0);
    sigset_t blocked, pending;
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && sigpending(&pending) == 0);
    CHECK(sigismember(&blocked, SIGPIPE) == 0 && sigismember(&pending, SIGPIPE) == 0);
    assay_rules_free(rules);
}

/* A file that exceeds the size limit of the process must lead to a fault, not to a signal. */
static void files_have_limits(const char *folder)
{
    assay_rules *rules = must_parse(rules_text);
    char input[512], output[512];
    snprintf(input, sizeof input, "%s/host.csv", folder);
    snprintf(output, sizeof output, "%s/host.clean.csv", folder);
    write_file(input, "a line that is a record\n", 50000);
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = before;
    limit.rlim_cur = 100000;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const assay_outputs outputs = {.size = sizeof outputs, .clean = output};
        const assay_options options = {.size = sizeof options, .threads = threads};
        char *report = NULL;
        CHECK(refused(assay_clean_file(rules, input, &outputs, &options, &report), ASSAY_FAULT_FILE, "File too large"));
        CHECK(access(output, F_OK) != 0);
    }
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    sigset_t pending;
    CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 0);
    assay_rules_free(rules);
}

/* Replaces U+FFFD by 0xFF, which a careless reader would decode to U+FFFD. This is another name. */
static const char *spoiled(const char *path)
{
    static char odd[512];
    char *at = strstr(strcpy(odd, path), "\xEF\xBF\xBD");
    *at = '\xFF';
    memmove(at + 1, at + 3, strlen(at + 3) + 1);
    return odd;
}

/* A path that is not UTF-8 must not be replaced by the path of the decoded text, for reading or writing. */
static void paths_that_are_no_text(const char *folder)
{
    static const char words[] = "is not UTF-8";
    assay_rules *rules = must_parse(rules_text), *made = NULL;
    char input[512], output[512], rule_file[512];
    snprintf(input, sizeof input, "%s/in\xEF\xBF\xBD.csv", folder);
    snprintf(output, sizeof output, "%s/out\xEF\xBF\xBD.csv", folder);
    snprintf(rule_file, sizeof rule_file, "%s/rules\xEF\xBF\xBD.json", folder);
    write_file(input, "1\n", 1);
    FILE *file = fopen(rule_file, "wb");
    CHECK(file != NULL && fputs("{\"fields\": []}", file) >= 0 && fclose(file) == 0);

    CHECK(refused(assay_rules_load(spoiled(rule_file), &made), ASSAY_FAULT_ARGUMENT, words));
    CHECK(refused(assay_rules_load_trusted(spoiled(rule_file), &made), ASSAY_FAULT_ARGUMENT, words));
    CHECK(refused(assay_rules_parse(rules_text, strlen(rules_text), spoiled(rule_file), &made), ASSAY_FAULT_ARGUMENT,
                  "the argument 'name' is not UTF-8"));
    char *report = NULL;
    assay_outputs outputs = {.size = sizeof outputs, .clean = output};
    CHECK(refused(assay_clean_file(rules, spoiled(input), &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT,
                  "the argument 'input' is not UTF-8"));
    const char **const places[] = {&outputs.clean, &outputs.rejects, &outputs.findings, &outputs.report,
                                   &outputs.changes};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        outputs = (assay_outputs){.size = sizeof outputs};
        *places[i] = spoiled(output);
        CHECK(refused(assay_clean_file(rules, input, &outputs, NULL, &report), ASSAY_FAULT_ARGUMENT, words));
    }
    CHECK(access(output, F_OK) != 0 && report == NULL);
    const assay_table table = {.size = sizeof table, .path = spoiled(input)};
    CHECK(refused(assay_rules_profile(rules, &table, false, NULL, &report), ASSAY_FAULT_ARGUMENT, words));
    CHECK(refused(assay_rules_infer(rules, &table, NULL, &report), ASSAY_FAULT_ARGUMENT, words));
    assay_rules_free(rules);
}

static void release_stream(struct ArrowArrayStream *stream) { stream->release = NULL; }

/* The same holds for names of columns and tables. */
static void names_that_are_no_text(void)
{
    assay_rules *rules = must_parse("{fields: [{name: \"\xEF\xBF\xBD\", constraints: {required: true}}], "
                                    "foreignKeys: [{fields: \"\xEF\xBF\xBD\", reference: {resource: \"\xEF\xBF\xBD\", "
                                    "fields: a}}]}");
    const int32_t offsets[] = {0, 0};
    const assay_column column = {
        .size = sizeof column, .name = "\xFF", .layout = ASSAY_LAYOUT_OFFSETS32, .offsets = offsets};
    assay_result *result = NULL;
    CHECK(refused(assay_rules_check_columns(rules, &column, 1, 1, NULL, &result), ASSAY_FAULT_ARGUMENT,
                  "the argument 'columns[0].name' is not UTF-8"));

    const void *buffers[] = {NULL, offsets, ""};
    struct ArrowArray child = {.length = 1, .n_buffers = 3, .buffers = buffers, .release = release_array},
                      *children[] = {&child};
    const struct ArrowArray array = {.length = 1,
                                     .n_buffers = 1,
                                     .n_children = 1,
                                     .buffers = buffers,
                                     .children = children,
                                     .release = release_array};
    struct ArrowSchema field = {.format = "u", .name = "\xFF", .release = release_schema}, *fields[] = {&field};
    const struct ArrowSchema schema = {.format = "+s", .n_children = 1, .children = fields, .release = release_schema};
    CHECK(refused(assay_rules_check_arrow_table(rules, &schema, &array, NULL, &result), ASSAY_FAULT_ARROW,
                  "child 0 has a name that is not UTF-8"));

    assay_references *references = NULL;
    CHECK(assay_references_create(rules, 0, &references) == NULL);
    struct ArrowArrayStream stream = {.release = release_stream};
    CHECK(refused(assay_references_add_stream(references, "\xFF", &stream), ASSAY_FAULT_ARGUMENT,
                  "the argument 'resource' is not UTF-8"));
    CHECK(stream.release == NULL);
    assay_references_free(references);
    CHECK_EQUAL(assay_result_rejected_by(NULL, "\xFF"), 0);
    assay_rules_free(rules);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    pipes_break(folder);
    files_have_limits(folder);
    paths_that_are_no_text(folder);
    names_that_are_no_text();
    return test_result();
}
