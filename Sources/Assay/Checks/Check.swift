/// A condition on a value: the data behind every rule, from Swift or from a rule file.
///
///     .all([.length(min: 8, max: nil, in: .scalars), .matches(pattern: #".*\d.*"#)])
///
/// A description: plain data that can be stored, sent and compared (texts byte by byte). To evaluate it, compile it
/// into a ``CompiledCheck``.
public indirect enum Check: Hashable, Sendable {
    /// The text is a valid value of this type and its format.
    case type(ValueType)

    /// The length is within the bounds, both inclusive; `nil` means no limit.
    case length(min: Int?, max: Int?, in: LengthUnit)

    /// The number of items of a list, elements of an array or members of an object is within the bounds, both
    /// inclusive; `nil` means no limit.
    case count(min: Int?, max: Int?, as: ValueType)

    /// The text matches a PCRE2 pattern: the whole text, or a part with ``Pattern/Options/search``.
    case matches(pattern: String, options: Pattern.Options = [])

    /// The value equals one of the given values, compared as values of the type: as numbers, `1.0` equals `1`.
    case oneOf([String], as: ValueType = .string)

    /// The value is within the bounds, compared as values of the type; `nil` means no limit. NaN is in no range.
    case range(min: Bound?, max: Bound?, as: ValueType)

    /// The value is a multiple of this number, which must be greater than 0. Exact for numbers of any length.
    case multiple(of: String, as: ValueType = .number)

    /// The value has one of these JSON types. A value that is only text, as in CSV, is a string, and also a number, a
    /// Boolean, an array or an object if it is written as one. It is never null.
    case jsonType([JSONType])

    /// All checks pass. An empty list passes.
    case all([Check])

    /// At least one check passes. An empty list fails.
    case any([Check])

    /// The check fails. Undecided results stay undecided.
    case not(Check)

    /// If the first check passes, the second must pass.
    case when(Check, then: Check)
}

/// A JSON type, with the name that JSON Schema gives it.
public enum JSONType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A string.
    case string
    /// A number, including integers.
    case number
    /// A whole number, including the forms `1.0` and `1e3`.
    case integer
    /// True or false.
    case boolean
    /// Null.
    case null
    /// An array.
    case array
    /// An object.
    case object
}

/// One bound of a range, in the form of a cell.
public struct Bound: Hashable, Sendable, Codable {
    /// The bound as text, such as `18` or `2024-01-31`. The value's type determines how it compares.
    public var text: String
    /// Whether the bound is outside the range. The default is inside.
    public var isExclusive: Bool

    /// A bound, inclusive unless `isExclusive`. The text is parsed when the check is compiled.
    public init(_ text: String, isExclusive: Bool = false) {
        self.text = text
        self.isExclusive = isExclusive
    }
}

/// The unit of a length.
public enum LengthUnit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Extended grapheme clusters (UAX #29), as counted by `String.count`.
    case characters
    /// Unicode scalars, as in Table Schema, JSON Schema and SQL. The default in rule files.
    case scalars
    /// UTF-16 code units, as in JavaScript, Java and `NSString`.
    case utf16
    /// UTF-8 bytes.
    case utf8
}
