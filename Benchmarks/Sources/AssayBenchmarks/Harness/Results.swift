import Foundation

/// The time and conditions of a run of a case.
struct RunFacts {
    let date = ISO8601DateFormatter().string(from: Date())
    let command = (["assay-benchmarks"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    /// The load before the run.
    let load = Machine.load
    let commit: String
}

/// The latest results of a machine, in two files.
///
///     rounds.csv    a line for each round:      clean,"0.24 GB, 6 % bad",assay clean,2,…
///     summary.md    a line for each case:       | [clean](#clean) | 2026-11-22T21:12:23Z | 61.9 s | …
///                   a section for each case:    ## clean
///
/// Results are written after each case, each file atomically, so that a run may be interrupted at any time. They replace
/// the earlier ones of that case and keep those of all others, including the cases that Python/benchmarks/harness.py writes
/// to the same files.
struct Results {
    let machine: Machine
    let folder: URL

    private static let columns = """
        | case | measured | took | load before | commit | goals met | command |
        |:--|--:|--:|--:|--:|--:|:--|
        """

    init(machine: Machine, directory: String) {
        self.machine = machine
        folder = URL(fileURLWithPath: directory).appendingPathComponent(machine.slug)
    }

    /// The duration of the latest run of a case, such as "61.9 s"; nil if the case was never run here.
    func duration(of name: String) -> String? {
        let line = caseLines.first { $0.hasPrefix(Self.link(to: name)) }
        return line?.components(separatedBy: " | ").dropFirst(2).first
    }

    func write(_ report: CaseReport, _ facts: RunFacts, seconds: Double) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = report.name
        var rounds = Self.lines(of: text("rounds.csv") ?? CaseReport.columns)
        rounds.replace(startingWith: name + ",", by: report.rows)
        try write(rounds.joined(separator: "\n") + "\n", to: "rounds.csv")

        let took = String(format: "%.1f s", seconds)
        var cases = caseLines
        cases.replace(
            startingWith: Self.link(to: name),
            by: [
                Self.link(to: name) + " | \(facts.date) | \(took) | \(facts.load) | \(facts.commit) "
                    + "| \(Goal.countMet(report.goals)) | `\(facts.command)` |"
            ])
        var sections = Array(parts.dropFirst())
        sections.replace(startingWith: name + "\n", by: ["\(name)\n\n\(report.text)"])
        try write(([head(cases)] + sections).joined(separator: "\n## "), to: "summary.md")
    }

    /// The summary up to the first section, and each section without the mark of its heading.
    private var parts: [String] { text("summary.md")?.components(separatedBy: "\n## ") ?? [] }

    private var caseLines: [String] { Self.lines(of: parts.first ?? "").filter { $0.hasPrefix("| [") } }

    /// The first cell of a case's line.
    private static func link(to name: String) -> String { "| [\(name)](#\(name.filter { $0 != "." }))" }

    private static func lines(of text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    private func head(_ cases: [String]) -> String {
        """
        # Benchmarks on \(machine.name)

        \(machine.table.text())
        Times are the best of several interleaved rounds: processor time for work on one thread, time on the clock for
        threads and commands. Every answer was compared with the expected one. [rounds.csv](rounds.csv) has every round.

        \(Self.columns)
        \(cases.joined(separator: "\n"))

        """
    }

    private func text(_ name: String) -> String? {
        try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
}

extension [String] {
    /// Replaces the elements that start with `start`, at the place of the first one or at the end.
    fileprivate mutating func replace(startingWith start: String, by others: [String]) {
        let place = firstIndex { $0.hasPrefix(start) } ?? endIndex
        removeAll { $0.hasPrefix(start) }
        insert(contentsOf: others, at: place)
    }
}
