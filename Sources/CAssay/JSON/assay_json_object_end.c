/* The place in an object for a note. */
#include "JSON/assay_json.h"

size_t assay_json_object_end(const uint8_t *bytes, size_t start, size_t end, bool *is_empty)
{
    *is_empty = false;
    while (end > start && assay_json_is_space(bytes[end - 1])) end--;
    if (end == start || bytes[end - 1] != '}') return SIZE_MAX;
    const size_t brace = end - 1;
    size_t before = brace;
    while (before > start && assay_json_is_space(bytes[before - 1])) before--;
    /* The byte before the brace is { only if the outer object is empty, because an inner object ends with }. */
    *is_empty = before > start && bytes[before - 1] == '{';
    return brace;
}
