/* Counts values with characters that often result from a mistake. */
#ifndef ASSAY_PROFILE_TEXT_H
#define ASSAY_PROFILE_TEXT_H

#include "assay/profile.h"

#include <stdbool.h>

/* Begins without anomalies. */
void profile_text_begin(assay_profile_anomalies *anomalies);

/* Adds the anomalies of a value that occurs `times` times. A value without rare bytes has no anomalies. O(bytes). */
void profile_text_add(assay_profile_anomalies *anomalies, const uint8_t *value, size_t count, uint64_t times,
                      uint64_t record);

void profile_text_merge(assay_profile_anomalies *into, const assay_profile_anomalies *from);

/* Whether a text has the form of an HTML entity at its front: &amp; &#233; &#xE9; or another name of HTML 4. */
bool profile_text_begins_with_entity(const uint8_t *text, size_t count);

/* Facts about a value that is not ASCII. */
typedef struct profile_text_facts {
    size_t scalars;
    bool has_ascii;     /* a byte of the value is ASCII */
    bool has_rare_lead; /* the value may have an anomaly that is not ASCII */
} profile_text_facts;

/* Reads a value that is not empty. O(bytes). */
profile_text_facts profile_text_read(const uint8_t *value, size_t count);

#endif
