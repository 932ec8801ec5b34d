internal import AssayRules
internal import CAssaySystem

/// A failed operation on a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation, such as `write`.
    public var operation: String
    /// The path of the file, or the name of the stream.
    public var path: String
    /// The system's error number (`errno`).
    public var code: Int32
    /// The offset of the byte at which the operation failed. `nil` if it does not concern a byte.
    public var offset: Int?
    /// The size of the file when it was opened, if the file became shorter while it was read.
    public var expectedBytes: Int?

    /// The defect of data that cannot be decompressed; ``offset`` then counts compressed bytes. `nil` for other errors.
    public var damage: String?

    /// A suggestion, if there is one.
    public var advice: String?

    /// Whether the error is a Zstandard frame that needs more memory than Assay allows.
    var hasLargeWindow = false

    /// - Parameter offset: See ``offset``.
    public init(_ operation: String, path: String, code: Int32, offset: Int? = nil) {
        self.operation = operation
        self.path = path
        self.code = code
        self.offset = offset
    }

    /// Returns the error for a directory in the place of a file.
    static func directory(_ path: String) -> FileError {
        var error = FileError("read", path: path, code: EISDIR)
        error.advice = "it is a directory; name the file, such as \(path.hasSuffix("/") ? path : path + "/")*.csv"
        return error
    }

    /// Returns the error for a file that became shorter after it was opened, because another process truncated or
    /// rewrote it.
    static func shortened(_ path: String, at offset: Int, from bytes: Int) -> FileError {
        var error = FileError("read", path: path, code: 0, offset: offset)
        error.expectedBytes = bytes
        return error
    }

    /// Returns the error for a file with bytes that changed between two reads.
    package static func changed(_ path: String) -> FileError {
        var error = FileError("read", path: path, code: 0)
        error.advice = "it changed during the run; run again when it is complete"
        return error
    }

    /// Returns the error for an output that another program replaced with a different file.
    static func replaced(_ path: String) -> FileError {
        var error = FileError("rename into place", path: path, code: 0)
        error.advice = "another program put another file in its place; use a folder to which only you can write"
        return error
    }

    /// Returns the error for an output with an unexpected size, because another program writes to it.
    static func resized(_ path: String, to size: Int, from written: Int) -> FileError {
        var error = FileError("rename into place", path: path, code: 0)
        error.advice =
            "it has \(grouped(size)) bytes, and \(grouped(written)) were written: another program writes to it"
        return error
    }

    /// Returns the error for compressed data that is truncated or invalid.
    static func damaged(_ path: String, as compression: Compression, at offset: Int, _ damage: String) -> FileError {
        var error = FileError("unpack", path: path, code: 0, offset: offset)
        error.damage = "\(compression.name): \(damage)"
        return error
    }

    /// Returns the error for a Zstandard frame with a window above the limit.
    static func largeWindow(_ path: String, at offset: Int) -> FileError {
        var error = FileError("unpack", path: path, code: 0, offset: offset)
        error.advice = "a frame has a window of more than 128 MiB; unpack it with zstd -d --long=31"
        error.hasLargeWindow = true
        return error
    }

    public var description: String {
        let name = path.isEmpty ? "''" : printable(path)
        if let expectedBytes {
            return "\(name) changed while it was being read: it ends at byte \(offset ?? 0) and had "
                + "\(expectedBytes) bytes when it was opened; run again once it is complete"
        }
        let place = offset.map { " at byte \($0)" } ?? ""
        if let damage { return "\(name) is damaged\(place): \(damage)" }
        return "cannot \(operation) \(name)\(place): \(advice ?? String(cString: strerror(code)))"
    }

    /// Whether the reader of a pipe has closed it.
    public var isBrokenPipe: Bool { code == EPIPE }

    /// Whether the file, or a directory in its path, does not exist.
    public var isAbsent: Bool { code == ENOENT }

    /// Whether the name is already used by another file.
    public var isTaken: Bool { code == EEXIST }
}

/// Returns a text that is safe to show on a terminal: control and bidirectional characters are escaped.
package func printable(_ text: some StringProtocol) -> String { String(text).visible }
