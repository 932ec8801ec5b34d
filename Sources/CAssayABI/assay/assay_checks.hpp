// assay/assay_checks.hpp: rules, checks and results of assay.hpp, which includes this file.
#ifndef ASSAY_ASSAY_CHECKS_HPP
#define ASSAY_ASSAY_CHECKS_HPP

#include "assay.hpp"

namespace assay {

class rules;
struct repaired;

// -- Results

using totals = assay_totals;

// One failed or undecided rule of one record. The texts live as long as the result.
struct finding {
    std::uint64_t record;                   // from 1
    std::uint64_t line;                     // CSV: the physical line, from 1; otherwise 0
    std::uint64_t offset;                   // CSV: the byte at which the cell starts; otherwise 0
    std::optional<std::string_view> column; // absent for a finding about the whole record
    std::string_view rule, code, message;
    bool is_warning; // the record stays clean
};

// The findings of a result, read in batches, for a range-based `for`.
class finding_range {
public:
    class iterator {
    public:
        using value_type = finding;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        using pointer = const finding *;
        using reference = const finding &;

        iterator() noexcept = default;
        explicit iterator(const assay_result *result) : result_(result) { read(); }

        const finding &operator*() const noexcept { return current_; }
        const finding *operator->() const noexcept { return &current_; }
        iterator &operator++()
        {
            if (++index_ == count_) read();
            else convert();
            return *this;
        }
        void operator++(int) { ++*this; }
        // Only the end is compared.
        friend bool operator==(const iterator &one, const iterator &other) noexcept
        {
            return one.result_ == other.result_;
        }
        friend bool operator!=(const iterator &one, const iterator &other) noexcept { return !(one == other); }

    private:
        void read()
        {
            index_ = 0;
            count_ = assay_result_findings(result_, &cursor_, batch_.data(), sizeof batch_[0], batch_.size());
            if (count_ == 0) result_ = nullptr;
            else convert();
        }

        void convert() noexcept
        {
            const assay_finding &one = batch_[index_];
            current_ = {one.record, one.line, one.offset, std::nullopt, one.rule, one.code, one.message,
                        one.severity == ASSAY_SEVERITY_WARN};
            if (one.column != nullptr) current_.column = one.column;
        }

        const assay_result *result_ = nullptr;
        assay_cursor cursor_{};
        std::array<assay_finding, 32> batch_{};
        std::size_t index_ = 0, count_ = 0;
        finding current_{};
    };

    explicit finding_range(const assay_result *result) noexcept : result_(result) {}
    iterator begin() const { return iterator(result_); }
    iterator end() const noexcept { return iterator(); }

private:
    const assay_result *result_;
};

// The result of a check. Many threads may read it.
class result {
public:
    explicit result(assay_result *owned) noexcept : handle_(owned) {}

    assay_result *get() const noexcept { return handle_.get(); }
    result share() const noexcept { return result(assay_result_retain(get())); }

    assay::totals totals() const noexcept
    {
        assay::totals totals{};
        assay_result_totals(get(), &totals, sizeof totals);
        return totals;
    }
    bool is_clean() const noexcept { return totals().rejected == 0; }
    finding_range findings() const noexcept { return finding_range(get()); }

    // One bit per row, from the lowest bit of the first word. Empty for CSV, and if this kind is not recorded.
    span<std::uint64_t> rows(assay_rows kind) const noexcept
    {
        const std::uint64_t *words = assay_result_rows(get(), kind);
        if (words == nullptr) return {};
        return {words, static_cast<std::size_t>((totals().records + 63) / 64)};
    }
    // Whether a row, from 0, is of a kind. False for CSV, and for rows that do not exist.
    bool has(assay_rows kind, std::size_t row) const noexcept
    {
        const span<std::uint64_t> words = rows(kind);
        return row / 64 < words.size() && (words[row / 64] >> (row % 64) & 1) != 0;
    }

