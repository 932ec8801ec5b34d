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

    var csv: String {
        var text = "case,subject,contender,threads,work,round,wall_s,cpu_s,peak_bytes,answer\n"
        for (subject, measurements) in raw {
            for measurement in measurements {
                let contender = measurement.contender
                for (round, sample) in measurement.samples.enumerated() {
                    let cells = [
                        name, subject, contender.name, "\(contender.threads)", "\(contender.work)", "\(round + 1)",
                        String(format: "%.9f", sample.wall), String(format: "%.9f", sample.cpu),
                        sample.peakBytes.map(String.init) ?? "", "\(contender.expected)",
                    ]
                    text += cells.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n"
                }
            }
        }
        return text
    }
}

/// Writes the latest results of a machine: `<case>.csv` with every round, `<case>.svg` or `<case>-<n>.svg` with the charts,
/// `summary.md` with the tables.
func writeResults(_ reports: [CaseReport], machine: Machine, into directory: String) throws {
    let folder = URL(fileURLWithPath: directory).appendingPathComponent(machine.slug)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for report in reports {
        try report.csv.write(to: folder.appendingPathComponent(report.name + ".csv"), atomically: true, encoding: .utf8)
        for (name, chart) in report.namedCharts {
            try chart.svg.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }
    let sections = reports.map { report in
        let pictures = report.namedCharts.map { "![\($0.chart.title)](\($0.name))\n" }
        return "## \(report.name)\n\n\(report.text)\n" + pictures.joined(separator: "\n")
    }.joined(separator: "\n")
    let goals = reports.flatMap(\.goals).filter(\.isMeasured)
    let unmet = goals.count { !$0.isMet }
    let summary = """
        # Benchmarks on \(machine.name)

        \(machine.table.text())
        Goals met: \(goals.count - unmet) of \(goals.count). Times are the best round of several, interleaved; work on one thread
        is timed in processor time, threads and commands by the clock. Every answer was compared with the expected one.
        The rounds are in the CSV files.

        \(Goal.table(reports.flatMap(\.goals)))
        \(sections)
        """
    try summary.write(to: folder.appendingPathComponent("summary.md"), atomically: true, encoding: .utf8)
    say("\nresults: \(folder.path)")
}
