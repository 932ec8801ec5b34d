import Foundation

/// When and how a case was run.
struct RunFacts {
    let date = ISO8601DateFormatter().string(from: Date())
    let command = (["assay-benchmarks"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    /// Before it began.
    let load = Machine.load
    let commit: String
}

/// The latest results of a machine: `<case>.csv` with every round, `<case>.svg` or `<case>-<n>.svg` with the charts, `<case>.json`
/// with what there is to tell, and `summary.md`, made of these.
///
/// Written after each case, each file at once: a run may be ended at any time, and cases may be run by themselves. What
/// other runs left of other cases stays.
struct Results {
    let machine: Machine
    let folder: URL

    init(machine: Machine, directory: String) {
        self.machine = machine
        folder = URL(fileURLWithPath: directory).appendingPathComponent(machine.slug)
    }

    /// What is kept of a case beside its rounds.
    struct Record: Codable {
        struct Chart: Codable {
            var file: String
            var title: String
        }
        var name: String
        var date: String
        var command: String
        var load: String
        var commit: String
        var seconds: Double
        /// The case's part of the summary.
        var text: String
        var goals: [[String]]
        var charts: [Chart]
    }

    /// nil when the case was never run here.
    func record(of name: String) -> Record? {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name + ".json")) else { return nil }
        return try? JSONDecoder().decode(Record.self, from: data)
    }

    func write(_ report: CaseReport, _ facts: RunFacts, seconds: Double) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let earlier = record(of: report.name)
        let record = Record(
            name: report.name, date: facts.date, command: facts.command, load: facts.load, commit: facts.commit,
            seconds: (seconds * 10).rounded() / 10, text: report.text, goals: report.goals.map(\.row),
            charts: report.namedCharts.map { Record.Chart(file: $0.name, title: $0.chart.title) })
        try write(report.csv, to: report.name + ".csv")
        for (name, chart) in report.namedCharts { try write(chart.svg, to: name) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(String(decoding: try encoder.encode(record), as: UTF8.self) + "\n", to: report.name + ".json")
        for chart in earlier?.charts ?? [] where !record.charts.contains(where: { $0.file == chart.file }) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(chart.file))
        }
        try write(summary, to: "summary.md")
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    private var summary: String {
        let records = BenchmarkCase.all.compactMap { record(of: $0.name) }
        var cases = Table("case", "measured", "took", "load before", "commit", "command")
        for record in records {
            cases.add(
                "[\(record.name)](#\(record.name.filter { $0 != "." }))", record.date, "\(figure(record.seconds)) s",
                record.load, record.commit, "`\(record.command)`")
        }
        let goals = records.flatMap(\.goals)
        let outcomes = goals.map { $0[3] }
        let sections = records.map { record in
            let pictures = record.charts.map { "![\($0.title)](\($0.file))\n" }
            return "## \(record.name)\n\n\(record.text)\n" + pictures.joined(separator: "\n")
        }
        return """
            # Benchmarks on \(machine.name)

            \(machine.table.text())
            \(cases.text())
            Goals met: \(outcomes.count { $0 == "met" }) of \(outcomes.count { $0 != "not measured" }). Times are the best round of several, interleaved; work on one thread
            is timed in processor time, threads and commands by the clock. Every answer was compared with the expected one.
            The rounds are in the CSV files.

            \(Goal.table(goals))
            \(sections.joined(separator: "\n"))
            """
    }
}