    // The number of records that the rules of a column reject.
    std::uint64_t rejected_by(const std::string &column) const noexcept
    {
        return assay_result_rejected_by(get(), column.c_str());
    }
    std::uint64_t over_budget() const noexcept { return assay_result_over_budget(get()); }
    std::uint64_t ticks() const noexcept { return assay_result_ticks(get()); }

    exported export_verdicts(std::uint32_t flags = 0) const
    {
        return written([&](ArrowArray *array, ArrowSchema *schema) {
            return assay_result_export_verdicts(get(), flags, array, schema);
        });
    }
    exported export_reasons() const
    {
        return written([&](ArrowArray *array, ArrowSchema *schema) {
            return assay_result_export_reasons(get(), array, schema);
        });
    }
    exported export_findings(std::uint64_t limit = UINT64_MAX) const
    {
        return written([&](ArrowArray *array, ArrowSchema *schema) {
            return assay_result_export_findings(get(), limit, array, schema);
        });
    }

private:
    template <typename Call> static exported written(Call &&call)
    {
        exported made;
        detail::check(call(made.array.get(), made.schema.get()));
        return made;
    }

    detail::handle<assay_result, assay_result_free> handle_;
};

// The number of findings of one rule. The texts live as long as the tally.
struct rule_count {
    std::optional<std::string_view> column;
    std::string_view rule;
    bool is_warning;
    std::uint64_t failed, undecided;
};

// Counts over several results. Only one thread at a time may use it.
class tally {
public:
    assay_tally *get() const noexcept { return handle_.get(); }
    void add(const result &result) noexcept { assay_tally_add(get(), result.get()); }
    void merge(const tally &other) noexcept { assay_tally_merge(get(), other.get()); }

    assay::totals totals() const noexcept
    {
        assay::totals totals{};
        assay_tally_totals(get(), &totals, sizeof totals);
        return totals;
    }

    std::vector<rule_count> counts() const
    {
        std::vector<rule_count> counts;
        assay_rule_count one{};
        while (assay_tally_get(get(), counts.size(), &one, sizeof one)) {
            counts.push_back(
                {std::nullopt, one.rule, one.severity == ASSAY_SEVERITY_WARN, one.failed, one.undecided});
            if (one.column != nullptr) counts.back().column = one.column;
        }
        return counts;
    }

private:
    detail::handle<assay_tally, assay_tally_free> handle_{assay_tally_create()};
};

// -- Options

// The keys of records in earlier checks (assay_seen_keys_create).
class seen_keys {
public:
    explicit seen_keys(const rules &rules, std::uint64_t memory = 0);
    assay_seen_keys *get() const noexcept { return handle_.get(); }

private:
    detail::handle<assay_seen_keys, assay_seen_keys_free> handle_;
};

// Tables in memory that foreign keys refer to (assay_references_create).
class references {
public:
    explicit references(const rules &rules, std::uint64_t memory = 0);
    void add(const std::string &resource, arrow_stream source)
    {
        detail::check(assay_references_add_stream(get(), resource.c_str(), source.get()));
    }
    assay_references *get() const noexcept { return handle_.get(); }

private:
    detail::handle<assay_references, assay_references_free> handle_;
};

// Options of a check. Fields that are 0 or empty mean the defaults of assay_options.
struct options {
    std::uint32_t threads = 0;
    std::uint64_t first_record = 0;
    // Called with the completed and all rows; `false` cancels the call. May throw.
    std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
    std::uint64_t key_memory = 0;
    const seen_keys *seen = nullptr;
    const references *tables = nullptr;
    std::optional<std::array<std::uint8_t, 16>> key_secret;
    std::uint64_t budget_ticks = 0, budget_bytes = 0, budget_nanoseconds = 0;
    // The value of now() in row rules. Empty: the time of the call.
    std::optional<std::chrono::system_clock::time_point> now;
    const assay_allocator *allocator = nullptr; // its functions must not throw
};

namespace detail {

// Options in the form of C, with a progress callback that keeps exceptions.
class call_options {
public:
    explicit call_options(options given) : given_(std::move(given))
    {
        c_.size = sizeof c_;
        c_.threads = given_.threads;
        c_.first_record = given_.first_record;
        c_.allocator = given_.allocator;
        c_.key_memory = given_.key_memory;
        c_.seen = given_.seen == nullptr ? nullptr : given_.seen->get();
        c_.references = given_.tables == nullptr ? nullptr : given_.tables->get();
        c_.key_secret = given_.key_secret ? given_.key_secret->data() : nullptr;
        c_.budget_ticks = given_.budget_ticks;
        c_.budget_bytes = given_.budget_bytes;
        c_.budget_nanoseconds = given_.budget_nanoseconds;
        if (given_.now) {
            using namespace std::chrono;
            const auto second = floor<seconds>(*given_.now);
            c_.has_now = 1;
            c_.now_seconds = second.time_since_epoch().count();
            c_.now_nanoseconds =
                static_cast<std::uint32_t>(duration_cast<nanoseconds>(*given_.now - second).count());
        }
        if (given_.progress) {
            c_.progress_context = this;
            c_.progress = [](void *context, std::uint64_t done, std::uint64_t total) {
                auto *self = static_cast<call_options *>(context);
                return self->thrown_.run(false, [&] { return self->given_.progress(done, total); });
            };
        }
    }
    call_options(const call_options &) = delete;

