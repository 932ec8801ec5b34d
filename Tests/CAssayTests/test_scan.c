/* Runs each case on every processor path, with the input cut into buffers in every way. */
#include "test_scan_support.h"

/* The result of a scan as text: the bytes of each field in [ ], including quotes; after each record its flags and ⏎.
       T quote text · U unclosed · L too long · > continued · < continuation · # comment */
typedef struct scan_case {
    const char *text;
    const char *expected;
    unsigned lines;
    /* Options, as letters: r cr_ends · q no quoting · ; that delimiter · | a delimiter of two bars · = the delimiter
       := · \ or ^ that escape · # that comment · s skip initial spaces · t the delimiter is a tab · a number: the
       record limit. */
    const char *options;
    unsigned field_limit;
    /* The pieces of a line over the limit depend on the buffers, so these cases are not cut. */
    bool full_only;
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
    /* Correct quotes. */
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
    /* Unclosed quotes. */
    {"a,\"b\nc\nd", "[a,\"b]U\n[c]\n[d]\n", 2, "", 0, false},
    {"a,\"b", "[a,\"b]U\n", 0, "", 0, false},
    {"\"\r\na\r\n", "[\"]U\n[a]\n", 2, "", 0, false},
    {"x,\"a\"\"\ny,\"b\"\n", "[x,\"a\"\"]U\n[y][\"b\"]\n", 2, "", 0, false},
    /* Text after a closing quote on a later line: the quote before it is a stray one, and only its line is rejected. */
    {"\"a\n\"b\n\"c\n", "[\"a]U\n[\"b]U\n[\"c]U\n", 3, "", 0, false},
    {"100,\"Bo\n101,Cy\n102,\"Lee, Ann\"\n103,Di\n", "[100,\"Bo]U\n[101][Cy]\n[102][\"Lee, Ann\"]\n[103][Di]\n", 4, "",
     0, false},
    {"1,\"Bo\r\n2,\"Al, B\"\r\n3,c\r\n", "[1,\"Bo]U\n[2][\"Al, B\"]\n[3][c]\n", 3, "", 0, false},
    {"1,\"Bo\r2,\"Al, B\"\r3,c\r", "[1,\"Bo]U\n[2][\"Al, B\"]\n[3][c]\n", 3, "r", 0, false},
    {"\"1,Bo\n\"2\",Al\n\"3\",c\n", "[\"1,Bo]U\n[\"2\"][Al]\n[\"3\"][c]\n", 3, "", 0, false},
    {"1,\"a \"\"b\"\" c\n2,\"\"\"d\"\"\",\"e\"\n", "[1,\"a \"\"b\"\" c]U\n[2][\"\"\"d\"\"\"][\"e\"]\n", 2, "", 0,
     false},
    {"1,\"x\n2,\"y\n3,\"z\"\n", "[1,\"x]U\n[2,\"y]U\n[3][\"z\"]\n", 3, "", 0, false},
    {"\"a\"b,\"c\nd\"\ne\n", "[\"a\"b][\"c\nd\"]T\n[e]\n", 3, "", 0, false},
    {"\"a\"b,\"c\nd\"e\nf\n", "[\"a\"b,\"c]U\n[d\"e]\n[f]\n", 3, "", 0, false},
    {"1,\"a\nb\"\n2,\"c\nd\"\r\n3,x\n", "[1][\"a\nb\"]\n[2][\"c\nd\"]\n[3][x]\n", 5, "", 0, false},
    {"\"a\nb\"\rc\nd\n", "[\"a]U\n[b\"\rc]\n[d]\n", 3, "", 0, false},
    {"\"a\nb\"\r", "[\"a]U\n[b\"\r]\n", 1, "", 0, false},
    {"\"a\nb\"|\nc\n", "[\"a]U\n[b\"|]\n[c]\n", 3, "|", 0, false},
    {"\"a\nb\"||\nc\n", "[\"a\nb\"][]\n[c]\n", 3, "|", 0, false},
    {"\"a\nb\" ,c\n", "[\"a\nb\" ][c]\n", 2, "s", 0, false},
    {"\"a\nb\" c\n", "[\"a]U\n[b\" c]\n", 2, "s", 0, false},
    {"\"a\nb\"\\,c\n", "[\"a]U\n[b\"\\,c]\n", 2, "\\", 0, false},
    {"\"a\\\nb\"c\nd\n", "[\"a\\\nb\"c]T\n[d]\n", 3, "\\", 0, false},
    {"\"a\n#b\n\"c\n", "[\"a]U\n[#b]#\n[\"c]U\n", 3, "#", 0, false},
    /* The record limit. */
    {"12345678\n1234567\n", "[12345678]L\n[1234567]\n", 2, "8", 0, false},
    {"12345678", "[12345678]\n", 0, "8", 0, false},
    {"\"234567\n9\n", "[\"234567]U\n[9]\n", 2, "8", 0, false},
    {"\"2\n4\n6\n8\n\"\n", "[\"2]U\n[4]\n[6]\n[8]\n[\"]U\n", 5, "8", 0, false},
    {"\"2\n4\n6\n8\nA\nC\n\"\nE\n", "[\"2]U\n[4]\n[6]\n[8]\n[A]\n[C]\n[\"]U\n[E]\n", 8, "8", 0, false},
    {"\"\n3\",56789\nx\n", "[\"\n3\",56789]L\n[x]\n", 3, "8", 0, true},
    {"\"\n3\",567,\"\nx\n", "[\"\n3\",567,\"]L\n[x]\n", 3, "8", 0, true},
    {"\"\n3\",567,\"a\"\nx\n", "[\"\n3\",567,\"a\"]L\n[x]\n", 3, "8", 0, true},
    {"\"\n3\",56\n8\nx\n", "[\"\n3\"][56]\n[8]\n[x]\n", 4, "8", 0, false},
    {"\"\n3\",5||\nx\n", "[\"]U\n[3\",5][]\n[x]\n", 3, "|8", 0, false},
    {"\"\n3\",56\r\nx\n", "[\"\n3\",56]L\n[x]\n", 3, "8", 0, false},
    {"\"\n3\"\"\n6\n\n", "[\"]U\n[3\"\"]\n[6]\n[]\n", 4, "5", 0, true},
    {"\"23\"\r\n\"23456\"\r\nx\n", "[\"23\"]\n[\"23456\"]L\n[x]\n", 3, "8", 0, false},
    {"1234567890\nx", "[1234567890]L\n[x]\n", 1, "8", 0, true},
    {"1234567890", "[1234567890]L\n", 0, "8", 0, true},
    {"1,2,3,\"5,6,7,8,9\nx", "[1,2,3,\"5,6,7,8,9]L\n[x]\n", 1, "8", 0, true},
    /* The field limit. */
    {"1234,5\n123,5\n", "[1234][5]L\n[123][5]\n", 2, "", 3, false},
    {"\"2\",\"23\"\r\n1\n", "[\"2\"][\"23\"]L\n[1]\n", 2, "", 3, false},
    {"123\r\n1234\r\n", "[123]\n[1234]L\n", 2, "", 3, false},
    /* A CR ends records. */
    {"a,b\rc\r", "[a][b]\n[c]\n", 2, "r", 0, false},
    {"a\r\nb\nc\rd", "[a]\n[b]\n[c]\n[d]\n", 3, "r", 0, false},
    {"\r\r\n\n\r", "[]\n[]\n[]\n[]\n", 4, "r", 0, false},
    {"\"a\rb\r\nc\",d\re\r", "[\"a\rb\r\nc\"][d]\n[e]\n", 4, "r", 0, false},
    {"\"a\"\r\"b\"x\r", "[\"a\"]\n[\"b\"x]T\n", 2, "r", 0, false},
    {"\"a\rb\r\"c", "[\"a]U\n[b]\n[\"c]U\n", 2, "r4", 0, true},
    {"1234567\r\nx\r", "[1234567]L\n[x]\n", 2, "r8", 0, false},
    /* Delimiters of two bytes. */
    {"a||b||\n||c\r\n", "[a][b][]\n[][c]\n", 2, "|", 0, false},
    {"a|b||c|\n|\n", "[a|b][c|]\n[|]\n", 2, "|", 0, false},
    {"|||a||||b", "[][|a][][b]\n", 0, "|", 0, false},
    {"a||", "[a][]\n", 0, "|", 0, false},
    {"a|", "[a|]\n", 0, "|", 0, false},
    {"\"a||b\"||\"c\"\n", "[\"a||b\"][\"c\"]\n", 1, "|", 0, false},
    {"\"a\"|b||c\n", "[\"a\"|b][c]T\n", 1, "|", 0, false},
    {"|\"a||b\"\n", "[|\"a][b\"]\n", 1, "|", 0, false},
    {"a:=b:c=:=:\r\n", "[a][b:c=][:]\n", 1, "=", 0, false},
    {"a:=\"b\rc\":=\rd\r", "[a][\"b\rc\"][]\n[d]\n", 3, "=r", 0, false},
    {"\"a||b\n", "[\"a][b]\n", 1, "|q", 0, false},
    {"1234||5\n123||5\n", "[1234][5]L\n[123][5]\n", 2, "|", 3, false},
    {"12345||8\n12345||\n", "[12345||8]L\n[12345][]\n", 2, "|8", 0, false},
    {"1234567||\nx||\n", "[1234567||]L\n[x][]\n", 2, "|8", 0, true},
    /* Escapes. */
    {"a\\,b,c\n", "[a\\,b][c]\n", 1, "\\", 0, false},
    {"a\\\\,b\n", "[a\\\\][b]\n", 1, "\\", 0, false},
    {"a\\\nb,c\nd\n", "[a\\\nb][c]\n[d]\n", 3, "\\", 0, false},
    {"a\\\r\nb\r\nc\r\n", "[a\\\r\nb]\n[c]\n", 3, "\\", 0, false},
    {"a\\\r\nb\rc", "[a\\\r\nb]\n[c]\n", 2, "\\r", 0, false},
    {"a\\\rb\rc", "[a\\\rb]\n[c]\n", 2, "\\r", 0, false},
    {"a\\\\\r\nb", "[a\\\\]\n[b]\n", 1, "\\", 0, false},
    {"\\\"a,b\"\n", "[\\\"a][b\"]\n", 1, "\\", 0, false},
    {"\"a\\\",b\",c\n", "[\"a\\\",b\"][c]\n", 1, "\\", 0, false},
    {"\"a\\\\\",c\n", "[\"a\\\\\"][c]\n", 1, "\\", 0, false},
    {"\"a\"\"\\\"\"\"\"\n", "[\"a\"\"\\\"\"\"\"]\n", 1, "\\", 0, false},
    {"\"a\"\\\nb\",c\nd", "[\"a\"\\\nb\"][c]T\n[d]\n", 2, "\\", 0, false},
    {"\"a\"b\\,c\n", "[\"a\"b\\,c]T\n", 1, "\\", 0, false},
    {"\"a\\\nb\"\nc\n", "[\"a\\\nb\"]\n[c]\n", 3, "\\", 0, false},
    {"a\\", "[a\\]\n", 0, "\\", 0, false},
    {"a\\\n", "[a\\\n]\n", 1, "\\", 0, false},
    {"a\\\r", "[a\\\r]\n", 1, "\\r", 0, false},
    {"a^,b^^,c\\,d\n", "[a^,b^^][c\\][d]\n", 1, "^", 0, false},
    {"\"a\\,\"b\n", "[\"a\\,\"b]\n", 1, "\\q", 0, false},
    {"a\\||b||c\\|||d\n", "[a\\||b][c\\|][d]\n", 1, "\\|", 0, false},
    /* An unclosed quote, with an escape: the first unescaped line end ends the record. */
    {"\"a\\", "[\"a\\]U\n", 0, "\\", 0, false},
    {"\"a\\\"\nb", "[\"a\\\"]U\n[b]\n", 1, "\\", 0, false},
    {"\"a\\\nb\nc\n", "[\"a\\\nb]U\n[c]\n", 3, "\\", 0, false},
    {"\"a\\\r\nb\r\nc\n", "[\"a\\\r\nb]U\n[c]\n", 3, "\\", 0, false},
    {"x\\\n,\"b\ny\\\n\"c\n", "[x\\\n,\"b]U\n[y\\\n\"c]\n", 4, "\\", 0, false},
    {"x\\\n,\"b\ny\\\n\\\"c\n", "[x\\\n,\"b]U\n[y\\\n\\\"c]\n", 4, "\\", 0, false},
    /* The record limit after an escape: inside and outside quotes. */
    {"\"\n34567\\9\nx\n", "[\"]U\n[34567\\9]\n[x]\n", 3, "\\8", 0, true},
    {"1234567\\\nx\ny\n", "[1234567\\\nx]L\n[y]\n", 3, "\\8", 0, true},
    {"1234567\\\r\nx\ny\n", "[1234567\\\r\nx]L\n[y]\n", 3, "\\8", 0, true},
    {"123456\\\r\nx\ny\n", "[123456\\\r\nx]L\n[y]\n", 3, "\\8", 0, true},
    {"123456\\\\\nx\n", "[123456\\\\]L\n[x]\n", 2, "\\8", 0, true},
    {"\"23456\\\n9\nx\n", "[\"23456\\\n9]L\n[x]\n", 3, "\\8", 0, true},
    /* Comments. */
    {"#a,\"b\nc\n#\n", "[#a,\"b]#\n[c]\n[#]#\n", 3, "#", 0, false},
    {"#a\r\n#b\rc", "[#a]#\n[#b\rc]#\n", 1, "#", 0, false},
    {"#a\r\n#b\rc#", "[#a]#\n[#b]#\n[c#]\n", 2, "#r", 0, false},
    {"a,#b\n #c\n\"#d\"\n\"\n#e\"\n", "[a][#b]\n[ #c]\n[\"#d\"]\n[\"\n#e\"]\n", 5, "#", 0, false},
    {" #a\n#b", "[ #a]\n[#b]#\n", 1, "#s", 0, false},
    {"#a\\\n#b\\\\\nc\\\n#d\n", "[#a\\]#\n[#b\\\\]#\n[c\\\n#d]\n", 4, "#\\", 0, false},
    {"\\#a\n", "[\\#a]\n", 1, "#\\", 0, false},
    {"#234567\n#2345678\nx\n", "[#234567]#\n[#2345678]L\n[x]\n", 3, "#8", 0, false},
    {"#2345678", "[#2345678]#\n", 0, "#9", 0, false},
    {"#23456789x\ny", "[#23456789x]L\n[y]\n", 1, "#8", 0, true},
    {"#1234\n123\n", "[#1234]#\n[123]\n", 2, "#", 3, false},
    {"\"\n#a\nb", "[\"]U\n[#a]#\n[b]\n", 2, "#", 0, false},
    /* Initial spaces. */
    {" \"a,b\", \t\"c\" \t,d\n", "[ \"a,b\"][ \t\"c\" \t][d]\n", 1, "s", 0, false},
    {" a \"b\" , \n", "[ a \"b\" ][ ]\n", 1, "s", 0, false},
    {"\"a\" \r\n\"b\"\t\n\"c\" ", "[\"a\" ]\n[\"b\"\t]\n[\"c\" ]\n", 2, "s", 0, false},
    {"\"a\" b,\"c\" \"d\"\n", "[\"a\" b][\"c\" \"d\"]T\n", 1, "s", 0, false},
    {"\"a\" \rb\n", "[\"a\" \rb]T\n", 1, "s", 0, false},
    {"\"a\" \r", "[\"a\" ]\n", 1, "sr", 0, false},
    {"\"a\" \r", "[\"a\" \r]T\n", 0, "s", 0, false},
    {"\"a\" \\,b\n", "[\"a\" \\,b]T\n", 1, "s\\", 0, false},
    {" \\\"a,b\n", "[ \\\"a][b]\n", 1, "s\\", 0, false},
    {"\t\"a\"\t \"b\"\n", "[][\"a\"][ \"b\"]\n", 1, "st", 0, false},
    {" \"a||\" || \"b\" |\n", "[ \"a||\" ][ \"b\" |]T\n", 1, "s|", 0, false},
    {" \"a\n\"b\n", "[ \"a]U\n[\"b]U\n", 2, "s", 0, false},
    {" \"a\nb", "[ \"a]U\n[b]\n", 1, "s", 0, false},
    {" \"a\", b\n", "[ \"a\"][ b]\n", 1, "sq", 0, false},
    /* All options together. */
    {"#x\n a\\|| || \"b\\\"||\" ||\\#\r\n", "[#x]#\n[ a\\|| ][ \"b\\\"||\" ][\\#]\n", 2, "#s\\|", 0, false},
};

