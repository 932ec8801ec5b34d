import Assay

/// Measures ten rules on one column, as in rule files that report each mistake separately.
func rulesCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 2, standard: 8)
    var table = Table(
        "bad", "bare C", "Assay", "RE2", "Hyperscan", "NSRegEx", "Assay/bare", "RE2/Assay", "Hyperscan/Assay")
    var raw: [(subject: String, measurements: [Measurement])] = []
    var against: [String: [(subject: String, value: Double)]] = [:]

    for badPercent in [0, 1, 50, 100] {
        let column = Column(.email, count: options.values, badPercent: Double(badPercent))
        let label = "\(badPercent) %"
        let measured = try race("ten rules on one column, \(label)", rounds: rounds, ruleContenders(column))
        raw.append((label, measured))
        func time(_ name: String) -> Double? { measured.first { $0.name == name }?.cpuEach }
        let assay = time("verdicts, all of ten") ?? .nan
        func ratioText(_ name: String) -> String { time(name).map { ratio($0 / assay) } ?? "–" }
        for name in ["bare pcre2_jit_match", "RE2", "Hyperscan"] {
            if let other = time(name) { against[name, default: []].append((label, other / assay)) }
        }
        func text(_ name: String) -> String { time(name).map(figure) ?? "absent" }
        table.add(
            label, text("bare pcre2_jit_match"), figure(assay), text("RE2"), text("Hyperscan"),
            text("NSRegularExpression firstMatch"), time("bare pcre2_jit_match").map { ratio(assay / $0) } ?? "–",
            ratioText("RE2"), ratioText("Hyperscan"))
    }

    func goal(_ name: String) -> Goal {
        .worst("ten rules on one column, times \(name)", of: against[name] ?? [], .atLeast(1))
    }
    return CaseReport(
        name: "rules",
        notes: """
            \(options.values) e-mail addresses, one thread; nanoseconds of processor time for a value. A value is \
            good when it matches all
            of ten patterns, which stop at the first that does not match where an engine can.
            \(addressRules.map { "* `\($0)`" }.joined(separator: "\n"))

            Assay: verdicts(utf8:offsets:threads:1) of a check that asks for all ten. bare C: pcre2_jit_match one \
            pattern after the
            other. RE2: the same. Hyperscan: all ten in one database, one scan for a value. NSRegEx: one after the \
            other, the
            first 20,000 values.
            """,
        tables: [table], goals: [goal("bare pcre2_jit_match"), goal("RE2"), goal("Hyperscan")], raw: raw)
}

/// The requirements of an e-mail address, as separate patterns. The good values of `Subject.email` match all patterns.
private let addressRules = [
    #".{6,254}"#, #"[!-~]+"#, #"[^@]+@[^@]+"#, #"[^@]{1,64}@.*"#, #"[^.].*[^.]"#, #".*@[^@.]+(?:\.[^@.]+)+"#,
    #"[A-Za-z0-9].*"#, #".*\.[A-Za-z]{2,24}"#, #"[^@]*@[A-Za-z0-9.-]+"#, Subject.email.pattern,
]

private func ruleContenders(_ column: Column) throws -> [Contender] {
    let (values, passing) = (column.count, column.passing)
    let subjects = addressRules.map { Subject(name: "rule", pattern: $0, good: { _, _ in }, bad: { _, _ in }) }
    let bare = subjects.map { BarePattern($0) }
    let check = try Requirement<String>(.all(addressRules.map { .matches(pattern: $0) }))
    let sample = min(values, 20_000)
    let strings = column.strings(sample)
    let foundation = try subjects.map(FoundationPattern.init)
    var contenders = [
        Contender(name: "bare pcre2_jit_match", work: values, expected: passing) {
            BarePattern.count(column, all: bare)
        },
        Contender(name: "verdicts, all of ten", work: values, expected: passing) {
            try check.verdicts(utf8: column.bytes.span, offsets: column.offsets.span, threads: 1).passedCount
        },
        Contender(name: "NSRegularExpression firstMatch", work: sample, expected: column.passing(sample)) {
            strings.count { value in foundation.allSatisfy { $0.matches(value) } }
        },
    ]
    #if HAS_RE2
        if let patterns = RE2Patterns(addressRules) {
            contenders.append(
                Contender(name: "RE2", work: values, expected: passing) { patterns.count(column) })
        }
    #endif
    #if HAS_HYPERSCAN
        if let patterns = HyperscanPatterns(addressRules) {
            contenders.append(
                Contender(name: "Hyperscan", work: values, expected: passing) { patterns.count(column) })
        }
    #endif
    return contenders
}
