/* JSON in a text by itself (RFC 8259), such as the cell of an array or an object. */
#ifndef ASSAY_JSON_TEXT_H
#define ASSAY_JSON_TEXT_H

#include "assay/core.h"

/* The byte that the value begins with, such as '{' or '"'; 0: there is nothing but white space. */
uint8_t assay_json_text_opening(const uint8_t *bytes, size_t count);

/* Whether the whole text is one value; UNDECIDED if it has more than 4,096 brackets open at once. `members` (may be NULL): how many
   elements or members the outermost array or object has, if it passes. Names may occur twice. */
assay_verdict assay_json_text_judge(const uint8_t *bytes, size_t count, size_t *members);

/* Whether two texts, which are well-formed, are the same value: arrays in order, objects in any, numbers by what they are, strings
   by what they mean. It calls itself for each level that both have. */
bool assay_json_text_equal(const uint8_t *left, size_t left_count, const uint8_t *right, size_t right_count);

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
