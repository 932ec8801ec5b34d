/* Anomalies, compared with those of the pieces of values. */
#include "test_profile_support.h"

/* Pieces of values, with the anomaly of each. */
static const struct {
    const char *text;
    unsigned length;
    int anomaly;
} pieces[] = {
    {"a", 1, -1},
    {" ", 1, -1},
    {"~", 1, -1},
    {"\t", 1, -1},
    {"\x1F", 1, ASSAY_ANOMALY_CONTROL},
    {"\x7F", 1, ASSAY_ANOMALY_CONTROL},
    {"\0", 1, ASSAY_ANOMALY_NUL},
    {"\n", 1, ASSAY_ANOMALY_LINE_BREAK},
    {"\r", 1, ASSAY_ANOMALY_LINE_BREAK},
    {"\r\n", 2, ASSAY_ANOMALY_LINE_BREAK},
    {"\xC2\x80", 2, ASSAY_ANOMALY_CONTROL},                           /* U+0080 */
    {"\xC2\x9F", 2, ASSAY_ANOMALY_CONTROL},                           /* U+009F */
    {"\xC2\xA0", 2, ASSAY_ANOMALY_NO_BREAK},                          /* U+00A0 */
    {"\xC2\xA1", 2, -1},                                              /* U+00A1 */
    {"\xC3\xA9", 2, -1},                                              /* U+00E9 */
    {"\xD8\x9B", 2, -1},                                              /* U+061B */
    {"\xD8\x9C", 2, ASSAY_ANOMALY_DIRECTION},                         /* U+061C */
    {"\xE2\x80\x86", 3, -1},                                          /* U+2006 */
    {"\xE2\x80\x87", 3, ASSAY_ANOMALY_NO_BREAK},                      /* U+2007 */
    {"\xE2\x80\x8B", 3, ASSAY_ANOMALY_ZERO_WIDTH},                    /* U+200B */
    {"\xE2\x80\x8E", 3, ASSAY_ANOMALY_DIRECTION},                     /* U+200E */
    {"\xE2\x80\x90", 3, -1},                                          /* U+2010 */
    {"\xE2\x80\xAE", 3, ASSAY_ANOMALY_DIRECTION},                     /* U+202E */
    {"\xE2\x80\xAF", 3, ASSAY_ANOMALY_NO_BREAK},                      /* U+202F */
    {"\xE2\x81\xA0", 3, ASSAY_ANOMALY_ZERO_WIDTH},                    /* U+2060 */
    {"\xE2\x81\xA9", 3, ASSAY_ANOMALY_DIRECTION},                     /* U+2069 */
    {"\xE2\x81\xAA", 3, -1},                                          /* U+206A */
    {"\xE6\x97\xA5", 3, -1},                                          /* U+65E5 */
    {"\xEF\xBB\xBF", 3, ASSAY_ANOMALY_ZERO_WIDTH},                    /* U+FEFF */
    {"\xEF\xBC\x8C", 3, -1},                                          /* U+FF0C */
    {"\xEF\xBF\xBD", 3, ASSAY_ANOMALY_REPLACEMENT},                   /* U+FFFD */
    {"\xF0\x9F\x98\x80", 4, -1},                                      /* U+1F600 */
    {"x\xE2\x80\x8D", 4, ASSAY_ANOMALY_ZERO_WIDTH},                   /* U+200D after a Latin letter */
    {"\xD9\x85\xE2\x80\x8C", 5, -1},                                  /* U+200C after an Arabic letter */
    {"\xE0\xA4\x95\xE2\x80\x8D", 6, -1},                              /* U+200D after a Devanagari letter */
    {"\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5", 13, -1}, /* a heart on fire */
    {"&", 1, -1},
    {"&amp;", 5, ASSAY_ANOMALY_ENTITY},
    {"&thetasym;", 10, ASSAY_ANOMALY_ENTITY},
    {"&thetasyms;", 11, -1},
    {"&Amp;", 5, -1},
    {"&;", 2, -1},
    {"&#;", 3, -1},
    {"&#233;", 6, ASSAY_ANOMALY_ENTITY},
    {"&#12345678;", 11, -1},
    {"&#x;", 4, -1},
    {"&#xE9;", 6, ASSAY_ANOMALY_ENTITY},
    {"&#XE9;", 6, ASSAY_ANOMALY_ENTITY},
    {"&#x110fff1;", 11, -1},
    {"&#E9;", 5, -1},
};

