internal import Assay

/// Turns the tree of a rule file into descriptions, and records every mistake.
///
/// Each method reads one construct. It returns `nil` after recording a mistake in the construct; the caller continues,
/// so that all mistakes of a file are reported at once.
struct RuleReader {
    let source: SourceText
    var limits: Limits
    private(set) var mistakes: [Mistake]

    /// The place of the first use of each rule id.
    var ids: [ByteEqualString: Range<Int>] = [:]
    /// The number of rules, and of checks inside rules, that were read.
    var ruleCount = 0
    /// The texts that mean a missing value in fields without `missingValues`.
    var missingOfFile = [""]
    /// Whether the file has `types: jsonSchema`.
    var hasJSONSchemaTypes = false
    /// The patterns that were read without a mistake.
    private(set) var patterns: [ReadPattern] = []
    /// The remaining budget for reading.
    var budget: ReadingBudget
    /// The single-column keys.
    var uniqueFields: [String] = []
    /// The tables that foreign keys refer to and that have a dialect.
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
        // The mistake in an unreadable node has already been reported.
        if !node.isUnreadable { complain(at: node.range, message, suggestion) }
    }

    mutating func complain(at range: Range<Int>, _ message: String, _ remedy: RuleProblem.Remedy) {
        note(Mistake(range: range, message: message, remedy: remedy))
    }

    /// Charges the cost of compiling a pattern. Reports a mistake if it exceeds the budget.
    mutating func takeRanges(of pattern: String, _ options: Pattern.Options, at place: Range<Int>) -> Bool {
        // This has already been reported.
        if budget.isCodeSpent { return false }
        if budget.takeRanges(of: pattern, options) { return true }
        let (message, advice) = ReadingBudget.tooManyRanges
        complain(at: place, message, .trust(or: advice))
        return false
    }

    /// Charges the size of a compiled pattern. Reports a mistake if it exceeds the budget.
    mutating func takeCode(of pattern: Pattern, at place: Range<Int>) -> Bool {
        if budget.takeCode(of: pattern) { return true }
        let (message, advice) = ReadingBudget.tooMuchCode
        complain(at: place, message, .trust(or: advice))
        return false
    }

    mutating func note(_ mistake: Mistake) {
        if !isFull { mistakes.append(mistake) }
    }

    mutating func note(_ pattern: ReadPattern) { patterns.append(pattern) }

    /// Whether the number of mistakes has reached the limit, so that reading stops.
    var isFull: Bool { mistakes.count >= Mistake.limit }

    /// Returns the 1-based line of a place, for "the first is on line 7".
    func line(of range: Range<Int>) -> Int { source.lineIndex(at: range.lowerBound) + 1 }
}

/// A pattern and its place in the source.
struct ReadPattern {
    var range: Range<Int>
    var text: String
    var options: Pattern.Options
    var engine = Pattern.Engine.dfa
    /// Whether it is part of an expression, which may contain other patterns.
    var isPart = false
}

/// The entries of one mapping.
struct Entries {
    private(set) var entries: [String: YAMLEntry] = [:]
    /// The mapping itself.
    var range: Range<Int>
    /// Known keys that unknown keys of the mapping probably misspell. They are not reported as missing.
    var meant: Set<String> = []
    /// Whether the mapping had unknown keys.
    var hasStrangers = false

    init(range: Range<Int>) { self.range = range }

    subscript(key: String) -> YAMLNode? { entries[key]?.value }

    func keyRange(_ key: String) -> Range<Int>? { entries[key]?.keyRange }

    /// Returns the keys that the mapping has, in the given order.
    func present(_ keys: [String]) -> [String] { keys.filter { entries[$0] != nil } }

    mutating func insert(_ entry: YAMLEntry) { entries[entry.key] = entry }
}

extension RuleReader {
    /// Returns the entries of a mapping and reports unknown keys. `what` is used in "expected a mapping of …".
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
                note(
                    Mistake(
                        range: entry.keyRange, message: refusal.message, suggestion: refusal.suggestion,
                        remedy: refusal.remedy))
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

    /// Returns the entries of a list.
    mutating func list(_ node: YAMLNode, _ what: String, suggestion: String? = nil) -> [YAMLNode]? {
        if case .sequence(let nodes) = node.content { return nodes }
        complain(at: node, "expected \(what), found \(node.kindInWords)", suggestion)
        return nil
    }
}
