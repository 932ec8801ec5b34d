/* The patterns and values of Tests/Hostile/patterns.tsv. */
#ifndef ASSAY_TEST_HOSTILE_H
#define ASSAY_TEST_HOSTILE_H

#include "assay/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hostile_case {
    char *line; /* owns the texts */
    const char *name;
    uint32_t options;
    char *pattern;
    char *unit;
} hostile_case;

static inline char *hostile_repeated(const char *before, const char *repeated, size_t times, const char *after)
{
    const size_t size = strlen(repeated);
    char *text = malloc(strlen(before) + size * times + strlen(after) + 1);
    char *at = text + sprintf(text, "%s", before);
    for (size_t i = 0; i < times; i++, at += size) memcpy(at, repeated, size);
    strcpy(at, after);
    return text;
}

/* Reads the next case of the file. Returns false at its end. The caller frees the case with hostile_free. */
static inline bool hostile_next(FILE *file, hostile_case *hostile)
{
    static char line[1 << 16];
    do {
        if (fgets(line, sizeof line, file) == NULL) return false;
    } while (line[0] == '#');
    line[strcspn(line, "\n")] = 0;
    *hostile = (hostile_case){.line = hostile_repeated(line, "", 0, "")};
    char *fields[7];
    char *at = hostile->line;
    for (size_t i = 0; i < 7; i++) {
        fields[i] = at;
        at += strcspn(at, "\t");
        if (*at != 0) *at++ = 0;
    }
    hostile->name = fields[0];
    hostile->options = strchr(fields[1], 'i') != NULL ? ASSAY_PATTERN_CASE_INSENSITIVE : 0;
    hostile->pattern = hostile_repeated(fields[2], fields[3], strtoul(fields[4], NULL, 10), fields[5]);
    hostile->unit = fields[6];
    char *newline = strstr(hostile->unit, "\\n");
    if (newline != NULL) strcpy(newline, "\n");
    return true;
}

static inline void hostile_free(hostile_case *hostile)
{
    free(hostile->pattern);
    free(hostile->line);
}

/* Repeats the unit as often as it fits into `max` bytes, but at least once. */
static inline uint8_t *hostile_value(const hostile_case *hostile, size_t max, size_t *count)
{
    const size_t size = strlen(hostile->unit);
    const size_t times = max < size ? 1 : max / size;
    *count = times * size;
    return (uint8_t *)hostile_repeated("", hostile->unit, times, "");
}

#endif
