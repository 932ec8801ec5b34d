/* Round trips of rows through the text formats of databases. Each format is implemented here from its documentation:

       PostgreSQL   COPY, "Text Format": \b \f \n \r \t \v \\, a backslash before the delimiter, \N for NULL
       MySQL        SELECT … INTO OUTFILE: \0, a backslash before itself, the delimiter and a line feed, \N for NULL
       ClickHouse   TabSeparated: \b \f \r \n \t \0 \' \\, \N for NULL

   The other direction writes values as repairs do, and reads them as PostgreSQL's CopyReadAttributesText does. */
#include "assay/repair.h"

#include "test_scan_support.h"

enum { COLUMNS = 3, LONGEST_VALUE = 12, ROWS_AT_ONCE = 500 };

static const assay_dialect copy_text = {.delimiter = '\t', .escape = '\\'};

typedef struct value {
    uint8_t text[LONGEST_VALUE + 4];
    size_t count;
    bool is_null;
} value;

typedef size_t value_writer(const value *from, uint8_t *to);

static size_t write_with(const value *from, const char *plain, const char *letters, uint8_t *to)
{
    size_t count = 0;
    if (from->is_null) {
        memcpy(to, "\\N", 2);
        return 2;
    }
    for (size_t i = 0; i < from->count; i++) {
        const char byte = (char)from->text[i];
        const char *found = byte == '\0' ? NULL : strchr(plain, byte);
        if (byte == '\0') {
            to[count++] = '\\';
            to[count++] = '0';
        } else if (found != NULL) {
            to[count++] = '\\';
            to[count++] = (uint8_t)letters[found - plain];
        } else {
            to[count++] = (uint8_t)byte;
        }
    }
    return count;
}

static size_t write_postgres(const value *from, uint8_t *to)
{
    return write_with(from, "\b\f\n\r\t\v\\", "bfnrtv\\", to);
}

static size_t write_mysql(const value *from, uint8_t *to) { return write_with(from, "\t\n\\", "\t\n\\", to); }

static size_t write_clickhouse(const value *from, uint8_t *to)
{
    return write_with(from, "\b\f\r\n\t'\\", "bfrnt'\\", to);
}

static const struct {
    const char *name;
    value_writer *write;
    bool has_nul;
} formats[] = {
    {"PostgreSQL", write_postgres, false}, {"MySQL", write_mysql, true}, {"ClickHouse", write_clickhouse, true}};

static value any_value(test_random *random, bool has_nul)
{
    static const char *const words[] = {"\\N", "\\.", "N", "\\", "\\\\N", "\\n", "", "x\\"};
    static const uint8_t letters[] = {'\b', '\f', '\n', '\r', '\t', '\v', '\\', '\\', 0x1A, 'N', 'a',  'b', 'f',
                                      'n',  'r',  't',  'v',  '0',  '1',  'x',  'Z',  '.',  '"', '\'', ' ', 0x7F};
    value made = {.is_null = test_random_below(random, 12) == 0};
    if (made.is_null) return made;
    if (test_random_below(random, 6) == 0) {
        const char *word = words[test_random_below(random, sizeof words / sizeof words[0])];
        made.count = strlen(word);
        memcpy(made.text, word, made.count);
        return made;
    }
    const size_t count = test_random_below(random, LONGEST_VALUE);
    while (made.count < count) {
        if (has_nul && test_random_below(random, 12) == 0) {
            made.text[made.count++] = 0;
        } else if (test_random_below(random, 10) == 0) {
            memcpy(made.text + made.count, "\xC3\xA9", 2);
            made.count += 2;
        } else {
            made.text[made.count++] = letters[test_random_below(random, sizeof letters)];
        }
    }
    return made;
}

static void print_value(const char *name, const uint8_t *text, size_t count)
{
    fprintf(stderr, "  %s:", name);
    for (size_t i = 0; i < count; i++) fprintf(stderr, " %02x", text[i]);
    fprintf(stderr, "\n");
}

