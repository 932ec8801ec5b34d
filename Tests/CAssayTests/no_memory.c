/* Tests memory exhaustion: each allocation of every call fails, either once or from then on.

   Each case does a complete job and runs repeatedly: first with its first allocation refused, then with the second,
   until it needs no more. It must not crash or leak, must report only ASSAY_NO_MEMORY, and must never return a wrong
   verdict: undecided is allowed. A refusal without an effect on verdicts (JIT) is allowed.

   PCRE2's own allocations fail as well if its static library is available (see CMakeLists.txt). */
#include "assay/core.h"
#include "assay/json.h"
#include "assay/repair.h"

#include "Patterns/assay_dfa_only.h"
#include "no_memory_support.h"
#include "test_pattern_support.h"

/* Returns true if the job completed, and false if a call reported exhausted memory. */
typedef bool job(const void *argument);

static void in_every_way(job *run, const void *argument, const char *what)
{
    for (int for_ever = 0; for_ever <= 1; for_ever++) {
        bool was_refused = true;
        for (size_t number = 0; was_refused && number < 100000; number++) {
            long before = live;
            refuse(number, for_ever != 0);
            bool is_done = run(argument);
            was_refused = requested > number;
            refuse_no_more();
            if (!CHECK(live == before))
                fprintf(stderr, "    %s, allocation %zu: %ld kept\n", what, number, live - before);
            if (!was_refused && !CHECK(is_done)) fprintf(stderr, "    %s fails with memory\n", what);
        }
    }
}

/* A failed `create` must report exhausted memory. Returns false. */
static bool no_memory(const assay_error *error)
{
    if (!CHECK(error->status == ASSAY_NO_MEMORY)) fprintf(stderr, "    %s\n", error->message);
    CHECK(error->message[0] != '\0');
    return false;
}

