import Assay

/// A column of a million values, one thread: the library's span call and the C call against the bare loop and Foundation.
func columnCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 15, full: 31)
    // Foundation goes through a sample; what it takes for a value does not depend on how many there are.
    let sample = min(options.values, 20_000)
    let compileSample = min(options.values, 1_000)
    var table = Table(
        "pattern", "bytes", "bare C", "C call", "spans", "NSRegEx", "…firstMatch", "compiled each", "C call/bare",
        "spans/bare", "×NSRegEx", "×compiled each")
    var raw: [(subject: String, measurements: [Measurement])] = []
    var calls: [(subject: String, value: Double)] = []
    var spans: [(subject: String, value: Double)] = []
    var overFoundation: [(subject: String, value: Double)] = []
    var overCompiling: [(subject: String, value: Double)] = []

    for subject in options.subjects {
        let column = Column(subject, count: options.values, badPercent: 1)
        let strings = column.strings(sample)
        let fewStrings = Array(strings.prefix(compileSample))
        let cells = CoreCheck.cells(column)
        let bare = Copies { BarePattern(subject) }
        let core = Copies { CoreCheck(subject, count: column.count) }
        let pattern = try Copies { try Pattern(subject.pattern) }
        let foundation = try FoundationPattern(subject)

        let values = column.count
        let measured = try race(
            "column of \(subject.name)", rounds: rounds,
            [
                Contender(name: "bare pcre2_jit_match", work: values, expected: column.passing) {
                    bare.next.count(column)
                },
                Contender(name: "assay_check_column", work: values, expected: column.passing) {
                    core.next.count(column, cells)
                },
                Contender(name: "verdicts(utf8:offsets:)", work: values, expected: column.passing) {
                    try pattern.next.verdicts(utf8: column.bytes.span, offsets: column.offsets.span, threads: 1)
                        .passedCount
                },
                Contender(name: "NSRegularExpression numberOfMatches", work: sample, expected: column.passing(sample)) {
                    foundation.countByNumberOfMatches(strings)
                },
                Contender(name: "NSRegularExpression firstMatch", work: sample, expected: column.passing(sample)) {
                    foundation.countByFirstMatch(strings)
                },
                Contender(
                    name: "NSRegularExpression per call", work: compileSample, expected: column.passing(compileSample)
                ) { try foundation.countCompilingEachTime(fewStrings) },
            ])
        raw.append((subject.name, measured))

        let each = measured.map(\.cpuEach)
        calls.append((subject.name, each[1] / each[0]))
        spans.append((subject.name, each[2] / each[0]))
        overFoundation.append((subject.name, min(each[3], each[4]) / each[2]))
        overCompiling.append((subject.name, each[5] / each[2]))
        table.add(
            subject.name, figure(column.bytesPerValue), figure(each[0]), figure(each[1]), figure(each[2]),
            figure(each[3]), figure(each[4]), figure(each[5]), ratio(each[1] / each[0]), ratio(each[2] / each[0]),
            ratio(min(each[3], each[4]) / each[2]), ratio(each[5] / each[2]))
    }

    return CaseReport(
        name: "column",
        notes: """
            \(options.values) values, 1 % bad, one thread; nanoseconds of processor time for a value.
            bare C: pcre2_jit_match over the same bytes, no UTF-8 check, no limits, no masks. C call: assay_check_column, bytes
            known to be UTF-8. spans: verdicts(utf8:offsets:threads:1), which checks UTF-8 too. NSRegEx: NSRegularExpression
            made once, \\A(?:…)\\z, numberOfMatches, its fastest call, and …firstMatch, the usual one (\(sample) values). compiled
            each: made anew for each value (\(compileSample) values), as validators over NSPredicate do; NSPredicate itself has no
            format strings on Linux. Ratios: spans against the faster of the two NSRegEx calls.
            """,
        table: table,
        goals: [
            .worst("column check against the bare loop, C call", of: calls, .atMost(1.05)),
            .worst("column check against the bare loop, spans", of: spans, .atMost(1.05)),
            .worst("faster than cached NSRegularExpression, each", of: overFoundation, .atLeast(12)),
            Goal(
                name: "faster than cached NSRegularExpression, median", measured: median(overFoundation.map(\.value)),
                bound: .atLeast(25)),
            .worst("faster than compiling for each call, each", of: overCompiling, .atLeast(100)),
        ],
        raw: raw)
}
