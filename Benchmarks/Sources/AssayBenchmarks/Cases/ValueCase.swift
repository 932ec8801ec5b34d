import Assay

/// One value at a time: what a form or a request handler does.
func valueCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16, full: 32)
    // Few enough values to stay in the cache, gone through often enough to be measured.
    let count = 1_000
    let passes = options.size == .quick ? 20 : 200
    let compilePasses = 1
    var table = Table(
        "pattern", "bare C call", "verdict(of:)", "NSRegEx", "compiled each", "over the bare call", "×NSRegEx",
        "×compiled each")
    var raw: [(subject: String, measurements: [Measurement])] = []
    var overBare: [(subject: String, value: Double)] = []

    for subject in options.subjects {
        let column = Column(subject, count: count, badPercent: 1)
        let strings = column.strings(count)
        let bare = Copies { BarePattern(subject) }
        let patterns = try Copies { try Pattern(subject.pattern) }
        let foundation = try FoundationPattern(subject)
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
                contender("NSRegularExpression per call", compilePasses) {
                    try foundation.countCompilingEachTime(strings)
                },
            ])
        raw.append((subject.name, measured))
        let each = measured.map(\.cpuEach)
        overBare.append((subject.name, each[1] - each[0]))
        table.add(
            subject.name, figure(each[0]), figure(each[1]), figure(each[2]), figure(each[3]),
            "+\(figure(each[1] - each[0])) ns", ratio(each[2] / each[1]), ratio(each[3] / each[1]))
    }

    return CaseReport(
        name: "value",
        notes: """
            \(count) strings, 1 % bad, one call for each; nanoseconds of processor time for a call.
            NSRegEx: NSRegularExpression made once, firstMatch. compiled each: made anew for each value, as validators over
            NSPredicate do; NSPredicate itself has no format strings on Linux.
            """,
        tables: [table],
        goals: [.worst("one value, over the bare call: each", of: overBare, .atMost(25), unit: " ns")], raw: raw)
}
