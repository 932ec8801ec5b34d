/* assay_sip_lanes.h: SipHash-2-4 of eight texts at once, all with the same number of words. */
#ifndef ASSAY_SIP_LANES_H
#define ASSAY_SIP_LANES_H

#include <stddef.h>
#include <stdint.h>

/* The lanes, and the maximum number of words per lane. Longer texts are hashed one by one. */
enum { sip_lane_count = 8, sip_lane_words = 8 };

/* The texts in columns, so that a vector contains the same word of all texts.
 *
 *     lane        0        1        2    …
 *     words[0]   user-100 user-101 user-102
 *     words[1]   @x.org⟨14⟩ …                      the last word as in assay_sip_bytes */
typedef struct assay_sip_lanes {
    /* Input: the keys of the hash function. Output: the hashes. */
    uint64_t low[sip_lane_count], high[sip_lane_count];
    uint64_t words[sip_lane_words][sip_lane_count];
} assay_sip_lanes;

#endif
