/// The report of a case.
struct CaseReport {
    let name: String
    /// A description of the contenders and of the conditions.
    let notes: String
    let tables: [Table]
    let goals: [Goal]
    /// All rounds, as pairs of subject and measurements.
    let raw: [(subject: String, measurements: [Measurement])]

    var text: String {
        ([notes + "\n"] + tables.map { $0.text() } + (goals.isEmpty ? [] : [Goal.table(goals)])).joined(separator: "\n")
    }

    /// The form that `bench.py` reads, which writes the results.
    struct Encoded: Encodable {
        struct Round: Encodable {
            let subject: String
            let contender: String
            let threads: Int
            let work: Int
            let number: Int
            let wall: Double
            let cpu: Double
            let answer: Int
        }
        let text: String
        let goalsMet: String
        let rounds: [Round]
        let facts: [String: String]
    }

    var encoded: Encoded {
        let rounds = raw.flatMap { subject, measurements in
            measurements.flatMap { measurement in
                measurement.samples.enumerated().map { index, sample in
                    Encoded.Round(
                        subject: subject, contender: measurement.name, threads: measurement.contender.threads,
                        work: measurement.contender.work, number: index + 1, wall: sample.wall, cpu: sample.cpu,
                        answer: measurement.contender.expected)
                }
            }
        }
        return Encoded(text: text, goalsMet: Goal.countMet(goals), rounds: rounds, facts: Machine.facts)
    }
}
