#include "hyperscan_loop.h"

#include <hs/hs.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATTERNS = 32 };

struct hyperscan_patterns {
    hs_database_t *database;
    hs_scratch_t *scratch;
    uint32_t all; /* a bit for each pattern */
};

/* A copy of a pattern, with \A(?:…)\z around it for full matches, because Hyperscan has no option for these. */
static char *copied(const char *text, size_t length, bool is_search)
{
    const char *before = is_search ? "" : "\\A(?:", *after = is_search ? "" : ")\\z";
    const size_t start = strlen(before), rest = strlen(after) + 1;
    char *copy = malloc(start + length + rest);
    if (copy == NULL) return NULL;
    memcpy(copy, before, start);
    memcpy(copy + start, text, length);
    memcpy(copy + start + length, after, rest);
    return copy;
}

hyperscan_patterns *hyperscan_patterns_create(const char *const *texts, const size_t *lengths, size_t count,
                                              bool is_search)
{
    if (count == 0 || count > MAX_PATTERNS) return NULL;
    hyperscan_patterns *patterns = calloc(1, sizeof *patterns);
    if (patterns == NULL) return NULL;
    char *copies[MAX_PATTERNS];
    unsigned flags[MAX_PATTERNS], ids[MAX_PATTERNS];
    for (size_t i = 0; i < count; i++) {
        copies[i] = copied(texts[i], lengths[i], is_search);
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

/* Returns non-zero, which ends the scan, if all patterns have matched. `context` has a bit for each of the others. */
static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *context)
{
    (void)from, (void)to, (void)flags;
    uint32_t *missing = context;
    *missing &= ~(UINT32_C(1) << id);
    return *missing == 0;
}

size_t hyperscan_patterns_count(const hyperscan_patterns *patterns, const uint8_t *bytes, const int32_t *offsets,
                                size_t count)
{
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t missing = patterns->all;
        unsigned length = (unsigned)(offsets[i + 1] - offsets[i]);
        hs_scan(patterns->database, (const char *)bytes + offsets[i], length, 0, patterns->scratch, on_match, &missing);
        matches += missing == 0;
    }
    return matches;
}
