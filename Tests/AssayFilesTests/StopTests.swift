import Assay
import AssayRules
import Testing

@testable import AssayFiles

@Suite("Ending a run early") struct StopTests {
    static let rules = "fields: [{name: n, type: integer}]"

    /// A table in which every 37th record is bad.
    static func table(_ records: Int) -> String {
        "n\n" + (1...records).map { $0 % 37 == 0 ? "x\n" : "\($0)\n" }.joined()
    }

    static func options(stopAfter: Int?, threads: Int = 1, head: Int? = nil) -> CleanerOptions {
        var options = CleanerOptions()
        (options.stopAfter, options.threads, options.head) = (stopAfter, threads, head)
        return options
    }

    /// The outputs must equal those of a table that ends at this record.
    @Test(arguments: [1, 2, 7], [1, 40, 2_000]) func theSameAsOfAShorterTable(_ threads: Int, _ rejects: Int) throws {
        let bytes = Array(Self.table(200_000).utf8)
        var stopped = try clean(
            bytes, rules: Self.rules, options: Self.options(stopAfter: rejects, threads: threads))
        #expect(stopped.result.isStopped)
        #expect(stopped.result.rejected == rejects)
        let shorter = try clean(bytes, rules: Self.rules, options: Self.options(stopAfter: nil, head: 37 * rejects))
        stopped.result.isStopped = false
        stopped.result.threads = 1
        #expect(stopped == shorter)
    }

    @Test func aTableWithFewer() throws {
        let bytes = Array(Self.table(100).utf8)
        let unlimited = try clean(bytes, rules: Self.rules, options: Self.options(stopAfter: nil))
        #expect(try clean(bytes, rules: Self.rules, options: Self.options(stopAfter: 3)) == unlimited)
        #expect(!unlimited.result.isStopped && unlimited.result.rejected == 2)
    }

    /// The stream accepts input after the end and drops it.
    @Test func aTableInPieces() throws {
        let cleaner = try Cleaner(
            rules: RuleFile.parse(Array(Self.rules.utf8), name: "r"), options: Self.options(stopAfter: 40))
        let good = MemorySink()
        var stream = cleaner.stream(named: "t", to: Outputs(clean: good))
        for _ in 0..<3 {
            try stream.write(Self.table(200_000).utf8)
        }
        let result = try stream.finish()
        #expect(result.isStopped && result.records == 37 * 40)
        #expect(good.take().count { $0 == 10 } == 1 + 36 * 40)
    }

    @Test func thresholdsOfAResult() throws {
        var file = try RuleFile.parse(Array(Self.rules.utf8), name: "r")
        file.thresholds.rejected = .percent(2)
        file.thresholds.minRecords = 100
        file.thresholds.rules = RuleFile.structureIDs.map { .init(name: $0, max: .count(0)) }
        let result = try Cleaner(rules: file).run(PieceSource(Self.table(100)))
        #expect(result.thresholds.filter(\.isExceeded).isEmpty)
        #expect(result.thresholds.map(\.count) == [2, 0, 0, 0, 0, 0, 0, 100])
        #expect(result.thresholds[0].percent == 2)
        #expect(
            try Cleaner(rules: file, options: Self.options(stopAfter: 1)).run(PieceSource(Self.table(100))).thresholds
                .isEmpty)
    }

    /// Thresholds must accept the id of every finding about malformed records.
    @Test func idsOfMalformedRecords() {
        #expect(RunResult.Structure().byCode.map(\.code) == RuleFile.structureIDs)
    }
}
