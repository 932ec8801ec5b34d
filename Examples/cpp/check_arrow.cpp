// Checks an Arrow column with libassay without copying it, and reads the verdicts as Arrow.
//
//     c++ -std=c++17 check_arrow.cpp $(pkg-config --cflags --libs libassay) -o check_arrow
//     check_arrow '[A-Z]{2}\d{6}'
//
// Prints each value with its verdict. The exit status is 1 if a value does not match.
#include <assay/assay.h>

#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Frees an object of the C API at the end of its scope.
template <typename Object, void (*release)(Object *)> struct Release {
    void operator()(Object *object) const { release(object); }
};
using Rules = std::unique_ptr<assay_rules, Release<assay_rules, assay_rules_free>>;
using Result = std::unique_ptr<assay_result, Release<assay_result, assay_result_free>>;

// Throws the message of a fault as an exception.
void require(assay_fault *fault)
{
    if (fault == nullptr) return;
    const std::string text = fault->text;
    assay_fault_free(fault);
    throw std::runtime_error(text);
}

// A column of texts in the layout of Arrow. libassay reads it without copying.
class TextColumn {
  public:
    explicit TextColumn(const std::vector<std::string> &values)
    {
        offsets_.push_back(0);
        for (const auto &value : values) {
            bytes_ += value;
            offsets_.push_back(static_cast<int32_t>(bytes_.size()));
        }
        buffers_[1] = offsets_.data();
        buffers_[2] = bytes_.data();
        array_.length = static_cast<int64_t>(values.size());
        array_.n_buffers = 3;
        array_.buffers = buffers_;
        array_.release = [](ArrowArray *array) { array->release = nullptr; };
        schema_.format = "u";
        schema_.release = [](ArrowSchema *schema) { schema->release = nullptr; };
    }
    TextColumn(const TextColumn &) = delete;
    TextColumn &operator=(const TextColumn &) = delete;

    const ArrowArray *array() const { return &array_; }
    const ArrowSchema *schema() const { return &schema_; }

  private:
    std::vector<int32_t> offsets_;
    std::string bytes_;
    const void *buffers_[3] = {};
    ArrowArray array_{};
    ArrowSchema schema_{};
};

} // namespace

int main(int argument_count, char **arguments)
{
    const std::string pattern = argument_count > 1 ? arguments[1] : R"([A-Z]{2}\d{6})";
    const std::vector<std::string> values = {"DE104233", "de104233", "FR200917", "IT38"};
    try {
        assay_rules *made = nullptr;
        require(assay_rules_from_pattern(pattern.data(), pattern.size(), 0, &made));
        const Rules rules(made);

        const TextColumn column(values);
        assay_result *checked = nullptr;
        require(
            assay_rules_check_arrow_column(rules.get(), 0, column.schema(), column.array(), nullptr, &checked));
        const Result result(checked);

        ArrowArray verdicts{};
        ArrowSchema type{};
        require(assay_result_export_verdicts(result.get(), ASSAY_VERDICTS_NULLABLE, &verdicts, &type));
        const auto *bits = static_cast<const uint8_t *>(verdicts.buffers[1]);
        bool all = true;
        for (std::size_t row = 0; row < values.size(); row++) {
            const bool matches = (bits[row / 8] >> (row % 8) & 1) != 0;
            std::cout << values[row] << (matches ? "  matches\n" : "  does not\n");
            all = all && matches;
        }
        verdicts.release(&verdicts);
        type.release(&type);
        return all ? 0 : 1;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
