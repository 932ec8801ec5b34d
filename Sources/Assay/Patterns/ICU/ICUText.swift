/// ICU's shorthands as PCRE2 patterns. They do not depend on options: neither UCP nor a newline convention is set.
///
/// Source: `regexst.cpp` (the sets) and `rematch.cpp` (the rest) of ICU.
enum ICUText {
    /// The line terminators of `.`, `^` and `$`, as members of a class.
    static let terminators = #"\n\x0b\x0c\r\x{85}\x{2028}\x{2029}"#

    static let word = #"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}"#
    static let digit = #"\p{Nd}"#
    static let space = #"\p{White_Space}"#
    static let horizontal = #"\t\p{Zs}"#

    static let anyScalar = "(?s:.)"

    /// `.` with the flag `s`, which matches CR LF as one.
    static let anything = #"(?>\r\n|(?s:.))"#

    /// Fails between CR and LF.
    private static let insideCRLF = #"(?!(?<=\r)\n)"#

    static func dot(_ flags: ICUFlags) -> String {
        flags.contains(.dotAll) ? anything : flags.contains(.unixLines) ? "[^\\n]" : "[^\(terminators)]"
    }

    /// `^`. In multiline mode it also matches between CR and LF, but not at the end of the text.
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

    /// `\Z`, and `$` without flags: the end of the text, or the position before a final terminator.
    static let textEnd = #"(?:(?=(?:\r\n|[\#(terminators)])?\z)\#(insideCRLF))"#

    // MARK: - Word boundaries

    /// Characters that attach to the preceding one. They never start or end a word.
    private static let attached = #"[\p{Grapheme_Extend}\p{Cf}]"#

    /// The maximum number of attached characters that are skipped. Text with more than 30 is not stream-safe (UAX #15).
    private static let attachedLimit = 30

    /// A look-behind for a word character with any attached characters. PCRE2 10.42 has no look-behinds of variable
    /// length, so they are nested, with one step back each.
    private static let afterWord: String = (0..<attachedLimit).reduce("(?<=(?!\(attached))[\(word)])") { inner, _ in
        "(?<=(?!\(attached))[\(word)]|(?=\(attached))\(inner)\(anyScalar))"
    }

    static let boundary = "(?:(?!\(attached))(?\(afterWord)(?![\(word)])|(?=[\(word)])))"
    static let noBoundary = "(?:(?=\(attached))|(?\(afterWord)(?=[\(word)])|(?![\(word)])))"

    // MARK: - Characters

    /// A literal character, for use outside and inside classes.
    static func literal(_ scalar: Unicode.Scalar) -> String {
        let isSyntax = scalar.isASCII && scalar.value > 0x20 && !scalar.properties.isAlphabetic && !isDigit(scalar)
        return isSyntax && scalar != "\u{7F}" ? "\\\(scalar)" : "\(scalar)"
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0" <= scalar && scalar <= "9" }

    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a" <= scalar && scalar <= "z") || ("A" <= scalar && scalar <= "Z")
    }
}

/// The flags of a pattern, as set by `(?imsxd)`.
struct ICUFlags: OptionSet {
    let rawValue: UInt8

    static let caseInsensitive = ICUFlags(rawValue: 1 << 0)
    static let multiline = ICUFlags(rawValue: 1 << 1)
    static let dotAll = ICUFlags(rawValue: 1 << 2)
    static let extended = ICUFlags(rawValue: 1 << 3)
    /// `d`: LF is the only line terminator.
    static let unixLines = ICUFlags(rawValue: 1 << 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ options: Pattern.Options) {
        self = []
        if options.contains(.caseInsensitive) { insert(.caseInsensitive) }
        if options.contains(.multiline) { insert(.multiline) }
        if options.contains(.dotMatchesNewlines) { insert(.dotAll) }
        if options.contains(.extended) { insert(.extended) }
    }

    /// The flag of a letter; `nil` if there is none.
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
