import AssayRules
import Testing

@testable import AssayFiles

/// What a worker reads while another one has the turn is either what comes next, or is read again.
struct ReadAheadTests {
    /// Some workers who take turns, and who read ahead before that as `ahead` says; what they got must be the file.
    ///
    /// - Returns: how many of the chunks began with bytes that were read ahead.
    private func run(_ text: String, workers: Int, ahead: (_ turn: Int, _ worker: Int) -> Bool) throws -> Int {
        try withTemporaryFile(Array(text.utf8)) { path in
            try run(FileSource(path: path), text, workers: workers, ahead: ahead)
        }
    }

    private func run(
        _ source: FileSource, _ text: String, workers: Int, ahead: (_ turn: Int, _ worker: Int) -> Bool
    ) throws -> Int {
        let (dialect, limits) = (Dialect(), Limits())
        let head = try TableHead(source, dialect: dialect, limits: limits, choosesDelimiter: false)
        let reader = RecordReader(
            source: source, dialect: dialect.cValue(endsAtCR: head.endsAtCR), limits: limits, prefix: head.rest,
            sourceEnded: head.sourceEnded, offset: head.prefix.count, lines: head.lines, most: nil, rules: 1)
        let chunks = try (0..<workers).map { _ in try reader.makeChunk() }
        var (found, taken) = (head.prefix, 0)
        for turn in 0... {
            for (worker, chunk) in chunks.enumerated() where ahead(turn, worker) { reader.readAhead(into: chunk) }
            let chunk = chunks[turn % workers]
            guard try reader.next(chunk) else { break }
            #expect(chunk.firstOffset == found.count)
            found += chunk.entryBytes
            // What is read twice would never end.
            try #require(found.count <= text.utf8.count)
            taken += chunk.beganAhead ? 1 : 0
        }
        #expect(found == Array(text.utf8))
        return taken
    }

    private static let table = "a,b\n" + (0..<200_000).map { "\($0),some text\n" }.joined()

    @Test("what was read ahead is taken where it follows, and only there")
    func follows() throws {
        let chunks = try run(Self.table, workers: 2) { turn, worker in worker == turn % 2 }
        #expect(chunks > 10)
        #expect(try run(Self.table, workers: 2) { _, _ in false } == 0)
        // Two have read the same, and the second comes too late with it.
        #expect(try run(Self.table, workers: 3) { turn, worker in turn % 3 == 0 && worker < 2 } <= chunks / 2)
    }

    @Test("a record longer than the gap, and a file that ends, are read as ever")
    func longRecords() throws {
        let long = String(repeating: "x", count: 300_000)
        let table = "a,b\n" + (0..<40).map { "\($0),\($0 % 3 == 0 ? long : "y")\n" }.joined() + "last,"
        _ = try run(table, workers: 2) { turn, worker in worker == turn % 2 }
        _ = try run("a,b\n1,2", workers: 2) { _, _ in true }
    }
}
