/* JSON in a text by itself (RFC 8259), such as the cell of an array or an object. */
#ifndef ASSAY_JSON_TEXT_H
#define ASSAY_JSON_TEXT_H

#include "assay/core.h"

/* The byte that the value begins with, such as '{' or '"'; 0: there is nothing but white space. */
uint8_t assay_json_text_opening(const uint8_t *bytes, size_t count);

/* Whether the whole text is one value; UNDECIDED if it has more than 4,096 brackets open at once. `members` (may be NULL): how many
   elements or members the outermost array or object has, if it passes. Names may occur twice. */
assay_verdict assay_json_text_judge(const uint8_t *bytes, size_t count, size_t *members);

/* Levels of arrays and objects that are compared. */
enum { ASSAY_JSON_LEVELS = 64 };

/* What a well-formed text means, as bytes: two texts have the same ones exactly if they are the same value: arrays in order,
   objects in any, numbers by what they are, strings by what they mean; of members with one name the last one counts. What is beyond
   ASSAY_JSON_LEVELS is not told apart: compare with values that have none such. O(n log n) for n bytes, in 14 times the memory.
   The caller frees it. NULL: out of memory. */
uint8_t *assay_json_text_canonical(const uint8_t *bytes, size_t count, size_t *canonical_count);

/* Bytes that the canonical form of a text of `count` bytes has at most. */
size_t assay_json_text_canonical_most(size_t count);

/* Steps. Each returns the place behind what stands at `at`; the second one SIZE_MAX if no string, number, true, false or null
   stands there. */
size_t assay_json_text_skip_space(const uint8_t *bytes, size_t count, size_t at);
size_t assay_json_text_skip_scalar(const uint8_t *bytes, size_t count, size_t at);

/* Reads what a string means, byte by byte. */
typedef struct assay_json_text_reader {
    const uint8_t *at;
    const uint8_t *end;
    uint8_t unit[4]; /* of an escape */
    size_t unit_count;
    size_t unit_at;
} assay_json_text_reader;

/* `bytes`: a well-formed string without its quotes. */
assay_json_text_reader assay_json_text_read(const uint8_t *bytes, size_t count);

/* The next byte, or −1. */
int assay_json_text_next(assay_json_text_reader *reader);

#endif
