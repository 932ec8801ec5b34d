/* Compares every form of a DFA for columns with PCRE2, on every processor path: shuffle DFAs over all bytes and over
   ASCII alone, lanes of two bytes and of one byte a step, and transliterated lanes. */
#include "test_paths.h"
#include "test_pattern_support.h"

#include "DFA/assay_byte_dfa.h"
#include "Dispatch/assay_kernels.h"
#include "Patterns/assay_pcre2.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Cases
 * ------------------------------------------------------------------------------------------------------------- */

/* A form that a case must have. */
enum {
    ALL_BYTES = 1,     /* the steps over bytes are complete, without transliteration */
    WIDE = 2,          /* a shuffle DFA over all bytes, if lookups are wide */
    NARROW = 4,        /* the same if they are narrow */
    LEAVES = 8,        /* a shuffle DFA that leaves values with non-ASCII bytes */
    SINGLE_STEPS = 16, /* too many rows for two bytes a step */
    NARROW_LEAVES = 32 /* LEAVES if lookups are narrow */
};

typedef struct form_case {
    const char *pattern;
    unsigned forms;
    const char *examples[6];
    const char *characters[8]; /* replaced and inserted */
} form_case;

static const form_case cases[] = {
    /* Words with more letters than a nibble has values. */
    {"Berlin|Hamburg|München|Köln|Frankfurt am Main|Stuttgart|Düsseldorf|Leipzig|Dortmund|Essen|Bremen|Dresden",
     ALL_BYTES | WIDE,
     {"Berlin", "München", "Frankfurt am Main", "Düsseldorf", "Köln"},
     {"a", "e", "n", "ü", "ö", "u", "Z"}},
    {"[a-z]?(?:a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u|v|w|x|y|z|0|1|2|3|4|5|6|7|8|9)x?y?",
     WIDE,
     {"a", "zx", "q9xy", "7y", "xy"},
     {"a", "x", "y", "z", "0", "9", "é", "-"}},
    {"(?:ab|cd|ef|gh|ij|kl|mn|op|qr|st|uv|wx|yz)*",
     WIDE,
     {"ab", "abcdefghijklmnopqrstuvwxyz", "yzyzyz", ""},
     {"a", "b", "y", "z", "é"}},
    /* ſ and K equal s and k. */
    {"(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\\.[A-Z]{2,}",
     ALL_BYTES | WIDE | NARROW_LEAVES,
     {"bo@example.org", "Anna.Lee@example.co.uk", "ſſ@\u212A.\u212A\u212A"},
     {"s", "K", "ſ", "\u212A", "@", ".", "ž", "\u212B"}},
    {"(?i)[a-z0-9]+@[a-zž]{2,}",
     ALL_BYTES | WIDE | NARROW,
     {"bo@ska", "A1@žſ\u212A"},
     {"s", "K", "ſ", "\u212A", "@", "ž", "Ž", "\u212B"}},
    /* Scripts with characters of two bytes. */
    {"Москва|Казань|Самара|Омск",
     ALL_BYTES | WIDE,
     {"Москва", "Казань", "Самара", "Омск"},
     {"а", "м", "М", "р", "a", "中", "😀", "ё"}},
    {"[А-ЯЁ][а-яё]+(?: [А-ЯЁ][а-яё]+)*",
     ALL_BYTES | WIDE | NARROW,
     {"Ёжик", "Анна Мария", "Яя Ёё Пп Рр"},
     {"а", "п", "р", "я", "ё", "Ё", " ", "џ"}},
    {"\\d{1,2} (?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря) \\d{4}",
     ALL_BYTES | WIDE,
     {"1 января 2026", "12 мая 1999", "30 сентября 2000"},
     {"а", "я", "1", " ", "ю", "a"}},
    {"[^ü]*ü[^ü]*", ALL_BYTES | WIDE | NARROW, {"aüb", "ü", "éüß", "中ü😀"}, {"ü", "û", "a", "中", "😀", "\u00FC\u0300"}},
    {"[\\x{80}-\\x{7FF}]*[a-c]",
     ALL_BYTES | WIDE | NARROW,
     {"é\xC2\x80\u07FFa", "c", "яяяb"},
     {"a", "\u07FF", "\u0800", "\xC2\x80"}},
    /* Three bytes. */
    {"北海道|東京都|大阪府|京都府|[ぁ-ん]{2}",
     ALL_BYTES | WIDE,
     {"北海道", "東京都", "京都府", "ぁん"},
     {"京", "都", "府", "ん", "゛", "a", "é"}},
    {"[京津沪渝冀豫云辽黑湘皖鲁新苏浙][A-HJ-NP-Z][A-HJ-NP-Z0-9]{4,5}",
     ALL_BYTES,
     {"京A12345", "沪BZ9999", "浙CAAAA1"},
     {"京", "津", "A", "I", "0", "é"}},
    {"[\\x{E000}-\\x{FFFD}]+|[\\x{800}-\\x{FFF}]x",
     ALL_BYTES | WIDE | NARROW,
     {"\uE000\uFFFD", "\u0800x", "\u0FFFx"},
     {"\uD7FF", "\uE000", "\u1000", "x"}},
    {"(?:[\\x{800}-\\x{83F}\\x{D7C0}-\\x{D7FF}]x|[\\x{840}-\\x{87F}\\x{D780}-\\x{D7BF}]y)*",
     ALL_BYTES | WIDE | NARROW,
     {"\u0800x", "\u083Fx\uD7FFx", "\u0840y\uD7BFy", "\u087Fy\uD780y\uD7C0x"},
     {"\u0800", "\u083F", "\u0840", "\uD7BF", "\uD7C0", "x", "y"}},
    /* Four bytes, all alike. */
    {"[^a-z中]{0,3}", ALL_BYTES, {"😀😀", "A\U0010FFFF文", "ÄÖÜ", ""}, {"中", "丯", "😀", "\U00010000", "a", "A"}},
    {"(?:[^é]é)*", ALL_BYTES | WIDE, {"aé😀é", "中é", "ÿé"}, {"é", "è", "😀", "a"}},
    {"[\\x{1F300}-\\x{1FAFF}\\x{2600}-\\x{27BF}\\x{FE0F}\\x{200D}]{1,8}",
     ALL_BYTES | WIDE,
     {"😀", "☀\uFE0F", "👩\u200D💻", "🌀🌀🌀🌀🌀🌀🌀🌀"},
     {"\U0001F2FF", "\U0001F300", "\U0001FAFF", "\U0001FB00", "☀", "a", "\U0010F300"}},
    {"(?:\\x{10000}|[\\x{1003F}-\\x{10040}]x|\\x{FFFFF}|[\\x{100000}-\\x{10EFFF}]y|[\\x{10F000}-\\x{10FFFF}]z|[\\x{"
     "1FFF}\\x{21000}])+",
     ALL_BYTES | WIDE,
     {"\U00010000", "\U0001003Fx\U00010040x", "\U000FFFFF\U00100000y", "\U0010EFFFy\U0010FFFFz\U0010F000z",
      "\u1FFF\U00021000"},
     {"\U00010001", "\U0001003E", "\U00010041", "\U000FFFFE", "\U0010FFFF", "\uFFFF", "\U00021040", "x"}},
    {"[A-Za-z0-9 ,.!?\\x{1F300}-\\x{1FAFF}]{1,140}",
     ALL_BYTES | WIDE,
     {"Hello 😀!", "ok", "🎉🎉", "a, b. c? 12"},
     {"😀", "\U0001FB00", "é", "-", "a"}},
    {"[\\p{L}\\x{1F600}-\\x{1F64F} ]{2,15}",
     0,
     {"Zoë 😀", "\U00010437\U00010428", "𠀀中", "ab"},
     {"\U00010437", "\U0001D7CE", "😀", "\U0001F650", "1", "é"}},
    /* More classes than there are bytes in no text. */
    {"〒\\d{3} "
     "?(?:東京都|北海道|(?:京都|大阪)府|\\p{Han}{2,3}県)[\\p{Han}\\p{Hiragana}\\p{Katakana}ー]{2,9}\\d(?:[-−丁番]\\d){"
     "0,3}号?",
     0,
     {"〒123 東京都千代田区1-2", "〒999 北海道あいう9号", "〒000大阪府カナ1丁2番3", "〒100 神奈川県横浜1"},
     {"都", "府", "県", "1", "ー", "−", "é", "𠀀"}},
    /* Characters are counted, so layers for all bytes have too many states. */
    {".{1,60}a?",
     LEAVES,
     {"abc", "äöü", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ääääääääääääääääääääääääääääää"},
     {"a", "ä", "中", "😀", "\n"}},
    {"[a-zäöü]{3,40}",
     ALL_BYTES,
     {"abc", "äöü", "straßenbahn", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
     {"a", "ä", "ß", "ü"}},
    /* Literal prefixes before the layers. */
    {"https://[a-zé]+(?::[0-9]{1,4})?",
     ALL_BYTES,
     {"https://abc", "https://é:80", "https://aé:8080"},
     {"a", "é", ":", "1", "s"}},
    {"é?https://[a-z]+", ALL_BYTES, {"https://abc", "éhttps://a"}, {"a", "é", "è", "h"}},
    /* Classes with hundreds of ranges. */
    {"[\\p{L}\\p{M}'’.-]{2,9}(?: \\p{Lu}\\p{Ll}+)*",
     0,
     {"Zoë", "José García", "ab Łódź"},
     {"é", "’", "a", " ", "中", "😀"}},
    {"(?:à|á|â|ã|ä|å|æ|ç|è|é|ê|ë|ì|í|я|ё|中|ー|’|a|\\p{Lu}\\p{Nd}|\\p{Sc}\\p{Mn})*",
     0,
     {"àáâ", "Ä1a", "中ーa", "€\u0301"},
     {"à", "ò", "a", "Ä", "1"}},
    /* Too many different pairs of bytes. */
    {"(?:a[bc]|b[cd]|c[de]|d[ef]|e[fg]|f[gh]|g[hi]|h[ij]|i[jk]|j[kl]|k[lm]|l[mn]|m[no]|n[op]|o[pq]|p[qr]|q[rs]|r[st]|s["
     "tu]|t[uv]|u[vw]|"
     "v[wx]|w[xy]|x[yz]){0,9}[0-9]{0,3}",
     SINGLE_STEPS,
     {"ab", "abbccddeef12", "xyxzxyxz123", "acbcvw"},
     {"a", "b", "x", "y", "1", "é"}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* ---------------------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------------------- */

enum { ROWS_MAX = 1 << 14, BYTES_MAX = 1 << 21 };

static uint8_t text[BYTES_MAX];
static assay_cell cells[ROWS_MAX];
static size_t rows;
static size_t used;

static void add_value(const uint8_t *value, size_t count)
{
    if (rows == ROWS_MAX || used + count > BYTES_MAX) return;
    memcpy(text + used, value, count);
    cells[rows++] = (assay_cell){(uint32_t)used, (uint32_t)count};
    used += count;
}

static size_t character_length(uint8_t lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

/* Adds the value with `put` in place of its bytes [from, to). */
static void add_edited(const uint8_t *value, size_t count, size_t from, size_t to, const char *put)
{
    uint8_t edited[1024];
    const size_t length = strlen(put);
    memcpy(edited, value, from);
    memcpy(edited + from, put, length);
    memcpy(edited + from + length, value + to, count - to);
    add_value(edited, count - (to - from) + length);
}

static void add_example(const form_case *it, const char *example)
{
    const uint8_t *value = (const uint8_t *)example;
    const size_t count = strlen(example);
    add_value(value, count);
    for (size_t at = 0; at <= count;) {
        const size_t length = at < count ? character_length(value[at]) : 0;
        add_value(value, at);
        add_value(value + at, count - at);
        if (length > 0) add_edited(value, count, at, at + length, "");
        for (size_t i = 0; i < 8 && it->characters[i] != NULL; i++) {
            add_edited(value, count, at, at, it->characters[i]);
            add_edited(value, count, at, at + length, it->characters[i]);
        }
        if (length == 0) break;
        at += length;
    }
}

/* Values of every length up to some hundred bytes, of examples and characters. */
static void add_mixtures(const form_case *it, test_random *random)
{
    size_t examples = 0, characters = 0;
    while (examples < 6 && it->examples[examples] != NULL) examples++;
    while (characters < 8 && it->characters[characters] != NULL) characters++;
    for (size_t i = 0; i < 1500; i++) {
        uint8_t value[600];
        size_t count = 0;
        const size_t target = i % 50 == 0 ? 300 : i % 4 == 0 ? i % 120 : i % 24;
        const uint32_t strangeness = 1 + test_random_below(random, 12);
        while (count < target) {
            const char *part = test_random_below(random, strangeness) == 0
                                   ? it->characters[test_random_below(random, (uint32_t)characters)]
                                   : it->examples[test_random_below(random, (uint32_t)examples)];
            memcpy(value + count, part, strlen(part));
            count += strlen(part) + (*part == '\0');
            if (*part == '\0') value[count - 1] = 'a';
        }
        add_value(value, count);
    }
}

static void make_values(const form_case *it, test_random *random)
{
    rows = used = 0;
    for (size_t i = 0; i < 6 && it->examples[i] != NULL; i++) add_example(it, it->examples[i]);
    add_mixtures(it, random);
    for (size_t i = 0; i < 8 && it->characters[i] != NULL; i++) {
        add_value((const uint8_t *)it->characters[i], strlen(it->characters[i]));
    }
    while (rows % 64 != 0) add_value((const uint8_t *)it->examples[0], strlen(it->examples[0]));
}

/* ---------------------------------------------------------------------------------------------------------------
 * Forms
 * ------------------------------------------------------------------------------------------------------------- */

static uint64_t right[ROWS_MAX / 64], failed[ROWS_MAX / 64], unknown[ROWS_MAX / 64];

static void find_right_verdicts(const form_case *it, assay_scratch *scratch)
{
    const assay_text pattern_text = {(const uint8_t *)it->pattern, strlen(it->pattern)};
    assay_pattern *pattern = compiled(pattern_text, ASSAY_PATTERN_NO_DFA);
    uint64_t undecided[ROWS_MAX / 64];
    const assay_column_view column = {text, cells, rows, NULL};
    assay_pattern_column(pattern, scratch, &column, (assay_verdict_masks){right, undecided});
    CHECK_EQUAL(assay_mask_count(undecided, rows / 64), 0);
    const size_t failures = assay_mask_count(right, rows / 64);
    if (!CHECK(failures > rows / 50 && rows - failures > rows / 50)) {
        fprintf(stderr, "    %s: %zu of %zu values fail\n", it->pattern, failures, rows);
    }
    assay_pattern_free(pattern);
}

/* Judges an exact copy of all values, so that a sanitizer detects reads beyond it. */
static void match_all(const assay_dfa *dfa)
{
    uint8_t *bytes = malloc(used);
    memcpy(bytes, text, used);
    for (size_t row = 0; row < rows; row += ASSAY_DFA_ROWS) {
        const size_t count = rows - row < ASSAY_DFA_ROWS ? rows - row : ASSAY_DFA_ROWS;
        assay_dfa_match_rows(dfa, &(assay_column_view){bytes, cells + row, count, NULL}, failed + row / 64,
                             unknown + row / 64);
    }
    free(bytes);
}

/* Compares one form with PCRE2. Returns the number of rows that it left unknown, without those too long for any
 * form. */
static size_t compare_form(const form_case *it, assay_dfa *dfa, const char *name)
{
    enum { LONGEST = 256 };
    size_t left = 0;
    match_all(dfa);
    for (size_t row = 0; row < rows; row++) {
        const uint64_t bit = UINT64_C(1) << (row % 64);
        if ((unknown[row / 64] & bit) != 0) {
            left += cells[row].length <= LONGEST;
            continue;
        }
        if (CHECK(((failed[row / 64] ^ right[row / 64]) & bit) == 0)) continue;
        fprintf(stderr, "    %s, %s on %s: \"%.*s\"\n", it->pattern, name, assay_cpu(), (int)cells[row].length,
                (const char *)text + cells[row].start);
        break;
    }
    /* Single values use the same tables. */
    for (size_t row = 0; row < rows; row++) {
        if (cells[row].length < 8) continue;
        const dfa_answer answer = assay_dfa_match(dfa, text + cells[row].start, cells[row].length);
        const bool is_failed = (right[row / 64] >> (row % 64) & 1) != 0;
        if (CHECK(answer == DFA_UNKNOWN || is_failed == (answer == DFA_FAIL))) continue;
        fprintf(stderr, "    %s, %s, alone: \"%.*s\"\n", it->pattern, name, (int)cells[row].length,
                (const char *)text + cells[row].start);
        break;
    }
    return left;
}

/* Replaces the tables for columns of a DFA. `only_lanes`: the forms before them are left out. */
static column_tables *replace_tables(assay_dfa *dfa, column_limits limits, bool only_lanes)
{
    column_tables *tables = assay_column_tables_create(dfa, limits);
    if (!CHECK(tables != NULL)) exit(EXIT_FAILURE);
    if (only_lanes) {
        free(tables->shuffle_dfa);
        free(tables->class_masks);
        tables->shuffle_dfa = NULL;
        tables->class_masks = NULL;
    }
    assay_column_tables_free(atomic_exchange(&dfa->columns, tables));
    return tables;
}

static void test_forms(const form_case *it, assay_dfa *dfa)
{
    const column_limits usual = column_limits_usual;
    const column_limits single = {0, usual.inner_states};
    const column_limits no_inner = {usual.next_max, 0};
    const column_limits no_inner_single = {0, 0};
    const uint8_t width = assay_kernels_current()->shuffle_width;
    const column_tables *tables = replace_tables(dfa, usual, false);
    const assay_shuffle_dfa *layers = tables->shuffle_dfa;
    if ((it->forms & ALL_BYTES) != 0) CHECK(tables->transliteration == NULL);
    if ((it->forms & SINGLE_STEPS) != 0) CHECK(!tables->by_pairs);
    const bool wants_all =
        (width == shuffle_wide && (it->forms & WIDE) != 0) || (width == shuffle_narrow && (it->forms & NARROW) != 0);
    if (wants_all && !CHECK(layers != NULL && !layers->only_ascii)) fprintf(stderr, "    %s\n", it->pattern);
    const bool leaves = width > 0 && (it->forms & (width == shuffle_narrow ? LEAVES | NARROW_LEAVES : LEAVES)) != 0;
    if (leaves && !CHECK(layers != NULL && layers->only_ascii)) fprintf(stderr, "    %s\n", it->pattern);
    const size_t left = compare_form(it, dfa, "all forms");
    if ((it->forms & ALL_BYTES) != 0) CHECK_EQUAL(left, 0);
    replace_tables(dfa, usual, true);
    CHECK_EQUAL(compare_form(it, dfa, "lanes"), left);
    CHECK(!replace_tables(dfa, single, true)->by_pairs);
    CHECK_EQUAL(compare_form(it, dfa, "lanes of one byte"), left);
    const bool is_transliterated = replace_tables(dfa, no_inner, true)->transliteration != NULL;
    CHECK(is_transliterated == (dfa->non_ascii != NULL));
    compare_form(it, dfa, "transliterated lanes");
    replace_tables(dfa, no_inner_single, true);
    compare_form(it, dfa, "transliterated lanes of one byte");
    replace_tables(dfa, no_inner, false);
    compare_form(it, dfa, "all forms, transliterated");
}

int main(void)
{
    assay_scratch *scratch = assay_scratch_create(NULL);
    test_random random = test_random_of(1);
    for (size_t i = 0; i < CASES; i++) {
        const form_case *it = &cases[i];
        make_values(it, &random);
        find_right_verdicts(it, scratch);
        assay_pattern *pattern = compiled((assay_text){(const uint8_t *)it->pattern, strlen(it->pattern)}, 0);
        assay_dfa *dfa = assay_pattern_need_plan(pattern)->dfa;
        if (CHECK(dfa != NULL && dfa->next_conjunct == NULL)) {
            for (size_t path = 0; test_select_cpu(path); path++) test_forms(it, dfa);
        }
        assay_pattern_free(pattern);
    }
    assay_scratch_free(scratch);
    return test_result();
}
