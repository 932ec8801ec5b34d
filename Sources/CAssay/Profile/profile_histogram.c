/* Histograms of doubles: 512 buckets per power of two, allocated on demand.
 *
 *     sign and exponent (12 bits) │ 9 bits   │ the rest
 *     page                        │ bucket   │ only in the sum
 */
#include "Profile/profile_histogram.h"

#include "Memory/assay_grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { heads = 4096, buckets = 512, block_buckets = 32, blocks = buckets / block_buckets, bucket_shift = 43 };

/* The numbers with one sign and exponent. */
typedef struct page {
    uint32_t *counts[blocks];   /* the low halves of the counts of 32 buckets each; NULL: all are empty */
    uint32_t *high_counts;      /* the high halves of all counts; NULL: all are 0 */
    uint64_t sum_low, sum_high; /* of the significands, 128 bits */
    unsigned head;
    bool has_parts;
    uint64_t parts[2]; /* sums that profile_histogram_add_each() adds to the others at its end */
} page;

enum { recent_pages = 64 };

struct assay_histogram {
    uint16_t *heads; /* the sign and exponent of each page, in ascending order */
    page **pages;
    uint16_t page_count, page_capacity;
    page *recent[recent_pages]; /* the page that was used last, by the low bits of the head; may be NULL */
    uint64_t count;
    double minimum, maximum;
};

assay_histogram *assay_histogram_create(void) { return calloc(1, sizeof(assay_histogram)); }

void assay_histogram_free(assay_histogram *histogram)
{
    if (histogram == NULL) return;
    for (size_t i = 0; i < histogram->page_count; i++) {
        for (size_t block = 0; block < blocks; block++) free(histogram->pages[i]->counts[block]);
        free(histogram->pages[i]->high_counts);
        free(histogram->pages[i]);
    }
    free(histogram->pages);
    free(histogram->heads);
    free(histogram);
}

static bool make_room(assay_histogram *histogram)
{
    if (histogram->page_count < histogram->page_capacity) return true;
    const size_t capacity = histogram->page_capacity == 0 ? 4 : 2 * (size_t)histogram->page_capacity;
    if (!assay_resize(&histogram->pages, sizeof *histogram->pages, capacity) ||
        !assay_resize(&histogram->heads, sizeof *histogram->heads, capacity)) {
        return false;
    }
    histogram->page_capacity = (uint16_t)capacity;
    return true;
}

/* The page of a sign and exponent, created if necessary; NULL: no memory. */
static page *find_page(assay_histogram *histogram, unsigned head)
{
    size_t at = 0;
    while (at < histogram->page_count && histogram->heads[at] < head) at++;
    if (at == histogram->page_count || histogram->heads[at] != head) {
        if (!make_room(histogram)) return NULL;
        page *made = calloc(1, sizeof *made);
        if (made == NULL) return NULL;
        const size_t behind = histogram->page_count - at;
        memmove(histogram->pages + at + 1, histogram->pages + at, behind * sizeof *histogram->pages);
        memmove(histogram->heads + at + 1, histogram->heads + at, behind * sizeof *histogram->heads);
        made->head = head;
        histogram->pages[at] = made;
        histogram->heads[at] = (uint16_t)head;
        histogram->page_count++;
    }
    histogram->recent[head % recent_pages] = histogram->pages[at];
    return histogram->pages[at];
}

static inline page *page_of(assay_histogram *histogram, unsigned head)
{
    page *recent = histogram->recent[head % recent_pages];
    return recent != NULL && recent->head == head ? recent : find_page(histogram, head);
}

/* The low half of the count of a bucket, created if necessary; NULL: no memory. Halves, because the counts of very many
   columns exceed the cache. */
static uint32_t *count_of(page *one, size_t bucket)
{
    uint32_t **block = &one->counts[bucket / block_buckets];
    if (*block == NULL) *block = calloc(block_buckets, sizeof **block);
    return *block == NULL ? NULL : *block + bucket % block_buckets;
}