/* Assay must read the values in rows that a database wrote. */
static void check_reading(test_random *random, size_t format, assay_batch *batch)
{
    static value values[ROWS_AT_ONCE][COLUMNS];
    static uint8_t bytes[2 * ROWS_AT_ONCE * COLUMNS * (2 * sizeof(value))];
    static const assay_record_limits limits = {1u << 20, 1u << 20};
    uint32_t count = 0;
    for (size_t row = 0; row < ROWS_AT_ONCE; row++) {
        for (size_t column = 0; column < COLUMNS; column++) {
            values[row][column] = any_value(random, formats[format].has_nul);
            /* MySQL does not escape CR, and Assay reads a CR before a line feed as part of the terminator. */
            value *made = &values[row][column];
            if (made->count > 0 && made->text[made->count - 1] == '\r') made->text[made->count - 1] = '\f';
            count += (uint32_t)formats[format].write(&values[row][column], bytes + count);
            bytes[count++] = column + 1 < COLUMNS ? '\t' : '\n';
        }
    }
    CHECK(assay_scan(batch, &copy_text, &limits, bytes, count, UINT32_MAX, true, false) == ASSAY_OK);
    if (!CHECK_EQUAL(batch->record_count, ROWS_AT_ONCE) || !CHECK_EQUAL(batch->min_fields, COLUMNS)) return;
    uint32_t used = count;
    for (uint32_t column = 0; column < COLUMNS; column++) {
        static assay_cell cells[ROWS_AT_ONCE];
        uint64_t texts[ROWS_AT_ONCE / 64 + 1];
        assay_batch_gather(batch, &copy_text, bytes, &used, column, 0, ROWS_AT_ONCE, NULL, cells);
        assay_batch_mask_null_texts(batch, &copy_text, bytes, column, 0, ROWS_AT_ONCE, NULL, cells, texts);
        for (size_t row = 0; row < ROWS_AT_ONCE; row++) {
            const value *expected = &values[row][column];
            const assay_cell cell = cells[row];
            const bool is_null = cell.length == 2 && memcmp(bytes + cell.start, "\\N", 2) == 0 &&
                                 (texts[row / 64] >> (row % 64) & 1) == 0;
            const uint8_t *text = expected->is_null ? (const uint8_t *)"\\N" : expected->text;
            const size_t length = expected->is_null ? 2 : expected->count;
            if (!CHECK(cell.length == length && memcmp(bytes + cell.start, text, length) == 0 &&
                       is_null == expected->is_null) &&
                test_failures < 10) {
                fprintf(stderr, "  %s, row %zu, column %u, null %d\n", formats[format].name, row, column, is_null);
                print_value("wanted", text, length);
                print_value("found ", bytes + cell.start, cell.length);
            }
        }
    }
}

static int digit_of(uint8_t byte, int base)
{
    const int digit = byte >= '0' && byte <= '9'   ? byte - '0'
                      : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                      : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                                   : 99;
    return digit < base ? digit : -1;
}

/* A field as PostgreSQL reads it: the null string is compared before backslashes are removed. */
static value read_postgres(const uint8_t *from, size_t count)
{
    value found = {.is_null = count == 2 && memcmp(from, "\\N", 2) == 0};
    for (size_t i = 0; i < count && !found.is_null;) {
        uint8_t byte = from[i++];
        if (byte == '\\' && i < count) {
            static const char letters[] = "bfnrtv", meant[] = "\b\f\n\r\t\v";
            byte = from[i++];
            const char *letter = byte == 0 ? NULL : strchr(letters, byte);
            const int base = byte == 'x' ? 16 : 8;
            if (letter != NULL) {
                byte = (uint8_t)meant[letter - letters];
            } else if (digit_of(byte, 8) >= 0 || (byte == 'x' && i < count && digit_of(from[i], 16) >= 0)) {
                int number = byte == 'x' ? 0 : digit_of(byte, 8);
                const size_t end = i + 2;
                while (i < count && i < end && digit_of(from[i], base) >= 0) {
                    number = number * base + digit_of(from[i++], base);
                }
                byte = (uint8_t)number;
            }
        }
        found.text[found.count++] = byte;
    }
    return found;
}

/* PostgreSQL must read a value that Assay wrote: the value must not end the field or the row. */
static void check_writing(test_random *random)
{
    value expected = any_value(random, false);
    expected.is_null = false;
    uint8_t field[2 * LONGEST_VALUE + 8];
    CHECK(assay_csv_can_write(&copy_text, expected.text, expected.count, false));
    const size_t count = assay_csv_write(&copy_text, expected.text, expected.count, false, false, false, field);
    for (size_t i = 0; i < count; i++) {
        if (field[i] == '\\') {
            i++;
        } else {
            CHECK(field[i] != '\t' && field[i] != '\n' && field[i] != '\r');
        }
    }
    const value found = read_postgres(field, count);
    if (!CHECK(!found.is_null && found.count == expected.count &&
               memcmp(found.text, expected.text, found.count) == 0)) {
        print_value("wanted", expected.text, expected.count);
        print_value("written", field, count);
    }
}

