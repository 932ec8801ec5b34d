/// Reads a pattern as ICU does, once from left to right, and writes what PCRE2 has to be told.
///
/// What ICU refuses is refused here, since PCRE2 would take much of it for something else. Groups and alternatives stay
/// what they are; see the extensions for the rest.
///
/// Source: `regexcst.txt` and `regexcmp.cpp` of ICU, the states and actions of its parser.
struct ICUTranslator {
    /// Groups in groups, and sets in sets: as deep as PCRE2 goes.
    static let maxDepth = 250

    var scanner: ICUScanner
    var flags: ICUFlags
    var result = ICUTranslation()

    /// Characters that mean themselves and have not been written yet: case folding looks at them together.
    var literals: [ICULiteral] = []

    var groupCount = 0
    var groupNames: [String: Int] = [:]
    /// The last group that is referred to, and where.
    var farthestReference: (group: Int, offset: Int)?
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
        try alternatives()
        if scanner.isAt(")") { throw refusal("this ) closes nothing: write \\) for the character") }
        if let (group, offset) = farthestReference, group > groupCount {
            throw refusal(at: offset, "there is no group \(group)")
        }
        return result
    }

    /// Everything up to the `)` that ends a group, or to the end.
    mutating func alternatives() throws(CompileError) {
        while let scalar = scanner.current.scalar {
            if result.text.utf8.count > ICUTranslation.maxBytes {
                throw refusal("the pattern is too large in the words of PCRE2: match its parts one by one")
            }
            guard !scanner.current.isQuoted else {
                try literal(scalar)
                continue
            }
            switch scalar {
            case ")":
                try writeLiterals()
                return
            case "|": try write("|")
            default: try term(scalar)
            }
        }
        try writeLiterals()
    }

    private mutating func term(_ scalar: Unicode.Scalar) throws(CompileError) {
        switch scalar {
        case "(": try group()
        case "[": try set()
        case "\\": try escape()
        case ".": try write(ICUText.dot(flags), isRepeatable: true)
        case "^": try write(ICUText.lineStart(flags), isRepeatable: true)
        case "$": try write(ICUText.lineEnd(flags), isRepeatable: true)
        case "*", "+", "?":
            throw refusal("there is nothing to repeat before this \(scalar): write \\\(scalar) for the character")
        case "{", "}": throw refusal("ICU has no \(scalar) that means itself: write \\\(scalar)")
        default: try literal(scalar)
        }
    }

    /// Writes what the current character stands for, and moves on.
    private mutating func write(_ text: String, isRepeatable: Bool = false) throws(CompileError) {
        try writeLiterals()
        result.append(text, for: scanner.current.range)
        try scanner.advance()
        if isRepeatable { try repetition() }
    }

    /// Changes the flags, the scanner's too.
    mutating func use(_ flags: ICUFlags) {
        self.flags = flags
        scanner.skipsSpace = flags.contains(.extended)
    }

    /// An error at the current character, or at `offset`.
    func refusal(at offset: Int? = nil, _ message: String) -> CompileError {
        CompileError(part: .pattern, message: message, offset: offset ?? scanner.current.range.lowerBound)
    }
}