/* Adds to the count of a bucket. Returns false, and does not change the count, if memory runs out. */
static bool add_count(page *to, size_t bucket, uint64_t times)
{
    uint32_t *low = count_of(to, bucket);
    if (low == NULL) return false;
    const uint64_t sum = *low + (times & UINT32_MAX), carry = (times >> 32) + (sum >> 32);
    if (carry > 0) {
        if (to->high_counts == NULL) to->high_counts = calloc(buckets, sizeof *to->high_counts);
        if (to->high_counts == NULL) return false;
        to->high_counts[bucket] += (uint32_t)carry;
    }
    *low = (uint32_t)sum;
    return true;
}

static uint64_t count_at(const page *one, size_t bucket)
{
    const uint32_t *block = one->counts[bucket / block_buckets];
    const uint64_t high = one->high_counts == NULL ? 0 : one->high_counts[bucket];
    return (block == NULL ? 0 : block[bucket % block_buckets]) | high << 32;
}

static void add_sum(page *to, uint64_t low, uint64_t high)
{
    to->sum_low += low;
    to->sum_high += high + (to->sum_low < low);
}

static uint64_t significand_of(uint64_t bits)
{
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    return fraction | (uint64_t)((bits >> 52 & 0x7FF) != 0) << 52;
}

assay_status assay_histogram_add(assay_histogram *histogram, double number, uint32_t times)
{
    if (times == 0) return ASSAY_OK;
    if (number == 0) number = 0; /* not −0 */
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    const unsigned head = (unsigned)(bits >> 52);
    page *to = page_of(histogram, head);
    if (to == NULL) return ASSAY_NO_MEMORY;
    if (!add_count(to, (bits >> bucket_shift) % buckets, times)) return ASSAY_NO_MEMORY;
    const uint64_t significand = significand_of(bits);
    const uint64_t high = (significand >> 32) * times;
    add_sum(to, (significand & UINT32_MAX) * times, 0);
    add_sum(to, high << 32, high >> 32);
    if (histogram->count == 0 || number < histogram->minimum) histogram->minimum = number;
    if (histogram->count == 0 || number > histogram->maximum) histogram->maximum = number;
    histogram->count += times;
    return ASSAY_OK;
}

bool profile_histogram_add(assay_histogram *histogram, double number, uint64_t times)
{
    for (; times > UINT32_MAX; times -= UINT32_MAX) {
        if (assay_histogram_add(histogram, number, UINT32_MAX) != ASSAY_OK) return false;
    }
    return assay_histogram_add(histogram, number, (uint32_t)times) == ASSAY_OK;
}

/* Adds the sums of parts to the sums of their pages. */
static void add_parts(page *const *touched, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_sum(touched[i], touched[i]->parts[0], 0);
        add_sum(touched[i], touched[i]->parts[1], 0);
        touched[i]->parts[0] = touched[i]->parts[1] = 0;
        touched[i]->has_parts = false;
    }
}

/* The count of a bucket of a page that is not the recent one of its sign and exponent, or a new count. NULL: no memory.
   Not inlined, because it would take registers from the loop over the numbers. */
__attribute__((noinline)) static uint32_t *find_count(assay_histogram *histogram, uint64_t bits)
{
    page *to = page_of(histogram, (unsigned)(bits >> 52));
    return to == NULL ? NULL : count_of(to, (bits >> bucket_shift) % buckets);
}

/* The maximum count of numbers whose significands, of 53 bits, are added without a carry. */
enum { together = 256 };

