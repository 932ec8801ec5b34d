import Assay

/// One way to find out how many values of a column match its pattern.
struct Engine: Sendable {
    /// What became of an engine for one pattern.
    enum Entry {
        case runs(() throws -> Int)
        case refusesPattern
        case absent
    }

    let name: String
    /// As the heading of a table.
    let heading: String
    /// Values and bytes that it gets at most, from the start of the column. What a value costs does not depend on how many
    /// there are, and some engines would need all day.
    var mostValues = Int.max
    var mostBytes = Int.max
    /// Makes what runs for so many values of a column.
    let enter: @Sendable (Column, _ values: Int) throws -> Entry

    /// How many of the column's values it gets.
    func sample(of column: Column) -> Int {
        let values = min(column.count, mostValues)
        guard mostBytes < column.bytes.count else { return values }
        let fitting = column.offsets.dropFirst().prefix(values).prefix { Int($0) <= mostBytes }.count
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
        name: "NSRegularExpression firstMatch", heading: "NSRegEx", mostValues: 20_000, mostBytes: 4 << 20
    ) { column, values in
        let strings = column.strings(values)
        let foundation = try FoundationPattern(column.subject)
        return .runs { foundation.countByFirstMatch(strings) }
    }

    static let numberOfMatches = Engine(
        name: "NSRegularExpression numberOfMatches", heading: "numberOfMatches", mostValues: 20_000, mostBytes: 4 << 20
    ) { column, values in
        let strings = column.strings(values)
        let foundation = try FoundationPattern(column.subject)
        return .runs { foundation.countByNumberOfMatches(strings) }
    }

    static let compiledEach = Engine(
        name: "NSRegularExpression per call", heading: "compiled each", mostValues: 1_000, mostBytes: 1 << 20
    ) { column, values in
        let strings = column.strings(values)
        let foundation = try FoundationPattern(column.subject)
        return .runs { try foundation.countCompilingEachTime(strings) }
    }

    static let swiftRegex = Engine(
        name: "Swift Regex", heading: "Swift Regex", mostValues: 1_000, mostBytes: 64 << 10
    ) { column, values in
        guard let regex = SwiftRegex(column.subject.pattern) else { return .refusesPattern }
        let strings = column.strings(values)
        return .runs { try regex.count(strings) }
    }

    /// Those that every column of patterns is given to.
    static let all = [bare, call, spans, re2, hyperscan, firstMatch, swiftRegex]
    /// Other ways to use PCRE2 and Foundation, for the columns where they are told apart.
    static let others = [safe, numberOfMatches, compiledEach]
}
