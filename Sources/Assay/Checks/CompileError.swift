/// A pattern, format or bound that cannot be compiled: bad input to us, with its place.
public struct CompileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which part of a check the mistake is in.
    public enum Part: Hashable, Sendable {
        /// The pattern.
        case pattern
        /// The format of a type, such as `%d/%m/%Y`.
        case format
        /// Another property of a type.
        case type
        /// One of the values of ``Check/oneOf(_:as:)``, by index.
        case value(Int)
        /// The lower bound of a range.
        case minimum
        /// The upper bound of a range.
        case maximum
        /// The check as a whole, such as a length without bounds.
        case check
    }

    /// The part that does not compile.
    public var part: Part

    /// Plain English; for a pattern, PCRE2's own words.
    public var message: String

    /// Where in the text of the part, in bytes of UTF-8.
    public var offset: Int?

    /// An error of one's own, for code that reads checks from elsewhere.
    ///
    /// - Parameters:
    ///   - part: the part that does not compile.
    ///   - message: what is wrong, as part of a sentence.
    ///   - offset: where in the text of the part, in bytes of UTF-8.
    public init(part: Part, message: String, offset: Int? = nil) {
        self.part = part
        self.message = message
        self.offset = offset
    }

    public var description: String {
        guard let offset else { return message }
        return "\(message) at offset \(offset)"
    }

    /// The ``description``, as Foundation calls what people read. The `AssayForms` library makes it a `LocalizedError`.
    public var localizedDescription: String { description }
}
