import Assay

/// Measures bulk checks of an array of strings: the cost on one thread over the bare loop, and the gain of a second
/// thread.
func stringsCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16)
    var table = Table(
        "pattern", "bare C", "[String]", "two threads", "[String]/bare", "two threads", "bare C on two")
    var raw: [(subject: String, measurements: [Measurement])] = []
    var overBare: [(subject: String, value: Double)] = []
    var sums = [Double](repeating: 0, count: 6)

    func row(_ name: String, _ each: [Double]) {
        table.add(
            name, figure(each[0]), figure(each[1]), figure(each[4]), ratio(each[1] / each[0]), ratio(each[3] / each[4]),
            ratio(each[2] / each[5]))
    }
    for subject in options.subjects {
        let column = Column(subject, count: options.values, badPercent: 1)
        let strings = column.strings(column.count)
        let bare = Copies { BarePattern(subject, threads: 2) }
        let pattern = try Copies { try Pattern(subject.pattern) }
        let (values, passing) = (column.count, column.passing)
        let measured = try race(
            "strings of \(subject.name)", rounds: rounds,
            [
                Contender(name: "bare pcre2_jit_match", work: values, expected: passing) { bare.next.count(column) },
                Contender(name: "verdicts(for: [String])", work: values, expected: passing) {
                    pattern.next.verdicts(for: strings, threads: 1).passedCount
                },
                Contender(name: "verdicts(for: [String])", threads: 2, work: values, expected: passing) {
                    pattern.next.verdicts(for: strings, threads: 2).passedCount
                },
                Contender(name: "bare pcre2_jit_match", threads: 2, work: values, expected: passing) {
                    bare.next.countOnAllThreads(column)
                },
            ])
        raw.append((subject.name, measured))
        // Processor time for comparisons on one thread, elapsed time for comparisons of thread counts.
        let each =
            measured[0...1].map(\.cpuEach) + measured[0...1].map(\.wallEach) + measured[2...3].map(\.wallEach)
        overBare.append((subject.name, each[1] / each[0]))
        for index in each.indices { sums[index] += each[index] }
        row(subject.name, each)
    }
    row("all ten", sums)

    return CaseReport(
        name: "strings",
        notes: """
            Arrays of \(options.values) strings, 1 % bad; nanoseconds for a value: processor time on one thread, the \
            clock on two.
            bare C: over bytes that stand side by side already. [String]: verdicts(for:threads:1), over strings that \
            stand
            in the heap. two threads: how many times faster than one. bare C on two: the same for the bare loop, its
            values shared out in halves: what the machine gives at most.
            """,
        tables: [table],
        goals: [
            .worst("[String] in bulk against the bare loop, each", of: overBare, .atMost(1.3)),
            Goal(
                name: "[String] in bulk against the bare loop, all ten", measured: sums[1] / sums[0],
                bound: .atMost(1.3)),
            Goal(
                name: "[String] on two threads against one, all ten", measured: sums[3] / sums[4],
                bound: .atLeast(1.9), note: "the bare loop: \(ratio(sums[2] / sums[5]))"),
        ],
        raw: raw)
}
