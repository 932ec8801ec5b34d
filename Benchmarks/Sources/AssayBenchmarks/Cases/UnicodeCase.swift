/// Measures columns in which every value has characters beyond ASCII.
func unicodeCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 2, standard: 8)
    let races = try Subject.unicode.map { subject in
        try EngineRace(
            Column(subject, count: options.values, badPercent: 1), group: "1 % bad", engines: Engine.all, rounds: rounds
        )
    }
    return CaseReport(
        name: "unicode",
        notes: """
            \(options.values) values, every one with letters beyond ASCII; one thread; nanoseconds of processor time \
            for a value.
            \(patternList(Subject.unicode))
            \(engineNotes)
            """,
        tables: races.tables, goals: races.goals("unicode"), raw: races.raw)
}

/// Returns a list of the patterns of subjects other than the ten.
func patternList(_ subjects: [Subject]) -> String {
    subjects.map { "* \($0.name): `\($0.pattern)`" }.joined(separator: "\n") + "\n"
}