/* Values of random pieces, each separated by a letter, added to one profile or several that are merged. */
static void check_anomalies(void)
{
    enum { ROWS = 640, PIECES = sizeof pieces / sizeof pieces[0] };
    static uint8_t bytes[ROWS * 160];
    static assay_cell cells[ROWS];
    static const uint64_t none[ROWS / 64];
    test_random random = test_random_of(11);
    for (unsigned round = 0; round < test_rounds(100); round++) {
        uint64_t values[ASSAY_ANOMALIES] = {0}, first[ASSAY_ANOMALIES], max_lines = 0, max_record = UINT64_MAX;
        memset(first, 0xFF, sizeof first);
        uint32_t used = 0;
        for (unsigned row = 0; row < ROWS; row++) {
            cells[row].start = used;
            bool has[ASSAY_ANOMALIES] = {false};
            uint64_t lines = 1;
            const unsigned many = test_random_below(&random, 9);
            for (unsigned i = 0; i < many; i++) {
                /* Most values are plain. */
                const unsigned piece = test_random_below(&random, round % 2 == 0 || row % 8 == 0 ? PIECES : 4);
                memcpy(bytes + used, pieces[piece].text, pieces[piece].length);
                used += pieces[piece].length;
                if (pieces[piece].anomaly >= 0) has[pieces[piece].anomaly] = true;
                lines += pieces[piece].anomaly == ASSAY_ANOMALY_LINE_BREAK;
                if (test_random_below(&random, 4) != 0 || i + 1 < many) bytes[used++] = 'z';
            }
            cells[row].length = used - cells[row].start;
            for (int kind = 0; kind < ASSAY_ANOMALIES; kind++) {
                values[kind] += has[kind];
                if (has[kind] && first[kind] == UINT64_MAX) first[kind] = 7 + row;
            }
            if (lines > 1 && lines > max_lines) {
                max_lines = lines;
                max_record = 7 + row;
            }
        }
        const assay_profile_options options = {.values = 9, .shapes = 9, .precision = 4, .decimal = '.'};
        assay_profile *parts[3];
        for (int i = 0; i < 3; i++) parts[i] = assay_profile_create(&options);
        for (size_t from = 0; from < ROWS; from += 64) {
            uint64_t absent[2], words[2];
            CHECK(assay_profile_add(parts[test_random_below(&random, 3)], bytes, cells + from, 64, none, NULL,
                                    (assay_profile_rows){7 + from, NULL, NULL}, absent, words, NULL) == ASSAY_OK);
        }
        CHECK(assay_profile_merge(parts[1], parts[2]) == ASSAY_OK &&
              assay_profile_merge(parts[1], parts[0]) == ASSAY_OK);
        const assay_profile_anomalies *found = assay_profile_get_anomalies(parts[1]);
        for (int kind = 0; kind < ASSAY_ANOMALIES; kind++) {
            CHECK_EQUAL(found->kinds[kind].values, values[kind]);
            CHECK_EQUAL(found->kinds[kind].first_record, first[kind]);
        }
        CHECK_EQUAL(found->max_lines, max_lines);
        CHECK_EQUAL(found->max_lines_record, max_record);
        for (int i = 0; i < 3; i++) assay_profile_free(parts[i]);
    }
}

int main(void)
{
    check_anomalies();
    return test_result();
}
