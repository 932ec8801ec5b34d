/* Hostile text must not require more than a fixed number of reads of each byte. */
#include "Records/assay_scan_state.h"
#include "test_scan_support.h"

/* `rest` fills the second half of each 32 KiB. If it is NULL, the line fills all. */
static void check(const char *line, const char *rest, size_t count, uint32_t record_bytes, const assay_dialect *dialect)
{
    uint8_t *bytes = malloc(count);
    if (bytes == NULL) abort();
    for (size_t i = 0; i < count; i++) {
        const size_t half = i % (1 << 15);
        const bool is_rest = rest != NULL && half >= 1 << 14;
        const char *text = is_rest ? rest : line;
        bytes[i] = (uint8_t)text[(is_rest ? half - (1 << 14) : half) % strlen(text)];
    }
    assay_record_limits limits = {1 << 20, record_bytes};
    for (size_t p = 0; test_select_path(p); p++) {
        /* All paths then run the same code. */
        if (p > 1 && (dialect->escape != 0 || dialect->comment != 0)) continue;
        for (int is_last = 0; is_last < 2; is_last++) {
            assay_batch *batch = assay_batch_create();
            assay_scan_state scan;
            if (assay_scan_begin(&scan, batch, dialect, &limits, bytes, count, UINT32_MAX, is_last, false)) {
                (p == 0 ? assay_scan_rest_plain : assay_scan_rest_fast)(&scan);
            }
            CHECK(assay_scan_end(&scan) == ASSAY_OK);
            CHECK(test_dialect_batch_is_complete(batch, dialect, count));
            CHECK(is_last ? batch->consumed == count : count - batch->consumed <= record_bytes);
            /* An irregular record may require another read of its whole block. */
            if (!CHECK(scan.visited <= (uint64_t)count * 4 + (uint64_t)batch->record_count * 64)) {
                fprintf(stderr, "  %s looked at %llu bytes of %zu for: %s\n", test_path(p),
                        (unsigned long long)scan.visited, count, line);
            }
            assay_batch_free(batch);
        }
    }
    free(bytes);
}

static void check_lines(const char *const *lines, size_t count, assay_dialect dialect)
{
    for (size_t i = 0; i < 2 * count; i++) {
        dialect.cr_ends = i % 2 == 1;
        /* Five records of maximum length. Quadratic work would exceed the bound a thousand times, in the short form a
           quarter as often. */
        const uint32_t longest = test_is_slow() ? 1 << 15 : 1 << 13;
        check(lines[i / 2], NULL, 5 * (size_t)longest, longest, &dialect);
        check(lines[i / 2], NULL, 2 * (size_t)longest, 1000, &dialect);
    }
}

/* Unclosed quotes that end far after their line: at the limit outside quotes, at text after a closing quote, or at a
   record that is well-formed after all. */
static void check_rests(assay_dialect dialect)
{
    static const char *const lines[] = {"x\",y,\"z\n", "\"\n", ",\"\n,\"\"\n", "\"\"\"\n"};
    static const char *const rests[] = {"\",a", "a\",b,", "a", "\"x", "\"\"", "\",\"", "\",\n", ",", "|", "\r"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        for (size_t k = 0; k < sizeof rests / sizeof rests[0]; k++) {
            /* The short form has a limit below and above the 16 KiB of a line. */
            for (uint32_t limit = 1 << 13; limit <= (test_is_slow() ? 1 << 16 : 1 << 15);
                 limit *= test_is_slow() ? 2 : 4) {
                check(lines[i], rests[k], test_is_slow() ? 5 << 15 : 5 << 14, limit - 1, &dialect);
            }
        }
    }
}

int main(void)
{
    /* Unless the scanner remembers unclosed quotes, most of these would read more than 10^8 bytes. */
    static const char *const lines[] = {
        "x\",y,\"z\n",
        "\"\n",
        "\"x\n",
        "\"a\",\"\n",
        "\"\"\"\n",
        "\"\na\n",
        "x,\"y\"\"\n",
        "\"a\"b,\"\n",
        "\n\"",
        "a,b\n\"",
        "\r\n\"",
        "\"\r\n",
        "\"\r",
        "x\",y,\"z\r",
        "\",\"",
        "\"\"",
        "\"",
        "\n",
        "abc",
        "\"a\"b\n",
        "1,\"a\n2,b\n3,\"c, d\"\n",
        "\"\n\"x",
        "\"\nx\"y\n",
        "\"\nx\",\"y\n",
        "\"\n\",\"\"\n\",\"\n",
        "\"a\n\"b,\"\n\"\n",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
    };
    const assay_dialect comma = {.delimiter = ',', .quote = '"', .quoting = true};
    check_lines(lines, sizeof lines / sizeof lines[0], comma);
    check_rests(comma);

    /* Escapes, including escaped terminators: runs of escapes, and lines that alternate between inside and outside
       quotes. */
    static const char *const escaped_lines[] = {
        "\\",
        "\\\\\\\\n",
        "\\\n",
        "\\n\n",
        "\"\\\n",
        ",\"\\\n",
        ",\"\\\n\n",
        "\\\n\"",
        "x\\\n,\"y\n",
        ",\",\\\n,\",\"\n",
        "x\\\r\n,\"y\r\n",
        "\\\r\"",
        ",\"\\\r\n",
        "\"\\\\\n",
        "\"\\\"\n",
        "\"\\\"\n\"",
        "x\",y,\\\"\"z\n",
        "#\",\n",
        "#\\\n,\"\n",
        "# \"\n\"",
        " \" ,\" \n",
        "\" \" \"\n",
    };
    assay_dialect escaping = comma;
    escaping.escape = '\\';
    check_lines(lines, sizeof lines / sizeof lines[0], escaping);
    check_lines(escaped_lines, sizeof escaped_lines / sizeof escaped_lines[0], escaping);
    check_rests(escaping);
    escaping.comment = '#';
    escaping.skip_initial_space = true;
    check_lines(escaped_lines, sizeof escaped_lines / sizeof escaped_lines[0], escaping);
    escaping.delimiter2 = ',';
    check_lines(escaped_lines, sizeof escaped_lines / sizeof escaped_lines[0], escaping);
    return test_result();
}
