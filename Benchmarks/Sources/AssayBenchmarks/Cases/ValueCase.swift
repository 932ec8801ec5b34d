import Assay

/// Measures one value at a time, as in a form or a request handler.
func valueCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16)
    // Few values, so that they stay in the cache, and many passes, so that the time is measurable.
    let count = 1_000
    let passes = options.size == .quick ? 20 : 200
    let compilePasses = 1
    var table = Table(
        "pattern", "bare C call", "verdict(of:)", "NSRegEx", "Swift Regex", "compiled each", "over the bare call",
        "×NSRegEx", "×Swift Regex", "×compiled each")
    var raw: [(subject: String, measurements: [Measurement])] = []
    var overBare: [(subject: String, value: Double)] = []

    for subject in options.subjects {
        let column = Column(subject, count: count, badPercent: 1)
        let strings = column.strings(count)
        let bare = Copies { BarePattern(subject) }
        let patterns = try Copies { try Pattern(subject.pattern) }
        let foundation = try FoundationPattern(subject)
        guard let swiftRegex = SwiftRegex(subject.pattern) else {
            throw BenchmarkError(message: "Swift refuses the pattern of \(subject.name)")
        }
        func contender(_ name: String, _ passes: Int, _ body: @escaping () throws -> Int) -> Contender {
            Contender(name: name, work: passes * count, expected: passes * column.passing) {
                var matches = 0
                for _ in 0..<passes { matches += try body() }
                return matches
            }
        }
        let measured = try race(
            "values of \(subject.name)", rounds: rounds,
            [
                contender("bare pcre2_jit_match", passes) { bare.next.countOneByOne(column, count) },
                contender("Pattern.verdict(of:)", passes) {
                    let pattern = patterns.next
                    return strings.count { pattern.verdict(of: $0) == .pass }
                },
                contender("NSRegularExpression", max(1, passes / 20)) { foundation.countByFirstMatch(strings) },
                contender("Swift Regex", compilePasses) { try swiftRegex.count(strings) },
                contender("NSRegularExpression per call", compilePasses) {
                    try foundation.countCompilingEachTime(strings)
                },
            ])
        raw.append((subject.name, measured))
        let each = measured.map(\.cpuEach)
        overBare.append((subject.name, each[1] - each[0]))
        table.add(
            [subject.name] + each.map(figure) + ["\(each[1] < each[0] ? "" : "+")\(figure(each[1] - each[0])) ns"]
                + each[2...].map { ratio($0 / each[1]) })
    }

    return CaseReport(
        name: "value",
        notes: """
            \(count) strings, 1 % bad, one call for each; nanoseconds of processor time for a call.
            NSRegEx: NSRegularExpression made once, firstMatch. Swift Regex: made once, wholeMatch, by scalars. \
            compiled each:
            NSRegularExpression made anew for each value, as validators over NSPredicate do; NSPredicate itself has no
            format strings on Linux.
            """,
        tables: [table],
        goals: [.worst("one value, over the bare call: each", of: overBare, .atMost(25), unit: " ns")], raw: raw)
}
