/* Keys: compares hashes with SipHash's test vectors and with the equality of the types, and the set with a quadratic
   search. */
#include "Keys/assay_sip.h"
#include "Types/assay_type.h"
#include "assay/keys.h"
#include "test.h"
#include "test_paths.h"

/* ---------------------------------------------------------------------------------------------------------------
 * Hashes
 * ------------------------------------------------------------------------------------------------------------- */

/* vectors_sip128 of the reference code (github.com/veorq/SipHash). The key is 00 01 … 0f, and the text is 00 01 …. */
static void test_vectors(void)
{
    static const struct {
        size_t count;
        uint64_t low, high;
    } vectors[] = {
        {0, UINT64_C(0xe6a825ba047f81a3), UINT64_C(0x930255c71472f66d)},
        {1, UINT64_C(0x44af996bd8c187da), UINT64_C(0x45fc229b11597634)},
    };
    const assay_key_hash key = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    uint8_t text[64];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const assay_key_hash hash = assay_sip_bytes(key, text, vectors[i].count);
        CHECK_EQUAL(hash.low, vectors[i].low);
        CHECK_EQUAL(hash.high, vectors[i].high);
    }
}

/* Compares the last bytes of a text with a loop. */
static void test_tails(void)
{
    uint8_t text[24];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(0xa0 + i);
    for (size_t count = 0; count <= sizeof text; count++) {
        uint64_t word = 0;
        for (size_t i = count / 8 * 8; i < count; i++) word |= (uint64_t)text[i] << 8 * (i % 8);
        CHECK_EQUAL(assay_sip_tail(text, count), word);
    }
}

static assay_key_hash hash_of(const assay_type *type, const char *text)
{
    const assay_cell cell = {0, (uint32_t)strlen(text)};
    const uint64_t rows = 1;
    assay_key_hash hash = {1, 2};
    assay_key_mix(type, (const uint8_t *)text, &cell, &rows, 1, &hash);
    return hash;
}

static bool same(assay_key_hash left, assay_key_hash right) { return left.low == right.low && left.high == right.high; }

typedef struct type_case {
    assay_type_description type;
    const char *texts[10]; /* ends with the first NULL */
} type_case;

#define TEXT(literal)                                                                                                  \
    {                                                                                                                  \
        (const uint8_t *)(literal), sizeof(literal) - 1                                                                \
    }

static const type_case type_cases[] = {
    {{.kind = ASSAY_KIND_INTEGER}, {"7", "007", "+7", "-7", "0", "-0", "70", "12345678901234567890123", "x"}},
    {{.kind = ASSAY_KIND_INTEGER, .group_char = TEXT(",")}, {"1,234", "1234", "12,34", "1,2345"}},
    {{.kind = ASSAY_KIND_NUMBER}, {"1", "1.0", "1e0", "0.1e1", "10", "NaN", "nan", "INF", "-INF"}},
    {{.kind = ASSAY_KIND_NUMBER}, {"1234567890123456", "12345678901234560", "0.1", ".1", "-.1", "0", "0.00"}},
    {{.kind = ASSAY_KIND_NUMBER, .decimal_char = TEXT(",")}, {"1,5", "1,50", "01,5", "1"}},
    {{.kind = ASSAY_KIND_BOOLEAN}, {"true", "1", "TRUE", "false", "0"}},
    {{.kind = ASSAY_KIND_DATE, .format = TEXT("%d/%m/%Y")}, {"01/02/2024", "1/2/2024", "02/01/2024"}},
    {{.kind = ASSAY_KIND_TIME}, {"10:00:00", "10:00:00.0", "10:00:00.5", "10:00:00.50", "10:00:00.05"}},
    {{.kind = ASSAY_KIND_DATETIME},
     {"2024-01-01T10:00:00Z", "2024-01-01T11:00:00+01:00", "2024-01-01T10:00:00", "2024-01-01T10:00:00.1Z"}},
    {{.kind = ASSAY_KIND_YEARMONTH}, {"2024-01", "2024-02"}},
    {{.kind = ASSAY_KIND_DURATION}, {"P1Y", "P12M", "PT60S", "PT1M", "-PT1M", "P30D", "P1M", "PT0.5S", "PT0.50S"}},
    {{.kind = ASSAY_KIND_STRING}, {"", "a", "a ", "A", "aaaaaaaa", "aaaaaaaaa"}},
};

