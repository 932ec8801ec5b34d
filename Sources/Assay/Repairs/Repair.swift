/// A change to a value before it is judged: what is wrong with it in form, and can be put right without guessing.
///
///     {name: email, format: email, repair: [trim, {missing: [N/A, '-']}, canonical]}
///     Field(name: "email", …, repair: [.trim, .missing(["N/A", "-"]), .canonical()])
///
/// The repairs of a field are applied in order. One that cannot, such as a date in none of the formats, leaves the value as it
/// is. They are pure, and repairing again changes nothing: a value that its list would change a second time stays as it came.
/// A description: plain data. ``CompiledRepairs`` applies it.
public enum Repair: Hashable, Sendable, Codable {
    /// White space (Unicode's `White_Space`) and characters without width (U+200B to 200D, 2060, FEFF) off both ends.
    case trim
    /// Each run of white space becomes one space.
    case collapse
    /// Capitals, character by character: `ß` has none of one character, and stays. Source: UnicodeData.txt, simple mappings.
    case upper
    /// Small letters, character by character. Source: UnicodeData.txt, simple mappings.
    case lower
    /// Unicode's normal form C. Source: UAX #15.
    case nfc
    /// Unicode's normal form KC, in which `ﬁ` is `fi` and `２` is `2`. Source: UAX #15.
    case nfkc
    /// Without control characters that are no white space, direction marks, and invisible characters but joiners.
    case stripControl
    /// Decimal digits of all scripts as 0 to 9.
    case asciiDigits
    /// Without the quotes around the whole value, unless one of them is inside, too.
    case unquote
    /// Words that mean "no value here": the value becomes empty.
    case missing([String])
    /// Each match of a PCRE2 pattern becomes a text, in which `$1` and `${name}` are groups. Under the match limits: a value
    /// that reaches one is left as it is.
    case replace(pattern: String, with: String)
    /// A value that is one of the keys becomes what stands for it.
    case map(Mapping)
    /// What a cell without a value becomes.
    case `default`(String)
    /// The one form of the field's type and format.
    case canonical(CanonicalOptions = CanonicalOptions())
}

extension Repair {
    /// What values become, in the order in which it is written.
    public struct Mapping: Hashable, Sendable, Codable, ExpressibleByDictionaryLiteral {
        /// One value and what it becomes.
        public struct Entry: Hashable, Sendable, Codable {
            /// The whole value, compared byte by byte.
            public var from: String
            /// What it becomes.
            public var to: String

            /// An entry.
            public init(from: String, to: String) { (self.from, self.to) = (from, to) }
        }

        /// What it consists of.
        public var entries: [Entry]

        /// A mapping.
        public init(_ entries: [Entry]) { self.entries = entries }

        public init(dictionaryLiteral elements: (String, String)...) {
            entries = elements.map { Entry(from: $0.0, to: $0.1) }
        }
    }

    /// How values may come that are brought to the one form of their type.
    public struct CanonicalOptions: Hashable, Sendable, Codable {
        /// Of dates and times: strptime-like formats, such as `%d.%m.%Y`, besides the canonical one. A value that two of them read
        /// differently is left as it is.
        public var from: [String]
        /// Of phone numbers: the region whose numbers are meant where the country code is missing, such as `GB`.
        public var region: String?
        /// Of numbers: the decimal separator that values have; `nil`: a point.
        public var decimalChar: String?
        /// Of numbers: the separator of digit groups that values have; `nil`: none.
        public var groupChar: String?

        /// Options.
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
    /// The name in rule files, counts and reports: `strip-control`.
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

    /// The repairs that are a word.
    package static let words: [Repair] = [
        .trim, .collapse, .upper, .lower, .nfc, .nfkc, .stripControl, .asciiDigits, .unquote, .canonical(),
    ]

    /// The most repairs of one field.
    package static let most = 32
}

extension [Repair] {
    /// The names under which the repairs of a list are counted: each as it is called, and from its second time on with a number.
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
}