static void append_text(char **out, const char *text, size_t count)
{
    memcpy(*out, text, count);
    *out += count;
    **out = '\0';
}

static void append_batch(char **out, const assay_batch *batch, const assay_dialect *dialect, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const assay_record *record = &batch->records[i];
        uint32_t start = record->start;
        for (uint32_t field = record->first_field; field < batch->records[i + 1].first_field; field++) {
            append_text(out, "[", 1);
            append_text(out, (const char *)bytes + start, batch->field_ends[field] - start);
            append_text(out, "]", 1);
            start = batch->field_ends[field] + assay_dialect_delimiter_bytes(dialect);
        }
        static const char letters[] = "TUL><#";
        for (uint32_t bit = 0; bit < 6; bit++) {
            if (record->flags >> bit & 1) append_text(out, letters + bit, 1);
        }
        append_text(out, "\n", 1);
    }
}

static uint32_t field_count(const assay_batch *batch, uint32_t record)
{
    return batch->records[record + 1].first_field - batch->records[record].first_field;
}

/* Checks the batch's masks of quotes, of numbers of fields, and of flags. */
static void check_masks(const assay_batch *batch, const uint8_t *bytes, const assay_dialect *dialect)
{
    uint32_t min = batch->record_count == 0 ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < batch->record_count; i++) {
        const assay_record *record = &batch->records[i];
        bool has_mark = false;
        for (uint32_t k = record->start; k < record->end; k++) {
            has_mark |= dialect->quoting && bytes[k] == '"';
            has_mark |= dialect->escape != 0 && bytes[k] == dialect->escape;
            has_mark |= dialect->skip_initial_space && (bytes[k] == ' ' || bytes[k] == '\t');
        }
        CHECK_EQUAL(batch->quoted[i / 64] >> (i % 64) & 1, has_mark && record->flags != ASSAY_RECORD_COMMENT);
        const bool changes =
            i > 0 && (field_count(batch, i) != field_count(batch, i - 1) || record->flags != record[-1].flags);
        CHECK_EQUAL(batch->layout_changes[i / 64] >> (i % 64) & 1, changes);
        if (field_count(batch, i) < min) min = field_count(batch, i);
    }
    CHECK_EQUAL(batch->min_fields, min);
}