/* Two values have the same hash if and only if they are equal: by their type, or as texts if one is not of the type. */
static void test_types(void)
{
    for (size_t i = 0; i < sizeof type_cases / sizeof type_cases[0]; i++) {
        assay_error error;
        assay_type *type = assay_type_create(&type_cases[i].type, &error);
        if (!CHECK(type != NULL)) continue;
        for (size_t a = 0; a < 10 && type_cases[i].texts[a] != NULL; a++) {
            for (size_t b = 0; b < 10 && type_cases[i].texts[b] != NULL; b++) {
                const char *left = type_cases[i].texts[a];
                const char *right = type_cases[i].texts[b];
                assay_value one = {0};
                assay_value other = {0};
                const bool typed = type_cases[i].type.kind != ASSAY_KIND_STRING &&
                                   assay_type_parse(type, (const uint8_t *)left, strlen(left), &one) &&
                                   assay_type_parse(type, (const uint8_t *)right, strlen(right), &other);
                const bool equal = typed ? assay_type_equal(type, &one, &other) : strcmp(left, right) == 0;
                if (!CHECK(same(hash_of(type, left), hash_of(type, right)) == equal)) {
                    fprintf(stderr, "    \"%s\" and \"%s\"\n", left, right);
                }
            }
        }
        assay_type_free(type);
    }
}

enum { mixed_rows = 200 };

/* The hashes of a column equal those of its values, on each processor path. */
static void check_column(const assay_type *type, const uint8_t *bytes, const assay_cell *cells, size_t rows,
                         test_random *random)
{
    assay_key_hash before[mixed_rows];
    assay_key_hash together[mixed_rows];
    uint64_t mask[mixed_rows / 64 + 1] = {0};
    for (size_t row = 0; row < rows; row++) {
        before[row] = together[row] = (assay_key_hash){test_random_below(random, UINT32_MAX), row};
        if (test_random_below(random, 10) > 0) mask[row / 64] |= UINT64_C(1) << row % 64;
    }
    assay_key_mix(type, bytes, cells, mask, rows, together);
    for (size_t row = 0; row < rows; row++) {
        assay_key_hash alone = before[row];
        const uint64_t one = mask[row / 64] >> row % 64 & 1;
        assay_key_mix(type, bytes, &cells[row], &one, 1, &alone);
        if (type == NULL && one)
            CHECK(same(alone, assay_sip_bytes(before[row], bytes + cells[row].start, cells[row].length)));
        CHECK(same(together[row], alone));
    }
}

static void test_columns(void)
{
    test_random random = test_random_of(11);
    assay_error error;
    const assay_type_description number = {.kind = ASSAY_KIND_NUMBER};
    assay_type *type = assay_type_create(&number, &error);
    if (!CHECK(type != NULL)) return;
    for (size_t path = 0; test_select_cpu(path); path++) {
        for (size_t round = 0; round < 200; round++) {
            uint8_t bytes[mixed_rows * 80];
            assay_cell cells[mixed_rows];
            size_t at = 0;
            const size_t rows = test_random_below(&random, mixed_rows + 1);
            /* Often of one length, as for UUIDs. */
            const size_t max = 1 + test_random_below(&random, 79);
            const size_t min = round % 2 == 0 ? 0 : max;
            for (size_t row = 0; row < rows; row++) {
                const size_t length = min + test_random_below(&random, (uint32_t)(max - min + 1));
                cells[row] = (assay_cell){(uint32_t)at, (uint32_t)length};
                for (size_t i = 0; i < length; i++) bytes[at++] = (uint8_t)('0' + test_random_below(&random, 10));
                if (length > 1 && test_random_below(&random, 3) == 0)
                    bytes[at - length] = (uint8_t) "-+.x"[test_random_below(&random, 4)];
            }
            check_column(NULL, bytes, cells, rows, &random);
            check_column(type, bytes, cells, rows, &random);
        }
    }
    assay_cpu_select(NULL);
    assay_type_free(type);
}

