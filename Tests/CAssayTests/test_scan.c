/* Each case through every path and every way of cutting the input into buffers. */
#include "test_scan_support.h"

/* What a scan found, in writing: fields in [ ], as they stand with their quotes; after each record its flags and ⏎.
 *   T quote text · U unclosed · L too long · > continued · < continuation */
typedef struct scan_case {
    const char *text;
    const char *expected;
    unsigned lines;
    /* Options, as letters: r cr_ends · q no quoting · ; that delimiter · a number: the record limit. */
    const char *options;
    unsigned field_limit;
    /* Which way the buffers are cut shows in the pieces of a line over the limit; such cases run whole only. */
    bool whole_only;
} scan_case;

static const scan_case cases[] = {
    /* Ends of records. */
    {"", "", 0, "", 0, false},
    {"a", "[a]\n", 0, "", 0, false},
    {"\n", "[]\n", 1, "", 0, false},
    {"\r\n", "[]\n", 1, "", 0, false},
    {"\r", "[\r]\n", 0, "", 0, false},
    {"a,b\nc,d\n", "[a][b]\n[c][d]\n", 2, "", 0, false},
    {"a,b\r\nc,d\r\n", "[a][b]\n[c][d]\n", 2, "", 0, false},
    {"a\r\nb\nc", "[a]\n[b]\n[c]\n", 2, "", 0, false},
    {"a\n\nb\n", "[a]\n[]\n[b]\n", 3, "", 0, false},
    {"a,\n,b\n,\n", "[a][]\n[][b]\n[][]\n", 3, "", 0, false},
    {"a,", "[a][]\n", 0, "", 0, false},
    {"a,\r\n", "[a][]\n", 1, "", 0, false},
    {"a\rb\nc\r\r\nd\r", "[a\rb]\n[c\r]\n[d\r]\n", 2, "", 0, false},
    {"a;b,c\n", "[a][b,c]\n", 1, ";", 0, false},
    /* Quotes that are right. */
    {"\"a\"", "[\"a\"]\n", 0, "", 0, false},
    {"\"\"\n", "[\"\"]\n", 1, "", 0, false},
    {"\"\",\"\"\r\n\"\"", "[\"\"][\"\"]\n[\"\"]\n", 1, "", 0, false},
    {"\"a,b\",c\n", "[\"a,b\"][c]\n", 1, "", 0, false},
    {"7,\"a \"\"b\"\"\",x\n", "[7][\"a \"\"b\"\"\"][x]\n", 1, "", 0, false},
    {"\"a\nb\",c\nd\n", "[\"a\nb\"][c]\n[d]\n", 3, "", 0, false},
    {"\"a\r\nb\"\r\nd\n", "[\"a\r\nb\"]\n[d]\n", 3, "", 0, false},
    {"\"\"\"\"\n", "[\"\"\"\"]\n", 1, "", 0, false},
    {"\"\"\"a\"\"\"\n", "[\"\"\"a\"\"\"]\n", 1, "", 0, false},
    {"x,\"a\"\r\ny,\"b\"\r\n", "[x][\"a\"]\n[y][\"b\"]\n", 2, "", 0, false},
    /* Quotes that are data. */
    {"5\" disk,b\n", "[5\" disk][b]\n", 1, "", 0, false},
    {"a\"\"b,\"c\"\n", "[a\"\"b][\"c\"]\n", 1, "", 0, false},
    {" \"a\",b\n", "[ \"a\"][b]\n", 1, "", 0, false},
    {"\r\"a,b\"\n", "[\r\"a][b\"]\n", 1, "", 0, false},
    {"\"a,b\n\"c\n", "[\"a][b]\n[\"c]\n", 2, "q", 0, false},
    /* Text after a closing quote. */
    {"\"a\"b,c\n", "[\"a\"b][c]T\n", 1, "", 0, false},
    {"\"a\" ,\"c\"\nd\n", "[\"a\" ][\"c\"]T\n[d]\n", 2, "", 0, false},
    {"\"a\"b\"c\",\"d,e\"\n", "[\"a\"b\"c\"][\"d,e\"]T\n", 1, "", 0, false},
    {"\"a\"b\r\n", "[\"a\"b]T\n", 1, "", 0, false},
    {"\"a\"\rb\n", "[\"a\"\rb]T\n", 1, "", 0, false},
    {"\"a\"\r", "[\"a\"\r]T\n", 0, "", 0, false},
    {"\"a\"\r\r\n", "[\"a\"\r]T\n", 1, "", 0, false},
    {"\"a\"b\"\nc\"\n", "[\"a\"b\"]T\n[c\"]\n", 2, "", 0, false},
    /* A quote that never closes. */
    {"a,\"b\nc\nd", "[a,\"b]U\n[c]\n[d]\n", 2, "", 0, false},
    {"a,\"b", "[a,\"b]U\n", 0, "", 0, false},
    {"\"\r\na\r\n", "[\"]U\n[a]\n", 2, "", 0, false},
    {"x,\"a\"\"\ny,\"b\"\n", "[x][\"a\"\"\ny,\"b\"]T\n", 2, "", 0, false},
    {"\"a\n\"b\n\"c\n", "[\"a\n\"b]T\n[\"c]U\n", 3, "", 0, false},
    /* The record limit. */
    {"12345678\n1234567\n", "[12345678]L\n[1234567]\n", 2, "8", 0, false},
    {"12345678", "[12345678]\n", 0, "8", 0, false},
    {"\"234567\n9\n", "[\"234567]U\n[9]\n", 2, "8", 0, false},
    {"\"2\n4\n6\n8\n\"\n", "[\"2]U\n[4]\n[6]\n[8]\n[\"]U\n", 5, "8", 0, false},
    {"\"2\n4\n6\n8\nA\nC\n\"\nE\n", "[\"2]U\n[4]\n[6]\n[8]\n[A]\n[C]\n[\"]U\n[E]\n", 8, "8", 0, false},
    {"\"\n3\",56789\nx\n", "[\"\n3\",56789]L\n[x]\n", 3, "8", 0, true},
    {"\"\n3\",567,\"\nx\n", "[\"\n3\",567,\"]L\n[x]\n", 3, "8", 0, true},
    {"\"\n3\",567,\"a\"\nx\n", "[\"\n3\",567,\"a\"]L\n[x]\n", 3, "8", 0, true},
    {"\"\n3\"\"\n6\n\n", "[\"]U\n[3\"\"]\n[6]\n[]\n", 4, "5", 0, true},
    {"\"23\"\r\n\"23456\"\r\nx\n", "[\"23\"]\n[\"23456\"]L\n[x]\n", 3, "8", 0, false},
    {"1234567890\nx", "[1234567890]L\n[x]\n", 1, "8", 0, true},
    {"1234567890", "[1234567890]L\n", 0, "8", 0, true},
    {"1,2,3,\"5,6,7,8,9\nx", "[1,2,3,\"5,6,7,8,9]L\n[x]\n", 1, "8", 0, true},
    /* The field limit. */
    {"1234,5\n123,5\n", "[1234][5]L\n[123][5]\n", 2, "", 3, false},
    {"\"2\",\"23\"\r\n1\n", "[\"2\"][\"23\"]L\n[1]\n", 2, "", 3, false},
    {"123\r\n1234\r\n", "[123]\n[1234]L\n", 2, "", 3, false},
    /* CR ends records. */
    {"a,b\rc\r", "[a][b]\n[c]\n", 2, "r", 0, false},
    {"a\r\nb\nc\rd", "[a]\n[b]\n[c]\n[d]\n", 3, "r", 0, false},
    {"\r\r\n\n\r", "[]\n[]\n[]\n[]\n", 4, "r", 0, false},
    {"\"a\rb\r\nc\",d\re\r", "[\"a\rb\r\nc\"][d]\n[e]\n", 4, "r", 0, false},
    {"\"a\"\r\"b\"x\r", "[\"a\"]\n[\"b\"x]T\n", 2, "r", 0, false},
    {"\"a\rb\r\"c", "[\"a]U\n[b]\n[\"c]U\n", 2, "r4", 0, true},
    {"1234567\r\nx\r", "[1234567]L\n[x]\n", 2, "r8", 0, false},
};

