// The C++ header: results, faults as exceptions, and exceptions of callbacks. Compiled as C++17 and C++20.
#include <assay/assay.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace {

int failures = 0;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            failures++;                                                                                                \
            std::cerr << __FILE__ << ':' << __LINE__ << ": failed: " #condition "\n";                                  \
        }                                                                                                              \
    } while (false)

// Runs a body that must throw an exception of a class, and returns its text.
template <typename Exception, typename Body> std::string text_of(Body &&body)
{
    try {
        body();
    } catch (const Exception &exception) {
        return exception.what();
    }
    failures++;
    return "no exception";
}

bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

// A column borrows its values, so it must not take a temporary vector.
static_assert(std::is_constructible_v<assay::column, std::string, const std::vector<std::string> &>);
static_assert(!std::is_constructible_v<assay::column, std::string, std::vector<std::string>>);
static_assert(!std::is_constructible_v<assay::column, std::string, const std::vector<std::string>>);

const char two_fields[] = "fields: [{name: id, type: integer}, {name: email, format: email}]";

void check_tables()
{
    const auto rules = assay::rules::parse(two_fields);
    CHECK(rules.field_count() == 2 && rules.field_name(1) == "email" && rules.field_name(2).empty());
    CHECK(assay::rules::parse(rules.json()).field_count() == 2);

    std::vector<assay::column> columns;
    const std::vector<std::string> ids{"1", "x", ""};
    columns.emplace_back("id", ids);
    const std::string bytes = "a@example.orgb";
    const std::vector<std::int32_t> offsets{0, 13, 14, 14};
    columns.emplace_back("email", bytes, offsets);
    const assay::result result = rules.check(columns);
    CHECK(result.totals().records == 3 && result.totals().rejected == 1 && !result.is_clean());
    CHECK(!result.has(ASSAY_ROWS_REJECTED, 0) && result.has(ASSAY_ROWS_REJECTED, 1));
    CHECK(!result.has(ASSAY_ROWS_REJECTED, 100000) && result.rows(ASSAY_ROWS_MISSING).size() == 0);
    CHECK(result.rejected_by("email") == 1);
    std::ostringstream found;
    for (const assay::finding &finding : result.findings()) {
        found << finding.record << ' ' << finding.column.value_or("-") << ' ' << finding.rule << ' '
              << finding.is_warning << '\n';
    }
    CHECK(found.str() == "2 id id.type 0\n2 email email.format 0\n");
    const assay::result shared = result.share();
    CHECK(shared.get() == result.get());

    // More findings than one batch.
    const std::vector<std::string> wrong(100, "x");
    std::size_t count = 0;
    const assay::column ids_only("id", wrong);
    const assay::result all = rules.check(0, ids_only);
    for (const assay::finding &finding : all.findings()) CHECK(finding.record == ++count);
    CHECK(count == 100);
    assay::exported verdicts = all.export_verdicts();
    CHECK(verdicts.array->length == 100 && std::string(verdicts.schema->format) == "b");
    assay::arrow_array moved = std::move(verdicts.array);
    CHECK(moved && !verdicts.array);

    CHECK(rules.accepts({"1", "a@example.org"}) && !rules.accepts({"x", "a@example.org"}));
    CHECK(contains(text_of<std::invalid_argument>([&] { (void)rules.accepts({"1"}); }), "one value for each field"));
    CHECK(rules.check_csv("id,email\n1,a@example.org\n").is_clean());
    CHECK(assay::rules::pattern("a+").check(0, assay::column("", {"aa", "b"})).totals().rejected == 1);
    std::vector<assay::column> uneven;
    uneven.emplace_back("id", ids);
    uneven.emplace_back("email", wrong);
    CHECK(contains(text_of<std::invalid_argument>([&] { rules.check(uneven); }), "different numbers"));
#if __cplusplus >= 202002L
    CHECK(rules.check(std::span<const assay::column>(columns)).totals().records == 3);
#endif

    assay::tally tally, other;
    tally.add(result);
    other.add(all);
    tally.merge(other);
    CHECK(tally.totals().records == 103);
    std::uint64_t failed = 0;
    for (const assay::rule_count &rule : tally.counts()) failed += rule.failed;
    CHECK(failed == 102);
}

void read_faults()
{
    try {
        assay::rules::parse("fields:\n  - {name: a, typ: integer}\n  - {name: b, constraints: {pattern: '('}}\n", "r");
        CHECK(false);
    } catch (const assay::error &error) {
        CHECK(error.code() == ASSAY_FAULT_RULES && error.line() == 2 && error.column() == 15);
        CHECK(error.hint() == "did you mean 'type'?" && error.mistakes().size() == 2);
        CHECK(error.mistakes()[1].line == 3 && contains(error.what(), "r:2:15: error:"));
    }
    const auto rules = assay::rules::parse("fields: [{name: id, constraints: {unique: true}}]");
    assay::seen_keys seen(rules);
    assay::options options;
    options.seen = &seen;
    const assay::column one("id", {"1"});
    CHECK(rules.check({&one, 1}, options).is_clean());
    options.first_record = 1;
    CHECK(!rules.check({&one, 1}, options).is_clean());
    options.key_secret.emplace();
    CHECK(contains(text_of<assay::error>([&] { rules.check({&one, 1}, options); }), "both seen and key_secret"));
}

