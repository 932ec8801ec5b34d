internal import CAssay

/// What reading a rule file may still take, where that grows with more than its bytes.
package struct ReadingBudget: Sendable {
    /// Characters of ranges that ignore case, all of which are looked at when a pattern is compiled. A rule file may have eight
    /// times as many as a pattern.
    private var folded = UInt64(Self.mostFolded)
    /// Bytes of the code of patterns, of which a few repetitions inside each other make much.
    private var code = Self.mostCode
    /// The patterns whose code has been taken: a pattern that stands in many places is compiled once.
    private var taken: Set<ByteEqualString> = []
    package static let mostCode = 64 << 20
    /// Pairs of letters of names that are compared.
    private var letters = 20_000_000
    package static let mostFolded = 64 * 0x110000

    package init() {}

    /// For a file that is trusted.
    package static var trusting: ReadingBudget {
        var budget = ReadingBudget()
        budget.folded = .max
        budget.code = .max
        return budget
    }

    /// Takes what compiling a pattern costs. `false`: that is more than is left.
    package mutating func takeRanges(of pattern: String, _ options: Pattern.Options) -> Bool {
        let count = Pattern.foldedCharacters(of: pattern, options)
        if count > folded { return false }
        folded -= count
        return true
    }

    /// Whether a pattern took more than was left: no other is to be compiled.
    package private(set) var isCodeSpent = false

    /// Takes what a pattern has become. `false`: that is more than is left.
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
        message: "up to here, the patterns of this file take more than \(mostCode >> 20) MiB of memory",
        advice: "repeat less in them, as in {1,9} inside {1,9}"
    )

    package static let tooManyRanges = (
        message: "up to here, ranges that ignore case have more than \(mostFolded) characters in this file",
        advice: "write (?-i:…) around large ones"
    )

    /// As the function of this name, as long as that does not take too long for all mistakes of a file.
    package mutating func closestName(to word: String, among names: some Sequence<String>) -> String? {
        let count = word.utf8.count * names.reduce(0) { $0 + $1.utf8.count }
        if count > letters { return nil }
        letters -= count
        return Assay.closestName(to: word, among: names)
    }
}

extension Pattern {
    /// How many characters its ranges have where it ignores case; 0 for what does not compile.
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
