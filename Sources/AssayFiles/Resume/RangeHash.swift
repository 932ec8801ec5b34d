internal import Assay
internal import CDigest

/// A hash of bytes at places of a file, to which pieces are added in any order, by any thread.
///
///     worker 1   ▓▓▓▓      ▓▓▓▓
///     worker 2       ▓▓▓▓▓▓         the same hash as that of all bytes at once
///
/// Each worker hashes its own pieces while they are in the processor's cache, so a checkpoint does not read the files
/// again.
final class RangeHash: Sendable {
    /// A number that is made once for a run and its successors.
    let key: UInt64
    private let sum: Lock<UInt64>

    init(key: UInt64, value: UInt64 = 0) {
        self.key = key
        sum = Lock(value)
    }

    static func randomKey() -> UInt64 { digest_range_key(.random(in: .min ... .max)) }

    /// The hash of all pieces so far.
    var value: UInt64 {
        get { sum.withLock { $0 } }
        set { sum.withLock { $0 = newValue } }
    }

    func add(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        let bytes = bytes.bindMemory(to: UInt8.self)
        let piece = digest_range(key, UInt64(place), bytes.baseAddress, bytes.count)
        sum.withLock { $0 = digest_range_add($0, piece) }
    }

    /// Adds a part of a file, a piece after the other.
    ///
    /// - Parameter read: fills a buffer with the bytes at a place of the file.
    func add(
        _ range: Range<Int>, _ read: (UnsafeMutableRawBufferPointer, Int) throws(FileError) -> Void
    ) throws(FileError) {
        var failure: FileError?
        withUnsafeTemporaryAllocation(byteCount: max(1, min(range.count, 1 << 18)), alignment: 8) { buffer in
            var place = range.lowerBound
            while place < range.upperBound && failure == nil {
                let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.upperBound - place))
                do throws(FileError) {
                    try read(piece, place)
                    add(UnsafeRawBufferPointer(piece), at: place)
                } catch { failure = error }
                place += piece.count
            }
        }
        if let failure { throw failure }
    }

    /// Writes the hash, or reads it.
    func code(with coder: inout CheckpointCoder) {
        var number = Int(truncatingIfNeeded: value)
        coder.code(&number)
        value = UInt64(truncatingIfNeeded: number)
    }
}
