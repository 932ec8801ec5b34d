import Foundation

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

    /// The CSV header of `rows`.
    static let columns = "case,subject,contender,threads,work,round,wall_s,cpu_s,peak_bytes,own_bytes,answer"

    /// One row per round. A contender without rounds has one row with round 0, and the reason instead of an answer.
    var rows: [String] {
        var rows: [String] = []
        for (subject, measurements) in raw {
            for measurement in measurements {
                let contender = measurement.contender
                let start = [name, subject, contender.name, "\(contender.threads)", "\(contender.work)"]
                if let without = measurement.without {
                    rows.append(Self.row(start + ["0", "", "", "", "", without]))
                }
                for (round, sample) in measurement.samples.enumerated() {
                    let cells = [
                        "\(round + 1)", String(format: "%.9f", sample.wall), String(format: "%.9f", sample.cpu),
                        sample.peakBytes.map(String.init) ?? "", sample.ownBytes.map(String.init) ?? "",
                        "\(contender.expected)",
                    ]
                    rows.append(Self.row(start + cells))
                }
            }
        }
        return rows
    }

    /// Line ends become spaces, because results are replaced line by line.
    private static func row(_ cells: [String]) -> String {
        cells.map { cell in
            let line = cell.replacing("\n", with: " ")
            return line.contains { $0 == "," || $0 == "\"" } ? "\"\(line.replacing("\"", with: "\"\""))\"" : line
        }.joined(separator: ",")
    }
}