/* Adds at most `together` numbers, except to the extremes. */
static bool add_together(assay_histogram *histogram, const double *numbers, size_t count)
{
    page *to[together], *touched[together];
    uint32_t *counters[together];
    size_t touched_count = 0;
    /* The first loop prefetches, because tables of very many columns have more buckets than the cache. */
    for (size_t i = 0; i < count; i++) {
        const double number = numbers[i] + 0.0; /* not −0 */
        uint64_t bits = 0;
        memcpy(&bits, &number, sizeof bits);
        const unsigned head = (unsigned)(bits >> 52);
        const size_t bucket = (bits >> bucket_shift) % buckets;
        to[i] = histogram->recent[head % recent_pages];
        uint32_t *block = to[i] == NULL || to[i]->head != head ? NULL : to[i]->counts[bucket / block_buckets];
        if (block != NULL) {
            counters[i] = block + bucket % block_buckets;
        } else {
            counters[i] = find_count(histogram, bits);
            if (counters[i] == NULL) return false;
            to[i] = histogram->recent[head % recent_pages];
        }
        __builtin_prefetch(counters[i], 1);
    }
    for (size_t i = 0; i < count; i++) {
        const double number = numbers[i] + 0.0;
        uint64_t bits = 0;
        memcpy(&bits, &number, sizeof bits);
        if (*counters[i] < UINT32_MAX) {
            *counters[i] += 1;
        } else if (!add_count(to[i], (bits >> bucket_shift) % buckets, 1)) {
            return false;
        }
        if (!to[i]->has_parts) {
            to[i]->has_parts = true;
            touched[touched_count++] = to[i];
        }
        /* Successive numbers are added to different parts, because a sum that was stored last is slow to load. */
        to[i]->parts[i % 2] += significand_of(bits);
    }
    add_parts(touched, touched_count);
    return true;
}

bool profile_histogram_add_each(assay_histogram *histogram, const double *numbers, size_t count)
{
    if (count == 0) return true;
    double extremes[2] = {histogram->count == 0 ? numbers[0] : histogram->minimum,
                          histogram->count == 0 ? numbers[0] : histogram->maximum};
    profile_widen_range(extremes, numbers, count);
    histogram->minimum = extremes[0] + 0.0;
    histogram->maximum = extremes[1] + 0.0;
    histogram->count += count;
    for (size_t first = 0; first < count; first += together) {
        const size_t rest = count - first < together ? count - first : together;
        if (!add_together(histogram, numbers + first, rest)) return false;
    }
    return true;
}

assay_status assay_histogram_merge(assay_histogram *into, const assay_histogram *from)
{
    if (from->count == 0) return ASSAY_OK;
    for (size_t at = 0; at < from->page_count; at++) {
        const page *one = from->pages[at];
        page *to = page_of(into, from->heads[at]);
        if (to == NULL) return ASSAY_NO_MEMORY;
        for (size_t bucket = 0; bucket < buckets; bucket++) {
            if (one->counts[bucket / block_buckets] == NULL) continue;
            if (!add_count(to, bucket, count_at(one, bucket))) return ASSAY_NO_MEMORY;
        }
        add_sum(to, one->sum_low, one->sum_high);
    }
    if (into->count == 0 || from->minimum < into->minimum) into->minimum = from->minimum;
    if (into->count == 0 || from->maximum > into->maximum) into->maximum = from->maximum;
    into->count += from->count;
    return ASSAY_OK;
}

uint64_t assay_histogram_count(const assay_histogram *histogram) { return histogram->count; }

double assay_histogram_minimum(const assay_histogram *histogram)
{
    return histogram->count == 0 ? (double)NAN : histogram->minimum;
}

double assay_histogram_maximum(const assay_histogram *histogram)
{
    return histogram->count == 0 ? (double)NAN : histogram->maximum;
}

/* 2^exponent × number, correctly rounded for |number| ≥ 1, without the math library. */
static double scaled(double number, int exponent)
{
    for (; exponent < -1000; exponent += 1000) number *= 0x1p-1000;
    for (; exponent > 1000; exponent -= 1000) number *= 0x1p1000;
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double factor = 0;
    memcpy(&factor, &bits, sizeof factor);
    return number * factor;
}

/* A sum of doubles as a two's complement integer of 36 words, in units of 2^-1074, which represents any double. The
 * lowest word is first. */
enum { sum_words = 36, min_exponent = -1074 };
__extension__ typedef unsigned __int128 two_words;

