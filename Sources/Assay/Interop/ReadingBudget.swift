internal import CAssay

/// The remaining budget of reading a rule file, for work and memory that grow faster than the size of the file.
package struct ReadingBudget: Sendable {
    /// Characters in case-insensitive ranges, because compiling a pattern examines each character. The limit of a rule
    /// file is eight times that of a pattern.
    private var folded = UInt64(Self.maxFolded)
    /// Bytes of the code of patterns, because a few nested repetitions can produce much code.
    private var code = Self.maxCode
    /// The patterns that were already counted, because a pattern that occurs in several places is compiled once.
    private var taken: Set<ByteEqualString> = []
    package static let maxCode = 64 << 20
    /// Pairs of letters in comparisons of names.
    private var letters = 20_000_000
    package static let maxFolded = 64 * 0x110000

    package init() {}

    /// The budget of a trusted file.
    package static var trusting: ReadingBudget {
        var budget = ReadingBudget()
        budget.folded = .max
        budget.code = .max
        return budget
    }

    /// Takes the characters in the ranges of a pattern. Returns false if the remaining budget is too small.
    package mutating func takeRanges(of pattern: String, _ options: Pattern.Options) -> Bool {
        let count = Pattern.foldedCharacters(of: pattern, options)
        if count > folded { return false }
        folded -= count
        return true
    }

    /// Whether the code of a pattern exceeded the budget. No further pattern must be compiled then.
    package private(set) var isCodeSpent = false

    /// Takes the code of a compiled pattern. Returns false if the remaining budget is too small.
    package mutating func takeCode(of pattern: Pattern) -> Bool {
        if code == .max || !taken.insert(ByteEqualString("\(pattern.options.rawValue) \(pattern.source)")).inserted {
            return true
        }
        let size = assay_pattern_code_size(pattern.handle)
        isCodeSpent = size > code
        if !isCodeSpent { code -= size }
        return !isCodeSpent
    }

    package static let tooMuchCode = (
        message: "up to here, the patterns of this file take more than \(maxCode >> 20) MiB of memory",
        advice: "repeat less in them, as in {1,9} inside {1,9}"
    )

    package static let tooManyRanges = (
        message: "up to here, ranges that ignore case have more than \(maxFolded) characters in this file",
        advice: "write (?-i:…) around large ones"
    )

    /// Like the global function of this name, but returns `nil` after the comparisons for all mistakes of a file have
    /// used the budget.
    package mutating func closestName(to word: String, among names: some Sequence<String>) -> String? {
        let count = word.utf8.count * names.reduce(0) { $0 + $1.utf8.count }
        if count > letters { return nil }
        letters -= count
        return Assay.closestName(to: word, among: names)
    }
}

extension Pattern {
    /// The number of characters in the case-insensitive ranges of a pattern; 0 if it does not compile.
    fileprivate static func foldedCharacters(of source: String, _ options: Options) -> UInt64 {
        var text = source
        if options.contains(.icuSyntax) {
            guard let translation = try? ICUTranslation(of: source, options: options) else { return 0 }
            text = translation.text
        }
        return text.withUTF8 {
            assay_pattern_folded($0.cBase, $0.count, options.intersection(.caseInsensitive).rawValue)
        }
    }
}
