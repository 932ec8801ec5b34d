// assay/assay.hpp: the C interface of Assay for C++17 and later. Only this header; link libassay.
//
//     try {
//         const auto rules = assay::rules::load("users.rules.yaml");
//         const assay::column email("email", {"anna@example.org", "bo"});
//         const assay::result result = rules.check({&email, 1});
//         for (const assay::finding &finding : result.findings()) std::cout << finding.message << '\n';
//     } catch (const assay::error &error) {
//         std::cerr << error.what() << '\n';
//     }
//
// Ownership. Each object owns its object of C and frees it. Objects can be moved, not copied; `share()` of rules and
//   results returns another reference. `get()` returns the object of C, for functions that this header does not have.
// Errors. A fault becomes an exception of the class assay::error. Bad data is never an error.
// Callbacks. A callback may throw: the call then ends, and throws this exception. Memory of the call is freed.
// Texts. A std::string_view that a function returns lives as long as the object that returned it.
// Threads. As in assay.h.
#ifndef ASSAY_ASSAY_HPP
#define ASSAY_ASSAY_HPP

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay.h"

namespace assay {

// -- Errors

// One mistake of a call. A rule file may have several.
struct mistake {
    assay_fault_code code;
    std::uint32_t line;   // in the rule file, from 1; 0: unknown
    std::uint32_t column; // in characters, from 1; in a pattern: the byte; 0: unknown
    std::string message;  // a sentence without a full stop
    std::string hint;     // a suggestion, or empty
    std::string text;     // the complete message; may have several lines
};

// The fault of a call, with all of its mistakes. `what()` is their text.
class error : public std::runtime_error {
public:
    explicit error(std::vector<mistake> mistakes)
        : std::runtime_error(text_of(mistakes)),
          mistakes_(std::make_shared<const std::vector<mistake>>(std::move(mistakes)))
    {
    }

    // All mistakes, at least one.
    const std::vector<mistake> &mistakes() const noexcept { return *mistakes_; }

    // Those of the first mistake.
    assay_fault_code code() const noexcept { return mistakes_->front().code; }
    std::uint32_t line() const noexcept { return mistakes_->front().line; }
    std::uint32_t column() const noexcept { return mistakes_->front().column; }
    const std::string &message() const noexcept { return mistakes_->front().message; }
    const std::string &hint() const noexcept { return mistakes_->front().hint; }

private:
    static std::string text_of(const std::vector<mistake> &mistakes)
    {
        std::string all;
        for (const mistake &one : mistakes) all += (all.empty() ? "" : "\n") + one.text;
        return all;
    }

    // Shared, so that copying an exception cannot throw another one.
    std::shared_ptr<const std::vector<mistake>> mistakes_;
};

namespace detail {

template <auto Free> struct deleter {
    template <typename Object> void operator()(Object *object) const noexcept { Free(object); }
};
template <typename Object, auto Free> using handle = std::unique_ptr<Object, deleter<Free>>;

// Throws the fault of a call, and frees it.
inline void check(assay_fault *fault)
{
    if (fault == nullptr) return;
    const handle<assay_fault, assay_fault_free> owner(fault);
    std::vector<mistake> mistakes;
    for (const assay_fault *one = fault; one != nullptr; one = one->next) {
        mistakes.push_back(
            {one->code, one->line, one->column, one->message, one->hint == nullptr ? "" : one->hint, one->text});
    }
    throw error(std::move(mistakes));
}

// The first exception that a callback of a call threw. Callbacks may run on different threads.
class thrown {
public:
    // Runs the body of a callback. Returns `otherwise` if it throws.
    template <typename Result, typename Body> Result run(Result otherwise, Body &&body) noexcept
    {
        try {
            return body();
        } catch (...) {
            if (!is_set_.exchange(true)) exception_ = std::current_exception();
            return otherwise;
        }
    }