/* Adds or subtracts 2^shift × a number of two words. */
static void add_to_sum(uint64_t *sum, uint64_t low, uint64_t high, unsigned shift, bool is_negative)
{
    const unsigned bits = shift % 64;
    const uint64_t parts[3] = {low << bits, bits == 0 ? high : high << bits | low >> (64 - bits),
                               bits == 0 ? 0 : high >> (64 - bits)};
    uint64_t carry = 0;
    for (size_t i = shift / 64, part = 0; i < sum_words; i++, part++) {
        const two_words more = (two_words)(part < 3 ? parts[part] : 0) + carry;
        const two_words next = is_negative ? (two_words)sum[i] - more : sum[i] + more;
        sum[i] = (uint64_t)next;
        carry = (uint64_t)(next >> 64) != 0;
    }
}

/* Divides the sum and returns the remainder. */
static uint64_t divide_sum(uint64_t *sum, uint64_t by)
{
    uint64_t rest = 0;
    for (size_t i = sum_words; i-- > 0;) {
        const two_words part = (two_words)rest << 64 | sum[i];
        sum[i] = (uint64_t)(part / by);
        rest = (uint64_t)(part % by);
    }
    return rest;
}

/* Whether any lower bit than `bit` is set. */
static bool has_bit_below(const uint64_t *sum, unsigned bit)
{
    for (size_t i = 0; i < bit / 64; i++) {
        if (sum[i] != 0) return true;
    }
    return (sum[bit / 64] & ((UINT64_C(1) << bit % 64) - 1)) != 0;
}

double assay_histogram_mean(const assay_histogram *histogram)
{
    if (histogram->count == 0) return (double)NAN;
    uint64_t sum[sum_words] = {0};
    for (size_t at = 0; at < histogram->page_count; at++) {
        const page *one = histogram->pages[at];
        const unsigned exponent = histogram->heads[at] & 0x7FF;
        add_to_sum(sum, one->sum_low, one->sum_high, exponent == 0 ? 0 : exponent - 1,
                   histogram->heads[at] >= heads / 2);
    }
    const bool is_negative = sum[sum_words - 1] >> 63 != 0;
    if (is_negative) {
        uint64_t opposite[sum_words] = {0};
        for (unsigned i = 0; i < sum_words; i++) add_to_sum(opposite, sum[i], 0, 64 * i, true);
        memcpy(sum, opposite, sizeof sum);
    }
    const uint64_t rest = divide_sum(sum, histogram->count);
    size_t top = sum_words - 1;
    while (top > 0 && sum[top] == 0) top--;
    const unsigned length = sum[top] == 0 ? 0 : 64 * (unsigned)(top + 1) - (unsigned)__builtin_clzll(sum[top]);
    /* The first 53 bits, and whether the remainder is at least half, or more than half, of the last bit. */
    uint64_t digits = sum[0];
    unsigned shift = 0;
    bool is_half = rest >= histogram->count - rest;
    bool is_more = rest > histogram->count - rest;
    if (length > 53) {
        shift = length - 53;
        digits = sum[shift / 64] >> shift % 64;
        if (shift % 64 > 11) digits |= sum[shift / 64 + 1] << (64 - shift % 64);
        digits &= (UINT64_C(1) << 53) - 1;
        is_half = (sum[(shift - 1) / 64] >> (shift - 1) % 64 & 1) != 0;
        is_more = is_half && (rest > 0 || has_bit_below(sum, shift - 1));
    }
    digits += is_more || (is_half && digits % 2 == 1);
    const double mean = scaled((double)digits, (int)shift + min_exponent);
    return is_negative ? -mean : mean;
}

/* The number in a bucket with the smallest magnitude. */
static double bucket_start(unsigned head, size_t bucket)
{
    const uint64_t bits = (uint64_t)head << 52 | (uint64_t)bucket << bucket_shift;
    double start = 0;
    memcpy(&start, &bits, sizeof start);
    return start;
}

static double bucket_middle(unsigned head, size_t bucket, bool are_integers)
{
    const double start = bucket_start(head, bucket);
    const int exponent = (int)(head & 0x7FF);
    const double width = scaled(1, (exponent == 0 ? 1 : exponent) - 1023 - 9);
    /* A bucket no wider than 1 contains at most one whole number, at its start. */
    if (start == 0 || (are_integers && width <= 1)) return start;
    return head >= heads / 2 ? start - width / 2 : start + width / 2;
}