static bool is_or_undecided(assay_verdict verdict, assay_verdict expected)
{
    return verdict == expected || verdict == ASSAY_UNDECIDED;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Patterns
 * ------------------------------------------------------------------------------------------------------------- */

typedef struct pattern_case {
    assay_text pattern;
    uint32_t options;
    assay_text passes;
    assay_text fails;
} pattern_case;

static const pattern_case patterns[] = {
    {T("a"), 0, T("a"), T("b")},
    {T("(?:a|b)+c"), 0, T("ababc"), T("abab")},
    {T("[\\p{L}'-]+(?: [\\p{L}'-]+)*"), ASSAY_PATTERN_UNICODE_CLASSES, T("Zoë O'Neil"), T("Zoë 1")},
    {T("b+"), ASSAY_PATTERN_SEARCH | ASSAY_PATTERN_CASE_INSENSITIVE, T("aBa"), T("aca")},
    {T("(?<year>\\d{4})-(?<day>\\d\\d)-\\k<year>"), 0, T("2024-01-2024"), T("2024-01-2025")},
    {T("(?=a)(?:(a)|b)*?\\d"), ASSAY_PATTERN_NO_JIT, T("aaaa1"), T("aaaa")},
    {T("(?:(?:[a-z]|\\d)+-?)*!"), ASSAY_PATTERN_NO_JIT, T("abc-12-x!"), T("abc-12-x")},
    {T("[^\\x{100}-\\x{200}[:alpha:]]{2,}"), 0, T("12"), T("1a")},
    {T("(?=.*d)(?:car|card|cat)+[\\p{L}x]?\\b"), ASSAY_PATTERN_LAZY_DFA, T("carcardd"), T("carcar")},
    {T("car|cat|é+d"), ASSAY_PATTERN_LAZY_DFA | ASSAY_PATTERN_SEARCH, T("a ééd"), T("a cad")},
    {T("a*(?<=ab|aaa)b*(?!c.|b)[^d]{2}"), 0, T("aaabxc"), T("aaabdd")},
    {T("^(?:a|b)*c\\b|dd$"), ASSAY_PATTERN_LAZY_DFA | ASSAY_PATTERN_SEARCH, T("abbc-"), T("dda")},
};

static bool evaluate(const void *argument)
{
    const pattern_case *it = argument;
    assay_error error = {0};
    assay_pattern *pattern = assay_pattern_create(it->pattern.bytes, it->pattern.count, it->options, 0, &error);
    if (pattern == NULL) return no_memory(&error);
    const assay_pattern_dfa dfa = assay_pattern_get_dfa(pattern);
    CHECK((dfa.states > 0) == (dfa.refusal == NULL));
    /* A search with a filter has both. */
    CHECK(dfa.states == 0 || dfa.instructions == 0 || (it->options & ASSAY_PATTERN_SEARCH) != 0);
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (scratch != NULL) {
        CHECK(is_or_undecided(assay_pattern_match(pattern, scratch, it->passes.bytes, it->passes.count), ASSAY_PASS));
        CHECK(is_or_undecided(assay_pattern_match(pattern, scratch, it->fails.bytes, it->fails.count), ASSAY_FAIL));
    }
    bool is_done = scratch != NULL;
    assay_scratch_free(scratch);
    assay_pattern_free(pattern);
    return is_done;
}

/* A metered run compiles the pattern again, and the interpreter allocates memory as it goes deeper. Without memory
   there is no verdict. */
static bool evaluate_deeply(const void *argument)
{
    const assay_text *text = argument;
    assay_pattern *pattern = assay_pattern_create(text->bytes, text->count, ASSAY_PATTERN_NO_DFA, 0, NULL);
    assay_scratch *scratch = pattern == NULL ? NULL : assay_scratch_create(NULL);
    if (scratch == NULL) {
        assay_pattern_free(pattern);
        return false;
    }
    uint8_t value[4001];
    memset(value, 'a', sizeof value);
    CHECK(is_or_undecided(assay_pattern_match(pattern, scratch, value, sizeof value - 1), ASSAY_FAIL));
    value[sizeof value - 1] = 'c';
    CHECK(is_or_undecided(assay_pattern_match(pattern, scratch, value, sizeof value), ASSAY_PASS));
    assay_scratch_free(scratch);
    assay_pattern_free(pattern);
    return true;
}

static bool find_viable_prefix(const void *argument)
{
    const pattern_case *it = argument;
    size_t prefix = assay_pattern_viable_prefix(it->pattern.bytes, it->pattern.count, it->options, it->fails.bytes,
                                                it->fails.count);
    CHECK(prefix <= it->fails.count || prefix == SIZE_MAX);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Types and checks
 * ------------------------------------------------------------------------------------------------------------- */

static const assay_text truths[] = {T("ja"), T("yes"), T("1")};
static const assay_text lies[] = {T("nein"), T("no"), T("0")};

typedef struct type_case {
    assay_type_description description;
    assay_text low, middle, high; /* the bounds of a range and a value between them; without bounds, the type is not
                                     ordered */
    assay_text other;             /* not of the type */
} type_case;

static const type_case types[] = {
    {{.kind = ASSAY_KIND_INTEGER, .group_char = T(",")}, T("1,000"), T("5000"), T("1000000"), T("x")},
    {{.kind = ASSAY_KIND_NUMBER, .decimal_char = T("::"), .group_char = T("'"), .allow_extra = true},
     T("-1::5"),
     T("€ 0"),
     T("1::5"),
     T("x")},
    {{.kind = ASSAY_KIND_BOOLEAN, .true_values = truths, .true_count = 3, .false_values = lies, .false_count = 3},
     T(""),
     T("ja"),
     T(""),
     T("x")},
    {{.kind = ASSAY_KIND_DATE}, T("2020-01-01"), T("2024-02-29"), T("2030-01-01"), T("2023-02-29")},
    {{.kind = ASSAY_KIND_DATETIME, .format = T("%d.%m.%Y %H:%M")},
     T("01.01.2020 00:00"),
     T("29.02.2024 12:30"),
     T("01.01.2030 00:00"),
     T("x")},
    {{.kind = ASSAY_KIND_DURATION}, T("PT1S"), T("PT1H"), T("P1D"), T("P")},
    {{.kind = ASSAY_KIND_STRING}, T(""), T("x"), T(""), T("")},
    {{.kind = ASSAY_KIND_OBJECT}, T(""), T("{\"b\":[1],\"a\":2}"), T(""), T("[]")},
};

/* Enough values for the set's table to grow. */
enum { SET_VALUES = 100 };

static void check_value(const assay_check *check, assay_scratch *scratch, assay_text value, assay_verdict expected)
{
    CHECK(is_or_undecided(assay_check_value(check, scratch, value.bytes, value.count), expected));
}

static bool check_type(const void *argument)
{
    const type_case *it = argument;
    assay_error error = {0};
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (scratch == NULL) return false;
    assay_type *type = assay_type_create(&it->description, &error);
    bool is_done = type != NULL || no_memory(&error);

    assay_check *check = type != NULL ? assay_check_create_type(type, 0) : NULL;
    if (check != NULL) {
        check_value(check, scratch, it->middle, ASSAY_PASS);
        if (it->other.count > 0) check_value(check, scratch, it->other, ASSAY_FAIL);
    }
    is_done &= check != NULL;
    assay_check_free(check);

    assay_text values[SET_VALUES];
    for (size_t i = 0; i < SET_VALUES; i++) values[i] = it->middle;
    error = (assay_error){0};
    check = type != NULL ? assay_check_create_set(type, values, SET_VALUES, &error) : NULL;
    if (check != NULL) check_value(check, scratch, it->middle, ASSAY_PASS);
    if (type != NULL && check == NULL) is_done = no_memory(&error);
    assay_check_free(check);

    if (type != NULL && it->low.count > 0) {
        error = (assay_error){0};
        check = assay_check_create_range(type, (assay_bound){.text = it->low},
                                         (assay_bound){.text = it->high, .exclusive = true}, 0, &error);
        if (check != NULL) {
            check_value(check, scratch, it->middle, ASSAY_PASS);
            check_value(check, scratch, it->high, ASSAY_FAIL);
        } else {
            is_done = no_memory(&error);
        }
        assay_check_free(check);
    }
    assay_type_free(type);
    assay_scratch_free(scratch);
    return is_done;
}

/* ---------------------------------------------------------------------------------------------------------------
 * A table, from its bytes to its outputs
 * ------------------------------------------------------------------------------------------------------------- */

enum { ROWS = 3000, ROW_BYTES = 14, LINE_BYTES = ROWS * ROW_BYTES };

static const assay_dialect comma = {.delimiter = ',', .quote = '"', .quoting = true};
static const assay_record_limits usual = {.field_bytes = 1u << 20, .record_bytes = 1u << 22};

/* `0001,"a""b",x⏎`, with y as the last field of every third row: more records and fields than fit into the first
   allocation. */
static void write_table(uint8_t *bytes)
{
    for (int row = 0; row < ROWS; row++) {
        char line[ROW_BYTES + 1];
        snprintf(line, sizeof line, "%04d,\"a\"\"b\",%c", row, row % 3 == 0 ? 'y' : 'x');
        memcpy(bytes + row * ROW_BYTES, line, ROW_BYTES - 1);
        bytes[row * ROW_BYTES + ROW_BYTES - 1] = '\n';
    }
}

static bool split_table(const void *argument)
{
    assay_status (*scan)(assay_batch *, const assay_dialect *, const assay_record_limits *, const uint8_t *, size_t,
                         uint32_t, bool, bool) = argument == NULL ? assay_scan_plain : assay_scan;
    static uint8_t bytes[2 * LINE_BYTES];
    static uint8_t good[LINE_BYTES], bad[LINE_BYTES];
    write_table(bytes);
    assay_batch *batch = assay_batch_create();
    if (batch == NULL) return false;
    assay_status status = scan(batch, &comma, &usual, bytes, LINE_BYTES, ROWS + 1, true, false);
    CHECK(status == ASSAY_OK || status == ASSAY_NO_MEMORY);
    bool is_done = status == ASSAY_OK;
    if (!is_done) {
        /* After exhausted memory, a batch must be usable again. */
        refuse_no_more();
        CHECK(scan(batch, &comma, &usual, bytes, LINE_BYTES, ROWS + 1, true, false) == ASSAY_OK);
    }
    CHECK_EQUAL(batch->record_count, ROWS);
    CHECK_EQUAL(batch->field_count, 3 * ROWS);

    static assay_cell cells[ROWS];
    static uint64_t failed[(ROWS + 63) / 64], undecided[(ROWS + 63) / 64];
    uint32_t used = LINE_BYTES;
    assay_batch_gather(batch, &comma, bytes, &used, 2, 0, ROWS, NULL, cells);
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)"x", 1, 0, 0, NULL);
    if (pattern != NULL) assay_pattern_get_dfa(pattern);
    assay_check *check = pattern != NULL ? assay_check_create_pattern(pattern) : NULL;
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (check != NULL && scratch != NULL) {
        assay_check_column(check, scratch, bytes, cells, ROWS, NULL, failed, undecided);
        size_t good_count = 0, bad_count = 0;
        for (size_t word = 0; word < assay_mask_words(ROWS); word++) failed[word] |= undecided[word];
        assay_emit_records(batch, bytes, 0, ROWS, failed, NULL, good, &good_count, bad, &bad_count);
        CHECK_EQUAL(good_count + bad_count, LINE_BYTES);
        CHECK_EQUAL(bad_count, ROWS / 3 * ROW_BYTES);
    } else {
        is_done = false;
    }
    assay_scratch_free(scratch);
    assay_check_free(check);
    assay_pattern_free(pattern);
    assay_batch_free(batch);
    return is_done;
}