    const assay_options *c() const noexcept { return &c_; }
    void check(assay_fault *fault) { thrown_.check(fault); }
    // Returns the text that a call writes.
    template <typename Call> std::string text_of(Call &&call)
    {
        char *text = nullptr;
        assay_fault *fault = call(&text);
        const handle<char, assay_text_free> owner(text);
        check(fault);
        return std::string(text);
    }
    thrown &exception() noexcept { return thrown_; }

private:
    options given_;
    assay_options c_{};
    thrown thrown_;
};

} // namespace detail

// -- Streams

// A function that writes the type of all batches, and one that writes the next batch and returns false at the end. Both
// may throw.
struct batch_source {
    std::function<void(ArrowSchema *)> schema;
    std::function<bool(ArrowArray *)> next;
};

namespace detail {

// A batch_source as an Arrow stream. Exceptions are kept in `thrown`, which must outlive the stream.
inline arrow_stream stream_of(batch_source source, thrown &exception)
{
    struct state {
        batch_source source;
        thrown *exception;
    };
    arrow_stream stream;
    stream.get()->private_data = new state{std::move(source), &exception};
    stream.get()->get_schema = [](ArrowArrayStream *stream, ArrowSchema *schema) {
        auto *own = static_cast<state *>(stream->private_data);
        return own->exception->run(5, [&] { return own->source.schema(schema), 0; });
    };
    stream.get()->get_next = [](ArrowArrayStream *stream, ArrowArray *array) {
        auto *own = static_cast<state *>(stream->private_data);
        return own->exception->run(5, [&] {
            if (!own->source.next(array)) *array = ArrowArray{};
            return 0;
        });
    };
    stream.get()->get_last_error = [](ArrowArrayStream *) -> const char * { return "a callback threw an exception"; };
    stream.get()->release = [](ArrowArrayStream *stream) {
        delete static_cast<state *>(stream->private_data);
        stream->release = nullptr;
    };
    return stream;
}

} // namespace detail

// A stream of record batches that are checked one by one. Only one thread at a time may use it.
class stream {
public:
    // The field whose rules check the arrays, or all rules for record batches.
    static constexpr std::size_t record_batches = SIZE_MAX;

    stream(const rules &rules, arrow_stream source, options options = {}, std::size_t field = record_batches);
    stream(const rules &rules, batch_source source, options options = {}, std::size_t field = record_batches);

    // Checks the next batch. Returns no result at the end.
    std::optional<result> next()
    {
        assay_result *made = nullptr;
        assay_fault *fault = assay_stream_next(handle_.get(), &made);
        result owner(made);
        options_->check(fault);
        if (made == nullptr) return std::nullopt;
        return owner;
    }