static const struct {
    const char *field, *text;
    bool is_null;
} fields[] = {
    {"\\N", "\\N", true},
    {"\\\\N", "\\N", false},
    {"\\NN", "NN", false},
    {"N", "N", false},
    {"\\\\\\N", "\\N", false},
    {"\\b\\f\\n\\r\\t\\v\\\\", "\b\f\n\r\t\v\\", false},
    {"\\B\\F\\V\\a\\e\\.", "BFVae.", false},
    /* PostgreSQL reads these as numeric escapes, MySQL as characters, and databases do not write them. */
    {"\\101\\x41\\7", "101x417", false},
    {"\\Z", "\x1A", false},
};

static void check_fields(assay_batch *batch)
{
    static const assay_record_limits limits = {100, 100};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        uint8_t bytes[128];
        const uint32_t count = (uint32_t)strlen(fields[i].field);
        memcpy(bytes, fields[i].field, count);
        uint32_t used = count;
        assay_cell cell;
        uint64_t text;
        CHECK(assay_scan(batch, &copy_text, &limits, bytes, count, UINT32_MAX, true, false) == ASSAY_OK);
        assay_batch_gather(batch, &copy_text, bytes, &used, 0, 0, 1, NULL, &cell);
        const size_t found = assay_batch_mask_null_texts(batch, &copy_text, bytes, 0, 0, 1, NULL, &cell, &text);
        CHECK_EQUAL(found, text);
        if (!CHECK(cell.length == strlen(fields[i].text) &&
                   memcmp(bytes + cell.start, fields[i].text, cell.length) == 0)) {
            fprintf(stderr, "  %s is not %.*s\n", fields[i].field, (int)cell.length, (const char *)bytes + cell.start);
        }
        CHECK_EQUAL(text, strcmp(fields[i].text, "\\N") == 0 && !fields[i].is_null);
    }
}

/* The cells that are the text of NULL: only in such a dialect, and not in rows that are skipped or too short. */
static void check_texts(assay_batch *batch)
{
    static const assay_record_limits limits = {100, 100};
    static const struct {
        assay_dialect dialect;
        const char *text;
        uint64_t skip, texts;
    } cases[] = {
        {{.delimiter = ',', .escape = '\\'}, "a,\\\\N\n\\\\N,\\N\nb\nc,\\\\N\r\nd,\\\\N", 1u << 4, 0x09},
        {{.delimiter = ',', .quote = '"', .quoting = true, .escape = '\\'}, "a,\"\\\\N\"\nb,\\N\nc,\"\\N\"\n", 0, 0x01},
        {{.delimiter = ',', .escape = '\\', .skip_initial_space = true}, "a, \\N\nb,\\\\N \nc, \\\\N\n", 0, 0x04},
        {{.delimiter = ':', .delimiter2 = ':', .escape = '\\'}, "a::\\N\nb::\\\\N\n", 0, 0x02},
        {{.delimiter = ',', .escape = '^'}, "a,\\N\nb,^\\N\n", 0, 0},
        {{.delimiter = ','}, "a,\\N\n", 0, 0},
        {{.delimiter = ',', .escape = '\\', .comment = '#'}, "#a,\\\\N\nb,\\\\N\nc,d\\\n", 0x01, 0x02},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[128];
        const uint32_t count = (uint32_t)strlen(cases[i].text);
        memcpy(bytes, cases[i].text, count);
        uint32_t used = count;
        assay_cell cells[8];
        uint64_t texts = UINT64_MAX;
        CHECK(assay_scan(batch, &cases[i].dialect, &limits, bytes, count, UINT32_MAX, true, false) == ASSAY_OK);
        assay_batch_gather(batch, &cases[i].dialect, bytes, &used, 1, 0, batch->record_count, &cases[i].skip, cells);
        assay_batch_mask_null_texts(batch, &cases[i].dialect, bytes, 1, 0, batch->record_count, &cases[i].skip, cells,
                                    &texts);
        if (!CHECK_EQUAL(texts, cases[i].texts)) fprintf(stderr, "  %s\n", cases[i].text);
    }
}

int main(void)
{
    test_random random = test_random_of(0xC0B7u);
    assay_batch *batch = assay_batch_create();
    if (batch == NULL) abort();
    check_fields(batch);
    check_texts(batch);
    /* 20,000 rows of each format. */
    for (unsigned long round = 0; round < 20000 / ROWS_AT_ONCE; round++) {
        for (size_t format = 0; format < sizeof formats / sizeof formats[0]; format++) {
            check_reading(&random, format, batch);
        }
        for (size_t i = 0; i < ROWS_AT_ONCE * COLUMNS; i++) check_writing(&random);
    }
    assay_batch_free(batch);
    return test_result();
}
