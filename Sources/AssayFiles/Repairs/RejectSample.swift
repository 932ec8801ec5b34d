internal import Assay
internal import CAssay

/// The first rejected records of a run, kept to find out later what would save them.
final class RejectSample: Sendable {
    private let kept = Lock<(bytes: [UInt8], records: Int)>(([], 0))
    private let most: Int

    /// - Parameter most: how many bytes it keeps, about.
    init(most: Int) { self.most = most }

    /// Adds those of a chunk, in turn.
    func add(_ chunk: Chunk, rejects: [UInt64]) {
        kept.withLock { kept in
            if kept.bytes.count >= most { return }
            for word in rejects.indices {
                forEachBit(in: rejects[word]) { bit in
                    if kept.bytes.count >= most { return }
                    let record = chunk.record(word * 64 + bit)
                    kept.bytes += UnsafeBufferPointer(
                        start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
                    kept.records += 1
                }
            }
        }
    }

    var records: (bytes: [UInt8], count: Int) { kept.withLock { ($0.bytes, $0.records) } }
}
