import Assay
import AssayFiles
import AssayRules
import Testing

/// Keys in Swift. `test_keys.py` tests their meaning with the command.
struct KeyTests {
    private static let emailAndID = [Key(.unique, fields: ["email"]), Key(.primary, fields: ["id"])]

    /// Each kind of policy, for a table with the columns `id` and `email`.
    static let policies = [DuplicatePolicy.first, .last, .none, .max("id"), .min("email")]

    private static func cleaner(
        keys: [Key] = emailAndID, keep: DuplicatePolicy, memory: Int?, threads: Int = 1
    ) throws -> Cleaner {
        var rules = RuleFile(schema: Schema(fields: [Field(name: "id", type: .integer), Field(name: "email")]))
        rules.schema.keys = keys
        rules.schema.keep = keep
        var options = CleanerOptions()
        options.threads = threads
        options.memory = memory
        return try Cleaner(rules: rules, options: options)
    }

    /// More than one chunk of 256 KiB.
    private static let smallTable = makeTable(rows: runsSlowTests ? 30_000 : 10_000)
    private static let table = makeTable(rows: 60_000)

    private static func makeTable(rows: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 4)
        let lines = (0..<rows).map { row in
            let id = Int.random(in: 0..<10, using: &random) == 0 ? Int.random(in: 0..<100, using: &random) : row + 100
            return "\(id),user\(Int.random(in: 0..<20 * rows, using: &random))@example.org\n"
        }
        return Array(("id,email\n" + lines.joined()).utf8)
    }

    private static func outcome(_ body: (Outputs) throws -> RunResult) throws -> Outcome {
        let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
        let result = try body(Outputs(clean: good, rejects: bad, findings: findings))
        return Outcome(good, bad, findings, result)
    }

    @Test("a stream agrees with a run, in one pass and in two", arguments: policies)
    func streams(keep: DuplicatePolicy) throws {
        let table = Self.smallTable
        let expected = try Self.outcome { try Self.cleaner(keep: keep, memory: nil).run(PieceSource(table), to: $0) }
        #expect(expected.result.keys.map(\.id) == ["email.unique", "primaryKey"])
        #expect(expected.result.keys.allSatisfy { $0.failed > 0 })
        for memory in [nil, 0, 300_000] {
            for size in [4093, Int.max] {
                let streamed = try Self.outcome { outputs in
                    var stream = try Self.cleaner(keep: keep, memory: memory).stream(named: "table.csv", to: outputs)
                    var place = 0
                    while place < table.count {
                        let end = place + min(size, table.count - place)
                        try stream.write(table[place..<end])
                        place = end
                    }
                    return try stream.finish()
                }
                #expect(streamed == expected, "memory \(memory.map(String.init) ?? "as usual")")
            }
        }
    }

    /// A single key is decided in shards. If a shard is full, all later chunks must wait, whichever shard it is, and
    /// whichever keys other chunks have claimed before.
    @Test("one key gives the same for any number of threads and in any memory", arguments: [1, 2, 5])
    func shards(threads: Int) throws {
        let table = Self.table
        func outcome(memory: Int?, threads: Int) throws -> Outcome {
            let keys = [Key(.primary, fields: ["id"])]
            let cleaner = try Self.cleaner(keys: keys, keep: .first, memory: memory, threads: threads)
            return try Self.outcome { try cleaner.run(PieceSource(table), to: $0) }
        }
        let expected = try outcome(memory: nil, threads: 1)
        #expect(expected.result.keys.map(\.failed) == [Self.repeatedIDs(table)])
        // From less memory than a single shard needs to more than all shards need.
        for memory in [0, 50_000] + stride(from: 320 << 10, through: 4 << 20, by: runsSlowTests ? 230_000 : 1_840_000) {
            var found = try outcome(memory: memory, threads: threads)
            found.result.threads = expected.result.threads
            #expect(found == expected, "memory \(memory)")
        }
    }

    /// The number of records with the identifier of an earlier record.
    private static func repeatedIDs(_ table: [UInt8]) -> Int {
        let ids = table.split(separator: UInt8(ascii: "\n")).dropFirst().map { $0.prefix { $0 != UInt8(ascii: ",") } }
        return ids.count - Set(ids.map(Array.init)).count
    }

    @Test("a cancelled run, or one with a failing output, ends in either pass", arguments: [nil, 0])
    func endsEarly(memory: Int?) throws {
        let table = Self.table
        for threads in [1, 4] {
            let cleaner = try Self.cleaner(keep: .first, memory: memory, threads: threads)
            #expect(throws: RunCancelled.self) { try cleaner.run(PieceSource(table)) { _ in .cancel } }
            let full = Outputs(clean: FullSink(room: 100_000))
            #expect(throws: FileError.self) { try cleaner.run(PieceSource(table), to: full) }
        }
    }

    @Test("a column without an order cannot decide", arguments: [ValueType.boolean, .duration, .list, .object])
    func unpreferable(type: ValueType) throws {
        var rules = RuleFile(schema: Schema(fields: [Field(name: "id"), Field(name: "v", type: type)]))
        rules.schema.keys = [Key(.primary, fields: ["id"])]
        for policy in [DuplicatePolicy.max("v"), .min("nowhere")] {
            rules.schema.keep = policy
            #expect(throws: CompileError.self) { try Cleaner(rules: rules) }
        }
        rules.schema.keep = .max("id")
        _ = try Cleaner(rules: rules)
    }

    @Test("a key that names no field does not compile")
    func noField() throws {
        for fields in [["nowhere"], []] {
            let schema = Schema(fields: [Field(name: "id")])
            var rules = RuleFile(schema: schema)
            rules.schema.keys = [Key(.combination, fields: fields)]
            #expect(throws: CompileError.self) { try Cleaner(rules: rules) }
        }
    }
}
