/// Compares Assay with all available engines on columns of a million values, for the ten realistic patterns, on one
/// thread.
func columnCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 2, standard: 8)
    var races: [EngineRace] = []
    for badPercent in [0, 1, 50, 100] {
        for subject in options.subjects {
            let column = Column(subject, count: options.values, badPercent: Double(badPercent))
            let engines = Engine.all + (badPercent == 1 ? Engine.others : [])
            races.append(try EngineRace(column, group: "\(badPercent) % bad", engines: engines, rounds: rounds))
        }
    }

    let usual = races.filter { $0.group == "1 % bad" }
    var more = Table(
        ["pattern", "spans", "safe C", "NSRegEx", "numberOfMatches", "compiled each", "spans/bare", "spans/safe C"]
            + ["×numberOfMatches", "×compiled each"],
        title: "1 % bad, other ways to use PCRE2 and Foundation")
    for race in usual {
        let times: [Engine] = [.spans, .safe, .firstMatch, .numberOfMatches, .compiledEach]
        let ratios: [(Engine, Engine)] = [
            (.spans, .bare), (.spans, .safe), (.numberOfMatches, .spans), (.compiledEach, .spans),
        ]
        more.add([race.pattern] + times.map(race.text) + ratios.map { race.text($0.0, to: $0.1) })
    }

    return CaseReport(
        name: "column",
        notes: """
            \(options.values) values, one thread; nanoseconds of processor time for a value.
            \(engineNotes)

            numberOfMatches: the fastest call of NSRegularExpression on Linux. compiled each: made anew for each \
            value, as
            validators over NSPredicate do; NSPredicate itself has no format strings on Linux. safe C: pcre2_match in \
            a loop,
            which checks each value's UTF-8.
            """,
        tables: races.tables + [more],
        goals: races.goals("column") + [
            .worst(
                "column, spans with UTF-8 checked against the bare loop: each",
                of: usual.compactMap { race in race.ratio(.spans, to: .bare).map { (race.label, $0) } }, .atMost(1.05)),
            .worst(
                "column, times compiling for each call: each",
                of: usual.compactMap { race in race.ratio(.compiledEach, to: .spans).map { (race.label, $0) } },
                .atLeast(100)),
        ],
        raw: races.raw)
}

/// The explanation of the columns in the tables of engines.
let engineNotes = """
    bare C: pcre2_jit_match in a loop, over bytes trusted to be UTF-8. C call: assay_check_column over the same, with \
    match
    limits and masks of the failed and the undecided. spans: verdicts(utf8:offsets:threads:1), which trusts neither \
    bytes nor
    offsets. RE2: anchored at both ends, no captures. Hyperscan: block mode, one scan for a value. NSRegEx:
    NSRegularExpression made once, firstMatch, the whole value by \\A(?:…)\\z. Swift Regex: made once, wholeMatch, by \
    scalars.

    The last two go through the first values of the same column only: at most 20,000 or 4 MiB, and 1,000 or 64 KiB.
    refused: the engine does not take the pattern. absent: it is not installed here (make rivals). Ratios are how \
    many times
    as long as Assay another took; call/bare is Assay's own.
    """
