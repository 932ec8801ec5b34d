internal import Assay

/// A table in memory.
final class BytesSource: Source {
    let name: String
    private let rest: Lock<ArraySlice<UInt8>>

    init(_ bytes: [UInt8], name: String) {
        self.name = name
        rest = Lock(bytes[...])
    }

    var byteCount: Int? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        rest.withLock { rest in
            let count = min(rest.count, buffer.count)
            buffer.copyBytes(from: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
    }
}
