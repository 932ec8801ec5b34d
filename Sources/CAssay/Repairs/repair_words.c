/* Repairs of whole values: missing words, maps, defaults. */
#include "Repairs/assay_repair.h"

#include "Bytes/assay_hash.h"

#include <stdlib.h>

typedef struct word {
    assay_text from; /* bytes == NULL: an empty slot */
    assay_text to;
} word;

struct repair_words {
    size_t mask; /* the number of slots, a power of two, minus one; at most half are used */
    uint8_t *storage;
    word slots[];
};

static word *slot_of(const repair_words *words, assay_text text)
{
    size_t index = (size_t)assay_hash_bytes(text.bytes, text.count) & words->mask;
    while (words->slots[index].from.bytes != NULL && !repair_text_equal(words->slots[index].from, text)) {
        index = (index + 1) & words->mask;
    }
    return (word *)&words->slots[index];
}

repair_words *repair_words_create(const assay_text *texts, size_t count, bool are_pairs)
{
    size_t slots = 8, bytes = 1; /* at least one byte, because a NULL text marks an empty slot */
    while (slots / 2 < count) slots *= 2;
    for (size_t i = 0; i < count; i++) bytes += texts[i].count;
    repair_words *words = calloc(1, sizeof *words + slots * sizeof(word));
    if (words == NULL) return NULL;
    words->mask = slots - 1;
    words->storage = malloc(bytes);
    if (words->storage == NULL) {
        free(words);
        return NULL;
    }
    uint8_t *end = words->storage;
    for (size_t i = 0; i < count; i += are_pairs ? 2 : 1) {
        word added = {{end, texts[i].count}, {end, 0}};
        if (texts[i].count > 0) memcpy(end, texts[i].bytes, texts[i].count);
        end += texts[i].count;
        if (are_pairs) {
            added.to = (assay_text){end, texts[i + 1].count};
            if (texts[i + 1].count > 0) memcpy(end, texts[i + 1].bytes, texts[i + 1].count);
            end += texts[i + 1].count;
        }
        *slot_of(words, added.from) = added;
    }
    return words;
}

void repair_words_free(repair_words *words)
{
    if (words == NULL) return;
    free(words->storage);
    free(words);
}

void repair_words_for_each(const repair_words *words, void (*body)(void *context, assay_text word), void *context)
{
    for (size_t i = 0; i <= words->mask; i++) {
        if (words->slots[i].from.bytes != NULL) body(context, words->slots[i].from);
    }
}

assay_text repair_words_find(const repair_words *words, assay_text text)
{
    const word *found = slot_of(words, text);
    return found->from.bytes == NULL ? (assay_text){NULL, 0} : found->to;
}

repair_outcome repair_map(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    const assay_text to = repair_words_find(step->words, in);
    if (to.bytes == NULL) return REPAIR_LEFT;
    return repair_text_append(out, to.bytes, to.count) ? REPAIR_WRITTEN : REPAIR_NO_MEMORY;
}

repair_outcome repair_missing(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    return repair_map(step, scratch, in, out);
}

repair_outcome repair_default(const repair_step *step, assay_scratch *scratch, assay_text in, repair_text *out)
{
    (void)scratch;
    if (repair_words_find(step->words, in).bytes == NULL) return REPAIR_LEFT;
    return repair_text_append(out, step->text.bytes, step->text.count) ? REPAIR_WRITTEN : REPAIR_NO_MEMORY;
}
