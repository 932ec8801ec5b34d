/* JSON as a complete text (RFC 8259), such as the cell of an array or object. */
#ifndef ASSAY_JSON_TEXT_H
#define ASSAY_JSON_TEXT_H

#include "assay/core.h"

/* The first byte of the value, such as '{' or '"'; 0 if the text is only white space. */
uint8_t assay_json_text_opening(const uint8_t *bytes, size_t count);

/* Whether the whole text is one value. UNDECIDED if more than 4,096 brackets are open at once. `*members` becomes the
   number of elements or members of the outermost array or object if the text passes; it may be NULL. Names may be
   duplicates. */
assay_verdict assay_json_text_evaluate(const uint8_t *bytes, size_t count, size_t *members);

/* The max nesting level of arrays and objects that are compared. */
enum { ASSAY_JSON_LEVELS = 64 };

/* The canonical form of a well-formed text. Two texts have the same form exactly if they are equal: arrays with the
   same order, objects in any order, numbers by value, strings without escapes. Only the last of several members with
   one name counts. All arrays and objects beyond ASSAY_JSON_LEVELS are equal, so compare only with values that do not
   have any. O(n log n) for n bytes, in 14 times the memory. The caller frees the result. Returns NULL if memory runs
   out. */
uint8_t *assay_json_text_canonical(const uint8_t *bytes, size_t count, size_t *canonical_count);

/* The max length of the canonical form of a text of `count` bytes. */
size_t assay_json_text_canonical_max(size_t count);

/* Return the place after white space, or after a scalar, at `at`. The second function returns SIZE_MAX if the bytes are
   not a string, number, true, false or null. */
size_t assay_json_text_skip_space(const uint8_t *bytes, size_t count, size_t at);
size_t assay_json_text_skip_scalar(const uint8_t *bytes, size_t count, size_t at);

/* Reads an unescaped string byte by byte. */
typedef struct assay_json_text_reader {
    const uint8_t *at;
    const uint8_t *end;
    uint8_t unit[4]; /* the character of an escape */
    size_t unit_count;
    size_t unit_at;
} assay_json_text_reader;

/* Begins to read a string. `bytes` must be a well-formed string without its quotes. */
assay_json_text_reader assay_json_text_read(const uint8_t *bytes, size_t count);

/* The next byte, or −1 at the end. */
int assay_json_text_next(assay_json_text_reader *reader);

#endif