// Arrow batches with one column of the values "1" and "x".
struct Batches {
    std::int32_t offsets[3] = {0, 1, 2};
    const void *buffers[3] = {nullptr, offsets, "1x"}, *none[1] = {nullptr};
    ArrowArray column{}, *children[1] = {&column};
    ArrowSchema type{}, *types[1] = {&type};
    int left = 2;

    assay::batch_source source(int throws_at)
    {
        return {[this, throws_at](ArrowSchema *schema) {
                    if (throws_at == -1) throw std::runtime_error("no schema");
                    type.format = "u";
                    type.name = "id";
                    type.release = [](ArrowSchema *own) { own->release = nullptr; };
                    *schema = ArrowSchema{};
                    schema->format = "+s";
                    schema->n_children = 1;
                    schema->children = types;
                    schema->release = type.release;
                },
                [this, throws_at](ArrowArray *array) {
                    if (left == throws_at) throw std::runtime_error("no batch");
                    if (left-- == 0) return false;
                    column = ArrowArray{};
                    column.length = 2;
                    column.n_buffers = 3;
                    column.buffers = buffers;
                    column.release = [](ArrowArray *own) { own->release = nullptr; };
                    *array = ArrowArray{};
                    array->length = 2;
                    array->n_buffers = 1;
                    array->buffers = none;
                    array->n_children = 1;
                    array->children = children;
                    array->release = column.release;
                    return true;
                }};
    }
};

void throw_in_callbacks()
{
    const auto rules = assay::rules::parse(two_fields);
    const auto ids = assay::rules::parse("fields: [{name: id, type: integer}]");
    const std::vector<std::string> values(100000, "1");
    const assay::column column("id", values);
    for (std::uint32_t threads = 1; threads <= 2; threads++) {
        assay::options options;
        options.threads = threads;
        options.progress = [](std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("enough"); };
        for (int round = 0; round < 20; round++) {
            CHECK(text_of<std::runtime_error>([&] { rules.check(0, column, options); }) == "enough");
        }
        // Any class of exception, and not only those of the standard library.
        options.progress = [](std::uint64_t, std::uint64_t) -> bool { throw 42; };
        try {
            rules.check(0, column, options);
            CHECK(false);
        } catch (int number) {
            CHECK(number == 42);
        }
        options.progress = [](std::uint64_t, std::uint64_t) { return false; };
        try {
            rules.check(0, column, options);
            CHECK(false);
        } catch (const assay::error &error) {
            CHECK(error.code() == ASSAY_FAULT_CANCELLED);
        }
        std::uint64_t last = 0;
        options.progress = [&](std::uint64_t done, std::uint64_t) { return last = done, true; };
        CHECK(rules.check(0, column, options).is_clean() && last == values.size());
    }

    Batches batches;
    assay::stream stream(ids, batches.source(-2));
    for (int batch = 0; batch < 2; batch++) CHECK(stream.next()->totals().rejected == 1);
    CHECK(!stream.next() && !stream.next());

    Batches broken;
    CHECK(text_of<std::runtime_error>([&] { assay::stream(ids, broken.source(-1)); }) == "no schema");
    assay::stream half(ids, broken.source(1));
    CHECK(half.next()->totals().rejected == 1);
    CHECK(text_of<std::runtime_error>([&] { half.next(); }) == "no batch");

    Batches watched;
    assay::options options;
    options.progress = [](std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("enough"); };
    assay::stream checked(ids, watched.source(-2), options);
    CHECK(text_of<std::runtime_error>([&] { checked.next(); }) == "enough");
}

// A stream is freed before its options, also by an assignment.
void assign_streams()
{
    const auto ids = assay::rules::parse("fields: [{name: id, type: integer}]");
    struct source_end {
        std::weak_ptr<int> options;
        bool *were_alive;
        ~source_end() { *were_alive = !options.expired(); }
    };
    bool were_alive = false;
    Batches first, second;
    const auto open = [&](Batches &batches) {
        auto of_options = std::make_shared<int>(0);
        auto end = std::make_shared<source_end>(source_end{of_options, &were_alive});
        assay::batch_source source = batches.source(-2);
        source.next = [next = source.next, end = std::move(end)](ArrowArray *array) { return next(array); };
        assay::options options;
        options.progress = [of_options = std::move(of_options)](std::uint64_t, std::uint64_t) { return true; };
        return assay::stream(ids, std::move(source), std::move(options));
    };
    {
        assay::stream stream = open(first);
        CHECK(stream.next()->totals().rejected == 1);
        were_alive = false;
        stream = open(second);
        CHECK(were_alive);
        for (int batch = 0; batch < 2; batch++) CHECK(stream.next()->totals().rejected == 1);
        CHECK(!stream.next());
        were_alive = false;
    }
    CHECK(were_alive);
}

