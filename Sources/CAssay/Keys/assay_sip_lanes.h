/* assay_sip_lanes.h: SipHash-2-4 of eight texts at once, each of as many words. */
#ifndef ASSAY_SIP_LANES_H
#define ASSAY_SIP_LANES_H

#include <stddef.h>
#include <stdint.h>

/* A text of more words is hashed alone. */
enum { sip_lane_count = 8, sip_lane_words = 8 };

/* The texts in columns, so that a vector holds the same word of each.
 *
 *     lane        0        1        2    …
 *     words[0]   user-100 user-101 user-102
 *     words[1]   @x.org⟨14⟩ …                      the last word as in assay_sip_bytes */
typedef struct assay_sip_lanes {
    /* The keys of the hash function, and then the hashes. */
    uint64_t low[sip_lane_count], high[sip_lane_count];
    uint64_t words[sip_lane_words][sip_lane_count];
} assay_sip_lanes;

#endif
