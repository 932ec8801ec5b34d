import Assay
import AssayFiles
import AssayRules
import Testing

/// Compares the outputs of a stream with those of ``Cleaner/run(_:to:progress:)`` for the whole table.
struct CleanStreamTests {
    /// Sizes of pieces, which repeat.
    private static let cuts: [[Int]] = [[1], [7, 1, 300], [4093], [65_536], [1 << 20, 3], [.max]]

    @Test("the outputs and the counts are those of a run, however the table is cut up", arguments: cuts)
    func pieces(sizes: [Int]) throws {
        let isSlow = sizes == [1]
        try Self.check(CleanerTests.table(rows: isSlow ? 4000 : runsSlowTests ? 60_000 : 20_000), sizes)
        let table = CleanerTests.table(rows: isSlow || !runsSlowTests ? 4000 : 20_000)
        try Self.check(table, sizes) { $0.annotate = true }
        try Self.check(table, sizes, findingsAsCSV: true) { ($0.maxFindings, $0.showValues) = (500, true) }
        try Self.check(table, sizes) { $0.head = 3000 }
        try Self.check(table, sizes) { $0.head = 0 }
    }

    @Test("records longer than a piece, and longer than the limit", arguments: [[4093], [65_536, 1], [.max]])
    func longRecords(sizes: [Int]) throws {
        let long = String(repeating: "x", count: 3_000_000)
        try Self.check(Array("email,age\n1,\"open\n2,y\n\(long)\n3,z\n\"\(long)\",4".utf8), sizes)
        try Self.check(Array("email,age\n1,\"open\n2,y\n\(long)\n3,z\n".utf8), sizes) { limits in
            limits.recordBytes = 100_000
            limits.fieldBytes = 100_000
        }
    }

    @Test("a header that is longer than the first look-ahead", arguments: [[1000], [65_536], [.max]])
    func longHeader(sizes: [Int]) throws {
        let name = String(repeating: "n", count: 300_000)
        try Self.check(Array("email,age,\"\(name)\n\"\na@b,20,1\nx,20,2\n".utf8), sizes)
    }

    @Test("any bytes at all, with limits that are soon reached")
    func anyBytes() throws {
        var random = SeededGenerator(seed: 11)
        let alphabet: [UInt8] = Array("a,,\"\"\n\n\r x@2".utf8) + [0xFF, 0, 0xC3]
        for _ in 0..<(runsSlowTests ? 400 : 100) {
            let size = Int.random(in: 0..<300, using: &random)
            let body = (0..<size).map { _ in alphabet.randomElement(using: &random)! }
            let table = Array(
                ["email,age\n", "email,age\r", "\u{FEFF}email,age\r\n"].randomElement(using: &random)!.utf8)
            try Self.check(table + body, (0..<5).map { _ in Int.random(in: 1..<20, using: &random) }) { limits in
                limits.recordBytes = 40
                limits.fieldBytes = 20
            }
        }
    }

    @Test("invalid bytes are reported, and replaced in rejects", arguments: [[1], [7], [.max]])
    func undecodable(sizes: [Int]) throws {
        var units: [UInt16] = [0xFEFF] + Array("email,age\na@b,20\nx".utf16)
        units += [0xD800] + Array("@y,20\nc@d,30\n\"".utf16) + [0xDC0A] + Array("\"z,1\n7".utf16)
        let table: [UInt8] = units.flatMap { (unit: UInt16) in [UInt8(unit & 0xFF), UInt8(unit >> 8)] } + [0x0A]
        try Self.check(table, sizes)
        let (good, bad) = (MemorySink(), MemorySink())
        var stream = try Cleaner(rules: Self.rules()).stream(named: "table.csv", to: Outputs(clean: good, rejects: bad))
        try stream.write(table)
        _ = try stream.finish()
        #expect(good.take() == Array("email,age\na@b,20\nc@d,30\n".utf8))
        #expect(bad.take() == Array("email,age\nx\u{FFFD}@y,20\n\"\u{FFFD}\"z,1\n7\u{FFFD}".utf8))
    }

    @Test("without a header")
    func noHeader() throws {
        let rules = try Self.rules { $0.dialect = Dialect(header: false) }
        try Self.check(Array("a@b,20\nx,20\n".utf8), [3], Cleaner(rules: rules, options: threads(1)))
        var anyTable = RuleFile()
        anyTable.dialect = rules.dialect
        try Self.check([], [3], Cleaner(rules: anyTable, options: threads(1)))
    }

