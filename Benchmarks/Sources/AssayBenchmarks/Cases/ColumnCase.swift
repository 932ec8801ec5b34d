import Assay

/// A column of a million values, one thread: the C call and the library's span call beside C loops and Foundation.
func columnCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16, full: 32)
    // Foundation goes through a sample; what a value costs it does not depend on how many there are.
    let sample = min(options.values, 20_000)
    let compiledSample = min(options.values, 1_000)
    var columns: [(subject: String, times: ColumnTimes)] = []
    var raw: [(subject: String, measurements: [Measurement])] = []
    var times = Table(
        "pattern", "bytes", "bare C", "C call", "spans", "safe C", "C call/bare", "spans/bare", "spans/safe")
    var foundation = Table(
        "pattern", "spans", "firstMatch", "numberOfMatches", "compiled each", "×firstMatch", "×numberOfMatches",
        "×compiled each")

    for subject in options.subjects {
        let column = Column(subject, count: options.values, badPercent: 1)
        let measured = try race(
            "column of \(subject.name)", rounds: rounds,
            contenders(column, sample: sample, compiledSample: compiledSample))
        raw.append((subject.name, measured))

        let time = ColumnTimes(measured.map(\.cpuEach))
        columns.append((subject.name, time))
        times.add(
            subject.name, figure(column.bytesPerValue), figure(time.bare), figure(time.call), figure(time.spans),
            figure(time.safe), ratio(time.call / time.bare), ratio(time.spans / time.bare),
            ratio(time.spans / time.safe))
        foundation.add(
            subject.name, figure(time.spans), figure(time.firstMatch), figure(time.numberOfMatches),
            figure(time.compiledEach), ratio(time.firstMatch / time.spans), ratio(time.numberOfMatches / time.spans),
            ratio(time.compiledEach / time.spans))
    }

    return CaseReport(
        name: "column",
        notes: """
            \(options.values) values, 1 % bad, one thread; nanoseconds of processor time for a value.
            bare C: pcre2_jit_match in a loop, over bytes trusted to be UTF-8. C call: assay_check_column over the same, with
            match limits and masks of the failed and the undecided. spans: verdicts(utf8:offsets:threads:1), which trusts
            neither bytes nor offsets. safe C: pcre2_match in a loop, which checks each value's UTF-8.

            firstMatch and numberOfMatches: NSRegularExpression made once, the whole value by \\A(?:…)\\z; the call that everybody
            writes, and the fastest one (\(sample) values). compiled each: made anew for each value (\(compiledSample) values), as
            validators over NSPredicate do; NSPredicate itself has no format strings on Linux.
            """,
        tables: [times, foundation], goals: goals(columns), raw: raw)
}

/// Nanoseconds for a value, in the order of the contenders.
private struct ColumnTimes {
    var bare, call, spans, safe, firstMatch, numberOfMatches, compiledEach: Double

    init(_ each: [Double]) {
        (bare, call, spans, safe) = (each[0], each[1], each[2], each[3])
        (firstMatch, numberOfMatches, compiledEach) = (each[4], each[5], each[6])
    }
}

private func contenders(_ column: Column, sample: Int, compiledSample: Int) throws -> [Contender] {
    let subject = column.subject
    let (values, passing) = (column.count, column.passing)
    let cells = CoreCheck.cells(column)
    let strings = column.strings(sample)
    let fewStrings = Array(strings.prefix(compiledSample))
    let bare = Copies { BarePattern(subject) }
    let core = Copies { CoreCheck(subject, count: values) }
    let pattern = try Copies { try Pattern(subject.pattern) }
    let foundation = try FoundationPattern(subject)
    return [
        Contender(name: "bare pcre2_jit_match", work: values, expected: passing) { bare.next.count(column) },
        Contender(name: "assay_check_column", work: values, expected: passing) { core.next.count(column, cells) },
        Contender(name: "verdicts(utf8:offsets:)", work: values, expected: passing) {
            try pattern.next.verdicts(utf8: column.bytes.span, offsets: column.offsets.span, threads: 1).passedCount
        },
        Contender(name: "safe pcre2_match", work: values, expected: passing) { bare.next.countSafely(column) },
        Contender(name: "NSRegularExpression firstMatch", work: sample, expected: column.passing(sample)) {
            foundation.countByFirstMatch(strings)
        },
        Contender(name: "NSRegularExpression numberOfMatches", work: sample, expected: column.passing(sample)) {
            foundation.countByNumberOfMatches(strings)
        },
        Contender(
            name: "NSRegularExpression per call", work: compiledSample, expected: column.passing(compiledSample)
        ) { try foundation.countCompilingEachTime(fewStrings) },
    ]
}

private func goals(_ columns: [(subject: String, times: ColumnTimes)]) -> [Goal] {
    func ratios(_ ratio: (ColumnTimes) -> Double) -> [(subject: String, value: Double)] {
        columns.map { ($0.subject, ratio($0.times)) }
    }
    func middle(_ name: String, _ ratio: (ColumnTimes) -> Double, _ bound: Goal.Bound) -> Goal {
        Goal(name: name, measured: median(columns.map { ratio($0.times) }), bound: bound)
    }
    return [
        .worst("column check against the bare loop: C call", of: ratios { $0.call / $0.bare }, .atMost(1.05)),
        .worst(
            "column check against the bare loop: spans, UTF-8 checked", of: ratios { $0.spans / $0.bare },
            .atMost(1.05)),
        .worst(
            "times cached NSRegularExpression, firstMatch: each", of: ratios { $0.firstMatch / $0.spans }, .atLeast(12)),
        middle("times cached NSRegularExpression, firstMatch: median", { $0.firstMatch / $0.spans }, .atLeast(25)),
        .worst(
            "times cached NSRegularExpression, numberOfMatches: each", of: ratios { $0.numberOfMatches / $0.spans },
            .atLeast(12)),
        middle(
            "times cached NSRegularExpression, numberOfMatches: median", { $0.numberOfMatches / $0.spans }, .atLeast(25)
        ),
        .worst("times compiling for each call: each", of: ratios { $0.compiledEach / $0.spans }, .atLeast(100)),
    ]
}
