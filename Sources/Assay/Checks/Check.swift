/// One question that can be asked of a value: the data behind every rule, whether written in Swift or in a rule file.
///
///     .all([.length(min: 8, max: nil, in: .scalars), .matches(pattern: #".*\d.*"#)])
///
/// A description: plain data that can be stored, compared (texts in it byte by byte) and sent. Turn it into a ``CompiledCheck`` to
/// run it.
public indirect enum Check: Hashable, Sendable, Codable {
    /// The text can be read as a value of this type (and its format).
    case type(ValueType)

    /// The length lies between the bounds, both included. `nil` is open.
    case length(min: Int?, max: Int?, in: LengthUnit)

    /// A list, an array or an object has so many items, elements or members, both included. `nil` is open.
    case count(min: Int?, max: Int?, as: ValueType)

    /// The text matches a PCRE2 pattern: the whole of it, unless ``Pattern/Options/search`` is given.
    case matches(pattern: String, options: Pattern.Options = [])

    /// The value equals one of these, compared as the type means them: as a number `1.0` equals `1`.
    case oneOf([String], as: ValueType = .string)

    /// The value lies between the bounds, compared as the type means them. `nil` is open. NaN lies nowhere.
    case range(min: Bound?, max: Bound?, as: ValueType)

    /// The value is a multiple of this number, which is greater than 0. Exact for numbers of any length.
    case multiple(of: String, as: ValueType = .number)

    /// The value has one of these types of JSON. A value that is only text, as in CSV, is a string, and also a number, a Boolean, an array or
    /// an object if it is written as one; it is never null.
    case jsonType([JSONType])

    /// Every one of these passes. Empty: passes.
    case all([Check])

    /// At least one of these passes. Empty: fails.
    case any([Check])

    /// This one fails. Undecided stays undecided.
    case not(Check)

    /// If the first passes, the second must too.
    case when(Check, then: Check)
}

/// A type of a value of JSON, as JSON Schema names it.
public enum JSONType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A string.
    case string
    /// A number, an integer among them.
    case number
    /// A whole number, also one written as `1.0` or `1e3`.
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

/// One end of a range, written as a cell of the file would write it.
public struct Bound: Hashable, Sendable, Codable {
    /// The bound as text, such as `18` or `2024-01-31`; how it compares is a matter of the value's type.
    public var text: String
    /// Whether the bound itself is outside the range. By default it is inside.
    public var isExclusive: Bool

    /// A bound; included unless `isExclusive`. It is read when the check is compiled.
    public init(_ text: String, isExclusive: Bool = false) {
        self.text = text
        self.isExclusive = isExclusive
    }
}

/// What a length counts.
public enum LengthUnit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Characters as people see them (extended grapheme clusters, UAX #29), as `String.count` does.
    case characters
    /// Unicode scalars, as Table Schema, JSON Schema and SQL do. The default in rule files.
    case scalars
    /// UTF-16 code units, as JavaScript, Java and `NSString` do.
    case utf16
    /// Bytes of UTF-8, as storage does.
    case utf8
}
