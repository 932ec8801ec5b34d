import AssayFiles

/// Bytes that have to be waited for, a few at a time.
private final class Trickle: Source, @unchecked Sendable {
    let name = "bytes"
    let byteCount: Int? = nil
    // SAFETY: read by one thread at a time, as sources are.
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let part = rest.prefix(min(buffer.count, 1 + rest.count / 3))
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
    }
}

/// Unpacks bytes, or the file of a descriptor that has the same. See fuzz_packed.c.
@c(fuzz_unpack)
public func unpack(
    _ packed: UnsafePointer<UInt8>, _ count: Int, _ isGzip: Bool, _ threads: CInt, _ descriptor: CInt,
    _ text: UnsafeMutablePointer<UInt8>, _ room: Int, _ produced: UnsafeMutablePointer<Int>
) -> Bool {
    produced.pointee = 0
    do throws(FileError) {
        let source: any Source =
            if descriptor >= 0 {
                try FileSource(path: "/proc/self/fd/\(descriptor)")
            } else {
                Trickle(Array(UnsafeBufferPointer(start: packed, count: count)))
            }
        let unpacked = try Decompressed(source, from: isGzip ? .gzip : .zstd, threads: Int(threads))
        while produced.pointee < room {
            let left = UnsafeMutableRawBufferPointer(start: text + produced.pointee, count: room - produced.pointee)
            let count = try unpacked.read(into: left)
            if count == 0 { return true }
            produced.pointee += count
        }
        return true
    } catch {
        precondition(!"\(error)".isEmpty)
        return false
    }
}
