/* Fuzzes the search for values that take long: an options byte, then the pattern. A second
   search must find the same value with the same steps, and the work must stay within its bound for each pattern. */
#include "assay/core.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 200) return 0; /* longer ones take longer and find no more */
    assay_pattern *pattern = assay_pattern_create(data + 1, size - 1, data[0] & 0xFFu, 0, NULL);
    if (pattern == NULL) return 0;
    assay_witness witness;
    const bool is_done = assay_pattern_find_witness(pattern, &witness);
    if (witness.work > ASSAY_WITNESS_WORK) abort();
    if (is_done && witness.growth != ASSAY_GROWTH_NOT_FOUND) {
        const size_t count = witness.prefix_count + witness.pump_count + witness.suffix_count;
        if (witness.repeats == 0 || witness.pump_count == 0 || count > sizeof witness.text) abort();
        if (assay_utf8_valid_prefix(witness.text, count) != count) abort();
        if (witness.steps[1] < witness.steps[0] || witness.steps[2] <= 2 * witness.steps[1]) abort();
        assay_witness again;
        if (!assay_pattern_find_witness(pattern, &again) || memcmp(&again, &witness, sizeof again) != 0) abort();
    }
    assay_pattern_free(pattern);
    return 0;
}
