/// Measures long values of 1 to 64 KiB, such as notes, documents and encoded images. A bad value has its error at the
/// end.
func longCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 2, standard: 8)
    let total = options.size == .quick ? 2 << 20 : 32 << 20
    var races: [EngineRace] = []
    for kibibytes in [1, 4, 16, 64] {
        for subject in Subject.long(bytes: kibibytes << 10) {
            let column = Column(subject, count: total / (kibibytes << 10), badPercent: 10)
            races.append(try EngineRace(column, group: "\(kibibytes) KiB", engines: Engine.all, rounds: rounds))
        }
    }
    return CaseReport(
        name: "long",
        notes: """
            \(total >> 20) MiB of values of about 1, 4, 16 and 64 KiB, 10 % bad at their last byte; one thread; \
            nanoseconds of processor
            time for a value.
            \(engineNotes)
            """,
        tables: races.tables, goals: races.goals("long"), raw: races.raw)
}