    @Test(
        "an unsuitable table is refused as in a run, without outputs",
        arguments: [
            [], Array("BZh91AY&SY".utf8) + [0xA0], Array("id,emial,age\n1,2,3\n".utf8),
            Array("\"email\"x,age\n1,2\n".utf8),
        ] as [[UInt8]])
    func refused(table: [UInt8]) throws {
        let cleaner = try Cleaner(rules: Self.rules(), options: threads(1))
        let expected = #expect(throws: InputError.self) { try cleaner.run(PieceSource(table)) }
        // The error must occur as soon as the input is sufficient, and in every later call.
        for size in [1, 65_536] {
            let good = MemorySink()
            var stream = cleaner.stream(named: "table.csv", to: Outputs(clean: good))
            let padding = size == 1 ? [] : [UInt8](repeating: 10, count: table.isEmpty ? 0 : size)
            func caught(_ body: () throws -> Void) -> InputError? {
                do { try body() } catch { return error as? InputError }
                return nil
            }
            let first = caught { try stream.write(table + padding) }
            #expect(first == (padding.isEmpty ? nil : expected))
            #expect(caught { _ = try stream.finish() } == expected)
            #expect(caught { _ = try stream.finish() } == expected)
            #expect(good.take().isEmpty && !stream.hasStarted)
        }
    }

    @Test("an output that fails ends the stream, and it stays ended")
    func failingOutput() throws {
        let cleaner = try Cleaner(rules: Self.rules())
        var stream = cleaner.stream(named: "table.csv", to: Outputs(clean: FullSink(room: 100_000)))
        let table = CleanerTests.table(rows: 60_000)
        var errors: [FileError] = []
        for _ in 0..<2 {
            do { try stream.write(table) } catch let error as FileError { errors.append(error) }
        }
        #expect(errors == Array(repeating: FileError("write", path: "full.csv", code: 28), count: 2))
        let hasStarted = stream.hasStarted
        #expect(hasStarted)
    }

    @Test("bytes need not lie in one piece")
    func otherCollections() throws {
        let cleaner = try Cleaner(rules: Self.rules())
        let good = MemorySink()
        var stream = cleaner.stream(named: "table.csv", to: Outputs(clean: good))
        try stream.write("email,age\na@b,20\n".utf8.lazy.map { $0 })
        #expect(try stream.finish().records == 1)
        #expect(good.take() == Array("email,age\na@b,20\n".utf8))
    }

    /// Cleans a table with a stream and with a run, and compares the results.
    private static func check(
        _ table: [UInt8], _ sizes: [Int], _ cleaner: Cleaner, findingsAsCSV: Bool = false
    ) throws {
        func outcome(_ body: (Outputs) throws -> RunResult) throws -> Outcome {
            let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
            let outputs = Outputs(clean: good, rejects: bad, findings: findings, findingsAsCSV: findingsAsCSV)
            let result = try body(outputs)
            return Outcome(good, bad, findings, result)
        }
        let expected = try outcome { try cleaner.run(PieceSource(table), to: $0) }
        let streamed = try outcome { outputs in
            var stream = cleaner.stream(named: "table.csv", to: outputs)
            var (place, turn) = (0, 0)
            while place < table.count {
                let end = place + min(sizes[turn % sizes.count], table.count - place)
                try stream.write(table[place..<end])
                (place, turn) = (end, turn + 1)
            }
            return try stream.finish()
        }
        #expect(streamed == expected, "cut into \(sizes)")
    }

    private static func check(
        _ table: [UInt8], _ sizes: [Int], findingsAsCSV: Bool = false, options adjust: (inout CleanerOptions) -> Void
    ) throws {
        var options = threads(1)
        adjust(&options)
        try check(table, sizes, Cleaner(rules: rules(), options: options), findingsAsCSV: findingsAsCSV)
    }

    private static func check(
        _ table: [UInt8], _ sizes: [Int], limits adjust: (inout Limits) -> Void = { _ in }
    ) throws {
        try check(table, sizes, Cleaner(rules: rules { adjust(&$0.limits) }, options: threads(1)))
    }

    private static func rules(_ adjust: (inout RuleFile) -> Void = { _ in }) throws -> RuleFile {
        var rules = try RuleFile.parse(Array(CleanerTests.rules.utf8), name: "rules.yaml")
        adjust(&rules)
        return rules
    }
}
