/* Validates a column of values against a pattern, with the C core alone.
 *
 *     validate_column [PATTERN [FILE]]      FILE: one value per line; default: a small list
 *
 * Prints a line for each value that fails, then the counts. The exit status is 1 if a value fails. */
#include <assay/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_pattern[] = "[A-Z]{2}[0-9]{6}";
static const char default_values[] = "DE104233\nFR200917\nde104233\nIT38\nES551204\n\nPT000001 \n";

/* Reads the whole file into memory. Returns NULL if that fails. */
static uint8_t *read_file(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    uint8_t *bytes = NULL;
    size_t capacity = 0, used = 0, got = 0;
    do {
        if (used == capacity) {
            capacity = capacity == 0 ? 65536 : 2 * capacity;
            uint8_t *larger = realloc(bytes, capacity);
            if (larger == NULL) break;
            bytes = larger;
        }
        got = fread(bytes + used, 1, capacity - used, file);
        used += got;
    } while (got > 0);
    if (ferror(file) || got > 0) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    *count = used;
    return bytes;
}

/* Splits the text into lines, as cells. A line feed at the end does not start another line. */
static assay_cell *split_lines(const uint8_t *bytes, size_t count, size_t *cell_count)
{
    assay_cell *cells = calloc(assay_bytes_count(bytes, count, '\n') + 1, sizeof *cells);
    size_t start = 0, lines = 0;
    while (cells != NULL && start < count) {
        const uint8_t *found = memchr(bytes + start, '\n', count - start);
        size_t end = found == NULL ? count : (size_t)(found - bytes);
        cells[lines++] = (assay_cell){(uint32_t)start, (uint32_t)(end - start)};
        start = end + 1;
    }
    *cell_count = lines;
    return cells;
}

static int fail(const char *what)
{
    fprintf(stderr, "validate_column: %s\n", what);
    return 2;
}

/* Prints a verdict with its value. Prints only plain text, because other bytes may be terminal sequences. */
static void print_row(size_t row, const char *verdict, const uint8_t *value, uint32_t length)
{
    printf("%5zu  %-9s  ", row + 1, verdict);
    for (uint32_t i = 0; i < length; i++) putchar(value[i] >= ' ' && value[i] < 0x7F ? value[i] : '?');
    putchar('\n');
}

int main(int argument_count, char **arguments)
{
    const char *pattern_text = argument_count > 1 ? arguments[1] : default_pattern;
    size_t count = strlen(default_values);
    uint8_t *bytes = NULL;
    if (argument_count > 2) {
        bytes = read_file(arguments[2], &count);
    } else {
        bytes = malloc(count);
        if (bytes != NULL) memcpy(bytes, default_values, count);
    }
    if (bytes == NULL) return fail("cannot read the values");
    if (count > INT32_MAX) return fail("the file has 2 GiB or more");
    /* Validate the UTF-8 first, because the engine requires valid input. */
    const size_t valid = assay_utf8_valid_prefix(bytes, count);
    if (valid != count) return fail("the values are not UTF-8");

    assay_error error;
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)pattern_text, strlen(pattern_text), 0, 0, &error);
    if (pattern == NULL) {
        fprintf(stderr, "validate_column: pattern: %s at offset %zu\n", error.message, error.offset);
        return 2;
    }
    assay_check *check = assay_check_create_pattern(pattern);
    assay_scratch *scratch = assay_scratch_create(NULL);
    size_t rows = 0;
    assay_cell *cells = split_lines(bytes, count, &rows);
    const size_t words = assay_mask_words(rows);
    uint64_t *failed = calloc(words + 1, sizeof *failed), *undecided = calloc(words + 1, sizeof *undecided);
    if (check == NULL || scratch == NULL || cells == NULL || failed == NULL || undecided == NULL) {
        return fail("out of memory");
    }

    assay_check_column(check, scratch, bytes, cells, rows, NULL, failed, undecided);

    const size_t failed_count = assay_mask_count(failed, words), undecided_count = assay_mask_count(undecided, words);
    for (size_t row = 0; row < rows; row++) {
        const bool is_failed = failed[row / 64] >> (row % 64) & 1, is_open = undecided[row / 64] >> (row % 64) & 1;
        if (is_failed || is_open) {
            print_row(row, is_failed ? "fail" : "undecided", bytes + cells[row].start, cells[row].length);
        }
    }
    printf("%zu values: %zu pass, %zu fail, %zu undecided\n", rows, rows - failed_count - undecided_count, failed_count,
           undecided_count);

    free(undecided);
    free(failed);
    free(cells);
    assay_scratch_free(scratch);
    assay_check_free(check);
    assay_pattern_free(pattern);
    free(bytes);
    return failed_count + undecided_count > 0 ? 1 : 0;
}
