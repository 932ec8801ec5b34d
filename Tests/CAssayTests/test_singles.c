/* Columns of few rows, which are checked as single values, compared with the same rows of a long column. The values are
 * made from the templates of Benchmarks/Patterns, or are the cases of Tests/Types. */
#include "test_pattern_support.h"

enum { LONG_ROWS = 128, MAX_ROWS = 5, TEXT_ROOM = 1 << 20, MAX_WORDS = 4000 };

static test_random generator;

/* Values in one buffer. */
typedef struct values {
    uint8_t bytes[TEXT_ROOM];
    assay_cell cells[LONG_ROWS];
    size_t count, end;
} values;

static void add_value(values *all, const char *text, size_t count)
{
    if (!CHECK(all->count < LONG_ROWS && all->end + count < TEXT_ROOM)) exit(EXIT_FAILURE);
    memcpy(all->bytes + all->end, text, count);
    all->cells[all->count++] = (assay_cell){(uint32_t)all->end, (uint32_t)count};
    all->end += count;
}

static bool bit_of(const uint64_t *mask, size_t row) { return (mask[row / 64] >> (row % 64) & 1) != 0; }

/* Compares all runs of up to MAX_ROWS rows, some of them skipped, with the long column. */
static void check_few_rows(const assay_check *check, const values *all, const char *name)
{
    assay_scratch *scratch = assay_scratch_create(NULL);
    if (!CHECK(scratch != NULL)) return;
    uint64_t failed[LONG_ROWS / 64] = {0}, undecided[LONG_ROWS / 64] = {0};
    /* Twice, because the plan of a pattern may change after the first rows. */
    for (int round = 0; round < 2; round++) {
        assay_check_column(check, scratch, all->bytes, all->cells, all->count, NULL, failed, undecided);
        for (size_t first = 0; first + MAX_ROWS <= all->count; first++) {
            for (size_t rows = 1; rows <= MAX_ROWS; rows++) {
                const uint64_t skip = test_random_below(&generator, 3) == 0 ? test_random_below(&generator, 32) : 0;
                uint64_t few_failed = UINT64_MAX, few_undecided = UINT64_MAX;
                assay_check_column(check, scratch, all->bytes, all->cells + first, rows, skip == 0 ? NULL : &skip,
                                   &few_failed, &few_undecided);
                for (size_t row = 0; row < 64; row++) {
                    const bool is_open = row < rows && (skip >> row & 1) == 0;
                    const bool is_same = (few_failed >> row & 1) == (is_open && bit_of(failed, first + row)) &&
                                         (few_undecided >> row & 1) == (is_open && bit_of(undecided, first + row));
                    if (CHECK(is_same)) continue;
                    fprintf(stderr, "    %.60s, row %zu of %zu from %zu\n", name, row, rows, first);
                }
            }
        }
    }
    assay_scratch_free(scratch);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Patterns
 * ------------------------------------------------------------------------------------------------------------- */

/* The template grammar is that of Benchmarks/cases/patterns.py. */
typedef struct template
{
    const char *at;
    char *out;
    const char *const *words;
    size_t word_count;
}
template;

static void make_choice(template *made, bool writes);

static void put(template *made, char letter, bool writes)
{
    if (writes) *made->out++ = letter;
}

/* Reads "\(", "\x7f" or a plain character. */
static char read_letter(template *made)
{
    if (*made->at != '\\') return *made->at++;
    unsigned code = 0;
    made->at += 2;
    if (made->at[-1] != 'x' || sscanf(made->at, "%2x", &code) != 1) return made->at[-1];
    made->at += 2;
    return (char)code;
}

static void make_class(template *made, bool writes)
{
    unsigned char set[1024];
    uint32_t count = 0;
    while (*made->at != ']') {
        if (strncmp(made->at, "\\d", 2) == 0) {
            for (unsigned char digit = '0'; digit <= '9'; digit++) set[count++] = digit;
            made->at += 2;
            continue;
        }
        /* Characters beyond ASCII are not taken apart: the test needs only some of the values. */
        const unsigned char first = (unsigned char)read_letter(made);
        unsigned char last = first;
        if (made->at[0] == '-' && made->at[1] != ']') {
            made->at++;
            last = (unsigned char)read_letter(made);
        }
        for (unsigned letter = first; letter <= last && count < sizeof set; letter++)
            set[count++] = (unsigned char)letter;
    }
    made->at++;
    if (count > 0) put(made, (char)set[test_random_below(&generator, count)], writes);
}

static void make_part(template *made, bool writes)
{
    if (*made->at == '(') {
        made->at++;
        make_choice(made, writes);
        made->at++;
    } else if (*made->at == '[') {
        made->at++;
        make_class(made, writes);
    } else if (*made->at == '<') {
        made->at = strchr(made->at, '>') + 1;
        const char *word = made->words[test_random_below(&generator, (uint32_t)made->word_count)];
        while (*word != '\0') put(made, *word++, writes);
    } else if (strncmp(made->at, "\\d", 2) == 0) {
        made->at += 2;
        put(made, (char)('0' + test_random_below(&generator, 10)), writes);
    } else {
        put(made, read_letter(made), writes);
    }
}

static void make_sequence(template *made, bool writes)
{
    while (*made->at != '\0' && *made->at != '|' && *made->at != ')') {
        const char *part = made->at;
        make_part(made, false);
        uint32_t low = 1, high = 1;
        int length = 0;
        if (*made->at == '?') {
            low = 0;
            made->at++;
        } else if (sscanf(made->at, "{%u,%u}%n", &low, &high, &length) == 2 && length > 0) {
            made->at += length;
        } else if (sscanf(made->at, "{%u}%n", &low, &length) == 1 && length > 0) {
            high = low;
            made->at += length;
        } else {
            low = high = 1;
        }
        const char *end = made->at;
        for (uint32_t n = low + test_random_below(&generator, high - low + 1); n > 0; n--) {
            made->at = part;
            make_part(made, writes);
        }
        made->at = end;
    }
}

static void make_choice(template *made, bool writes)
{
    const char *start = made->at;
    uint32_t count = 1;
    for (make_sequence(made, false); *made->at == '|'; count++) {
        made->at++;
        make_sequence(made, false);
    }
    const char *end = made->at;
    made->at = start;
    for (uint32_t chosen = test_random_below(&generator, count);; chosen--) {
        make_sequence(made, writes && chosen == 0);
        if (chosen == 0) break;
        made->at++;
    }
    made->at = end;
}

/* Reads the strings of TOML in a line, in place. Strings in double quotes keep their escapes, which templates read. */
static size_t read_strings(char *line, const char **strings, size_t max)
{
    static const char *const quotes[] = {"'''", "'", "\""};
    size_t count = 0;
    for (char *at = line; *at != '\0' && count < max;) {
        size_t kind = 0;
        while (kind < 3 && strncmp(at, quotes[kind], strlen(quotes[kind])) != 0) kind++;
        if (kind == 3) {
            at++;
            continue;
        }
        char *start = at + strlen(quotes[kind]), *end = strstr(start, quotes[kind]);
        while (kind == 2 && end != NULL && end[-1] == '\\') end = strchr(end + 1, '"');
        if (end == NULL) break;
        *end = '\0';
        strings[count++] = start;
        at = end + strlen(quotes[kind]);
    }
    return count;
}

static const char *words[MAX_WORDS], *templates[64];
static size_t word_count, template_count, pattern_count, refused_count;
static char pattern_text[1 << 18], word_texts[MAX_WORDS][16];

static void check_pattern(bool is_search)
{
    static values all;
    static char made[TEXT_ROOM / 4];
    assay_error error;
    assay_pattern *pattern = assay_pattern_create((const uint8_t *)pattern_text, strlen(pattern_text),
                                                  is_search ? ASSAY_PATTERN_SEARCH : 0, sizeof pattern_text, &error);
#ifndef ASSAY_PCRE2
    if (pattern == NULL && strstr(error.message, "a build without PCRE2 excludes") != NULL) {
        refused_count++;
        return;
    }
#endif
    if (!CHECK(pattern != NULL)) {
        fprintf(stderr, "    %.60s: %s\n", pattern_text, error.message);
        return;
    }
    assay_check *check = assay_check_create_pattern(pattern);
    all.count = all.end = 0;
    while (all.count < LONG_ROWS) {
        template made_of = {templates[test_random_below(&generator, (uint32_t)template_count)], made, words,
                            word_count};
        make_choice(&made_of, true);
        size_t count = (size_t)(made_of.out - made);
        /* The templates are ASCII; single bytes of other characters must not be passed to PCRE2. */
        bool is_ascii = true;
        for (size_t i = 0; i < count; i++) is_ascii = is_ascii && (uint8_t)made[i] < 0x80;
        if (is_ascii || assay_utf8_valid_prefix((const uint8_t *)made, count) == count)
            add_value(&all, made, count);
        else
            add_value(&all, "", 0);
    }
    check_few_rows(check, &all, pattern_text);
    assay_check_free(check);
    assay_pattern_free(pattern);
    pattern_count++;
}

/* Appends `text` to the pattern, with the words in place of "<words>". */
static void set_pattern(const char *text)
{
    char *out = pattern_text;
    while (*text != '\0') {
        if (strncmp(text, "<words>", 7) != 0) {
            *out++ = *text++;
            continue;
        }
        text += 7;
        for (size_t i = 0; i < word_count; i++) out += sprintf(out, "%s%s", i == 0 ? "" : "|", words[i]);
    }
    *out = '\0';
}

static void check_patterns(const char *kind)
{
    static char text[1 << 17];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.toml", ASSAY_PATTERNS, kind);
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) return;
    size_t count = fread(text, 1, sizeof text - 4, file);
    fclose(file);
    /* A last table, which ends the one before it. */
    count += (size_t)snprintf(text + count, 4, "\n[\n");
    const char *pattern = NULL;
    char key = '\0';
    for (char *line = text, *end; line < text + count; line = end) {
        end = strchr(line, '\n');
        *end++ = '\0';
        if (line[0] == '[') {
            if (pattern != NULL) {
                set_pattern(pattern);
                check_pattern(strcmp(kind, "searches") == 0 || strcmp(kind, "secrets") == 0);
            }
            pattern = NULL;
            word_count = template_count = 0;
        }
        if (line[0] != ' ') key = line[0]; /* otherwise a further line of a list */
        if (key == 'p') {
            CHECK_EQUAL(read_strings(line, &pattern, 1), 1);
        } else if (key == 'g' || key == 'b') {
            template_count += read_strings(line, templates + template_count, 64 - template_count);
        } else if (key == 'w' && strncmp(line, "without", 7) != 0) {
            const char *number = strpbrk(line, "0123456789[");
            const bool is_number = line[0] != ' ' && number != NULL && *number != '[';
            word_count += read_strings(line, words + word_count, MAX_WORDS - word_count);
            for (unsigned long i = 0; is_number && i < strtoul(number, NULL, 10) && i < MAX_WORDS; i++) {
                snprintf(word_texts[i], sizeof word_texts[i], "w%luv", i % 10000);
                words[word_count++] = word_texts[i];
            }
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * Types
 * ------------------------------------------------------------------------------------------------------------- */

/* Replaces "\\" and "\xHH" by their bytes, in place. */
static size_t unescape(char *text)
{
    size_t written = 0;
    for (const char *at = text; *at != '\0'; at++) {
        unsigned byte = (unsigned char)*at;
        if (at[0] == '\\' && at[1] == '\\') {
            at++;
        } else if (at[0] == '\\' && sscanf(at, "\\x%2x", &byte) == 1) {
            at += 3;
        }
        text[written++] = (char)byte;
    }
    return written;
}

static void check_builtin_values(const char *type, values *all)
{
    if (all->count == 0) return;
    /* A column of many rows, so that it is not checked as single values. */
    for (size_t i = 0; all->count < LONG_ROWS; i++) {
        const assay_cell cell = all->cells[i];
        all->cells[all->count++] = cell;
    }
    assay_check *check = assay_check_create_builtin((assay_text){(const uint8_t *)type, strlen(type)}, 0, NULL);
    if (CHECK(check != NULL)) check_few_rows(check, all, type);
    assay_check_free(check);
    all->count = all->end = 0;
}

static void check_types(void)
{
    static char text[1 << 20];
    static values all;
    FILE *file = fopen(ASSAY_TYPE_CASES, "rb");
    if (!CHECK(file != NULL)) return;
    const size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = '\0';
    const char *type = "";
    for (char *line = text; line < text + count;) {
        char *end = strchr(line, '\n');
        if (end == NULL) break;
        *end = '\0';
        char *sign = strchr(line, '\t');
        if (line[0] != '#' && sign != NULL) {
            *sign++ = '\0';
            if (strcmp(type, line) != 0 || all.count == LONG_ROWS) check_builtin_values(type, &all);
            type = line;
            add_value(&all, sign + 2, unescape(sign + 2));
        }
        line = end + 1;
    }
    check_builtin_values(type, &all);
}

static void check_kinds(void)
{
    static const char *const texts[] = {"0",          "-17",   "+1.5e3",   "1,5",         "2024-02-29", "2023-02-29",
                                        "2024-13-01", "12:30", "12:30:60", "12:30:59.25", "P1DT2H",     "2024",
                                        "2024-05",    "true",  "",         " 1",          "[1, 2]",     "{\"a\": 1}"};
    static values all;
    all.count = all.end = 0;
    while (all.count < LONG_ROWS) {
        const char *text = texts[all.count % (sizeof texts / sizeof texts[0])];
        add_value(&all, text, strlen(text));
    }
    for (int kind = ASSAY_KIND_STRING; kind <= ASSAY_KIND_OBJECT; kind++) {
        const assay_type_description description = {.kind = (assay_kind)kind};
        assay_type *type = assay_type_create(&description, NULL);
        if (!CHECK(type != NULL)) continue;
        assay_check *check = assay_check_create_type(type, 0);
        check_few_rows(check, &all, "a kind");
        assay_check_free(check);
        static const char *const bounds[] = {"1", "2024-03-01", "12:00:00", "2024"};
        for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
            const assay_bound lower = {{(const uint8_t *)bounds[i], strlen(bounds[i])}, false}, open = {0};
            check = assay_check_create_range(type, lower, open, 0, NULL);
            if (check == NULL) continue;
            check_few_rows(check, &all, "a range");
            assay_check_free(check);
        }
        assay_type_free(type);
    }
}

int main(void)
{
    generator = test_random_of(1);
    static const char *const kinds[] = {"codes",   "dates",    "identifiers", "lists",     "long", "lookaround",
                                        "numbers", "searches", "secrets",     "technical", "words"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) check_patterns(kinds[i]);
    CHECK(pattern_count + refused_count >= 150);
    CHECK(refused_count < pattern_count / 4); /* for a back reference, in builds without PCRE2 */
    check_types();
    check_kinds();
    return test_result();
}
