import Testing

@testable import Assay

@Suite("CEL: aggregates of a table")
struct CELAggregateTests {
    private static let columns: [CELVariable] = [
        CELVariable("price", .number), CELVariable("n", .int), CELVariable("at", .timestamp),
        CELVariable("wait", .duration), CELVariable("name", .string), CELVariable("paid", .bool),
        CELVariable("unit price", .number), CELVariable("tags", .list(.string)),
    ]

    private static func compile(_ text: String, _ aggregates: inout CELAggregates) throws(CELMistake) -> CELProgram {
        var budget = ReadingBudget.trusting
        return try CELProgram(compiling: text, &aggregates, &budget)
    }

    @Test func equalAggregatesAreOne() throws {
        var aggregates = CELAggregates(CELColumns(Self.columns))
        for text in [
            "count() > 0 && mean(price) > 1.0 && mean(row.price) < 2", "share(missing(name)) < 0.5 && count() < 9",
            "quantile(price, 0.50) < quantile(price, 0.5) && quantile(row[\"unit price\"], 1) > 0",
            "max(at) - min(at) < duration('24h') && max(wait) > duration('1s') && sum(n) % 2 == 0",
        ] {
            _ = try Self.compile(text, &aggregates)
        }
        #expect(
            aggregates.variables.map(\.name) == [
                "count()", "mean(price)", "missing(name)", "quantile(price, 0.5)",
                "quantile(row[\"unit price\"], 1)", "max(at)", "min(at)", "max(wait)", "sum(n)",
            ])
        #expect(
            aggregates.variables.map(\.type) == [
                .int, .number, .int, .number, .number, .timestamp, .timestamp, .duration, .int,
            ])
    }

    @Test(arguments: [
        (
            "price > 3", "price", "a rule on a table needs an aggregate of the column 'price'",
            "write count(price), min(price) or another aggregate; rules on each record belong under 'rows'"
        ),
        (
            "sum(price * n) > 3", "price * n", "'sum' needs a column, and aggregates of expressions are not supported",
            "write sum(x) with the name of a column"
        ),
        (
            "sum(at) > 3", "at", "'sum' needs a column of numbers, and 'at' is timestamp", "set the type of the field"
        ),
        (
            "min(paid)", "paid", "'min' needs a column of numbers, timestamps or durations, and 'paid' is bool",
            "set the type of the field"
        ),
        (
            "count(tags) > 0", "tags", "'count' needs a column of single values, and 'tags' is list(string)",
            "set the type of the field"
        ),
        ("price.sum() > 3", "sum", "'sum' is written before its column", "write sum(price)"),
        ("price.count() > 3", "count", "'count' is written before its column", "write count(price)"),
        ("has(price)", "has(price)", "'has' is about one record, and this is a rule on a table", "write count(x) > 0"),
        (
            "quantile(price, 1.01) > 0", "1.01", "the share of 'quantile' must be a number from 0 to 1",
            "write quantile(x, 0.95)"
        ),
        (
            "quantile(price, count()) > 0", "count()", "the share of 'quantile' must be a number from 0 to 1",
            "write quantile(x, 0.95)"
        ),
        ("quantile(price) > 0", "quantile", "'quantile' takes 2 arguments, and there are 1", nil),
        ("mean(prize) > 0", "prize", "there is no column 'prize'", "did you mean 'price'?"),
        (
            "share(mean(price)) > 0", "mean(price)", "'share' needs a number of records, found number",
            "write share(missing(x))"
        ),
        ("[1].all(n, sum(n) > n)", "n", "'sum' needs a column, and 'n' is a macro's variable", nil),
        (
            "count()", "count()", "the expression must be a bool, and this is int",
            "compare it with something, as in x > 0"
        ),
    ])
    func mistakes(_ text: String, _ place: String, _ message: String, _ suggestion: String?) {
        var aggregates = CELAggregates(CELColumns(Self.columns))
        do {
            _ = try Self.compile(text, &aggregates)
            Issue.record("\(text) has no mistake")
        } catch {
            #expect(error.message == message)
            #expect(error.suggestion == suggestion)
            #expect(String(decoding: Array(text.utf8)[error.range], as: UTF8.self) == place)
        }
    }

    @Test func onlyInRulesOnATable() {
        do {
            _ = try CELProgram(compiling: "sum(price) > 3", variables: Self.columns)
            Issue.record("a row rule has no aggregates")
        } catch {
            #expect(error.message == "'sum' is an aggregate, which only rules on a table have")
            #expect(error.suggestion == "write a rule with sum(x) under 'table'")
        }
    }

    @Test func manyAggregates() throws {
        var aggregates = CELAggregates(CELColumns(Self.columns))
        for number in 0..<CELAggregate.maxCount {
            _ = try Self.compile("quantile(price, 0.\(100 + number)) > 0", &aggregates)
        }
        _ = try Self.compile("quantile(price, 0.1) > 0", &aggregates)
        let error = #expect(throws: CELMistake.self) { try Self.compile("count() > 0", &aggregates) }
        #expect(error?.message == "more than 64 different aggregates of a table")
    }
}

