internal import CAssaySystem
internal import Synchronization

/// An unnamed file for data that does not fit in memory. The system removes it when the process ends for any reason.
///
/// Any number of threads may append to it and read from it concurrently.
final class ScratchFile: Sendable {
    private let file: WritableDescriptor
    private let name: String
    private let end = Atomic(0)

    /// - Parameter directory: The directory of the file. `nil` selects `TMPDIR`, or `/tmp` if that is not set.
    init(in directory: String?) throws(FileError) {
        let directory = directory ?? usualTemporaryDirectory()
        name = "a temporary file in \(directory)"
        let descriptor = Self.open(in: directory)
        // Read `errno` before another call can change it.
        let code = errno
        file = WritableDescriptor(descriptor)
        if descriptor < 0 {
            var error = FileError("create", path: name, code: code)
            error.advice = "\(String(cString: strerror(code))); choose another directory with --temp-dir"
            throw error
        }
    }

    private static func open(in directory: String) -> Int32 {
        #if os(Linux)
            // With O_TMPFILE (open(2)), the file never has a name.
            let unnamed = O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20_000_000
            let made = CAssaySystem.open(directory, unnamed, 0o600)
            if made >= 0 { return made }
        #endif
        var template = Array("\(directory)/.assay-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        if descriptor < 0 { return -1 }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    deinit { close(file.number) }

    /// Appends values and returns their offset.
    func append<Value: BitwiseCopyable>(all values: [Value]) throws(FileError) -> Int {
        let offset = end.wrappingAdd(values.count * MemoryLayout<Value>.stride, ordering: .relaxed).oldValue
        var problem: FileError?
        values.withUnsafeBytes { bytes in
            do throws(FileError) { try write(bytes, at: offset) } catch { problem = error }
        }
        if let problem { throw problem }
        return offset
    }

    /// Appends bytes.
    func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try write(bytes, at: end.wrappingAdd(bytes.count, ordering: .relaxed).oldValue)
    }

    /// The number of bytes that have been written.
    var count: Int { end.load(ordering: .relaxed) }

    /// Reads bytes from an offset until the buffer is full or the file ends. Returns the number of bytes.
    func read(upTo buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
        let available = min(buffer.count, max(0, count - offset))
        try read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<available]))
        return available
    }

    /// Overwrites the bytes at an offset with a value.
    func write(_ value: some BitwiseCopyable, at offset: Int) throws(FileError) {
        var problem: FileError?
        withUnsafeBytes(of: value) { bytes in
            do throws(FileError) { try write(bytes, at: offset) } catch { problem = error }
        }
        if let problem { throw problem }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        let code = file.write(bytes, at: offset)
        if code != 0 { throw FileError("write", path: name, code: code) }
    }

    /// Reads the value at an offset.
    func read<Value: BitwiseCopyable>(at offset: Int, as: Value.Type = Value.self) throws(FileError) -> Value {
        try read(1, at: offset)[0]
    }

    /// Reads the values at an offset.
    func read<Value: BitwiseCopyable>(_ count: Int, at offset: Int) throws(FileError) -> [Value] {
        var problem: FileError?
        let values = [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(FileError) {
                try read(
                    at: offset,
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(count * MemoryLayout<Value>.stride)]))
                initialized = count
            } catch { problem = error }
        }
        if let problem { throw problem }
        return values
    }

    private func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let count = uninterrupted {
                pread(file.number, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
            }
            if count <= 0 { throw FileError("read", path: name, code: count == 0 ? EIO : errno) }
            done += count
        }
    }
}

/// The directory for temporary files if the user does not choose one.
func usualTemporaryDirectory() -> String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
}
