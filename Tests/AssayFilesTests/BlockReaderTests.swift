import Assay
import AssayRules
import CAssay
import Foundation
import Testing

@testable import AssayFiles

/// Blocks scanned in parallel must have the records of a single scan of the whole file.
struct BlockReaderTests {
    /// A record, independent of the ends of chunks.
    private struct Record: Hashable {
        var start: Int
        var end: Int
        var flags: UInt32
        var fieldEnds: [Int]
        var line: Int
        var number: Int
        var mayDiffer: Bool
    }

    private static func records(of chunk: Chunk, endsAtCR: Bool, onto found: inout [Record]) {
        var lines = chunk.lines(endsAtCR: endsAtCR)
        for entry in 0..<chunk.entries {
            let record = chunk.record(entry)
            let pieces = UInt32(ASSAY_RECORD_CONTINUED | ASSAY_RECORD_CONTINUATION)
            if record.flags & UInt32(ASSAY_RECORD_CONTINUATION) != 0 {
                // The ends of the pieces of an overlong line depend on the buffers.
                found[found.count - 1].end = chunk.firstOffset + Int(record.end)
                continue
            }
            let fields = (0..<chunk.fieldCount(entry)).map { field in
                chunk.firstOffset + Int(chunk.batch.pointee.field_ends[Int(record.first_field) + field])
            }
            // Only the first piece of an overlong record has its facts.
            let isLong = record.flags & (pieces | UInt32(ASSAY_RECORD_TOO_LONG)) != 0
            found.append(
                Record(
                    start: chunk.firstOffset + Int(record.start), end: chunk.firstOffset + Int(record.end),
                    flags: record.flags & ~pieces, fieldEnds: isLong ? [] : fields,
                    line: Int(assay_lines_at(&lines, Int(record.start), UInt32(entry))),
                    number: chunk.recordNumber(entry),
                    mayDiffer: !isLong && chunk.batch.pointee.quoted[entry / 64] >> UInt64(entry % 64) & 1 != 0))
        }
    }

    /// All records of a reader, read by one worker.
    private static func records(_ reader: any RecordChunks, endsAtCR: Bool) throws -> [Record] {
        let chunk = try reader.makeChunk()
        var (found, next): ([Record], Int) = ([], 0)
        while try reader.next(chunk) {
            try #require(chunk.sequence == next)
            next += 1
            records(of: chunk, endsAtCR: endsAtCR, onto: &found)
        }
        #expect(reader.handedOut.chunks == next && reader.isAtEnd)
        return found
    }