/* All spellings of a number have the same hash: plain digits, which are read without the type, and other forms. */
static void test_numbers(void)
{
    static const char *const forms[] = {"%s%s", "%s0%s", "%s000%s", "%s%s.0", "%s%se0", "%s%s0e-1", "%s%s."};
    test_random random = test_random_of(13);
    assay_error error;
    const assay_type_description description = {.kind = ASSAY_KIND_NUMBER};
    assay_type *type = assay_type_create(&description, &error);
    if (!CHECK(type != NULL)) return;
    for (size_t round = 0; round < 2000; round++) {
        char digits[24];
        const size_t places = 1 + round % 20;
        for (size_t i = 0; i < places; i++)
            digits[i] = (char)('0' + test_random_below(&random, round % 3 == 0 ? 2 : 10));
        digits[places] = 0;
        const char *sign = round % 5 == 0 ? "-" : "";
        char plain[64];
        snprintf(plain, sizeof plain, "%s%s", sign, digits);
        for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
            char other[64];
            snprintf(other, sizeof other, forms[form], sign, digits);
            if (!CHECK(same(hash_of(type, plain), hash_of(type, other)))) fprintf(stderr, "    %s %s\n", plain, other);
        }
        snprintf(plain, sizeof plain, "%s1%s", sign, digits);
        char other[64];
        snprintf(other, sizeof other, "%s1%s1", sign, digits);
        CHECK(!same(hash_of(type, plain), hash_of(type, other)));
    }
    assay_type_free(type);
}

/* The parts of a key are delimited, and their order counts. Only the rows of the mask are hashed. */
static void test_parts(void)
{
    static const char bytes[] = "abc";
    const assay_cell first[4] = {{0, 2}, {0, 1}, {0, 1}, {0, 2}};
    const assay_cell second[4] = {{2, 1}, {1, 2}, {0, 0}, {2, 1}};
    assay_key_hash hashes[4] = {{1, 2}, {1, 2}, {1, 2}, {1, 2}};
    const uint64_t rows = 0x7;
    assay_key_mix(NULL, (const uint8_t *)bytes, first, &rows, 4, hashes);
    assay_key_mix(NULL, (const uint8_t *)bytes, second, &rows, 4, hashes);
    CHECK(!same(hashes[0], hashes[1]));
    CHECK(!same(hashes[1], hashes[2]));
    CHECK(same(hashes[3], (assay_key_hash){1, 2}));
}

/* ---------------------------------------------------------------------------------------------------------------
 * The set
 * ------------------------------------------------------------------------------------------------------------- */

enum { max_records = 3000, max_each = 3 };

/* The hash of a key. A weak hash has only four values of the high bits, so that keys collide in the set. */
static assay_key_hash spread(uint64_t number, bool is_weak)
{
    const uint64_t mixed = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return is_weak ? (assay_key_hash){(mixed >> 62) << 62 | (number & 1), mixed} : (assay_key_hash){mixed, number};
}

/* Records with `each` keys, of which `duplicates` percent have one of few values, compared with a search through all
   clean records. */
static void test_claims(uint32_t seed, size_t records, size_t each, uint32_t duplicates, bool is_weak, size_t batch)
{
    static assay_key keys[max_records * max_each];
    static assay_key holders[max_records * max_each];
    static uint64_t refused[max_records / 64 + 1];
    static bool is_clean[max_records];
    test_random random = test_random_of(seed);
    for (size_t i = 0; i < records * each; i++) {
        const bool is_common = test_random_below(&random, 100) < duplicates;
        const uint64_t value = is_common ? test_random_below(&random, 50) : i + 1000;
        keys[i] = (assay_key){spread(value * max_each + i % each, is_weak), i / each + 1, i / each + 100};
        if (test_random_below(&random, 10) == 0) keys[i].record = 0; /* a part is missing */
    }
    assay_keys *set = assay_keys_create(SIZE_MAX);
    size_t count = 0;
    for (size_t start = 0; start < records; start += batch) {
        const size_t rows = records - start < batch ? records - start : batch;
        CHECK_EQUAL(assay_keys_claim(set, keys + start * each, rows, each, holders, refused), ASSAY_OK);
        for (size_t row = 0; row < rows; row++) {
            const size_t record = start + row;
            is_clean[record] = true;
            for (size_t key = 0; key < each; key++) {
                const assay_key *own = &keys[record * each + key];
                const assay_key *holder = NULL;
                for (size_t other = 0; other < record && own->record != 0 && holder == NULL; other++) {
                    const assay_key *there = &keys[other * each + key];
                    if (is_clean[other] && there->record != 0 && same(there->hash, own->hash)) holder = there;
                }
                const bool is_refused = refused[row / 64] >> row % 64 & 1;
                if (holder != NULL) {
                    is_clean[record] = false;
                    CHECK(is_refused);
                    CHECK_EQUAL(holders[row * each + key].record, holder->record);
                    CHECK_EQUAL(holders[row * each + key].place, holder->place);
                } else if (is_refused) {
                    CHECK_EQUAL(holders[row * each + key].record, 0);
                }
            }
            CHECK(is_clean[record] == !(refused[row / 64] >> row % 64 & 1));
            for (size_t key = 0; key < each; key++) count += is_clean[record] && keys[record * each + key].record != 0;
        }
    }
    CHECK_EQUAL(assay_keys_count(set), count);
    size_t place = 0;
    size_t seen = 0;
    for (const assay_key *key; (key = assay_keys_next(set, &place)) != NULL; seen++) {
        CHECK(is_clean[key->record - 1]);
        CHECK(assay_keys_find(set, key->hash) == key);
    }
    CHECK_EQUAL(seen, count);
    CHECK(assay_keys_find(set, (assay_key_hash){7, 7}) == NULL);
    assay_keys_free(set);
}