void repair_columns()
{
    const auto rules = assay::rules::parse("fields: [{name: id, type: integer, repair: [trim, {map: {'-': ''}}]}]");
    const std::vector<std::string> values{" 1", "2", "-", "x "};
    const assay::column column("id", values);
    const assay::repaired repaired = rules.repair(0, column);
    CHECK(repaired.array && repaired.array->length == 4 && std::string(repaired.schema->format) == "Z");
    const auto *offsets = static_cast<const std::int64_t *>(repaired.array->buffers[1]);
    const std::string_view bytes(static_cast<const char *>(repaired.array->buffers[2]),
                                 static_cast<std::size_t>(offsets[4]));
    CHECK(bytes == "12x");
    CHECK(repaired.changes.cells() == 3 && repaired.changes.unsettled() == 0);
    std::ostringstream counts;
    for (const assay::change_count &one : repaired.changes.counts()) counts << one.repair << one.cells << ' ';
    CHECK(counts.str() == "trim2 map1 ");

    const assay::repaired again = rules.repair_arrow(0, *repaired.schema.get(), *repaired.array.get());
    CHECK(!again.array && !again.schema && again.changes.cells() == 0);
    CHECK(rules.check_arrow(0, *repaired.schema.get(), *repaired.array.get()).totals().rejected == 1);
    assay::options options;
    options.progress = [](std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("enough"); };
    CHECK(text_of<std::runtime_error>([&] { rules.repair(0, column, options); }) == "enough");
    CHECK(contains(text_of<assay::error>([&] { rules.repair(1, column); }), "field"));
}

void profile_tables(const std::string &folder)
{
    const std::string input = folder + "/cpp.profile.csv";
    std::ofstream(input) << "id;name\n1;a\n2;b\n";
    const auto rules = assay::rules::parse("dialect: {delimiter: ';'}\nfields: [{name: id}, {name: name}]");
    const assay::table file(input);
    const std::string profiled = assay::profile(file, true, {}, &rules);
    CHECK(contains(profiled, "\"records\": 2") && contains(profiled, "\"name\": \"id\""));
    const std::string inferred = assay::infer(file, {}, &rules);
    CHECK(assay::rules::parse(inferred).field_count() == 2 && contains(inferred, "type: integer"));
    std::remove(input.c_str());
    CHECK(contains(text_of<assay::error>([&] { assay::profile(file); }), "cpp.profile.csv"));

    // Arrow, which is opened once or more often. Exceptions of all callbacks end the call.
    std::vector<std::unique_ptr<Batches>> opened;
    const auto opens = [&](int throws_at) {
        return [&opened, throws_at] {
            opened.push_back(std::make_unique<Batches>());
            return opened.back()->source(throws_at);
        };
    };
    const assay::table batches(opens(-2), "my table");
    CHECK(contains(assay::profile(batches), "\"records\": 4") && opened.size() == 1);
    CHECK(assay::rules::parse(assay::infer(batches)).field_count() == 1 && opened.size() > 2);
    CHECK(text_of<std::runtime_error>([&] { assay::profile(assay::table(opens(-1))); }) == "no schema");
    CHECK(text_of<std::runtime_error>([&] { assay::infer(assay::table(opens(1))); }) == "no batch");
    const assay::table closed([]() -> assay::batch_source { throw std::runtime_error("no stream"); });
    CHECK(text_of<std::runtime_error>([&] { assay::profile(closed); }) == "no stream");
    const assay::table empty([] { return assay::arrow_stream(); }, "my table");
    CHECK(contains(text_of<assay::error>([&] { assay::infer(empty); }), "my table"));
    assay::options options;
    options.progress = [](std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("enough"); };
    CHECK(text_of<std::runtime_error>([&] { assay::profile(batches, false, options); }) == "enough");
}

void clean_files(const std::string &folder)
{
    const auto rules = assay::rules::parse(two_fields);
    const std::string input = folder + "/cpp.csv";
    std::ofstream(input) << "id,email\n1,a@example.org\nx,b@example.org\n";
    assay::outputs outputs;
    outputs.clean = folder + "/cpp.clean.csv";
    outputs.replace = true;
    CHECK(contains(rules.clean_file(input, outputs), "\"clean\": 1"));
    outputs.encoding = "klingon";
    CHECK(contains(text_of<assay::error>([&] { rules.clean_file(input, outputs); }), "klingon"));
    assay::options options;
    options.progress = [](std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("enough"); };
    outputs.encoding.clear();
    const std::string text = text_of<std::runtime_error>([&] { rules.clean_file(input, outputs, options); });
    CHECK(text == "enough");
    std::remove(input.c_str());
    std::remove(outputs.clean.c_str());
}

} // namespace

int main(int count, char **arguments)
{
    check_tables();
    read_faults();
    throw_in_callbacks();
    assign_streams();
    repair_columns();
    const std::string folder = count > 1 ? arguments[1] : ".";
    profile_tables(folder);
    clean_files(folder);
    if (failures > 0) std::cerr << failures << " failures\n";
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
