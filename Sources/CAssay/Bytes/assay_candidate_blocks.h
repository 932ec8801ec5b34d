/* assay_candidate_blocks.h: finds the bytes of an assay_prefix_filter in text. Included by assay_kernels_*.c after an
   assay_block_*.h. */

#include "SIMD/assay_prefix_filter.h"

#include <string.h>

BLOCK_INLINE uint64_t block_candidates(const uint8_t *bytes, const assay_prefix_filter *filter)
{
    const block_stage all = block_stage_of(filter, PREFIX_ALL);
    return block_hits_mask(block_first_stage(bytes, &all, PREFIX_ALL));
}

/* The candidates among the last starts of a text: fewer than 64 + longest - 1 bytes remain. */
BLOCK_INLINE uint64_t candidates_at_end(const uint8_t *bytes, size_t rest, const assay_prefix_filter *filter)
{
#ifdef BLOCK_HAS_MASKED_LOADS
    return block_candidates_at_end(bytes, rest, filter);
#else
    uint8_t copy[64 + prefix_span_max - 1];
    memset(copy, 0, sizeof copy);
    memcpy(copy, bytes, rest);
    return block_candidates(copy, filter);
#endif
}

/* From this length on, the first byte of a stage is read at multiples of 64, because other reads take two lines of the
 * cache. */
enum { ALIGNED_MIN = 4096 };

/* `stage` is a constant in each caller. */
BLOCK_INLINE size_t find_candidate_by(const uint8_t *bytes, size_t from, size_t count, size_t readable,
                                      const assay_prefix_filter *filter, prefix_stage stage)
{
    const block_stage needle = block_stage_of(filter, stage);
    const size_t block_reads = 64 + (size_t)filter->longest - 1;
    size_t i = from;
    if (stage != PREFIX_ALL && count - i >= ALIGNED_MIN) {
        uint64_t candidates;
        if (block_has_hits(block_first_stage(bytes + i, &needle, stage)) &&
            (candidates = block_candidates(bytes + i, filter)) != 0) {
            return i + (size_t)__builtin_ctzll(candidates);
        }
        i += 64 - ((uintptr_t)(bytes + i + filter->place[0]) & 63);
    }
    for (; stage != PREFIX_ALL && count - i >= 192 + block_reads; i += 256) {
        const block_hits hits0 = block_first_stage(bytes + i, &needle, stage);
        const block_hits hits1 = block_first_stage(bytes + i + 64, &needle, stage);
        const block_hits hits2 = block_first_stage(bytes + i + 128, &needle, stage);
        const block_hits hits3 = block_first_stage(bytes + i + 192, &needle, stage);
        const block_hits all = block_join_hits(block_join_hits(hits0, hits1), block_join_hits(hits2, hits3));
        if (__builtin_expect(!block_has_hits(all), 1)) continue;
        uint64_t candidates;
        if (block_has_hits(hits0) && (candidates = block_candidates(bytes + i, filter)) != 0) {
            return i + (size_t)__builtin_ctzll(candidates);
        }
        if (block_has_hits(hits1) && (candidates = block_candidates(bytes + i + 64, filter)) != 0) {
            return i + 64 + (size_t)__builtin_ctzll(candidates);
        }
        if (block_has_hits(hits2) && (candidates = block_candidates(bytes + i + 128, filter)) != 0) {
            return i + 128 + (size_t)__builtin_ctzll(candidates);
        }
        if (block_has_hits(hits3) && (candidates = block_candidates(bytes + i + 192, filter)) != 0) {
            return i + 192 + (size_t)__builtin_ctzll(candidates);
        }
    }
    for (; count - i >= block_reads; i += 64) {
        const block_hits hits = block_first_stage(bytes + i, &needle, stage);
        if (!block_has_hits(hits)) continue;
        const uint64_t candidates = stage == PREFIX_ALL ? block_hits_mask(hits) : block_candidates(bytes + i, filter);
        if (candidates != 0) return i + (size_t)__builtin_ctzll(candidates);
    }
    if (count - i >= filter->shortest && filter->shortest == filter->longest && count >= block_reads) {
        /* Reread the last block; the shift removes the places before i. */
        const uint8_t *last = bytes + count - block_reads;
        const block_hits hits = block_first_stage(last, &needle, stage);
        if (!block_has_hits(hits)) return count;
        uint64_t candidates = stage == PREFIX_ALL ? block_hits_mask(hits) : block_candidates(last, filter);
        candidates >>= block_reads - (count - i);
        return candidates != 0 ? i + (size_t)__builtin_ctzll(candidates) : count;
    }
    for (; count - i >= filter->shortest; i += 64) { /* up to twice, because a short prefix may follow the 64th place */
        const size_t starts = count - i - filter->shortest + 1;
        uint64_t candidates = readable - i >= block_reads ? block_candidates(bytes + i, filter)
                                                          : candidates_at_end(bytes + i, count - i, filter);
        if (starts < 64) candidates &= (UINT64_C(1) << starts) - 1;
        if (candidates != 0) return i + (size_t)__builtin_ctzll(candidates);
        if (starts <= 64) break;
    }
    return count;
}

/* Each stage is a function, so that short searches save only the registers that they use. */
#define FIND_CANDIDATE(name, stage)                                                                                    \
    BLOCK_TARGET static __attribute__((noinline)) size_t name(const uint8_t *bytes, size_t from, size_t count,         \
                                                              size_t readable, const assay_prefix_filter *filter)      \
    {                                                                                                                  \
        return find_candidate_by(bytes, from, count, readable, filter, stage);                                         \
    }

FIND_CANDIDATE(find_all_blocks, PREFIX_ALL)
FIND_CANDIDATE(find_one_blocks, PREFIX_ONE)
FIND_CANDIDATE(find_pair_blocks, PREFIX_PAIR)
FIND_CANDIDATE(find_one_compared_blocks, PREFIX_ONE_COMPARED)
FIND_CANDIDATE(find_pair_compared_blocks, PREFIX_PAIR_COMPARED)

#undef FIND_CANDIDATE

BLOCK_TARGET static size_t find_candidate_blocks(const uint8_t *bytes, size_t from, size_t count, size_t readable,
                                                 const assay_prefix_filter *filter)
{
    switch (filter->stage) {
    case PREFIX_ALL:
        return find_all_blocks(bytes, from, count, readable, filter);
    case PREFIX_ONE:
        return find_one_blocks(bytes, from, count, readable, filter);
    case PREFIX_PAIR:
        return find_pair_blocks(bytes, from, count, readable, filter);
    case PREFIX_ONE_COMPARED:
        return find_one_compared_blocks(bytes, from, count, readable, filter);
    case PREFIX_PAIR_COMPARED:
        return find_pair_compared_blocks(bytes, from, count, readable, filter);
    }
    return from;
}
