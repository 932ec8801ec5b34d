/// Measures columns with few distinct values, as in most exports: states, plans, cities, referrers.
func repeatsCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 2, standard: 8)
    var races: [EngineRace] = []
    for distinct in [10, 1_000, 100_000] {
        for subject in [Subject.email, .url, .person, .country] {
            let column = Column(subject, count: options.values, badPercent: 10, distinct: distinct)
            races.append(try EngineRace(column, group: "\(distinct) values", engines: Engine.all, rounds: rounds))
        }
    }
    return CaseReport(
        name: "repeats",
        notes: """
            \(options.values) values drawn at random from 10, 1,000 and 100,000, of which 10 % are bad; one thread; \
            nanoseconds of
            processor time for a value.
            \(engineNotes)
            """,
        tables: races.tables, goals: races.goals("repeats"), raw: races.raw)
}
