/// What ICU means by its shorthands, in PCRE2's words. None of it depends on options: neither UCP nor newline are set.
///
/// Source: `regexst.cpp` (the sets), `rematch.cpp` (the rest) of ICU.
enum ICUText {
    /// The line terminators of `.`, `^` and `$`, as members of a class.
    static let terminators = #"\n\x0b\x0c\r\x{85}\x{2028}\x{2029}"#

    static let word = #"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}"#
    static let digit = #"\p{Nd}"#
    static let space = #"\p{White_Space}"#
    static let horizontal = #"\t\p{Zs}"#

    static let anyScalar = "(?s:.)"

    /// With the flag `s`, CR LF is one.
    static let anything = #"(?>\r\n|(?s:.))"#

    /// Between CR and LF.
    private static let insideCRLF = #"(?!(?<=\r)\n)"#

    static func dot(_ flags: ICUFlags) -> String {
        flags.contains(.dotAll) ? anything : flags.contains(.unixLines) ? "[^\\n]" : "[^\(terminators)]"
    }

    /// Between CR and LF too, but not at the end of the text.
    static func lineStart(_ flags: ICUFlags) -> String {
        guard flags.contains(.multiline) else { return "(?:^)" }
        return flags.contains(.unixLines) ? #"(?:^|(?<=\n))"# : #"(?:^|(?<=[\#(terminators)])(?!\z))"#
    }

    static func lineEnd(_ flags: ICUFlags) -> String {
        switch (flags.contains(.multiline), flags.contains(.unixLines)) {
        case (true, true): #"(?:(?=\n|\z))"#
        case (true, false): #"(?:(?=[\#(terminators)]|\z)\#(insideCRLF))"#
        case (false, true): #"(?:(?=\n?\z))"#
        case (false, false): textEnd
        }
    }

    /// `\Z`, and `$` without flags: the end, or the place before a terminator that ends the text.
    static let textEnd = #"(?:(?=(?:\r\n|[\#(terminators)])?\z)\#(insideCRLF))"#

    // MARK: - Word boundaries

    /// What hangs on the character before it, and never starts or ends a word.
    private static let attached = #"[\p{Grapheme_Extend}\p{Cf}]"#

    /// How many attached characters are looked through. More than 30 make a text that is not stream-safe (UAX #15).
    private static let attachedLimit = 30

    /// Whether a word character stands before, whatever hangs on it. PCRE2 10.42 has no look-behind of variable length,
    /// so that it is one step back, and another, and another.
    private static let afterWord: String = (0..<attachedLimit).reduce("(?<=(?!\(attached))[\(word)])") { inner, _ in
        "(?<=(?!\(attached))[\(word)]|(?=\(attached))\(inner)\(anyScalar))"
    }

    static let boundary = "(?:(?!\(attached))(?\(afterWord)(?![\(word)])|(?=[\(word)])))"
    static let noBoundary = "(?:(?=\(attached))|(?\(afterWord)(?=[\(word)])|(?![\(word)])))"

    // MARK: - Characters

    /// A character that means itself, outside classes and in them.
    static func literal(_ scalar: Unicode.Scalar) -> String {
        let isSyntax = scalar.isASCII && scalar.value > 0x20 && !scalar.properties.isAlphabetic && !isDigit(scalar)
        return isSyntax && scalar != "\u{7F}" ? "\\\(scalar)" : "\(scalar)"
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0" <= scalar && scalar <= "9" }

    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a" <= scalar && scalar <= "z") || ("A" <= scalar && scalar <= "Z")
    }
}

/// The flags of a pattern, as `(?imsxd)` sets them.
struct ICUFlags: OptionSet {
    let rawValue: UInt8

    static let caseInsensitive = ICUFlags(rawValue: 1 << 0)
    static let multiline = ICUFlags(rawValue: 1 << 1)
    static let dotAll = ICUFlags(rawValue: 1 << 2)
    static let extended = ICUFlags(rawValue: 1 << 3)
    /// `d`: the only line terminator is LF.
    static let unixLines = ICUFlags(rawValue: 1 << 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ options: Pattern.Options) {
        self = []
        if options.contains(.caseInsensitive) { insert(.caseInsensitive) }
        if options.contains(.multiline) { insert(.multiline) }
        if options.contains(.dotMatchesNewlines) { insert(.dotAll) }
        if options.contains(.extended) { insert(.extended) }
    }

    /// The flag of a letter, or `nil`.
    init?(letter: Unicode.Scalar) {
        switch letter {
        case "i": self = .caseInsensitive
        case "m": self = .multiline
        case "s": self = .dotAll
        case "x": self = .extended
        case "d": self = .unixLines
        default: return nil
        }
    }
}
