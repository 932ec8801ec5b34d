internal import Assay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A source that is filled from the other side, piece by piece. It never waits: a read that would have to is refused.
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

    /// The encoding that what is appended was in before it was decoded.
    var encoding: TextEncoding {
        get { state.withLock { $0.encoding } }
        set { state.withLock { $0.encoding = newValue } }
    }

    /// Says that nothing more will come.
    func close() { state.withLock { $0.isClosed = true } }

    /// Whether so many bytes can be read, or all there will ever be.
    func holds(_ count: Int) -> Bool { state.withLock { $0.isClosed || $0.available >= count } }

    /// The first bytes that can be read, so many at most, and whether no others will come.
    func peek(_ count: Int) -> (bytes: [UInt8], isAll: Bool) {
        state.withLock { state in
            (Array(state.bytes[state.position...].prefix(count)), state.isClosed && state.available <= count)
        }
    }

    /// Makes what was read since the last `append` unread.
    func rewind() { state.withLock { $0.position = 0 } }

    /// Forgets what has not been read.
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
    /// Whether a ``PushSource`` had nothing to read yet.
    var needsMoreInput: Bool { code == EAGAIN }
}