/* Sets with one shard each decide like a single set, for any order of the shards. */
static void test_shards(size_t shards, uint32_t duplicates, bool is_weak)
{
    enum { records = 3000, batch = 500, max_shards = 16 };
    static assay_key keys[records];
    static assay_key holders[2][batch];
    static uint64_t refused[2][batch / 64 + 1];
    static assay_key sorted[batch];
    uint32_t indices[batch];
    size_t starts[max_shards + 1];
    test_random random = test_random_of((uint32_t)(shards + duplicates));
    for (size_t i = 0; i < records; i++) {
        const bool is_common = test_random_below(&random, 100) < duplicates;
        keys[i] = (assay_key){spread(is_common ? test_random_below(&random, 50) : i + 1000, is_weak), i + 1, i};
        if (test_random_below(&random, 10) == 0) keys[i].record = 0;
    }
    assay_keys *full = assay_keys_create(SIZE_MAX);
    assay_keys *sets[max_shards];
    for (size_t shard = 0; shard < shards; shard++) sets[shard] = assay_keys_create(SIZE_MAX);
    for (size_t start = 0; start < records; start += batch) {
        CHECK_EQUAL(assay_keys_claim(full, keys + start, batch, 1, holders[0], refused[0]), ASSAY_OK);
        assay_keys_shard(keys + start, batch, 1, shards, sorted, indices, starts);
        size_t requested = 0;
        const size_t first = test_random_below(&random, (uint32_t)shards);
        for (size_t i = 0; i < shards; i++) {
            const size_t shard = (first + i) % shards;
            const size_t rows = starts[shard + 1] - starts[shard];
            CHECK_EQUAL(assay_keys_claim(sets[shard], sorted + starts[shard], rows, 1, holders[1], refused[1]),
                        ASSAY_OK);
            for (size_t row = 0; row < rows; row++, requested++) {
                const size_t record = indices[starts[shard] + row];
                const bool is_refused = refused[1][row / 64] >> row % 64 & 1;
                CHECK(row == 0 || indices[starts[shard] + row - 1] < record);
                CHECK_EQUAL(is_refused, refused[0][record / 64] >> record % 64 & 1);
                if (!is_refused) continue;
                CHECK_EQUAL(holders[0][record].record, holders[1][row].record);
                CHECK_EQUAL(holders[0][record].place, holders[1][row].place);
            }
        }
        size_t with_key = 0;
        for (size_t i = 0; i < batch; i++) with_key += keys[start + i].record != 0;
        CHECK_EQUAL(requested, with_key);
    }
    size_t count = 0;
    for (size_t shard = 0; shard < shards; shard++) {
        count += assay_keys_count(sets[shard]);
        assay_keys_free(sets[shard]);
    }
    CHECK_EQUAL(count, assay_keys_count(full));
    assay_keys_free(full);
}

/* A batch that does not fit into the memory changes no state, and a smaller one may still fit. */
static void test_limit(void)
{
    static assay_key keys[4000];
    static assay_key holders[4000];
    static uint64_t refused[4000 / 64 + 1];
    for (size_t i = 0; i < 4000; i++) keys[i] = (assay_key){spread(i, false), i + 1, 0};
    assay_keys *set = assay_keys_create(3 * 1024 * sizeof(assay_key));
    CHECK_EQUAL(assay_keys_claim(set, keys, 4000, 1, holders, refused), ASSAY_NO_MEMORY);
    CHECK_EQUAL(assay_keys_count(set), 0);
    CHECK_EQUAL(assay_keys_claim(set, keys, 1200, 1, holders, refused), ASSAY_OK);
    CHECK_EQUAL(assay_keys_count(set), 1200);
    CHECK_EQUAL(assay_keys_claim(set, keys + 1200, 1000, 1, holders, refused), ASSAY_NO_MEMORY);
    CHECK_EQUAL(assay_keys_count(set), 1200);
    CHECK_EQUAL(assay_keys_claim(set, keys + 1200, 40, 1, holders, refused), ASSAY_OK);
    CHECK_EQUAL(assay_keys_claim(set, keys, 40, 1, holders, refused), ASSAY_OK);
    CHECK_EQUAL(refused[0], (UINT64_C(1) << 40) - 1);
    assay_keys_free(set);
    /* A minimum number of keys always fits. */
    set = assay_keys_create(0);
    CHECK_EQUAL(assay_keys_claim(set, keys, 640, 1, holders, refused), ASSAY_OK);
    CHECK_EQUAL(assay_keys_claim(set, keys + 640, 1, 1, holders, refused), ASSAY_NO_MEMORY);
    CHECK_EQUAL(assay_keys_count(set), 640);
    assay_keys_free(set);
    assay_keys_free(NULL);
}