@Suite("Exact sums")
struct ExactSumTests {
    private static let largest = Int128(10).multiplied(times: 38)

    @Test func largeNumbersCancel() {
        var (sum, other) = (ExactSum(), ExactSum())
        for _ in 0..<1_000 {
            sum.add(Self.largest - 1, scale: 0)
            sum.add(Self.largest - 1, scale: 38)
        }
        #expect(sum.total == nil)
        for _ in 0..<1_000 {
            other.add(1 - Self.largest, scale: 0)
            other.add(1 - Self.largest, scale: 38)
        }
        #expect(other.total == nil)
        sum.add(other)
        #expect(sum.total == CELNumber(0))
        sum.add(-25, scale: 2)
        sum.add(5, scale: 1)
        #expect(sum.total == CELNumber(coefficient: 25, scale: 2))
        #expect(sum.total?.text == "0.25")
    }

    @Test func edges() {
        #expect(ExactSum().total == CELNumber(0))
        for value in [Int128.max, -Int128.max, 0, 1, -1] {
            var sum = ExactSum()
            sum.add(value, scale: 7)
            #expect(sum.total == CELNumber(coefficient: value, scale: 7))
        }
        var sum = ExactSum()
        sum.add(.max, scale: 0)
        sum.add(1, scale: 0)
        #expect(sum.total == nil)
        sum.add(-1, scale: 0)
        #expect(sum.total == CELNumber(coefficient: .max, scale: 0))
    }
}

extension Int128 {
    fileprivate func multiplied(times: Int) -> Int128 { (0..<times).reduce(1) { product, _ in product * self } }
}

@Suite("Distinct counts")
struct DistinctCountTests {
    /// The count of parts is that of the whole, exact or not.
    @Test(arguments: [100, DistinctCount.maxExact, DistinctCount.maxExact + 1, 300_000])
    func parts(_ values: Int) throws {
        var random = SystemRandomNumberGenerator()
        let hashes = (0..<values).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
        let whole = DistinctCount()
        let parts = [DistinctCount(), DistinctCount(), DistinctCount()]
        for (index, hash) in hashes.enumerated() {
            try whole.add(hash)
            // Unequal parts, some of them exact.
            try parts[index < 10 ? 0 : index % 2 + 1].add(hash)
        }
        for hash in hashes.shuffled().prefix(50_000) { try parts[2].add(hash) }
        let all = DistinctCount()
        for part in parts { try all.add(part) }
        #expect(all.count == whole.count)
        #expect(whole.isExact == (values <= DistinctCount.maxExact))
        let error = abs(Double(whole.count) / Double(values) - 1)
        #expect(whole.isExact ? error == 0 : error < 0.06)
    }
}
