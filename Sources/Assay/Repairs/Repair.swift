/// A change of a value's form before it is checked. Repairs never guess.
///
///     {name: email, format: email, repair: [trim, {missing: [N/A, '-']}, canonical]}
///     Field(name: "email", …, repair: [.trim, .missing(["N/A", "-"]), .canonical()])
///
/// The repairs of a field run in order. A repair that does not apply, such as to a date in none of the formats, leaves
/// the value unchanged. Repairs are pure and idempotent as a list: a value that a second run would change stays
/// unchanged. A description: plain data. ``CompiledRepairs`` runs it.
public enum Repair: Hashable, Sendable, Codable {
    /// Removes white space (Unicode's `White_Space`) and zero-width characters (U+200B to 200D, 2060, FEFF) at both
    /// ends.
    case trim
    /// Replaces each run of white space by one space.
    case collapse
    /// Converts to upper case, character by character. `ß` has no single upper-case character and stays. Source:
    /// UnicodeData.txt, simple mappings.
    case upper
    /// Converts to lower case, character by character. Source: UnicodeData.txt, simple mappings.
    case lower
    /// Converts to Unicode normalization form C. Source: UAX #15.
    case nfc
    /// Converts to Unicode normalization form KC, in which `ﬁ` is `fi` and `２` is `2`. Source: UAX #15.
    case nfkc
    /// Removes direction marks, control characters except white space, and invisible characters except joiners.
    case stripControl
    /// Converts decimal digits of all scripts to 0 to 9.
    case asciiDigits
    /// Removes pairs of quotes around the whole value, unless a quote of the same kind is inside.
    case unquote
    /// Replaces words that mean "no value" by the empty text.
    case missing([String])
    /// Replaces each match of a PCRE2 pattern by a text in which `$1` and `${name}` are groups. If a value reaches a
    /// match limit, it stays unchanged.
    case replace(pattern: String, with: String)
    /// Replaces a value that is one of the keys.
    case map(Mapping)
    /// Replaces a missing value.
    case `default`(String)
    /// Converts a value to the canonical form of the field's type and format.
    case canonical(CanonicalOptions = CanonicalOptions())
}

extension Repair {
    /// Replacements of whole values, in written order.
    public struct Mapping: Hashable, Sendable, Codable, ExpressibleByDictionaryLiteral {
        /// A value with its replacement.
        public struct Entry: Hashable, Sendable, Codable {
            /// The whole value, compared byte by byte.
            public var from: String
            /// The replacement.
            public var to: String

            /// A value with its replacement.
            public init(from: String, to: String) { (self.from, self.to) = (from, to) }
        }

        /// The replacements, in written order.
        public var entries: [Entry]

        /// A mapping of values.
        public init(_ entries: [Entry]) { self.entries = entries }

        public init(dictionaryLiteral elements: (String, String)...) {
            entries = elements.map { Entry(from: $0.0, to: $0.1) }
        }
    }

    /// The accepted input forms of ``Repair/canonical(_:)``.
    public struct CanonicalOptions: Hashable, Sendable, Codable {
        /// For dates and times: strptime-like formats, such as `%d.%m.%Y`, in addition to the canonical one. If two
        /// formats give different results for a value, it stays unchanged.
        public var from: [String]
        /// For phone numbers: the region of numbers without a country code, such as `GB`.
        public var region: String?
        /// For numbers: the decimal separator of the input; `nil` means a point.
        public var decimalChar: String?
        /// For numbers: the separator of digit groups in the input; `nil` means no separator.
        public var groupChar: String?

        /// The options for an input form. The parameters are the properties.
        public init(
            from: [String] = [], region: String? = nil, decimalChar: String? = nil, groupChar: String? = nil
        ) {
            self.from = from
            self.region = region
            self.decimalChar = decimalChar
            self.groupChar = groupChar
        }
    }
}

extension Repair {
    /// The name in rule files, counts and reports, such as `strip-control`.
    public var name: String {
        switch self {
        case .trim: "trim"
        case .collapse: "collapse"
        case .upper: "upper"
        case .lower: "lower"
        case .nfc: "nfc"
        case .nfkc: "nfkc"
        case .stripControl: "strip-control"
        case .asciiDigits: "ascii-digits"
        case .unquote: "unquote"
        case .missing: "missing"
        case .replace: "replace"
        case .map: "map"
        case .default: "default"
        case .canonical: "canonical"
        }
    }

    /// The repairs that rule files write as a single word.
    package static let words: [Repair] = [
        .trim, .collapse, .upper, .lower, .nfc, .nfkc, .stripControl, .asciiDigits, .unquote, .canonical(),
    ]

    /// The maximum number of repairs of a field.
    package static let maxCount = 32
}

extension [Repair] {
    /// The names of the repairs in counts. From the second use on, a repair's name has a number.
    ///
    ///     [trim, {replace: …}, {replace: …}]      trim, replace, replace.2
    package var names: [String] {
        var times: [String: Int] = [:]
        return map { repair in
            times[repair.name, default: 0] += 1
            let count = times[repair.name]!
            return count == 1 ? repair.name : "\(repair.name).\(count)"
        }
    }

    /// The positions of the repairs that make values missing, as bits.
    package var missingBits: UInt32 {
        indices.reduce(0) { bits, index in
            if case .missing = self[index] { bits | 1 << UInt32(index) } else { bits }
        }
    }
}
