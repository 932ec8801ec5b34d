#include "hyperscan_loop.h"

#include <hs/hs.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PATTERNS = 32 };

struct hyperscan_patterns {
    hs_database_t *database;
    hs_scratch_t *scratch;
    uint32_t all; /* a bit for each pattern */
};

/* A copy with \A(?:…)\z around it: Hyperscan has no option for the whole value. */
static char *anchored(const char *text, size_t length)
{
    static const char before[] = "\\A(?:", after[] = ")\\z";
    char *copy = malloc(sizeof before + length + sizeof after);
    if (copy == NULL) return NULL;
    memcpy(copy, before, sizeof before - 1);
    memcpy(copy + sizeof before - 1, text, length);
    memcpy(copy + sizeof before - 1 + length, after, sizeof after);
    return copy;
}

hyperscan_patterns *hyperscan_patterns_create(const char *const *texts, const size_t *lengths, size_t count)
{
    if (count == 0 || count > MOST_PATTERNS) return NULL;
    hyperscan_patterns *patterns = calloc(1, sizeof *patterns);
    if (patterns == NULL) return NULL;
    char *copies[MOST_PATTERNS];
    unsigned flags[MOST_PATTERNS], ids[MOST_PATTERNS];
    for (size_t i = 0; i < count; i++) {
        copies[i] = anchored(texts[i], lengths[i]);
        flags[i] = HS_FLAG_UTF8 | HS_FLAG_SINGLEMATCH | HS_FLAG_ALLOWEMPTY;
        ids[i] = (unsigned)i;
        patterns->all |= UINT32_C(1) << i;
    }
    hs_compile_error_t *error = NULL;
    hs_error_t status = hs_compile_multi((const char *const *)copies, flags, ids, (unsigned)count, HS_MODE_BLOCK, NULL,
                                         &patterns->database, &error);
    hs_free_compile_error(error);
    for (size_t i = 0; i < count; i++) free(copies[i]);
    if (status != HS_SUCCESS || hs_alloc_scratch(patterns->database, &patterns->scratch) != HS_SUCCESS) {
        hyperscan_patterns_free(patterns);
        return NULL;
    }
    return patterns;
}

void hyperscan_patterns_free(hyperscan_patterns *patterns)
{
    if (patterns == NULL) return;
    hs_free_scratch(patterns->scratch);
    hs_free_database(patterns->database);
    free(patterns);
}

static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *context)
{
    (void)from, (void)to, (void)flags;
    *(uint32_t *)context |= UINT32_C(1) << id;
    return 0;
}

size_t hyperscan_patterns_count(const hyperscan_patterns *patterns, const uint8_t *bytes, const int32_t *offsets,
                                size_t count)
{
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t found = 0;
        unsigned length = (unsigned)(offsets[i + 1] - offsets[i]);
        hs_scan(patterns->database, (const char *)bytes + offsets[i], length, 0, patterns->scratch, on_match, &found);
        matches += found == patterns->all;
    }
    return matches;
}