    stream(stream &&other) noexcept = default;
    // The old stream is freed before the options that it refers to.
    stream &operator=(stream &&other) noexcept
    {
        handle_ = std::move(other.handle_);
        options_ = std::move(other.options_);
        return *this;
    }

    assay_stream *get() const noexcept { return handle_.get(); }

private:
    void open(const rules &rules, arrow_stream source, std::size_t field);

    // Freed after the stream, which refers to it.
    std::unique_ptr<detail::call_options> options_;
    detail::handle<assay_stream, assay_stream_free> handle_;
};

// -- Rules

// The output files of rules::clean_file. An empty path disables that output.
struct outputs {
    std::string clean, rejects, findings, report, changes;
    bool replace = false, annotate = false;
    std::uint64_t max_findings = 0, head = 0;
    std::string compression; // checked only: names that end in .gz and .zst determine the compression
    std::string encoding, delimiter;
    bool show_values = false, guard_formulas = false;
};

// Compiled rules. Immutable; threads may share them.
class rules {
public:
    explicit rules(assay_rules *owned) noexcept : handle_(owned) {}

    static rules parse(std::string_view text, const std::string &name = "rules")
    {
        return made([&](assay_rules **to) { return assay_rules_parse(text.data(), text.size(), name.c_str(), to); });
    }
    static rules load(const std::string &path)
    {
        return made([&](assay_rules **to) { return assay_rules_load(path.c_str(), to); });
    }
    static rules parse_trusted(std::string_view text, const std::string &name = "rules")
    {
        return made(
            [&](assay_rules **to) { return assay_rules_parse_trusted(text.data(), text.size(), name.c_str(), to); });
    }
    static rules load_trusted(const std::string &path)
    {
        return made([&](assay_rules **to) { return assay_rules_load_trusted(path.c_str(), to); });
    }
    // Rules with one pattern. `flags`: ASSAY_MATCH_…
    static rules pattern(std::string_view text, std::uint32_t flags = 0)
    {
        return made(
            [&](assay_rules **to) { return assay_rules_from_pattern(text.data(), text.size(), flags, to); });
    }

    assay_rules *get() const noexcept { return handle_.get(); }
    rules share() const noexcept { return rules(assay_rules_retain(get())); }
    std::size_t field_count() const noexcept { return assay_rules_field_count(get()); }
    std::string_view field_name(std::size_t field) const noexcept
    {
        return detail::view(assay_rules_field_name(get(), field));
    }
    std::string_view json() const noexcept { return detail::view(assay_rules_json(get())); }

    // Returns whether a record is clean. `values` has the text of each field; one without data is missing.
    bool accepts(span<std::string_view> values) const
    {
        if (values.size() != field_count()) throw std::invalid_argument("accepts needs one value for each field");
        std::vector<const std::uint8_t *> pointers;
        std::vector<std::size_t> lengths;
        for (const std::string_view value : values) {
            pointers.push_back(reinterpret_cast<const std::uint8_t *>(value.data()));
            lengths.push_back(value.size());
        }
        return assay_rules_accepts(get(), pointers.data(), lengths.data());
    }
    bool accepts(std::initializer_list<std::string_view> values) const
    {
        return accepts(span<std::string_view>(values.begin(), values.size()));
    }

