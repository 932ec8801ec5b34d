import AssayRules
import Synchronization
import Testing

@testable import AssayFiles

/// The number of records per chunk, which depends on their length.
struct ChunkSizeTests {
    private final class Bytes: Source {
        let name = "bytes"
        let all: [UInt8]
        var byteCount: Int? { all.count }
        private let taken = Mutex(0)

        init(_ text: String) { all = Array(text.utf8) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            taken.withLock { taken in
                let count = min(buffer.count, all.count - taken)
                buffer.copyBytes(from: all[taken..<taken + count])
                taken += count
                return count
            }
        }
    }

    /// The numbers of entries of all chunks. Asserts that the chunks together are the text.
    private func entries(_ text: String, limits: Limits = Limits()) throws -> [Int] {
        let source = Bytes(text)
        let reader = RecordReader(
            source: source, dialect: Dialect().cValue(endsAtCR: false), limits: limits, prefix: [], sourceEnded: false,
            offset: 0, lines: 0, limit: nil, rules: 1)
        let chunk = try reader.makeChunk()
        var (found, numbers): ([UInt8], [Int]) = ([], [])
        while try reader.next(chunk) {
            found += chunk.entryBytes
            numbers.append(chunk.entries)
            try #require(found.count <= source.all.count)
        }
        #expect(found == source.all)
        return numbers
    }

    private func rows(_ count: Int, of length: Int) -> String {
        String(repeating: String(repeating: "x", count: length - 1) + "\n", count: count)
    }

    @Test("a multiple of 64, but for the first chunk and the last", arguments: [20, 240, 1_900, 3_800, 8_000])
    func multiples(length: Int) throws {
        let numbers = try entries(rows(4_000_000 / length, of: length))
        #expect(numbers.count > 3)
        for number in numbers.dropFirst().dropLast() { #expect(number % 64 == 0 && number > 0) }
    }

    @Test("batches of 128 for long records, 64 for longer ones, and single records for very long ones")
    func long() throws {
        #expect(try entries(rows(1_000, of: 3_800)).dropFirst().first == 128)
        #expect(try entries(rows(500, of: 8_000)).dropFirst().first == 64)
        #expect(try entries(rows(200, of: 20_000)).dropFirst().first == 13)
    }

    @Test("changing lengths, and a record limit below their size")
    func changes() throws {
        let mixed = rows(70, of: 8_000) + rows(50_000, of: 5) + rows(90, of: 3_000) + rows(1, of: 900_000) + "last"
        _ = try entries(mixed + "\n" + mixed)
        var limits = Limits()
        (limits.fieldBytes, limits.recordBytes) = (9_000, 9_000)
        _ = try entries(mixed, limits: limits)
    }
}
