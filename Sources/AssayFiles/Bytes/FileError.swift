internal import AssayRules

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// An operation on a file that the system refused.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was being done, such as `write`.
    public var operation: String
    /// The path of the file, or the name of the stream.
    public var path: String
    /// The system's error number (`errno`).
    public var code: Int32
    /// The byte of the file at which it happened, from 0; `nil`: it did not happen at a byte.
    public var offset: Int?
    /// How many bytes the file had when it was opened, where that is the mistake: it has become shorter while it was read.
    public var expectedBytes: Int?

    /// What is wrong with data that cannot be unpacked; ``offset`` counts packed bytes then. `nil`: it was not that.
    public var damage: String?

    /// What to do instead, where that is known.
    public var advice: String?

    /// Whether it is Zstandard that takes more memory to unpack than there is for it.
    var hasLargeWindow = false

    /// - Parameter offset: see ``offset``.
    public init(_ operation: String, path: String, code: Int32, offset: Int? = nil) {
        self.operation = operation
        self.path = path
        self.code = code
        self.offset = offset
    }

    /// A directory in the place of a file.
    static func directory(_ path: String) -> FileError {
        var error = FileError("read", path: path, code: EISDIR)
        error.advice = "it is a directory; name the file, such as \(path.hasSuffix("/") ? path : path + "/")*.csv"
        return error
    }

    /// A file that ends earlier than it did when it was opened: somebody has cut it off, or begun to write it anew.
    static func shortened(_ path: String, at offset: Int, from bytes: Int) -> FileError {
        var error = FileError("read", path: path, code: 0, offset: offset)
        error.expectedBytes = bytes
        return error
    }

    /// A file whose bytes are not those that stood there before.
    package static func changed(_ path: String) -> FileError {
        var error = FileError("read", path: path, code: 0)
        error.advice = "it changed meanwhile; run again once it is complete"
        return error
    }

    /// An output in whose place another program has put another file.
    static func replaced(_ path: String) -> FileError {
        var error = FileError("rename into place", path: path, code: 0)
        error.advice = "another program put another file in its place; use a folder to which only you can write"
        return error
    }

    /// An output to which another program writes, so that its size is not as written.
    static func resized(_ path: String, to size: Int, from written: Int) -> FileError {
        var error = FileError("rename into place", path: path, code: 0)
        error.advice =
            "it has \(grouped(size)) bytes, and \(grouped(written)) were written: another program writes to it"
        return error
    }

    /// Packed data that is not whole, or not what it says.
    static func damaged(_ path: String, as compression: Compression, at offset: Int, _ damage: String) -> FileError {
        var error = FileError("unpack", path: path, code: 0, offset: offset)
        error.damage = "\(compression.name): \(damage)"
        return error
    }

    /// Zstandard with a frame whose window is larger than Assay unpacks.
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

    /// Whether the reader of a pipe has gone away.
    public var isBrokenPipe: Bool { code == EPIPE }

    /// Whether a file, or a directory on the way to it, is not there.
    public var isAbsent: Bool { code == ENOENT }

    /// Whether the name belongs to another file.
    public var isTaken: Bool { code == EEXIST }
}

/// A text that is safe to show on a terminal: control characters, and those that reorder text, are spelled out.
package func printable(_ text: some StringProtocol) -> String { String(text).visible }
