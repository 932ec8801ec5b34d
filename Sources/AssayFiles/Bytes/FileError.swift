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
        "cannot \(operation) \(printable(path)): \(String(cString: strerror(code)))"
    }

    /// Whether the reader of a pipe has gone away.
    public var isBrokenPipe: Bool { code == EPIPE }
}

/// A text that is safe to show on a terminal: control characters, and those that reorder text, are spelled out.
///
/// File names, column names and cells come from strangers, and a terminal obeys what it is sent (CWE-150).
public func printable(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x0A: result += "\\n"
        case 0x0D: result += "\\r"
        case 0x09: result += "\\t"
        case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
