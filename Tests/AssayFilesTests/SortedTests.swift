import Assay
import AssayRules
import Testing

@testable import AssayFiles

/// Sorted columns in Swift. `test_sorted.py` compares the command with Python.
struct SortedTests {
    private static let rows = runsSlowTests ? 1_500 : 600
    private static let sizes = [1, 2, 3, 7, 64].map { records in
        ChunkSizes(readBytes: 40 * records, blockBytes: 90 * records, tail: 30, records: records)
    }

    /// Numbers with a disorder now and then, and dates in the opposite direction.
    private static let table: [UInt8] = {
        var random = SeededGenerator(seed: 8)
        let lines = (0..<rows).map { row in
            let number = row / 3 - (Int.random(in: 0..<20, using: &random) == 0 ? 4 : 0)
            let day = 27 - row * 27 / rows + (Int.random(in: 0..<50, using: &random) == 0 ? 1 : 0)
            let cell = Int.random(in: 0..<30, using: &random) == 0 ? (row % 2 == 0 ? "" : "x") : "\(number)"
            return "\(cell),2024-01-\(day < 10 ? "0" : "")\(max(1, day)),\(row % (rows / 2))\n"
        }
        return Array(("n,day,key\n" + lines.joined()).utf8)
    }()

    private static func rules(keys: [Key] = [], keep: DuplicatePolicy = .first, isStrict: Bool = false) -> RuleFile {
        var (number, day) = (Field(name: "n", type: .integer), Field(name: "day", type: .date))
        number.sorted = SortOrder(.ascending, isStrict: isStrict)
        day.sorted = SortOrder(.descending)
        var rules = RuleFile(schema: Schema(fields: [number, day, Field(name: "key", type: .integer)]))
        (rules.schema.keys, rules.schema.keep) = (keys, keep)
        return rules
    }

    private static func outcome(
        _ rules: RuleFile, threads: Int = 1, sizes: ChunkSizes? = nil, memory: Int? = nil
    ) throws -> Outcome {
        var options = CleanerOptions()
        (options.threads, options.chunkSizes, options.memory) = (threads, sizes, memory)
        let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
        var result = try Cleaner(rules: rules, options: options).run(
            PieceSource(table), to: Outputs(clean: good, rejects: bad, findings: findings))
        result.threads = 1
        return Outcome(good, bad, findings, result)
    }

    /// The lines of the clean records, by a plain implementation.
    private static func plain(isStrict: Bool) -> [Substring] {
        var (lastNumber, lastDay) = (Int?.none, Substring?.none)
        return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().filter { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            if cells[0] == "x" { return false }
            let number = Int(cells[0])
            if let number, let last = lastNumber, isStrict ? number <= last : number < last { return false }
            if let last = lastDay, cells[1] > last { return false }
            (lastNumber, lastDay) = (number ?? lastNumber, cells[1])
            return true
        }
    }

    @Test("the result does not depend on the sizes of chunks or the number of threads", arguments: [false, true])
    func chunks(isStrict: Bool) throws {
        let expected = try Self.outcome(Self.rules(isStrict: isStrict))
        #expect(expected.cleanText.split(separator: "\n").dropFirst() == Self.plain(isStrict: isStrict)[...])
        #expect(expected.result.keys.map(\.id) == ["n.sorted", "day.sorted"])
        #expect(expected.result.keys.allSatisfy { $0.failed > 0 })
        for sizes in Self.sizes {
            for threads in [1, 3] {
                let found = try Self.outcome(Self.rules(isStrict: isStrict), threads: threads, sizes: sizes)
                #expect(found == expected, "\(sizes), \(threads) threads")
            }
        }
    }

    @Test(
        "the order is decided before keys, also if these are decided at the end",
        arguments: [DuplicatePolicy.first, .last, .none, .max("day"), .min("n")])
    func keys(keep: DuplicatePolicy) throws {
        let rules = Self.rules(keys: [Key(.primary, fields: ["key"])], keep: keep)
        let expected = try Self.outcome(rules)
        let alone = try Self.outcome(Self.rules())
        let sorted = { (outcome: Outcome) in outcome.findings.split(separator: "\n").filter { $0.contains("sorted") } }
        #expect(sorted(expected) == sorted(alone))
        #expect(expected.result.keys.map(\.id) == ["primaryKey", "n.sorted", "day.sorted"])
        for memory in [nil, 0] {
            for sizes in Self.sizes {
                let found = try Self.outcome(rules, threads: 3, sizes: sizes, memory: memory)
                #expect(found == expected, "\(sizes), memory \(memory.map(String.init) ?? "as usual")")
            }
        }
    }

    @Test("a stream gives what a run gives") func streams() throws {
        let expected = try Self.outcome(Self.rules())
        for size in [7, 4093] {
            let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
            var stream = try Cleaner(rules: Self.rules()).stream(
                named: "table.csv", to: Outputs(clean: good, rejects: bad, findings: findings))
            for start in stride(from: 0, to: Self.table.count, by: size) {
                try stream.write(Self.table[start..<min(start + size, Self.table.count)])
            }
            let result = try stream.finish()
            #expect(Outcome(good, bad, findings, result) == expected)
        }
    }

    @Test("values without an order do not compile", arguments: [ValueType.boolean, .list, .object])
    func unsortable(type: ValueType) {
        var field = Field(name: "v", type: type)
        field.sorted = SortOrder(.ascending)
        #expect(throws: CompileError.self) { try Cleaner(rules: RuleFile(schema: Schema(fields: [field]))) }
    }
}
