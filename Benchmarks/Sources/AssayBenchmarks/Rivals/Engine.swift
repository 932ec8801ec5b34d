import Assay

/// A way to count the values of a column that match its pattern.
struct Engine: Sendable {
    /// The result of preparing an engine for one pattern.
    enum Entry {
        case runs(() throws -> Int)
        case refusesPattern
        case absent
    }

    let name: String
    /// The heading in tables.
    let heading: String
    /// The maximum values and bytes from the start of the column. The cost per value does not depend on their number,
    /// and slow engines would otherwise take hours.
    var maxValues = Int.max
    var maxBytes = Int.max
    /// Prepares a run over the first `values` values of a column.
    let enter: @Sendable (Column, _ values: Int) throws -> Entry

    /// Returns the number of values of the column that the engine receives.
    func sample(of column: Column) -> Int {
        let values = min(column.count, maxValues)
        guard maxBytes < column.bytes.count else { return values }
        let fitting = column.offsets.dropFirst().prefix(values).prefix { Int($0) <= maxBytes }.count
        return max(fitting, min(column.count, 8))
    }

    static let bare = Engine(name: "bare pcre2_jit_match", heading: "bare C") { column, _ in
        let bare = Copies { BarePattern(column.subject) }
        return .runs { bare.next.count(column) }
    }

    static let call = Engine(name: "assay_check_column", heading: "C call") { column, _ in
        let core = Copies { CoreCheck(column.subject, count: column.count) }
        let cells = CoreCheck.cells(column)
        return .runs { core.next.count(column, cells) }
    }

    static let spans = Engine(name: "verdicts(utf8:offsets:)", heading: "spans") { column, _ in
        let pattern = try Copies { try Pattern(column.subject.pattern) }
        return .runs {
            try pattern.next.verdicts(utf8: column.bytes.span, offsets: column.offsets.span, threads: 1).passedCount
        }
    }

    static let safe = Engine(name: "safe pcre2_match", heading: "safe C") { column, _ in
        let bare = Copies { BarePattern(column.subject) }
        return .runs { bare.next.countSafely(column) }
    }

    static let re2 = Engine(name: "RE2", heading: "RE2") { column, _ in
        #if HAS_RE2
            guard let patterns = RE2Patterns([column.subject.pattern]) else { return .refusesPattern }
            return .runs { patterns.count(column) }
        #else
            return .absent
        #endif
    }

    static let hyperscan = Engine(name: "Hyperscan", heading: "Hyperscan") { column, _ in
        #if HAS_HYPERSCAN
            guard let patterns = HyperscanPatterns([column.subject.pattern]) else { return .refusesPattern }
            return .runs { patterns.count(column) }
        #else
            return .absent
        #endif
    }

    static let firstMatch = Engine(
        name: "NSRegularExpression firstMatch", heading: "NSRegEx", maxValues: 20_000, maxBytes: 4 << 20
    ) { column, values in
        let strings = column.strings(values)
        let foundation = try FoundationPattern(column.subject)
        return .runs { foundation.countByFirstMatch(strings) }
    }

    static let numberOfMatches = Engine(
        name: "NSRegularExpression numberOfMatches", heading: "numberOfMatches", maxValues: 20_000, maxBytes: 4 << 20
    ) { column, values in
        let strings = column.strings(values)
        let foundation = try FoundationPattern(column.subject)
        return .runs { foundation.countByNumberOfMatches(strings) }
    }

    static let compiledEach = Engine(
        name: "NSRegularExpression per call", heading: "compiled each", maxValues: 1_000, maxBytes: 1 << 20
    ) { column, values in
        let strings = column.strings(values)
        let foundation = try FoundationPattern(column.subject)
        return .runs { try foundation.countCompilingEachTime(strings) }
    }

    static let swiftRegex = Engine(
        name: "Swift Regex", heading: "Swift Regex", maxValues: 1_000, maxBytes: 64 << 10
    ) { column, values in
        guard let regex = SwiftRegex(column.subject.pattern) else { return .refusesPattern }
        let strings = column.strings(values)
        return .runs { try regex.count(strings) }
    }

    /// The engines that run on every column of patterns.
    static let all = [bare, call, spans, re2, hyperscan, firstMatch, swiftRegex]
    /// Other ways to use PCRE2 and Foundation, for columns that compare them.
    static let others = [safe, numberOfMatches, compiledEach]
}