static void append_text(char **out, const char *text, size_t count)
{
    memcpy(*out, text, count);
    *out += count;
    **out = '\0';
}

static void append_batch(char **out, const assay_batch *batch, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const assay_record *record = &batch->records[i];
        uint32_t start = record->start;
        for (uint32_t field = record->first_field; field < batch->records[i + 1].first_field; field++) {
            append_text(out, "[", 1);
            append_text(out, (const char *)bytes + start, batch->field_ends[field] - start);
            append_text(out, "]", 1);
            start = batch->field_ends[field] + 1;
        }
        static const char letters[] = "TUL><";
        for (uint32_t bit = 0; bit < 5; bit++) {
            if (record->flags >> bit & 1) append_text(out, letters + bit, 1);
        }
        append_text(out, "\n", 1);
    }
}

static uint32_t field_count(const assay_batch *batch, uint32_t record)
{
    return batch->records[record + 1].first_field - batch->records[record].first_field;
}

/* What the batch says of quotes, of the number of fields and of flags. */
static void check_masks(const assay_batch *batch, const uint8_t *bytes, bool quoting)
{
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const assay_record *record = &batch->records[i];
        const bool has_quote = memchr(bytes + record->start, '"', record->end - record->start) != NULL;
        CHECK_EQUAL(batch->quoted[i / 64] >> (i % 64) & 1, quoting && has_quote);
        const bool changes =
            i > 0 && (field_count(batch, i) != field_count(batch, i - 1) || record->flags != record[-1].flags);
        CHECK_EQUAL(batch->layout_changes[i / 64] >> (i % 64) & 1, changes);
    }
}

