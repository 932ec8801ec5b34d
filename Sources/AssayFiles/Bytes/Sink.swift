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
package struct DescriptorSink: Sink {
    package let name: String
    let descriptor: Int32

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Darwin)
                let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
            #elseif canImport(Musl)
                let count = Musl.write(descriptor, rest.baseAddress, rest.count)
            #else
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            } else if errno == EAGAIN {
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, -1)
            } else if errno != EINTR {
                throw FileError("write", path: name, code: errno)
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
