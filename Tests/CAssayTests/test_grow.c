/* Growth of arrays: contents stay, capacities grow by half, and sizes that do not fit into size_t are rejected. */
#include "Memory/assay_grow.h"
#include "test.h"

static void test_contents(void)
{
    uint32_t *items = NULL;
    size_t capacity = 0;
    unsigned moves = 0;
    for (size_t count = 0; count < 100000; count++) {
        const size_t before = capacity;
        if (!CHECK(assay_grow(&items, &capacity, sizeof *items, count + 1))) return;
        CHECK(capacity > count && (capacity == before || capacity >= before + before / 2));
        moves += capacity != before;
        items[count] = (uint32_t)count * 7;
    }
    for (size_t i = 0; i < 100000; i++) CHECK_EQUAL(items[i], i * 7);
    CHECK(moves < 30);
    CHECK(assay_grow(&items, &capacity, sizeof *items, 1000000) && capacity >= 1000000);
    free(items);
}

static void test_refusals(void)
{
    uint64_t *items = NULL;
    size_t capacity = 0;
    CHECK(assay_grow(&items, &capacity, sizeof *items, 4));
    uint64_t *const before = items;
    const size_t capacity_before = capacity;
    const size_t refused[] = {SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 8 + 2, SIZE_MAX / 4};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        CHECK(!assay_grow(&items, &capacity, sizeof *items, refused[i]));
        CHECK(!assay_resize(&items, sizeof *items, refused[i]));
        CHECK(items == before && capacity == capacity_before);
    }
    CHECK(assay_grow(&items, &capacity, sizeof *items, 0) && items == before);
    CHECK(assay_resize(&items, sizeof *items, 1));
    free(items);
}

int main(void)
{
    test_contents();
    test_refusals();
    return test_result();
}
