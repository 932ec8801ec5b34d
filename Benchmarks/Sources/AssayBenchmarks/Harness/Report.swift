import Foundation

/// What a case found out.
struct CaseReport {
    let name: String
    /// What is compared with what, and what a reader must know.
    let notes: String
    let tables: [Table]
    let goals: [Goal]
    /// Every round, for those who want to compute something else: subject and measurements.
    let raw: [(subject: String, measurements: [Measurement])]
    var charts: [BarChart] = []

    var text: String {
        ([notes + "\n"] + tables.map { $0.text() } + (goals.isEmpty ? [] : [Goal.table(goals)])).joined(separator: "\n")
    }

    /// The charts and the names of their files.
    var namedCharts: [(name: String, chart: BarChart)] {
        charts.enumerated().map { index, chart in
            (charts.count == 1 ? "\(name).svg" : "\(name)-\(index + 1).svg", chart)
        }
    }

    /// A line for each round; one that took no part has round 0 and says why instead of an answer.
    var csv: String {
        func row(_ cells: [String], _ answer: String) -> String {
            ([name] + cells + [answer]).map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n"
        }
        var text = "case,subject,contender,threads,work,round,wall_s,cpu_s,peak_bytes,own_bytes,answer\n"
        for (subject, measurements) in raw {
            for measurement in measurements {
                let contender = measurement.contender
                if let without = measurement.without {
                    text += row(
                        [subject, contender.name, "\(contender.threads)", "\(contender.work)", "0"] + ["", "", "", ""],
                        without)
                }
                for (round, sample) in measurement.samples.enumerated() {
                    let cells = [
                        subject, contender.name, "\(contender.threads)", "\(contender.work)", "\(round + 1)",
                        String(format: "%.9f", sample.wall), String(format: "%.9f", sample.cpu),
                        sample.peakBytes.map(String.init) ?? "", sample.ownBytes.map(String.init) ?? "",
                    ]
                    text += row(cells, "\(contender.expected)")
                }
            }
        }
        return text
    }
}
