internal import Assay
internal import CAssay

/// Some clean records of a run, spread over the whole file, kept to find out which repairs would change them.
///
/// At first it has all clean records. Once they have too many bytes, it has one of each block of two entries, then of
/// four, and so on. A hash of the block tells which one, so that the sample does not depend on the chunks, and no
/// period in the file agrees with it.
///
///     blocks of 2     ■ □   □ ■   □ ■   ■ □
///     blocks of 4       □     ■     □   ■          one of the two that the halves had
final class CleanSample: Sendable {
    private let kept = Lock(Kept())
    private let limit: Int
    /// The records that are checked; `nil` if all are.
    private let evaluatedSample: RecordSample?

    private struct Kept {
        var bytes: [UInt8] = []
        /// For each record that is kept, its number among all entries, and where its bytes end.
        var records: [(number: Int, end: Int)] = []
        /// The number of entries that were added.
        var entries = 0
        /// A block has 2 to this power entries.
        var level = 0

        /// Doubles the blocks until the records have few enough bytes.
        mutating func thin(below limit: Int) {
            while bytes.count > limit {
                level += 1
                var (left, start): ([(number: Int, end: Int)], Int) = ([], 0)
                var leftBytes: [UInt8] = []
                for record in records {
                    if CleanSample.choice(of: record.number >> level, level) == record.number {
                        leftBytes += bytes[start..<record.end]
                        left.append((record.number, leftBytes.count))
                    }
                    start = record.end
                }
                (records, bytes) = (left, leftBytes)
            }
        }
    }

    /// - Parameters:
    ///   - limit: the limit on the bytes that it keeps.
    ///   - evaluatedSample: The records that are checked; `nil` if all are. Other records are not rejected, but not
    ///     clean either.
    init(limit: Int, evaluatedSample: RecordSample?) { (self.limit, self.evaluatedSample) = (limit, evaluatedSample) }

    /// Adds the clean records of a chunk. Chunks must be added in the order of the file.
    func add(_ chunk: Chunk, rejects: [UInt64], drops: [UInt64]) {
        kept.withLock { kept in
            let (first, end) = (kept.entries, kept.entries + chunk.entries)
            kept.entries = end
            var block = first >> kept.level
            while block << kept.level < end {
                let number = Self.choice(of: block, kept.level)
                block += 1
                if number < first || number >= end { continue }
                let entry = number - first
                func isIn(_ set: [UInt64]) -> Bool { !set.isEmpty && set[entry / 64] >> UInt64(entry % 64) & 1 != 0 }
                let record = chunk.record(entry)
                let size = Int(record.end - record.start)
                if isIn(rejects) || isIn(drops) || (entry == 0 && chunk.startsWithContinuation) { continue }
                if let evaluatedSample, !evaluatedSample.contains(chunk.recordNumber(entry)) { continue }
                // A few long records must not take the place of all others, unless all fit.
                if size > (kept.level == 0 ? limit : limit / 16) { continue }
                kept.bytes += UnsafeBufferPointer(start: chunk.bytes + Int(record.start), count: size)
                kept.records.append((number, kept.bytes.count))
                if kept.bytes.count > limit {
                    kept.thin(below: limit)
                    // The chosen one of this block may be a later entry.
                    block = number >> kept.level + (Self.choice(of: number >> kept.level, kept.level) > number ? 0 : 1)
                }
            }
        }
    }

    /// The records that are kept, in the order of the file.
    var records: (bytes: [UInt8], count: Int) { kept.withLock { ($0.bytes, $0.records.count) } }

    /// The number of the entry that a block has in the sample.
    fileprivate static func choice(of block: Int, _ level: Int) -> Int {
        var (block, level) = (block, level)
        while level > 0 {
            var hash = UInt64(truncatingIfNeeded: block) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(level)
            hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
            block = 2 * block + Int(hash >> 63)
            level -= 1
        }
        return block
    }
}
