internal import Assay
internal import CAssaySystem

/// A source that another part of the program fills piece by piece. It never blocks: a read without available bytes
/// fails.
///
///     append ──► │read already│ available │ ──► read
///
final class PushSource: Source {
    let name: String
    var byteCount: Int? { nil }
    private let state = Lock(State())

    private struct State {
        var bytes: [UInt8] = []
        var position = 0
        var isClosed = false
        var encoding = TextEncoding.utf8

        var available: Int { bytes.count - position }
    }

    init(name: String) { self.name = name }

    func append(_ piece: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.bytes.removeFirst(state.position)
            state.position = 0
            state.bytes += piece
        }
    }

    /// The encoding of the appended bytes before they were decoded.
    var encoding: TextEncoding {
        get { state.withLock { $0.encoding } }
        set { state.withLock { $0.encoding = newValue } }
    }

    /// Marks the end of the input.
    func close() { state.withLock { $0.isClosed = true } }

    /// Whether `count` bytes, or all remaining bytes of a closed source, can be read.
    func holds(_ count: Int) -> Bool { state.withLock { $0.isClosed || $0.available >= count } }

    /// Returns at most `count` of the next bytes, and whether they are the last ones.
    func peek(_ count: Int) -> (bytes: [UInt8], isAll: Bool) {
        state.withLock { state in
            (Array(state.bytes[state.position...].prefix(count)), state.isClosed && state.available <= count)
        }
    }

    /// Makes the bytes that were read since the last `append` readable again.
    func rewind() { state.withLock { $0.position = 0 } }

    /// Discards the unread bytes.
    func discard() { state.withLock { $0.position = $0.bytes.count } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let count = state.withLock { state -> Int? in
            let part = state.bytes[state.position...].prefix(buffer.count)
            if part.isEmpty && !state.isClosed { return nil }
            buffer.copyBytes(from: part)
            state.position += part.count
            return part.count
        }
        guard let count else { throw FileError("read", path: name, code: EAGAIN) }
        return count
    }
}

extension FileError {
    /// Whether the error means that a ``PushSource`` has no bytes to read yet.
    var needsMoreInput: Bool { code == EAGAIN }
}