/* Gives the text in buffers that grow by `step` bytes, carrying what was not consumed, as a reader of files does. */
static void run(const scan_case *c, const char *path, size_t step, uint32_t max_records)
{
    const uint8_t *text = (const uint8_t *)c->text;
    const size_t count = strlen(c->text);
    assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    assay_record_limits limits = {c->field_limit == 0 ? 1u << 20 : c->field_limit, 4u << 20};
    for (const char *option = c->options; *option != '\0'; option++) {
        if (*option == 'r') dialect.cr_ends = true;
        if (*option == 'q') dialect.quoting = false;
        if (*option == ';') dialect.delimiter = ';';
        if (*option >= '0' && *option <= '9') limits.record_bytes = (uint32_t)(*option - '0');
    }
    assay_batch *batch = assay_batch_create();
    char found[1024] = "";
    char *out = found;
    size_t from = 0, to = 0;
    unsigned lines = 0;
    bool over = false;
    while (!over) {
        to = step < count - to ? to + step : count;
        bool is_last = to == count;
        /* With few records at a time the same bytes are given again until nothing more comes of them. */
        do {
            uint8_t *bytes = test_exact_copy(text + from, to - from);
            CHECK(test_scan(path, batch, &dialect, &limits, bytes, to - from, max_records, is_last, false) == ASSAY_OK);
            CHECK(test_batch_is_whole(batch, to - from));
            append_batch(&out, batch, bytes);
            check_masks(batch, bytes, dialect.quoting);
            free(bytes);
            from += batch->consumed;
            lines += batch->lines;
        } while (batch->record_count > 0);
        over = is_last;
    }
    CHECK_EQUAL(from, count);
    CHECK_EQUAL(lines, c->lines);
    if (!CHECK(strcmp(found, c->expected) == 0)) {
        fprintf(stderr, "  %s, steps of %zu, at most %u records, of:\n%s\n  expected:\n%s\n  found:\n%s\n", path, step,
                max_records, c->text, c->expected, found);
    }
    assay_batch_free(batch);
}

