internal import Assay
internal import CAssay

/// The first rejected records of a run, kept as input for repair suggestions.
final class RejectSample: Sendable {
    private let kept = Lock<(bytes: [UInt8], records: Int, misfits: [UInt8])>(([], 0, []))
    private let limit: Int
    private let width: Int?

    /// - Parameters:
    ///   - limit: The approximate limit on the kept bytes.
    ///   - width: The number of fields per record if there is no header. Records with this number come first.
    init(limit: Int, width: Int?) { (self.limit, self.width) = (limit, width) }

    /// Adds the rejected records of a chunk, in order.
    func add(_ chunk: Chunk, rejects: [UInt64]) {
        kept.withLock { kept in
            if kept.bytes.count + kept.misfits.count >= limit { return }
            for word in rejects.indices {
                forEachBit(in: rejects[word]) { bit in
                    if kept.bytes.count + kept.misfits.count >= limit { return }
                    let record = chunk.record(word * 64 + bit)
                    let bytes = UnsafeBufferPointer(
                        start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
                    if let width, chunk.fieldCount(word * 64 + bit) != width {
                        kept.misfits += bytes
                    } else {
                        kept.bytes += bytes
                    }
                    kept.records += 1
                }
            }
        }
    }

    var records: (bytes: [UInt8], count: Int) {
        kept.withLock { kept in
            var bytes = kept.bytes
            // The last record of a file may have no line ending.
            if !kept.misfits.isEmpty, let last = bytes.last, last != 10, last != 13 { bytes.append(10) }
            return (bytes + kept.misfits, kept.records)
        }
    }
}
