/* Lists: several values of one type in a cell. */
#ifndef ASSAY_LIST_H
#define ASSAY_LIST_H

#include "assay/core.h"

/* What the items are and how they stand in a text.
 *
 *     delimiter ";"     a;b;c     three strings; the empty text has no items, "a;" has two
 *     JSON              ["a"]     strings, numbers, true and false, none of them null */
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

/* Whether a text is such a list, and in *items (may be NULL) how many it has. UNDECIDED: an item in JSON that is no string has
   more than a thousand bytes, and escapes among them. */
assay_verdict assay_list_judge(const assay_list *list, assay_list_text text, size_t *items);

/* Whether two lists have equal items; and what equal ones have in common. Both are lists. */
bool assay_list_equal(const assay_list *list, assay_list_text left, assay_list_text right);
uint64_t assay_list_hash(const assay_list *list, assay_list_text text);

/* Calls `visit` with each item, its escapes undone. False: no memory. */
bool assay_list_visit(const assay_list *list, assay_list_text text,
                      void (*visit)(void *context, const uint8_t *bytes, size_t count), void *context);

#endif