    /// All records of a reader, read by several workers.
    private static func records(_ reader: BlockReader, endsAtCR: Bool, threads: Int) -> [Record] {
        let chunks = Lock<[Int: [Record]]>([:])
        onThreads(threads) {
            guard let chunk = try? reader.makeChunk() else { return }
            while (try? reader.next(chunk)) == true {
                var found: [Record] = []
                // A continuation would need the chunk before it, but these texts have no overlong records.
                records(of: chunk, endsAtCR: endsAtCR, onto: &found)
                let sequence = chunk.sequence
                chunks.withLock { [found] in $0[sequence] = found }
            }
        }
        return chunks.withLock { $0 }.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private func compare(
        _ text: [UInt8], _ dialect: assay_dialect, _ limits: Limits, start: Int, blocks: [Int], rules: Int, seed: UInt64
    ) throws {
        try withTemporaryFile(text) { path in
            let file = try FileSource(path: path)
            let plain = RecordReader(
                source: PieceSource(Array(text[start...])), dialect: dialect, limits: limits, prefix: [],
                sourceEnded: false, offset: start, lines: 3, limit: nil, rules: rules)
            let expected = try Self.records(plain, endsAtCR: dialect.cr_ends)
            for size in blocks {
                for guesses in [true, false] {
                    let layout = FileBlocks(
                        start: start, fileEnd: text.count, blockBytes: size, tail: Int(seed % 40))
                    let reader = BlockReader(
                        file, dialect: dialect, limits: limits, lines: 3, layout: layout, rules: rules, spins: false,
                        alwaysGuesses: guesses)
                    let found = try Self.records(reader, endsAtCR: dialect.cr_ends)
                    if found != expected {
                        let first = zip(found, expected).first { $0 != $1 }
                        Issue.record(
                            """
                            \(String(decoding: text, as: UTF8.self).debugDescription) \(dialect) \
                            \(limits.recordBytes) from \(start), seed \(seed), blocks of \(size), guesses \(guesses): \
                            \(found.count) and \(expected.count) records, first \(String(describing: first))
                            """
                        )
                        return
                    }
                    try #require(reader.handedOutBytes == text.count - start)
                }
            }
        }
    }

    /// Multi-line quoted fields, text after quotes, unclosed quotes and all terminators, with some changed bytes.
    private func text(_ random: inout SeededGenerator) -> [UInt8] {
        let letters: [UInt8] = Array("ab ,;\"\n\r\\#".utf8)
        var text: [UInt8] = []
        let target = Int(random.next() % 260)
        let oddness = random.next() % 3 == 0 ? 5 : 50
        let isCRLF = random.next() % 3 == 0
        while text.count < target {
            let isQuoted = random.next() % 3 == 0
            if isQuoted { text.append(34) }
            for _ in 0..<random.next() % (random.next() % 9 == 0 ? 60 : 8) {
                let letter = letters[Int(random.next() % UInt64(isQuoted ? letters.count : 3))]
                text.append(letter)
                if letter == 34 && random.next() % UInt64(oddness) != 0 { text.append(34) }
            }
            if isQuoted && random.next() % UInt64(oddness) != 0 { text.append(34) }
            if random.next() % UInt64(oddness) == 0 { text.append(letters[Int(random.next() % 10)]) }
            if random.next() % 4 != 0 { text.append(44) } else { text += isCRLF ? [13, 10] : [10] }
        }
        for _ in 0..<random.next() % 3 where !text.isEmpty {
            text[Int(random.next() % UInt64(text.count))] = letters[Int(random.next() % 10)]
        }
        return text
    }

    private func dialect(_ random: inout SeededGenerator) -> assay_dialect {
        var dialect = Dialect().cValue(endsAtCR: random.next() % 4 == 0)
        if random.next() % 8 == 0 { dialect.quoting = false }
        if random.next() % 6 == 0 { dialect.escape = 92 }
        if random.next() % 6 == 0 { dialect.comment = 35 }
        if random.next() % 6 == 0 { dialect.skip_initial_space = true }
        if random.next() % 10 == 0 { dialect.delimiter2 = 59 }
        return dialect
    }

    @Test("made-up and mutated files, all dialects, blocks of any size")
    func agreement() throws {
        for seed in 0..<UInt64(runsSlowTests ? 3_000 : 300) {
            var random = SeededGenerator(seed: seed)
            let text = text(&random)
            if text.count < 2 { continue }
            let dialect = dialect(&random)
            var limits = Limits()
            if random.next() % 3 == 0 {
                limits.recordBytes = [1, 5, 20, 60, 130][Int(random.next() % 5)]
                limits.fieldBytes = min(limits.recordBytes, [1, 9, 40][Int(random.next() % 3)])
            }
            let rules = random.next() % 4 == 0 ? 1 << 13 : 1
            let start = Int(random.next() % UInt64(min(text.count - 1, 40)))
            try compare(
                text, dialect, limits, start: start, blocks: [1, 2, 3, 7, 64, 1 << 12], rules: rules, seed: seed)
        }
    }

    @Test("records far longer than a block and its tail, and quotes that run away")
    func long() throws {
        // 32 KB, much longer than the smaller blocks.
        let long = String(repeating: "x,\"y\ny\",", count: 4_000)
        let pieces = [
            "1,2\n", "\"\(long.replacing("\"", with: ""))\",3\n", "4,\"5\n", long + "\n", "6,7\n8,\"9\n9\"\n",
        ]
        var limits = Limits()
        for (seed, recordBytes) in [40_000, 20_000, 1_000].enumerated() {
            limits.recordBytes = recordBytes
            limits.fieldBytes = min(limits.fieldBytes, recordBytes)
            for rotation in pieces.indices {
                let text = (pieces[rotation...] + pieces[..<rotation]).joined()
                try compare(
                    Array(text.utf8), Dialect().cValue(endsAtCR: false), limits, start: 0,
                    blocks: [1 << 8, 6_000, 1 << 16], rules: 1, seed: UInt64(seed))
            }
        }
    }

    @Test("any number of threads", arguments: [1, 2, 3, 8])
    func threads(_ count: Int) throws {
        for seed in 0..<(runsSlowTests ? 40 : 10) as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var text: [UInt8] = []
            while text.count < 20_000 { text += self.text(&random) }
            let dialect = Dialect().cValue(endsAtCR: false)
            try withTemporaryFile(text) { path in
                let file = try FileSource(path: path)
                let plain = RecordReader(
                    source: PieceSource(text), dialect: dialect, limits: Limits(), prefix: [], sourceEnded: false,
                    offset: 0, lines: 0, limit: nil, rules: 1)
                let layout = FileBlocks(start: 0, fileEnd: text.count, blockBytes: 256, tail: 30)
                let reader = BlockReader(
                    file, dialect: dialect, limits: Limits(), lines: 0, layout: layout, rules: 1, spins: false)
                let found = Self.records(reader, endsAtCR: false, threads: count)
                #expect(try found == Self.records(plain, endsAtCR: false), "seed \(seed)")
            }
        }
    }

    @Test("a block has complete groups of records, or less than a page", arguments: [40, 240, 1_000, 3_900, 9_000])
    func groups(recordBytes: Int) {
        let record = Array(repeating: UInt8(ascii: "x"), count: recordBytes - 1) + [UInt8(ascii: "\n")]
        let first = Array((0...1 << 16 / recordBytes).flatMap { _ in record }.prefix(1 << 16))
        let layout = FileBlocks(start: 100, fileEnd: 1 << 30, first: first, rules: 1)
        let group = RecordReader.recordsAtOnce * recordBytes
        #expect(layout.blockBytes >= group - 4_096 && layout.blockBytes % 4_096 == 0)
        #expect((layout.blockBytes - 1) % group + 1 > group - 4_096)
    }

    @Test("blocks of wide records for tables of columns are longer, but a file has at least 16 of them")
    func wideRecords() {
        let first = Array(
            repeatElement(Array(repeating: UInt8(ascii: "x"), count: 7_999) + [UInt8(ascii: "\n")], count: 8).joined())
        for (size, blockBytes) in [(1 << 30, 1_024 * 8_000), (32 << 20, 2 << 20), (8 << 20, 1 << 20)] {
            let layout = FileBlocks(
                start: 0, fileEnd: size, first: first, rules: 0, longest: FileBlocks.longestWithTables)
            #expect(layout.blockBytes <= blockBytes && layout.blockBytes > blockBytes - 520_000)
            let usual = FileBlocks(start: 0, fileEnd: size, first: first, rules: 0)
            #expect(usual.blockBytes <= 1 << 20)
        }
    }

    @Test("a file that becomes shorter, or other, is refused")
    func changes() throws {
        let text = Array(String(repeating: "some,record\n", count: 1_000).utf8)
        try withTemporaryFile(text) { path in
            let file = try FileSource(path: path)
            let layout = FileBlocks(start: 0, fileEnd: text.count, blockBytes: 4_096, tail: 40)
            let reader = BlockReader(
                file, dialect: Dialect().cValue(endsAtCR: false), limits: Limits(), lines: 0, layout: layout, rules: 1,
                spins: false)
            let chunk = try reader.makeChunk()
            #expect(try reader.next(chunk))
            try #require(truncate(path, 4_500) == 0)
            var found: FileError?
            do {
                while try reader.next(chunk) {}
            } catch let error as FileError {
                found = error
            }
            #expect(found?.offset == 4_500 && found?.expectedBytes == text.count)
            #expect(try !reader.next(chunk) && reader.hasFailed)
        }
    }
}