/* Calls `visit` for each non-empty bucket in ascending order until it returns false. */
static void for_each_bucket(const assay_histogram *histogram, void *context,
                            bool (*visit)(void *context, unsigned head, size_t bucket, uint64_t count))
{
    size_t positive = 0;
    while (positive < histogram->page_count && histogram->heads[positive] < heads / 2) positive++;
    const size_t negative = histogram->page_count - positive;
    for (size_t step = 0; step < histogram->page_count; step++) {
        const bool is_negative = step < negative;
        const size_t at = is_negative ? histogram->page_count - 1 - step : step - negative;
        for (size_t i = 0; i < buckets; i++) {
            const size_t bucket = is_negative ? buckets - 1 - i : i;
            if (histogram->pages[at]->counts[bucket / block_buckets] == NULL) {
                i += block_buckets - 1;
                continue;
            }
            const uint64_t count = count_at(histogram->pages[at], bucket);
            if (count > 0 && !visit(context, histogram->heads[at], bucket, count)) return;
        }
    }
}

typedef struct ranks {
    const assay_histogram *histogram;
    const double *shares;
    double *quantiles;
    size_t found, count; /* quantiles */
    uint64_t before;     /* the number of numbers in the buckets so far */
    uint64_t next;       /* the rank of the next quantile */
    bool are_integers;
} ranks;

/* The rank of the number at a share, from 1 on. */
static uint64_t rank_of(const assay_histogram *histogram, double share)
{
    const double place = share * (double)histogram->count;
    uint64_t rank = place <= 1 ? 1 : (uint64_t)place;
    if ((double)rank < place) rank++;
    return rank > histogram->count ? histogram->count : rank;
}

static bool find_ranks(void *context, unsigned head, size_t bucket, uint64_t count)
{
    ranks *to = context;
    const assay_histogram *histogram = to->histogram;
    to->before += count;
    while (to->next <= to->before) {
        const double middle = bucket_middle(head, bucket, to->are_integers);
        to->quantiles[to->found++] = middle < histogram->minimum   ? histogram->minimum
                                     : middle > histogram->maximum ? histogram->maximum
                                                                   : middle;
        if (to->found == to->count) return false;
        to->next = rank_of(histogram, to->shares[to->found]);
    }
    return true;
}

void assay_histogram_quantiles(const assay_histogram *histogram, const double *shares, size_t count, bool are_integers,
                               double *quantiles)
{
    for (size_t i = 0; i < count; i++) quantiles[i] = (double)NAN;
    if (histogram->count == 0 || count == 0) return;
    ranks to = {histogram, shares, quantiles, 0, count, 0, rank_of(histogram, shares[0]), are_integers};
    for_each_bucket(histogram, &to, find_ranks);
}

double assay_histogram_quantile(const assay_histogram *histogram, double share, bool are_integers)
{
    double quantile;
    assay_histogram_quantiles(histogram, &share, 1, are_integers, &quantile);
    return quantile;
}

typedef struct bars {
    uint64_t *counts;
    size_t count;
    double minimum, width;
} bars;

static bool add_bar(void *context, unsigned head, size_t bucket, uint64_t count)
{
    bars *to = context;
    const double place = (bucket_middle(head, bucket, true) - to->minimum) / to->width;
    size_t bar = place > 0 ? (place < (double)to->count ? (size_t)place : to->count - 1) : 0;
    to->counts[bar] += count;
    return true;
}

void assay_histogram_bars(const assay_histogram *histogram, uint64_t *counts, size_t count)
{
    memset(counts, 0, count * sizeof *counts);
    if (histogram->count == 0 || count == 0) return;
    const double width = histogram->maximum / (double)count - histogram->minimum / (double)count;
    if (!(width > 0)) {
        counts[0] = histogram->count;
        return;
    }
    bars to = {counts, count, histogram->minimum, width};
    for_each_bucket(histogram, &to, add_bar);
}
