/// A pattern, format or bound that cannot be compiled: bad input to us, with its place.
public struct CompileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which part of a check the mistake is in.
    public enum Part: Hashable, Sendable {
        case pattern
        /// The format of a type, such as `%d/%m/%Y`.
        case format
        /// Another property of a type.
        case type
        /// One of the values of ``Check/oneOf(_:as:)``, by index.
        case value(Int)
        case minimum
        case maximum
        case check
    }

    public var part: Part

    /// Plain English; for a pattern, PCRE2's own words.
    public var message: String

    /// Where in the text of the part, in bytes of UTF-8.
    public var offset: Int?

    public init(part: Part, message: String, offset: Int? = nil) {
        self.part = part
        self.message = message
        self.offset = offset
    }

    public var description: String {
        guard let offset else { return message }
        return "\(message) at offset \(offset)"
    }
}
