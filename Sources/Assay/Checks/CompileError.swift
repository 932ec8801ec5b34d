/// An invalid pattern, format, bound or check, with its position.
public struct CompileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of a check that contains the mistake.
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

    /// A message in English; for a pattern, that of PCRE2.
    public var message: String

    /// The position in the text of the part, in UTF-8 bytes; `nil` if it has none.
    public var offset: Int?

    /// An error for code that reads checks from other sources.
    ///
    /// - Parameters:
    ///   - part: The part that does not compile.
    ///   - message: The mistake, as a part of a sentence.
    ///   - offset: The position in the text of the part, in UTF-8 bytes.
    public init(part: Part, message: String, offset: Int? = nil) {
        self.part = part
        self.message = message
        self.offset = offset
    }

    public var description: String {
        guard let offset else { return message }
        return "\(message) at offset \(offset)"
    }

    /// The ``description``, under Foundation's name. `AssayForms` and `AssayFiles` add the conformance to
    /// `LocalizedError`.
    public var localizedDescription: String { description }
}
