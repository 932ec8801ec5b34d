#include "Memory/assay_grow.h"
#include "Repairs/assay_repair.h"

#include <stdlib.h>

void repair_text_free(repair_text *text) { free(text->bytes); }

bool repair_text_reserve(repair_text *text, size_t more)
{
    return assay_grow(&text->bytes, &text->capacity, 1, text->count + more);
}