/* Many keys, with and without reserved room: each is found again and attributed to its first record. */
static void test_many(size_t reserved)
{
    enum { count = 200000, batch = 1000 };
    static assay_key keys[batch];
    static assay_key holders[batch];
    static uint64_t refused[batch / 64 + 1];
    assay_keys *set = assay_keys_create(SIZE_MAX);
    assay_keys_reserve(set, reserved);
    for (size_t round = 0; round < 2; round++) {
        for (size_t start = 0; start < count; start += batch) {
            for (size_t i = 0; i < batch; i++) {
                keys[i] = (assay_key){spread(start + i, false), round * count + start + i + 1, start + i};
            }
            CHECK_EQUAL(assay_keys_claim(set, keys, batch, 1, holders, refused), ASSAY_OK);
            for (size_t i = 0; i < batch; i++) {
                CHECK_EQUAL(refused[i / 64] >> i % 64 & 1, round);
                if (round == 1) CHECK_EQUAL(holders[i].record, start + i + 1);
            }
        }
    }
    CHECK_EQUAL(assay_keys_count(set), count);
    size_t place = 0;
    for (size_t i = 0; i < count; i++) CHECK_EQUAL(assay_keys_next(set, &place)->record, i + 1);
    CHECK(assay_keys_next(set, &place) == NULL);
    assay_keys_free(set);
}

/* Removes the rows whose hashes are in the set from a mask, and ignores rows outside the mask. */
static void test_take_out_held(size_t rows)
{
    static assay_key keys[1000];
    static assay_key holders[1000];
    static assay_key_hash hashes[1000];
    uint64_t refused[16], mask[16] = {0}, expected[16] = {0};
    assay_keys *set = assay_keys_create(1 << 20);
    for (size_t i = 0; i < 1000; i++) keys[i] = (assay_key){{(uint64_t)i * 7 << 54, i * 7}, i + 1, 0};
    CHECK_EQUAL(assay_keys_claim(set, keys, 1000, 1, holders, refused), ASSAY_OK);
    CHECK_EQUAL(assay_keys_bytes(set), 2048 * 2 * sizeof(uint32_t) + 1000 * sizeof(assay_key));
    for (size_t row = 0; row < rows; row++) {
        const uint64_t value = row * 3;
        hashes[row] = (assay_key_hash){value << 54, value};
        const uint64_t bit = UINT64_C(1) << row % 64;
        if (row % 5 == 0) continue;
        mask[row / 64] |= bit;
        if (value % 7 != 0) expected[row / 64] |= bit;
    }
    assay_keys_take_out_held(set, hashes, rows, mask);
    for (size_t word = 0; word < 16; word++) CHECK_EQUAL(mask[word], expected[word]);
    assay_keys_free(set);
}

int main(void)
{
    test_take_out_held(0);
    test_take_out_held(3);
    test_take_out_held(1000);
    test_vectors();
    test_tails();
    test_types();
    test_parts();
    test_columns();
    test_numbers();
    static const uint32_t duplicates[] = {0, 1, 50, 100};
    for (size_t i = 0; i < 4; i++) {
        for (size_t each = 1; each <= max_each; each++) {
            test_claims((uint32_t)(17 * i + each), max_records, each, duplicates[i], false, 700);
            test_claims((uint32_t)(19 * i + each), 900, each, duplicates[i], true, 64);
            test_claims((uint32_t)(23 * i + each), 300, each, duplicates[i], false, 1);
        }
    }
    for (size_t shards = 1; shards <= 16; shards *= 2) {
        for (uint32_t common = 0; common <= 100; common += 20) {
            test_shards(shards, common, false);
            test_shards(shards, common, true);
        }
    }
    test_limit();
    test_many(0);
    test_many(200000);
    return test_result();
}
