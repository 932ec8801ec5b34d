internal import CAssaySystem

/// A destination of bytes: a file, a pipe, a compressor, the body of a response.
///
/// Used by one thread at a time.
public protocol Sink: Sendable {
    /// The name in messages.
    var name: String { get }

    /// Writes all bytes, or throws. May block.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError)
}

/// An open file descriptor as a sink. It does not own the descriptor.
///
/// A write to a pipe without a reader fails with an error (`EPIPE`) and never raises a signal: see
/// ``WritableDescriptor``.
package struct DescriptorSink: Sink {
    package let name: String
    let file: WritableDescriptor

    package init(descriptor: Int32, name: String) {
        file = WritableDescriptor(descriptor)
        self.name = name
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            switch file.write(rest) {
            case .bytes(let count): rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            case .failure(EAGAIN):
                var poller = pollfd(fd: file.number, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, -1)
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