/* Scans the text in buffers that grow by `step` bytes and keep the unconsumed bytes, as a file reader does. */
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
        if (*option == 't') dialect.delimiter = '\t';
        if (*option == '|') dialect.delimiter = dialect.delimiter2 = '|';
        if (*option == '=') dialect.delimiter = ':', dialect.delimiter2 = '=';
        if (*option == '\\' || *option == '^') dialect.escape = (uint8_t)*option;
        if (*option == '#') dialect.comment = '#';
        if (*option == 's') dialect.skip_initial_space = true;
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
        /* With a small max_records, the same bytes are scanned again until no more records are complete. */
        do {
            uint8_t *bytes = test_exact_copy(text + from, to - from);
            CHECK(test_scan(path, batch, &dialect, &limits, bytes, to - from, max_records, is_last, false) == ASSAY_OK);
            CHECK(test_dialect_batch_is_complete(batch, &dialect, to - from));
            append_batch(&out, batch, &dialect, bytes);
            check_masks(batch, bytes, &dialect);
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

/* A line over the limit, returned in pieces. */
static void check_pieces(const char *path)
{
    static const struct {
        const char *buffers[4]; /* each begins with the unconsumed bytes of the previous scan */
        const char *expected[4];
        uint32_t consumed[4];
        uint32_t lines[4];
        bool cr_ends;
        uint8_t escape;
    } pieces[] = {
        {{"123456789", "abc", "de\nx\n", ""},
         {"[123456789]L>\n", "[abc]><\n", "[de]<\n[x]\n", ""},
         {9, 3, 5, 0},
         {0, 0, 2, 0},
         false,
         0},
        {{"1234567\r\r", "\nx", "x\n", ""},
         {"[1234567\r\r]L>\n", "[]<\n", "[x]\n", ""},
         {9, 1, 2, 0},
         {0, 1, 1, 0},
         false,
         0},
        {{"1\n\"456789", "\"456789ab\"", "\n\"x\"", ""},
         {"[1]\n", "[\"456789ab\"]L>\n", "[]<\n[\"x\"]\n", ""},
         {2, 10, 4, 0},
         {1, 0, 1, 0},
         false,
         0},
        /* A CR at the end of a buffer stays unconsumed until the next byte is known. */
        {{"123456789\r", "\r\nx\r", "x\r", ""},
         {"[123456789]L>\n", "[]<\n", "[x]\n", ""},
         {9, 2, 2, 0},
         {0, 1, 1, 0},
         true,
         0},
        {{"123456789", "\r", "\rx", "x"},
         {"[123456789]L>\n", "", "[]<\n", "[x]\n"},
         {9, 0, 1, 1},
         {0, 0, 1, 0},
         true,
         0},
        /* The same for the first bytes of a character, or of a replacement for an undecodable byte. */
        {{"123456789\xC3", "\xC3\xA9\xE2\x82", "\xE2\x82\xAC\xF0\x9F\x8E", "\xF0\x9F\x8E\x89\n"},
         {"[123456789]L>\n", "[\xC3\xA9]><\n", "[\xE2\x82\xAC]><\n", "[\xF0\x9F\x8E\x89]<\n"},
         {9, 2, 3, 5},
         {0, 0, 0, 1},
         false,
         0},
        {{"123456789\xED\xB2", "\xED\xB2\x81\xE0", "\xE0\x81\xA2\xFF", "x\x80\n"},
         {"[123456789]L>\n", "[\xED\xB2\x81]><\n", "[\xE0\x81\xA2\xFF]><\n", "[x\x80]<\n"},
         {9, 3, 4, 3},
         {0, 0, 0, 1},
         false,
         0},
        /* The same for an escape, and for the CR after it. */
        {{"12345678\\", "\\\na\\\r", "\\\r\nb\\\\", "\nx\n"},
         {"[12345678]L>\n", "[\\\na]><\n", "[\\\r\nb\\\\]><\n", "[]<\n[x]\n"},
         {8, 3, 6, 3},
         {0, 1, 1, 2},
         false,
         '\\'},
        {{"12345678\\\r", "\\\r\n\r", "\rx\r", ""},
         {"[12345678]L>\n", "[\\\r\n]><\n", "[]<\n[x]\n", ""},
         {8, 3, 3, 0},
         {0, 1, 2, 0},
         true,
         '\\'},
    };
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        assay_dialect dialect = {.delimiter = ',', .quote = '"', .quoting = true, .cr_ends = pieces[i].cr_ends};
        dialect.escape = pieces[i].escape;
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
            CHECK(test_batch_is_complete(batch, count));
            append_batch(&out, batch, &dialect, bytes);
            check_masks(batch, bytes, &dialect);
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
    CHECK(batch->record_count == 0 && batch->consumed == 0 && test_batch_is_complete(batch, 4));
    CHECK(test_scan(path, batch, &dialect, &limits, text, 4, 0, true, true) == ASSAY_OK);
    CHECK(batch->record_count == 0 && batch->consumed == 0 && test_batch_is_complete(batch, 4));
    CHECK(test_scan(path, batch, &dialect, &limits, text, 0, 9, true, true) == ASSAY_OK);
    CHECK(batch->record_count == 0 && batch->consumed == 0);
    /* A limit of 0: every line exceeds it, and the scan still makes progress. */
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
    for (size_t p = 0; test_select_path(p); p++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
                if (cases[i].full_only && steps[s] != SIZE_MAX) continue;
                for (size_t m = 0; m < 3; m++) run(&cases[i], test_path(p), steps[s], maxima[m]);
            }
        }
        check_pieces(test_path(p));
        check_refusals(test_path(p));
    }
    CHECK(!assay_cpu_select("abacus"));
    CHECK(assay_cpu_select(NULL));
    return test_result();
}
