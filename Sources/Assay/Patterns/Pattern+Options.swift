extension Pattern {
    /// Matching options. Without options, the whole value must match, case matters, `.` matches any character except
    /// LF, and `\d \w \s` are ASCII.
    ///
    /// The raw bits are those of the C core, except `icuSyntax`, which is not passed to the core.
    public struct Options: OptionSet, Hashable, Sendable, Codable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Letters match in either case (`(?i)`).
        public static let caseInsensitive = Options(rawValue: 1 << 0)
        /// `\d \w \s \b` and `[:alpha:]`-like classes follow Unicode properties (PCRE2_UCP).
        public static let unicodeClasses = Options(rawValue: 1 << 1)
        /// `.` also matches LF (`(?s)`).
        public static let dotMatchesNewlines = Options(rawValue: 1 << 2)
        /// White space and `#` comments in the pattern are skipped (`(?x)`).
        public static let extended = Options(rawValue: 1 << 3)
        /// `^` and `$` also match next to an inner LF (`(?m)`).
        public static let multiline = Options(rawValue: 1 << 4)
        /// A match anywhere in the value suffices.
        public static let search = Options(rawValue: 1 << 5)
        /// Refuses the pattern unless a DFA matches it in linear time. Use it for patterns of untrusted authors. The
        /// error names the construct, such as a back reference, and a replacement.
        public static let linearTime = Options(rawValue: 1 << 8)
        /// The pattern is in ICU's syntax, ``Pattern/Dialect/icu``. Then `.` and `$` recognize all Unicode line breaks,
        /// `\d \w \s \b` follow Unicode, and ``unicodeClasses`` has no effect.
        /// Users write the dialect instead.
        package static let icuSyntax = Options(rawValue: 1 << 16)

        /// The names in rule files, in bit order.
        package static let names: [(name: String, option: Options)] = [
            ("caseInsensitive", .caseInsensitive), ("unicodeClasses", .unicodeClasses), ("dotAll", .dotMatchesNewlines),
            ("extended", .extended), ("multiline", .multiline), ("search", .search),
            ("linearTime", .linearTime), ("icuCompatible", .icuSyntax),
        ]
    }
}
