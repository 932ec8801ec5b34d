#include "re2_loop.h"

#include <memory>
#include <re2/re2.h>
#include <vector>

struct re2_patterns {
    std::vector<std::unique_ptr<RE2>> all;
    RE2::Anchor anchor;
};

/* More than RE2's default of 8 MiB, so that large patterns keep their DFA. */
static const int64_t MEMORY_BYTES = 64 << 20;

re2_patterns *re2_patterns_create(const char *const *texts, const size_t *lengths, size_t count, bool is_search)
{
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(MEMORY_BYTES);
    auto patterns = std::make_unique<re2_patterns>();
    patterns->anchor = is_search ? RE2::UNANCHORED : RE2::ANCHOR_BOTH;
    for (size_t i = 0; i < count; i++) {
        patterns->all.push_back(std::make_unique<RE2>(re2::StringPiece(texts[i], lengths[i]), options));
        if (!patterns->all.back()->ok()) return nullptr;
    }
    return patterns.release();
}

void re2_patterns_free(re2_patterns *patterns) { delete patterns; }

size_t re2_patterns_count(const re2_patterns *patterns, const uint8_t *bytes, const int32_t *offsets, size_t count)
{
    const char *text = reinterpret_cast<const char *>(bytes);
    size_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = static_cast<size_t>(offsets[i + 1] - offsets[i]);
        re2::StringPiece value(text + offsets[i], length);
        bool all = true;
        for (const auto &pattern : patterns->all) {
            /* The call in RE2::FullMatch and RE2::PartialMatch, without their variable arguments. */
            all = pattern->Match(value, 0, length, patterns->anchor, nullptr, 0);
            if (!all) break;
        }
        matches += all;
    }
    return matches;
}