    // Throws the exception of a callback, or otherwise the fault of the call.
    void check(assay_fault *fault)
    {
        if (exception_ != nullptr) {
            assay_fault_free(fault);
            is_set_ = false;
            std::rethrow_exception(std::exchange(exception_, nullptr));
        }
        detail::check(fault);
    }

private:
    std::atomic<bool> is_set_{false};
    std::exception_ptr exception_;
};

inline std::string_view view(const char *text) { return text == nullptr ? std::string_view() : std::string_view(text); }
inline const char *or_null(const std::string &text) { return text.empty() ? nullptr : text.c_str(); }

} // namespace detail

// A borrowed array: of a std::vector, a std::array, a std::span, or of a pointer and a count.
template <typename Value> class span {
public:
    constexpr span() noexcept = default;
    constexpr span(const Value *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <typename Container,
              typename = std::enable_if_t<std::is_convertible_v<
                  std::remove_pointer_t<decltype(std::declval<const Container &>().data())> (*)[], const Value (*)[]>>>
    constexpr span(const Container &container) noexcept : data_(container.data()), size_(container.size())
    {
    }

    constexpr const Value *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr const Value *begin() const noexcept { return data_; }
    constexpr const Value *end() const noexcept { return data_ + size_; }
    constexpr const Value &operator[](std::size_t index) const noexcept { return data_[index]; }

private:
    const Value *data_ = nullptr;
    std::size_t size_ = 0;
};

// -- Arrow structures that are released with their owner

template <typename Structure> class arrow {
public:
    arrow() noexcept = default;
    arrow(arrow &&other) noexcept : value_(std::exchange(other.value_, Structure{})) {}
    arrow &operator=(arrow &&other) noexcept
    {
        std::swap(value_, other.value_);
        return *this;
    }
    ~arrow()
    {
        if (value_.release != nullptr) value_.release(&value_);
    }

    Structure *get() noexcept { return &value_; }
    const Structure *get() const noexcept { return &value_; }
    const Structure *operator->() const noexcept { return &value_; }
    explicit operator bool() const noexcept { return value_.release != nullptr; }
    // Gives the structure to the caller, who releases it.
    Structure release() noexcept { return std::exchange(value_, Structure{}); }

private:
    Structure value_{};
};

using arrow_array = arrow<ArrowArray>;
using arrow_schema = arrow<ArrowSchema>;
using arrow_stream = arrow<ArrowArrayStream>;

struct exported {
    arrow_array array;
    arrow_schema schema;
};

// -- Columns

// A column of texts. It borrows the bytes, which must outlive it.
class column {
public:
    // A std::string_view without data (not an empty one with data) is a missing value.
    column(std::string name, span<std::string_view> values)
        : name_(std::make_unique<std::string>(std::move(name))), rows_(values.size())
    {
        pointers_.reserve(rows_);
        lengths_.reserve(rows_);
        for (const std::string_view value : values) {
            pointers_.push_back(reinterpret_cast<const std::uint8_t *>(value.data()));
            lengths_.push_back(value.size());
        }
        begin(ASSAY_LAYOUT_POINTERS);
        column_.pointers = pointers_.data();
        column_.lengths = lengths_.data();
    }
    column(std::string name, std::initializer_list<std::string_view> values)
        : column(std::move(name), span<std::string_view>(values.begin(), values.size()))
    {
    }
    template <typename Text, typename = std::enable_if_t<std::is_same_v<Text, std::string>>>
    column(std::string name, const std::vector<Text> &values)
        : column(std::move(name), std::vector<std::string_view>(values.begin(), values.end()))
    {
    }
    // A temporary vector does not outlive the column.
    template <typename Text, typename = std::enable_if_t<std::is_same_v<Text, std::string>>>
    column(std::string name, std::vector<Text> &&values) = delete;
    template <typename Text, typename = std::enable_if_t<std::is_same_v<Text, std::string>>>
    column(std::string name, const std::vector<Text> &&values) = delete;

    // Value i is bytes[offsets[i] ..< offsets[i + 1]]. The last offset ends the last value. `validity`: bit i, least
    // significant first, is 1 if value i is present; NULL: all are.
    column(std::string name, std::string_view bytes, span<std::int32_t> offsets, const std::uint8_t *validity = nullptr)
        : column(std::move(name), bytes, offsets.data(), offsets.size(), validity, ASSAY_LAYOUT_OFFSETS32)
    {
    }
    column(std::string name, std::string_view bytes, span<std::int64_t> offsets, const std::uint8_t *validity = nullptr)
        : column(std::move(name), bytes, offsets.data(), offsets.size(), validity, ASSAY_LAYOUT_OFFSETS64)
    {
    }

    std::size_t size() const noexcept { return rows_; }
    std::string_view name() const noexcept { return *name_; }
    const assay_column &get() const noexcept { return column_; }

private:
    column(std::string name, std::string_view bytes, const void *offsets, std::size_t count,
           const std::uint8_t *validity, assay_layout layout)
        : name_(std::make_unique<std::string>(std::move(name))), rows_(count == 0 ? 0 : count - 1)
    {
        if (count == 0) throw std::invalid_argument("a column has one offset more than it has values");
        begin(layout);
        column_.bytes = reinterpret_cast<const std::uint8_t *>(bytes.data());
        column_.byte_count = bytes.size();
        column_.offsets = offsets;
        column_.validity = validity;
    }

    void begin(assay_layout layout)
    {
        column_.size = sizeof column_;
        column_.name = name_->c_str();
        column_.layout = layout;
    }

    // At a fixed address, because a short text moves with its string.
    std::unique_ptr<std::string> name_;
    std::vector<const std::uint8_t *> pointers_;
    std::vector<std::size_t> lengths_;
    std::size_t rows_;
    assay_column column_{};
};

} // namespace assay

#include "assay_checks.hpp"
#include "assay_tables.hpp"

#endif
