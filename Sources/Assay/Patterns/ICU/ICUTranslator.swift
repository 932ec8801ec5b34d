/// A translator of patterns from ICU syntax to PCRE2, in one pass from left to right.
///
/// Patterns that ICU rejects are also rejected here, because PCRE2 would accept many with another meaning. Groups and
/// alternatives stay unchanged; the Swift extensions of this type translate the rest.
///
/// Source: `regexcst.txt` and `regexcmp.cpp` of ICU, the states and actions of its parser.
struct ICUTranslator {
    /// The maximum nesting depth of groups and sets, which is that of PCRE2.
    static let maxDepth = 250

    var scanner: ICUScanner
    var flags: ICUFlags
    var result = ICUTranslation()

    /// Literals that are not written yet, because case folding needs adjacent ones together.
    var literals: [ICULiteral] = []

    var groupCount = 0
    var groupNames: [String: Int] = [:]
    /// The highest group number in a reference, with the position of the reference.
    var farthestReference: (group: Int, offset: Int)?
    /// Whether the current alternative always matches at least one character.
    var takesCharacter = false
    var depth = 0
    var lookbehindDepth = 0

    init(_ source: String, options: Pattern.Options) {
        scanner = ICUScanner(source)
        flags = ICUFlags(options)
    }

    mutating func translate() throws(CompileError) -> ICUTranslation {
        use(flags)
        try scanner.advance()
        if scanner.current.scalar == nil { throw refusal("ICU has no empty pattern: write (?:)") }
        _ = try alternatives()
        if scanner.isAt(")") { throw refusal("this ) has no opening (: write \\) for the character") }
        if let (group, offset) = farthestReference, group > groupCount {
            throw refusal(at: offset, "there is no group \(group)")
        }
        return result
    }

    /// Translates up to the `)` of a group or the end of the pattern. Returns whether the empty string can match.
    mutating func alternatives() throws(CompileError) -> Bool {
        var mayBeEmpty = false
        takesCharacter = false
        while let scalar = scanner.current.scalar {
            if result.text.utf8.count > ICUTranslation.maxBytes {
                throw refusal("the pattern is too large in the words of PCRE2: match its parts one by one")
            }
            guard !scanner.current.isQuoted else {
                try literal(scalar)
                continue
            }
            if scalar == ")" { break }
            if scalar == "|" {
                try write("|")
                mayBeEmpty = mayBeEmpty || !takesCharacter
                takesCharacter = false
            } else {
                try term(scalar)
            }
        }
        try writeLiterals()
        return mayBeEmpty || !takesCharacter
    }

    private mutating func term(_ scalar: Unicode.Scalar) throws(CompileError) {
        switch scalar {
        case "(": try group()
        case "[": try set()
        case "\\": try escape()
        case ".":
            try write(ICUText.dot(flags))
            try repetition()
        case "^", "$":
            try write(scalar == "^" ? ICUText.lineStart(flags) : ICUText.lineEnd(flags))
            try repetition(mayBeEmpty: true)
        case "*", "+", "?":
            throw refusal("there is no expression to repeat before this \(scalar): write \\\(scalar) for the character")
        case "{", "}": throw refusal("ICU has no \(scalar) that means itself: write \\\(scalar)")
        default: try literal(scalar)
        }
    }

    /// Writes `text` as the translation of the source from `start` to the current character, and advances.
    mutating func write(_ text: String, from start: Int? = nil) throws(CompileError) {
        try writeLiterals()
        let source = scanner.current.range
        result.append(text, for: (start ?? source.lowerBound)..<source.upperBound)
        try scanner.advance()
    }

    /// Changes the flags of the translator and of the scanner.
    mutating func use(_ flags: ICUFlags) {
        self.flags = flags
        scanner.skipsSpace = flags.contains(.extended)
    }

    /// An error at the current character, or at `offset`.
    func refusal(at offset: Int? = nil, _ message: String) -> CompileError {
        CompileError(part: .pattern, message: message, offset: offset ?? scanner.current.range.lowerBound)
    }
}