    // Checks a table. All columns must have the same number of values.
    result check(span<column> columns, options options = {}) const
    {
        const std::size_t rows = columns.size() == 0 ? 0 : columns[0].size();
        std::vector<assay_column> all;
        for (const column &one : columns) {
            if (one.size() != rows) throw std::invalid_argument("the columns have different numbers of values");
            all.push_back(one.get());
        }
        return checked(std::move(options), [&](const assay_options *c, assay_result **to) {
            return assay_rules_check_columns(get(), all.data(), all.size(), rows, c, to);
        });
    }
    // Checks one column with the rules of one field.
    result check(std::size_t field, const column &column, options options = {}) const
    {
        return checked(std::move(options), [&](const assay_options *c, assay_result **to) {
            return assay_rules_check_column(get(), field, &column.get(), column.size(), c, to);
        });
    }
    result check_csv(std::string_view text, options options = {}) const
    {
        return checked(std::move(options), [&](const assay_options *c, assay_result **to) {
            const auto *bytes = reinterpret_cast<const std::uint8_t *>(text.data());
            return assay_rules_check_csv(get(), bytes, text.size(), c, to);
        });
    }
    result check_arrow(const ArrowSchema &schema, const ArrowArray &batch, options options = {}) const
    {
        return checked(std::move(options), [&](const assay_options *c, assay_result **to) {
            return assay_rules_check_arrow_table(get(), &schema, &batch, c, to);
        });
    }
    result check_arrow(std::size_t field, const ArrowSchema &schema, const ArrowArray &array,
                       options options = {}) const
    {
        return checked(std::move(options), [&](const assay_options *c, assay_result **to) {
            return assay_rules_check_arrow_column(get(), field, &schema, &array, c, to);
        });
    }

    // Applies the repairs of one field.
    repaired repair(std::size_t field, const column &column, options options = {}) const;
    repaired repair_arrow(std::size_t field, const ArrowSchema &schema, const ArrowArray &array,
                          options options = {}) const;

    // Splits a file into clean records and rejects. Returns the report as JSON.
    std::string clean_file(const std::string &input, const outputs &to, options options = {}) const
    {
        assay_outputs c{};
        c.size = sizeof c;
        c.clean = detail::or_null(to.clean);
        c.rejects = detail::or_null(to.rejects);
        c.findings = detail::or_null(to.findings);
        c.report = detail::or_null(to.report);
        c.changes = detail::or_null(to.changes);
        c.replace = to.replace;
        c.annotate = to.annotate;
        c.max_findings = to.max_findings;
        c.head = to.head;
        c.compression = detail::or_null(to.compression);
        c.encoding = detail::or_null(to.encoding);
        c.delimiter = detail::or_null(to.delimiter);
        c.show_values = to.show_values;
        c.guard_formulas = to.guard_formulas;
        detail::call_options call(std::move(options));
        return call.text_of(
            [&](char **report) { return assay_clean_file(get(), input.c_str(), &c, call.c(), report); });
    }

private:
    template <typename Call> static rules made(Call &&call)
    {
        assay_rules *made = nullptr;
        detail::check(call(&made));
        return rules(made);
    }

    template <typename Call> static result checked(options options, Call &&call)
    {
        detail::call_options given(std::move(options));
        assay_result *made = nullptr;
        assay_fault *fault = call(given.c(), &made);
        result owner(made);
        given.check(fault);
        return owner;
    }

    detail::handle<assay_rules, assay_rules_free> handle_;
};

inline seen_keys::seen_keys(const rules &rules, std::uint64_t memory)
{
    assay_seen_keys *made = nullptr;
    detail::check(assay_seen_keys_create(rules.get(), memory, &made));
    handle_.reset(made);
}

inline references::references(const rules &rules, std::uint64_t memory)
{
    assay_references *made = nullptr;
    detail::check(assay_references_create(rules.get(), memory, &made));
    handle_.reset(made);
}

inline void stream::open(const rules &rules, arrow_stream source, std::size_t field)
{
    assay_stream *made = nullptr;
    options_->check(assay_stream_open(rules.get(), field, source.get(), options_->c(), &made));
    handle_.reset(made);
}

inline stream::stream(const rules &rules, arrow_stream source, options options, std::size_t field)
    : options_(std::make_unique<detail::call_options>(std::move(options)))
{
    open(rules, std::move(source), field);
}

inline stream::stream(const rules &rules, batch_source source, options options, std::size_t field)
    : options_(std::make_unique<detail::call_options>(std::move(options)))
{
    open(rules, detail::stream_of(std::move(source), options_->exception()), field);
}

} // namespace assay

#endif
