// Checks a small table in memory with the rules of a file, with the C++ header of libassay.
//
//     c++ -std=c++17 check_table.cpp $(pkg-config --cflags --libs libassay) -o check_table
//     check_table users.rules.yaml
//
// Prints a line for each finding, then the counts of each rule. The exit status is 1 if any record is rejected.
#include <assay/assay.hpp>

#include <iomanip>
#include <iostream>

int main(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        std::cerr << "usage: " << arguments[0] << " RULES\n";
        return 2;
    }
    try {
        const auto rules = assay::rules::load(arguments[1]);
        std::vector<assay::column> columns;
        columns.emplace_back("id", std::initializer_list<std::string_view>{"1", "2", "3", "x"});
        // A view without data is a missing value.
        columns.emplace_back("email", std::initializer_list<std::string_view>{"anna@example.org", "bo.example.org",
                                                                              std::string_view(), "carl@example.org"});
        const assay::result result = rules.check(columns);
        for (const assay::finding &finding : result.findings()) {
            std::cout << "record " << finding.record << ": ";
            // Findings of row rules and keys have no column.
            if (finding.column) std::cout << *finding.column << ' ';
            std::cout << finding.message << " (" << finding.rule << ")\n";
        }
        assay::tally tally;
        tally.add(result);
        for (const assay::rule_count &count : tally.counts()) {
            if (count.failed + count.undecided == 0) continue;
            std::cout << std::left << std::setw(14) << count.rule << ' ' << count.failed << '\n';
        }
        const assay::totals totals = tally.totals();
        std::cout << totals.records << " records: " << totals.clean << " clean, " << totals.rejected << " rejected\n";
        return totals.rejected > 0 ? 1 : 0;
    } catch (const assay::error &error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
