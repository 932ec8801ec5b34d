/// A part of a pattern that compiles but has another meaning in ICU, the engine of NSRegularExpression and NSPredicate.
///
///     [[a-z]&&[^aeiou]]        ICU: the consonants.  PCRE2: one of `[a-z`, then `&&`, a non-vowel and `]`
///
/// Limited to syntax that is easily copied by mistake. `\d` and `.` differ between the engines, but are too common for
/// a warning.
struct ForeignConstruct: Equatable {
    let offset: Int
    let advice: String

    static let intersection = """
        NSRegularExpression reads && in a set as intersection, PCRE2 as two characters; \
        for the characters write \\&\\&, for an intersection a look-ahead: (?=[a-z])[^aeiou]
        """
    static let difference = """
        NSRegularExpression reads -- in a set as difference, PCRE2 as hyphens; \
        for the characters write \\-\\-, for a difference a look-ahead: (?![aeiou])[a-z]
        """
    static let innerSet = """
        NSRegularExpression reads [ in a set as the start of an inner set, PCRE2 as the character; write \\[
        """
    static let openRepeat = """
        NSRegularExpression refuses {,n}, PCRE2 reads it as text before 10.43 and as 0 to n times since then; \
        write {0,n}, or \\{,n} for the text
        """
    static let octal = """
        NSRegularExpression reads \\0 and three digits as one character, PCRE2 as \\0 with two digits and a character; \
        write \\x{…}
        """

    /// All such parts, in order. PCRE2 must accept the pattern.
    static func all(in pattern: [UInt8], isExtended: Bool) -> [ForeignConstruct] {
        var reader = PatternReader(pattern: pattern, isExtended: isExtended)
        reader.readAll()
        return reader.found
    }
}

/// A reader for the part of PCRE2's syntax that determines sets, escapes, quoted text and comments.
private struct PatternReader {
    let pattern: [UInt8]
    let isExtended: Bool
    private(set) var found: [ForeignConstruct] = []
    private var index = 0

    init(pattern: [UInt8], isExtended: Bool) {
        self.pattern = pattern
        // (?x) turns on the extended syntax for a part of the pattern. The reader assumes it for the whole pattern; as
        // a result, text after a # outside that part has no warnings.
        self.isExtended = isExtended || Self.position(of: "(?x", in: pattern, from: 0) != nil
    }

    mutating func readAll() {
        while index < pattern.count {
            if startsWith("\\") {
                readEscape()
            } else if startsWith("(?#") {
                skip(past: ")")
            } else if isExtended, startsWith("#") {
                skip(past: "\n")
            } else if startsWith("[") {
                readSet()
            } else {
                if isOpenRepeat { note(ForeignConstruct.openRepeat) }
                index += 1
            }
        }
    }

    /// Reads `\Q…\E` or a single escape.
    private mutating func readEscape() {
        if startsWith("\\Q") {
            skip(past: "\\E")
            return
        }
        let digits = pattern[index...].dropFirst(2).prefix(3)
        if startsWith("\\0"), digits.count == 3,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) })
        {
            note(ForeignConstruct.octal)
        }
        index += 2
    }

    /// Reads a set up to its end in PCRE2. Adds at most one warning, because further ones follow from the first.
    private mutating func readSet() {
        let known = found.count
        var innerSet: Int?
        index += 1
        if startsWith("^") { index += 1 }
        if startsWith("]") { index += 1 }
        while index < pattern.count, !startsWith("]") {
            if startsWith("\\") {
                readEscape()
            } else if let end = endOfPOSIXClass {
                index = end
            } else {
                if found.count == known {
                    if startsWith("&&") { note(ForeignConstruct.intersection) }
                    if startsWith("--") { note(ForeignConstruct.difference) }
                }
                if startsWith("["), innerSet == nil { innerSet = index }
                index += 1
            }
        }
        index += 1
        guard let innerSet, found.count == known else { return }
        // In PCRE2 this set ends where, in ICU, only the inner set ends. So an ICU operator, if present, comes right
        // after that bracket.
        if startsWith("&&") {
            note(ForeignConstruct.intersection)
        } else if startsWith("--") {
            note(ForeignConstruct.difference)
        } else {
            found.append(ForeignConstruct(offset: innerSet, advice: ForeignConstruct.innerSet))
        }
    }

    /// Whether `{,n}` starts here.
    private var isOpenRepeat: Bool {
        guard startsWith("{,") else { return false }
        let rest = pattern[index...].dropFirst(2)
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return !digits.isEmpty && rest.dropFirst(digits.count).first == UInt8(ascii: "}")
    }

    /// The end of `[:alpha:]`, if one starts here; otherwise `nil`.
    private var endOfPOSIXClass: Int? {
        guard startsWith("[:"), let close = Self.position(of: ":]", in: pattern, from: index + 2) else { return nil }
        let name = pattern[(index + 2)..<close]
        let isName = name.allSatisfy { $0 == UInt8(ascii: "^") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return isName ? close + 2 : nil
    }

    private mutating func note(_ advice: String) {
        found.append(ForeignConstruct(offset: index, advice: advice))
    }

    private func startsWith(_ text: StaticString) -> Bool {
        Self.isThere(text, in: pattern, at: index)
    }

    /// Skips past `text`, or to the end of the pattern if `text` does not follow.
    private mutating func skip(past text: StaticString) {
        let position = Self.position(of: text, in: pattern, from: index)
        index = position.map { $0 + text.utf8CodeUnitCount } ?? pattern.count
    }

    private static func position(of text: StaticString, in pattern: [UInt8], from start: Int) -> Int? {
        (start..<max(start, pattern.count)).first { isThere(text, in: pattern, at: $0) }
    }

    private static func isThere(_ text: StaticString, in pattern: [UInt8], at index: Int) -> Bool {
        text.withUTF8Buffer { pattern[min(index, pattern.count)...].starts(with: $0) }
    }
}
