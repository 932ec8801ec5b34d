/* Lists: several values of one type in a cell. */
#ifndef ASSAY_LIST_H
#define ASSAY_LIST_H

#include "assay/core.h"

/* The type of the items and their notation.
 *
 *     delimiter ";"     a;b;c     three strings; the empty text has no items, "a;" has two
 *     JSON              ["a"]     strings, numbers, true and false, but not null */
typedef struct assay_list {
    const assay_type *item; /* NULL: strings */
    assay_kind item_kind;
    assay_text delimiter;
} assay_list;

/* A list in a text. */
typedef struct assay_list_text {
    const uint8_t *bytes;
    size_t count;
    bool is_json;
} assay_list_text;

/* Whether a text is a list of this kind. `*items` becomes the number of items; it may be NULL. UNDECIDED if an item in
   JSON has escapes and more than 1,024 bytes and its type is not a string. */
assay_verdict assay_list_evaluate(const assay_list *list, assay_list_text text, size_t *items);

/* Whether two lists have equal items, and a hash that is the same for equal lists. The texts must be lists. */
bool assay_list_equal(const assay_list *list, assay_list_text left, assay_list_text right);
uint64_t assay_list_hash(const assay_list *list, assay_list_text text);

/* Calls `visit` with each unescaped item. Returns false if memory runs out. */
bool assay_list_visit(const assay_list *list, assay_list_text text,
                      void (*visit)(void *context, const uint8_t *bytes, size_t count), void *context);

#endif
