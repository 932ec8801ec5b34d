import Foundation

/// The whole job beside other tools, from file to files: the same bytes, the same ten patterns, the same number of processors.
func rivalsCase(_ options: Options) throws -> CaseReport {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let clean = try CleanCommand(path: options.command, place: place)
    let tools = Tool.Kind.all.compactMap { Tool($0) }
    let absent = Tool.Kind.all.map(\.label).filter { label in !tools.contains { $0.kind.label == label } }
    let rows = options.rows(quick: 20_000)
    let rounds = options.rounds(quick: 1, standard: 3, full: 5)

    var races: [ToolRace] = []
    try place.touch(bytes: rows * 1_000)
    for badPercent in [0, 6, 100] {
        races += try ToolRace.run(
            clean, tools, rows: rows, badPercent: badPercent, threads: [1, 2], rounds: rounds, in: place)
    }
    // Ten times the rows, for those that take so many in reasonable time. Polars keeps all of them in memory.
    let need = CleanCommand.bytesNeeded(rows: 10 * rows, badPercent: 6) + (8 << 30)
    if options.size == .full {
        if place.freeBytes > need {
            races += try ToolRace.run(
                clean, tools.filter { $0.kind.isThreaded && $0.kind.mostRows > rows }, rows: 10 * rows, badPercent: 6,
                threads: [2], rounds: 1, in: place)
        } else {
            complain("no room for ten times the rows beside rivals: \(need >> 30) GiB of memory")
        }
    }

    return CaseReport(
        name: "rivals",
        notes: """
            Exports of ten columns with a pattern each, as in clean, but with mistakes in values only: what all of these tools can do.
            All files in \(options.scratch). The job: the good rows to one file, the bad ones with the columns at fault to another, and how many
            there are of each. Every answer is compared with what the generator knows. Assay writes a finding with line and byte
            offset for each mistake as well, and its outputs are the bytes that came.

            Seconds on the clock for the whole process, on as many processors as threads; best of \(rounds), one for those over ten
            seconds. start: how much of it was the start of Python and of its packages. Tools with one thread run once, beside
            the others on one. jsonschema-rs is the engine of qsv, which cannot be had here: qsv itself would be faster. rg
            says which lines are bad and not why, and knows no CSV.
            ¹ slow: on fewer rows, and compared by the row, without its start.
            \(absent.isEmpty ? "" : "\nAbsent here (make rivals installs them): \(absent.joined(separator: ", ")).\n")
            """,
        tables: races.map(\.table), goals: goals(races), raw: races.map { ($0.label, $0.results.map(\.measurement)) },
        charts: races.map(\.chart))
}

private func goals(_ races: [ToolRace]) -> [Goal] {
    let usual = races.first { $0.badPercent == 6 && $0.threads == 2 }
    func times(_ name: String) -> Goal {
        let fastest = usual?.fastest(name)
        return Goal(
            name: "times \(name), ten rules, 6 % bad, two threads", measured: fastest?.times ?? .nan,
            bound: .atLeast(name == "Polars" ? 10 : 40),
            note: fastest.map { "\($0.name); \(ratio($0.timesWithoutStart)) without its start" } ?? "")
    }
    return [
        Goal(
            name: "assay clean beside rivals, two threads", measured: usual?.assay.speed ?? .nan,
            bound: .atLeast(1_000),
            unit: " MB/s"),
        times("Polars"), times("DuckDB"),
    ]
}
