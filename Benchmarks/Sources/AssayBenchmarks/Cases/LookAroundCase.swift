/// Measures patterns with look-around, which need a backtracking engine because most DFA engines do not support it.
func lookAroundCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 2, standard: 8)
    let races = try Subject.lookAround.map { subject in
        try EngineRace(
            Column(subject, count: options.values, badPercent: 10), group: "10 % bad", engines: Engine.all,
            rounds: rounds)
    }
    return CaseReport(
        name: "look-around",
        notes: """
            \(options.values) values; one thread; nanoseconds of processor time for a value.
            \(patternList(Subject.lookAround))
            \(engineNotes)
            """,
        tables: races.tables, goals: races.goals("look-around"), raw: races.raw)
}
