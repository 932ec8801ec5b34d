/* The normal forms of UAX #15, over arrays of scalars:
 *
 *     é  ──decompose──►  e ◌́  ──order──►  e ◌́  ──compose──►  é       NFC; with compatible decompositions NFKC */
#ifndef ASSAY_NORMAL_FORM_H
#define ASSAY_NORMAL_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ASSAY_DECOMPOSITION_MAX = 18,          /* scalars of the longest decomposition: U+FDFA in NFKD */
    ASSAY_CANONICAL_DECOMPOSITION_MAX = 4, /* in NFD */
};

/* Writes the complete decomposition of a scalar, canonical or compatible, and returns the number of its scalars. */
size_t assay_normal_form_decompose(uint32_t scalar, bool compatible, uint32_t *out);

/* Sorts into canonical order: marks between two starters by class. Stable for marks of the same class. `spare` has room
 * for `count` scalars. O(count log count). */
void assay_normal_form_order(uint32_t *scalars, uint32_t *spare, size_t count);

/* Composes ordered scalars in place, and returns their new number. O(count log compositions). */
size_t assay_normal_form_compose(uint32_t *scalars, size_t count);

/* Whether the normal form of a text with this scalar is that of the text before it and that of the text from it on. */
bool assay_normal_form_is_boundary(uint32_t scalar, bool compatible);

#endif
