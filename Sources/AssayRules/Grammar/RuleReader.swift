internal import Assay

/// Turns the tree of a rule file into descriptions, noting every mistake on the way.
///
/// Each method reads one thing. It answers `nil` if that thing is wrong, after having noted why; the caller goes on, so
/// that all mistakes of a file are found at once.
struct RuleReader {
    let source: SourceText
    var limits: Limits
    private(set) var mistakes: [Mistake]

    /// Where each rule id was first used.
    var ids: [ByteEqualString: Range<Int>] = [:]
    /// How many rules and checks inside rules were read.
    var ruleCount = 0
    /// The texts that mean "no value here" in fields that say nothing else.
    var missingOfFile = [""]
    /// Whether the file has `types: jsonSchema`.
    var hasJSONSchemaTypes = false
    /// The patterns that were read without a mistake.
    private(set) var patterns: [ReadPattern] = []
    /// What reading may still take.
    var budget: ReadingBudget
    /// The fields that are keys by themselves.
    var uniqueFields: [String] = []
    /// The tables that foreign keys refer to, of which there is a dialect.
    var referencedTables: [ReferencedTable] = []

    init(source: SourceText, limits: Limits, mistakes: [Mistake]) {
        self.source = source
        self.limits = limits
        self.mistakes = mistakes
        budget = limits.trustsRuleFiles ? .trusting : ReadingBudget()
    }

    mutating func complain(at range: Range<Int>, _ message: String, _ suggestion: String? = nil) {
        note(Mistake(range: range, message: message, suggestion: suggestion))
    }

    mutating func complain(at node: YAMLNode, _ message: String, _ suggestion: String? = nil) {
        // What cannot be read has been complained about.
        if !node.isUnreadable { complain(at: node.range, message, suggestion) }
    }

    /// Complains of what is no mistake in a file that is trusted.
    mutating func complainUntrusted(at range: Range<Int>, _ message: String, _ remedy: String) {
        note(
            Mistake(
                range: range, message: message, suggestion: RuleFileError.trustAdvice(remedy), remedy: remedy))
    }

    /// Takes what compiling a pattern costs; complains if that is more than is left.
    mutating func takeRanges(of pattern: String, _ options: Pattern.Options, at place: Range<Int>) -> Bool {
        // That has been said.
        if budget.isCodeSpent { return false }
        if budget.takeRanges(of: pattern, options) { return true }
        let (message, advice) = ReadingBudget.tooManyRanges
        complainUntrusted(at: place, message, advice)
        return false
    }

    /// Takes what a pattern has become; complains if that is more than is left.
    mutating func takeCode(of pattern: Pattern, at place: Range<Int>) -> Bool {
        if budget.takeCode(of: pattern) { return true }
        let (message, advice) = ReadingBudget.tooMuchCode
        complainUntrusted(at: place, message, advice)
        return false
    }

    mutating func note(_ mistake: Mistake) {
        if !isFull { mistakes.append(mistake) }
    }

    mutating func note(_ pattern: ReadPattern) { patterns.append(pattern) }

    /// Whether there are so many mistakes that reading on is idle.
    var isFull: Bool { mistakes.count >= Mistake.limit }

    /// The 1-based line of a place, for "the first is on line 7".
    func line(of range: Range<Int>) -> Int { source.lineIndex(at: range.lowerBound) + 1 }
}

/// A pattern, and where it was read.
struct ReadPattern {
    var range: Range<Int>
    var text: String
    var options: Pattern.Options
    var engine = Pattern.Engine.dfa
    /// Whether it stands in an expression, as others may.
    var isPart = false
}

/// The entries of one mapping that are to be read.
struct Entries {
    private(set) var entries: [String: YAMLEntry] = [:]
    /// The mapping itself.
    var range: Range<Int>
    /// Keys that somebody surely meant by the unknown ones that were found; it would be idle to say that they are
    /// missing.
    var meant: Set<String> = []
    /// Whether there were keys that do not belong here.
    var hasStrangers = false

    init(range: Range<Int>) { self.range = range }

    subscript(key: String) -> YAMLNode? { entries[key]?.value }

    func keyRange(_ key: String) -> Range<Int>? { entries[key]?.keyRange }

    /// Those of these keys that are there, in the order given.
    func present(_ keys: [String]) -> [String] { keys.filter { entries[$0] != nil } }

    mutating func insert(_ entry: YAMLEntry) { entries[entry.key] = entry }
}

extension RuleReader {
    /// The entries of a mapping; what does not belong there is noted. `what` is as in "expected a mapping of …".
    mutating func entries(_ node: YAMLNode, _ what: String, _ table: KeyTable, suggestion: String? = nil) -> Entries? {
        guard case .mapping(let list) = node.content else {
            let text = if case .scalar(let text, .plain) = node.content { text } else { "" }
            complain(
                at: node, "expected \(what), found \(node.kindInWords)", table.spaceAdvice(text) ?? suggestion)
            return nil
        }
        var entries = Entries(range: node.range)
        for entry in list where !isFull {
            if table.known.contains(entry.key) {
                entries.insert(entry)
            } else if let refusal = table.refused[entry.key] {
                entries.hasStrangers = true
                complain(at: entry.keyRange, refusal.message, refusal.suggestion)
            } else if !table.describes(entry.key) {
                let names = table.known + table.descriptive + table.refused.keys.sorted()
                let name =
                    KeyTable.otherNames[entry.key].flatMap { names.contains($0) ? $0 : nil }
                    ?? closestName(to: entry.key, among: names)
                let others =
                    table.isListed
                    ? "known are \(table.known.joined(separator: ", "))" : "a note of your own starts with 'x-'"
                entries.hasStrangers = true
                if let name { entries.meant.insert(name) }
                complain(
                    at: entry.keyRange, "unknown key \(entry.key.quoted) in \(table.place)",
                    table.spaceAdvice(entry.key) ?? name.map { "did you mean '\($0)'?" } ?? others)
            }
        }
        return entries
    }

    /// The entries of a list.
    mutating func list(_ node: YAMLNode, _ what: String, suggestion: String? = nil) -> [YAMLNode]? {
        if case .sequence(let nodes) = node.content { return nodes }
        complain(at: node, "expected \(what), found \(node.kindInWords)", suggestion)
        return nil
    }
}
