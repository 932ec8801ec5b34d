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
    public var path: String
    /// The system's error number (`errno`).
    public var code: Int32

    public init(_ operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    public var description: String {
        "cannot \(operation) \(path.isEmpty ? "''" : printable(path)): \(String(cString: strerror(code)))"
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