/* A line over the limit, handed out piece by piece. */
static void check_pieces(const char *path)
{
    static const struct {
        const char *buffers[4]; /* each with what the scan before left */
        const char *expected[4];
        uint32_t consumed[4];
        uint32_t lines[4];
        bool cr_ends;
    } pieces[] = {
        {{"123456789", "abc", "de\nx\n", ""},
         {"[123456789]L>\n", "[abc]><\n", "[de]<\n[x]\n", ""},
         {9, 3, 5, 0},
         {0, 0, 2, 0},
         false},
        {{"1234567\r\r", "\nx", "x\n", ""},
         {"[1234567\r\r]L>\n", "[]<\n", "[x]\n", ""},
         {9, 1, 2, 0},
         {0, 1, 1, 0},
         false},
        {{"1\n\"456789", "\"456789ab\"", "\n\"x\"", ""},
         {"[1]\n", "[\"456789ab\"]L>\n", "[]<\n[\"x\"]\n", ""},
         {2, 10, 4, 0},
         {1, 0, 1, 0},
         false},
        /* A CR at the end of a buffer waits for what follows. */
        {{"123456789\r", "\r\nx\r", "x\r", ""},
         {"[123456789]L>\n", "[]<\n", "[x]\n", ""},
         {9, 2, 2, 0},
         {0, 1, 1, 0},
         true},
        {{"123456789", "\r", "\rx", "x"}, {"[123456789]L>\n", "", "[]<\n", "[x]\n"}, {9, 0, 1, 1}, {0, 0, 1, 0}, true},
    };
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .cr_ends = pieces[i].cr_ends};
        assay_record_limits limits = {8, 8};
        assay_batch *batch = assay_batch_create();
        bool continues = false;
        for (size_t k = 0; k < 4; k++) {
            const char *text = pieces[i].buffers[k];
            const size_t count = strlen(text);
            const bool is_last = k == 3 || pieces[i].buffers[k + 1][0] == '\0';
            uint8_t *bytes = test_exact_copy((const uint8_t *)text, count);
            char found[256] = "";
            char *out = found;
            test_scan(path, batch, &dialect, &limits, bytes, count, UINT32_MAX, is_last, continues);
            CHECK(test_batch_is_whole(batch, count));
            append_batch(&out, batch, bytes);
            check_masks(batch, bytes, dialect.quoting);
            free(bytes);
            if (!CHECK(strcmp(found, pieces[i].expected[k]) == 0)) {
                fprintf(stderr, "  %s: pieces %zu, buffer %zu: %s\n", path, i, k, found);
            }
            CHECK_EQUAL(batch->consumed, pieces[i].consumed[k]);
            CHECK_EQUAL(batch->lines, pieces[i].lines[k]);
            if (batch->record_count > 0) {
                continues = batch->records[batch->record_count - 1].flags & ASSAY_RECORD_CONTINUED;
            }
        }
        assay_batch_free(batch);
    }
}

static void check_refusals(const char *path)
{
    assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true};
    assay_record_limits limits = {100, 100};
    assay_batch *batch = assay_batch_create();
    const uint8_t text[] = "a\nb\n";
    CHECK(test_scan(path, batch, &dialect, &limits, text, (size_t)1 << 31, 9, true, false) == ASSAY_TOO_LARGE);
    CHECK(batch->record_count == 0 && batch->consumed == 0 && test_batch_is_whole(batch, 4));
    CHECK(test_scan(path, batch, &dialect, &limits, text, 4, 0, true, true) == ASSAY_OK);
    CHECK(batch->record_count == 0 && batch->consumed == 0 && test_batch_is_whole(batch, 4));
    CHECK(test_scan(path, batch, &dialect, &limits, text, 0, 9, true, true) == ASSAY_OK);
    CHECK(batch->record_count == 0 && batch->consumed == 0);
    /* A limit of nothing: every line is over it, and the scan still moves. */
    limits.record_bytes = 0;
    CHECK(test_scan(path, batch, &dialect, &limits, text, 4, 9, false, false) == ASSAY_OK);
    CHECK(batch->record_count == 2 && batch->records[0].flags == ASSAY_RECORD_TOO_LONG && batch->consumed == 4);
    assay_batch_free(batch);
    assay_batch_free(NULL);
}

int main(void)
{
    static const size_t steps[] = {1, 2, 3, 7, 64, SIZE_MAX};
    static const uint32_t maxima[] = {1, 2, UINT32_MAX};
    for (size_t p = 0; p < test_path_count; p++) {
        if (!test_select_path(test_paths[p])) continue;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
                if (cases[i].whole_only && steps[s] != SIZE_MAX) continue;
                for (size_t m = 0; m < 3; m++) run(&cases[i], test_paths[p], steps[s], maxima[m]);
            }
        }
        check_pieces(test_paths[p]);
        check_refusals(test_paths[p]);
    }
    CHECK(!assay_cpu_select("abacus"));
    CHECK(assay_cpu_select(NULL));
    return test_result();
}
