/* The parser of JSON Lines and the plain reader must see the same mistakes and the same values.
 *
 * The first byte chooses the processor path; lines follow. */
#include "test_json_support.h"
#include "test_paths.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *context, const char *path, size_t path_count, assay_json_kind kind)
{
    (void)kind;
    *(size_t *)context += path_count > 0 ? (size_t)(uint8_t)path[path_count - 1] : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a", "b", "a.b", "a[]", "a[].b", "a[][]", "a[].b[].c", "a", "", "a\\.b"};
    if (size < 1) return 0;
    assay_cpu_select(assay_cpu_at(data[0] % test_cpu_paths()));
    static json_run run;
    if (run.reader == NULL) run = json_open(names, sizeof names / sizeof names[0]);
    json_split(&run, data + 1, size - 1);
    const uint32_t half = run.batch->record_count / 2;
    json_compare(&run, names, sizeof names / sizeof names[0], 0, half, NULL);
    json_compare(&run, names, sizeof names / sizeof names[0], half, run.batch->record_count - half, NULL);
    if (test_failures > 0) abort();
    size_t sum = 0;
    assay_json_walk(data + 1, size - 1, ignore, &sum);
    return 0;
}
