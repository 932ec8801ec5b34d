// assay/assay_tables.hpp: repairs, profiles and inferred rules of assay.hpp, which includes this file.
#ifndef ASSAY_ASSAY_TABLES_HPP
#define ASSAY_ASSAY_TABLES_HPP

#include "assay_checks.hpp"

namespace assay {

// -- Repairs

// The number of cells that one repair changed. The text lives as long as the changes.
struct change_count {
    std::string_view repair; // "trim", and "trim.2" for its second use in the list
    std::uint64_t cells;
};

// The cells that the repairs of a column changed. Many threads may read it.
class changes {
public:
    explicit changes(assay_changes *owned) noexcept : handle_(owned) {}

    assay_changes *get() const noexcept { return handle_.get(); }
    // The number of cells that any repair changed.
    std::uint64_t cells() const noexcept { return assay_changes_cells(get()); }
    // The number of cells left unchanged because applying their repairs again would change them again.
    std::uint64_t unsettled() const noexcept { return assay_changes_unsettled(get()); }

    std::vector<change_count> counts() const
    {
        std::vector<change_count> counts;
        assay_change_count one{};
        while (assay_changes_get(get(), counts.size(), &one, sizeof one)) counts.push_back({one.repair, one.cells});
        return counts;
    }

private:
    detail::handle<assay_changes, assay_changes_free> handle_;
};

// A repaired column.
struct repaired {
    // Values of the type large_utf8 or large_binary. Both are empty if no value changed.
    arrow_array array;
    arrow_schema schema;
    assay::changes changes;
};

namespace detail {

template <typename Call> repaired repaired_by(options given, Call &&call)
{
    call_options options(std::move(given));
    assay_changes *counts = nullptr;
    repaired made{{}, {}, changes(nullptr)};
    assay_fault *fault = call(options.c(), made.array.get(), made.schema.get(), &counts);
    made.changes = changes(counts);
    options.check(fault);
    return made;
}

} // namespace detail

inline repaired rules::repair(std::size_t field, const column &column, options options) const
{
    return detail::repaired_by(std::move(options), [&](const assay_options *c, ArrowArray *array, ArrowSchema *schema,
                                                       assay_changes **counts) {
        return assay_rules_repair_column(get(), field, &column.get(), column.size(), c, array, schema, counts);
    });
}

inline repaired rules::repair_arrow(std::size_t field, const ArrowSchema &schema, const ArrowArray &array,
                                    options options) const
{
    return detail::repaired_by(std::move(options), [&](const assay_options *c, ArrowArray *to, ArrowSchema *type,
                                                       assay_changes **counts) {
        return assay_rules_repair_arrow_column(get(), field, &schema, &array, c, to, type, counts);
    });
}

// -- Profiles and inferred rules

// A table that can be read more than once: a CSV or JSON Lines file, or a function that opens a new stream of the same
// record batches at each call. The function may throw, and the functions of its batch_source may throw.
class table {
public:
    explicit table(std::string path) : path_(std::move(path)) {}
    // `name`: of the table in messages.
    explicit table(std::function<arrow_stream()> open, std::string name = {})
        : open_([open = std::move(open)](detail::thrown &) { return open(); }), name_(std::move(name))
    {
    }
    explicit table(std::function<batch_source()> open, std::string name = {})
        : open_([open = std::move(open)](detail::thrown &exception) { return detail::stream_of(open(), exception); }),
          name_(std::move(name))
    {
    }

private:
    friend std::string profile(const table &table, bool shows_values, options options, const rules *rules);
    friend std::string infer(const table &table, options options, const rules *rules);

    // Calls a function with the table in the form of C. Returns the text that the function writes.
    template <typename Call> std::string read(options given, Call &&call) const
    {
        detail::call_options options(std::move(given));
        struct context {
            const table *self;
            detail::thrown *exception;
        } context{this, &options.exception()};
        assay_table c{};
        c.size = sizeof c;
        c.path = detail::or_null(path_);
        c.name = detail::or_null(name_);
        if (open_) {
            c.context = &context;
            c.open = [](void *context, ArrowArrayStream *stream) {
                const auto *own = static_cast<struct context *>(context);
                return own->exception->run(5, [&] {
                    *stream = own->self->open_(*own->exception).release();
                    return 0;
                });
            };
        }
        return options.text_of([&](char **text) { return call(&c, options.c(), text); });
    }

    std::string path_;
    std::function<arrow_stream(detail::thrown &)> open_;
    std::string name_;
};

// Profiles every value of a table. Returns JSON. `rules`: for the dialect and the limits; null: the defaults.
inline std::string profile(const table &table, bool shows_values = false, options options = {},
                           const rules *rules = nullptr)
{
    return table.read(std::move(options), [&](const assay_table *c, const assay_options *given, char **text) {
        return assay_rules_profile(rules == nullptr ? nullptr : rules->get(), c, shows_values, given, text);
    });
}

// Infers rules that fit the values of a table. Returns a rule file in YAML. `rules`: as for profile().
inline std::string infer(const table &table, options options = {}, const rules *rules = nullptr)
{
    return table.read(std::move(options), [&](const assay_table *c, const assay_options *given, char **text) {
        return assay_rules_infer(rules == nullptr ? nullptr : rules->get(), c, given, text);
    });
}

} // namespace assay

#endif