/* Findings of enough rows that their text exceeds its allocation several times. */
static bool write_findings(const void *argument)
{
    (void)argument;
    static uint8_t bytes[LINE_BYTES];
    write_table(bytes);
    assay_batch *batch = assay_batch_create();
    const assay_finding_form form = {.before = {TEXT("a "), TEXT(" b "), TEXT(" c ")}, .delimiter = ',', .quote = '"'};
    assay_findings *findings = assay_findings_create(&form);
    bool is_done = batch != NULL && findings != NULL &&
                   assay_scan(batch, &comma, &usual, bytes, LINE_BYTES, ROWS + 1, true, false) == ASSAY_OK;
    if (is_done) {
        uint64_t rows[(ROWS + 63) / 64];
        memset(rows, 0xFF, sizeof rows);
        const assay_finding_kind kind = {.rows = rows, .field = 1, .tail = TEXT(" d\n"), .reason = TEXT("e")};
        assay_findings_begin(findings, batch, bytes, false, 1, 1, 0, SIZE_MAX);
        assay_status status = assay_findings_add_rows(findings, &kind, 1, 0, 0, ROWS, true);
        if (status == ASSAY_OK) status = assay_findings_add_text(findings, bytes, LINE_BYTES);
        if (status == ASSAY_OK) status = assay_findings_add_note(findings, bytes, LINE_BYTES);
        CHECK(status == ASSAY_OK || status == ASSAY_NO_MEMORY);
        is_done = status == ASSAY_OK;
        if (is_done) CHECK(findings->text.count == ROWS + 1 && findings->notes.count == ROWS + 1);
    }
    assay_findings_free(findings);
    assay_batch_free(batch);
    return is_done;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Encodings
 * ------------------------------------------------------------------------------------------------------------- */

static bool decode_and_encode(const void *argument)
{
    const char *name = argument;
    assay_decoder *decoder = assay_decoder_create(name);
    assay_encoder *encoder = decoder == NULL ? NULL : assay_encoder_create(name);
    const bool is_done = encoder != NULL;
    if (is_done) {
        uint8_t text[64], back[64];
        const assay_coded coded = assay_decoder_step(decoder, (const uint8_t *)"a,b\n", 4, true, text, sizeof text);
        const assay_encoded again = assay_encoder_step(encoder, text, coded.produced, true, back, sizeof back);
        CHECK(again.produced == 4 && memcmp(back, "a,b\n", 4) == 0);
    }
    assay_decoder_free(decoder);
    assay_encoder_free(encoder);
    return is_done;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Lines of JSON
 * ------------------------------------------------------------------------------------------------------------- */

enum { LINES = 300, NAMES_OF_LINE = 100 };

/* `{"a":[{"b":"\\n"},{}],"k0":1,"\\t1":1,…}⏎`: more elements than fit into the first allocation, and objects with
   too many names for a shape. Every third line contains a duplicate name. */
static size_t write_lines(char *text)
{
    size_t count = 0;
    for (int row = 0; row < LINES; row++) {
        count += (size_t)sprintf(text + count, "{\"a\":[{\"b\":\"\\n\"},{}]");
        for (int i = 0; row % 10 == 0 && i < NAMES_OF_LINE; i++) {
            count += (size_t)sprintf(text + count, ",\"%s%d\":%d", i % 2 == 0 ? "k" : "\\t", i, row);
        }
        count += (size_t)sprintf(text + count, "%s}\n", row % 3 == 0 ? ",\"a\":1" : "");
    }
    return count;
}

static bool read_lines(const void *argument)
{
    (void)argument;
    static uint8_t bytes[1 << 18];
    const size_t count = write_lines((char *)bytes);
    static const assay_text names[] = {T("a[].b"), T("k4"), T("c.d"), T("a[]"), T("k4")};
    size_t bad = 0;
    assay_error error = {0};
    assay_json_paths *paths = assay_json_paths_create(names, 5, &bad, &error);
    if (paths == NULL) return no_memory(&error);
    assay_json_reader *reader = assay_json_reader_create(paths);
    assay_batch *batch = assay_batch_create();
    static const assay_dialect lines = {.delimiter = '\n'};
    bool is_done = reader != NULL && batch != NULL &&
                   assay_scan(batch, &lines, &usual, bytes, count, LINES + 1, true, false) == ASSAY_OK;
    if (is_done) {
        uint32_t used = (uint32_t)count;
        assay_status status = assay_json_read(reader, batch, bytes, &used, 0, LINES, NULL);
        CHECK(status == ASSAY_OK || status == ASSAY_NO_MEMORY);
        is_done = status == ASSAY_OK;
        if (!is_done) {
            CHECK_EQUAL(assay_json_element_count(reader, 0), 0);
            CHECK_EQUAL(assay_json_element_count(reader, 1), 0);
            /* It must be usable again when memory is available. */
            refuse_no_more();
            used = (uint32_t)count;
            CHECK(assay_json_read(reader, batch, bytes, &used, 0, LINES, NULL) == ASSAY_OK);
        }
        CHECK_EQUAL(assay_json_element_count(reader, 0), 2 * (LINES - LINES / 3));
        CHECK_EQUAL(assay_mask_count(assay_json_malformed(reader), assay_mask_words(LINES)), LINES / 3);
        CHECK_EQUAL(assay_json_mistake_at(reader, 0).code, ASSAY_JSON_DUPLICATE_NAME);
        CHECK_EQUAL(assay_json_kinds(reader, 1)[10], ASSAY_JSON_NUMBER);
    }
    assay_json_reader_free(reader);
    assay_json_paths_free(paths);
    assay_batch_free(batch);
    return is_done;
}

static void count_visit(void *context, const char *path, size_t path_count, assay_json_kind kind)
{
    (void)path;
    (void)path_count;
    (void)kind;
    ++*(unsigned *)context;
}

static bool walk_line(const void *argument)
{
    const assay_text *line = argument;
    unsigned visits = 0;
    const assay_status status = assay_json_walk(line->bytes, line->count, count_visit, &visits);
    if (status == ASSAY_NO_MEMORY) return CHECK(visits == 0), false;
    CHECK(status == ASSAY_OK && visits == 2);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Repairs
 * ------------------------------------------------------------------------------------------------------------- */

static bool repair_with(const assay_repairs *repairs, assay_repaired *repaired, assay_scratch *scratch)
{
    static const uint8_t text[] = "0123456789abcdef A-B Germany N/A 020 7946 0018 e\xCC\x81";
    assay_cell cells[] = {{16, 5}, {20, 8}, {29, 3}, {32, 14}, {47, 3}, {0, 0}};
    const uint8_t *bytes = text;
    size_t changed = 0;
    assay_repaired_begin(repaired);
    return assay_repairs_column(repairs, repaired, scratch, &bytes, cells, 6, NULL, NULL, NULL, NULL, &changed) ==
           ASSAY_OK;
}

static bool repair(const void *argument)
{
    (void)argument;
    const assay_text replaced[] = {T("([A-Z])-"), T("$1 ")}, words[] = {T("N/A")}, mapped[] = {T("a"), T("b")};
    const assay_text missing[] = {T("")};
    assay_error error = {0};
    assay_check *phone = assay_check_create_builtin((assay_text)T("phone"), 0, &error);
    if (phone == NULL) return no_memory(&error);
    const assay_canonical_description canonical = {.builtin = T("phone"), .check = phone, .region = T("GB")};
    const assay_repair_description list[] = {
        {.kind = ASSAY_REPAIR_TRIM},
        {.kind = ASSAY_REPAIR_REPLACE, .texts = replaced, .text_count = 2},
        {.kind = ASSAY_REPAIR_MISSING, .texts = words, .text_count = 1},
        {.kind = ASSAY_REPAIR_MAP, .texts = mapped, .text_count = 2},
        {.kind = ASSAY_REPAIR_DEFAULT, .texts = words, .text_count = 1},
        {.kind = ASSAY_REPAIR_CANONICAL, .canonical = &canonical},
        {.kind = ASSAY_REPAIR_NFC},
    };
    size_t which = 0;
    assay_repairs *repairs = assay_repairs_create(list, 7, missing, 1, 0, &which, &error);
    bool is_done = false;
    if (repairs == NULL) no_memory(&error);
    assay_repaired *repaired = repairs == NULL ? NULL : assay_repaired_create();
    assay_scratch *scratch = repaired == NULL ? NULL : assay_scratch_create(NULL);
    is_done = scratch != NULL && repair_with(repairs, repaired, scratch);
    assay_scratch_free(scratch);
    assay_repaired_free(repaired);
    assay_repairs_free(repairs);
    assay_check_free(phone);
    return is_done;
}

int main(void)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        in_every_way(evaluate, &patterns[i], "a pattern");
        in_every_way(find_viable_prefix, &patterns[i], "a viable prefix");
    }
    /* Both are metered, and the second needs the interpreter's heap. */
    static const assay_text deep[] = {T("(?:(a)|b)+c"), T("(?:(a)|b)*(?:\\1)*+c")};
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) in_every_way(evaluate_deeply, &deep[i], "a deep match");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) in_every_way(check_type, &types[i], "a type");
    in_every_way(split_table, NULL, "a table by the plain scanner");
    in_every_way(split_table, "fast", "a table");
    in_every_way(write_findings, NULL, "findings");
    static const char *const names[] = {"UTF-8", "UTF-16LE", "windows-1252", "EUC-JP"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) in_every_way(decode_and_encode, names[i], names[i]);
    in_every_way(repair, NULL, "repairs");
    in_every_way(read_lines, NULL, "lines of JSON");
    static const assay_text line = T("{\"a\":[1,{\"\\u00e9\":null}]}");
    in_every_way(walk_line, &line, "a walk");
    return test_result();
}
