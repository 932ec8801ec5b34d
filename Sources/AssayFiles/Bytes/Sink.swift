#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Where bytes go: a file, a pipe, a compressor, the body of a response.
///
/// Used by one thread at a time.
public protocol Sink: Sendable {
    /// What to call it in messages.
    var name: String { get }

    /// Takes all the bytes, or throws. May block.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError)
}

/// An open file descriptor as a sink. It does not own the descriptor.
///
/// A pipe that nobody reads any more is an error of the write (`EPIPE`) and never a signal, since the process is somebody else's.
package struct DescriptorSink: Sink {
    package let name: String
    let descriptor: Int32
    /// Whether somebody reads it at the other end, and may go: a pipe, or a socket.
    private let hasReader: Bool

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        var status = stat()
        hasReader = fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = hasReader ? writeWithoutSignal(descriptor, rest) : Written(descriptor, rest)
            switch written {
            case .bytes(let count): rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            case .failure(EAGAIN):
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, -1)
            case .failure(EINTR): break
            case .failure(let code): throw FileError("write", path: name, code: code)
            }
        }
    }
}

extension Sink {
    package func write(_ bytes: [UInt8]) throws(FileError) {
        if bytes.isEmpty { return }
        try bytes.withUnsafeBufferPointer { bytes throws(FileError) in try write(UnsafeRawBufferPointer(bytes)) }
    }
}
