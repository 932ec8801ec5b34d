import Foundation

/// Compares the whole job with other tools, from file to files: same bytes, same ten patterns, same number of
/// processors.
func rivalsCase(_ options: Options) throws -> CaseReport {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let clean = try CleanCommand(path: options.command, place: place)
    let (tools, absent) = Tool.here(Tool.Kind.all)
    let rows = options.rows(quick: 20_000)
    let rounds = options.rounds(quick: 1, standard: 5)
    let limit = Command.Limit(seconds: options.limit ?? 60)
    func race(_ tools: [Tool], rows: Int, bad: Int, threads: Int, rounds: Int) throws -> ToolRace {
        try ToolRace(
            clean, tools, .init(rows: rows, badPercent: bad, threads: threads, rounds: rounds, limit: limit), in: place)
    }

    let fast = tools.filter { $0.kind.oneRowOf == 1 }
    var races: [ToolRace] = []
    for bad in [6, 0, 100] {
        races.append(try race(fast.filter(\.kind.isThreaded), rows: rows, bad: bad, threads: 2, rounds: rounds))
    }
    races.append(try race(fast, rows: rows, bad: 6, threads: 1, rounds: 1))
    for part in Set(tools.map(\.kind.oneRowOf)).sorted() where part > 1 {
        for bad in [6, 100] {
            races.append(
                try race(tools.filter { $0.kind.oneRowOf == part }, rows: rows / part, bad: bad, threads: 1, rounds: 1))
        }
    }
    return CaseReport(
        name: "rivals",
        notes: """
            \(jobNotes(options, absent: absent))

            Best of \(rounds) rounds on two threads, one on one and of those over ten seconds. Tools with one thread run beside the others on
            one. The slow ones get a tenth or a hundredth of the rows, and so does Assay beside them: each table says how much.
            A limit of \(limit.seconds) s for one run.
            """,
        tables: races.map(\.table), goals: goals(races[0]),
        raw: races.map { ($0.label, $0.results.map(\.measurement)) })
}

/// Compares larger files, for the tools that are fast enough, to show the growth of time and memory.
func largeRivalsCase(_ name: String, times: Int, seconds: Int, _ options: Options) throws -> CaseReport {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let clean = try CleanCommand(path: options.command, place: place)
    let (tools, absent) = Tool.here(Tool.Kind.all.filter { $0.oneRowOf == 1 && $0.isThreaded })
    let rows = options.rows(quick: 20_000)
    let seconds = options.limit ?? seconds
    let smaller = try ToolRace(
        clean, tools,
        .init(rows: rows, badPercent: 6, threads: 2, rounds: 1, limit: Command.Limit(seconds: seconds)), in: place)

    // Input and output are in memory. At least four gigabytes must remain for the tool.
    let bytesOfRow = CleanCommand.bytesNeeded(badPercent: 6)
    let largest = min(times * rows, (place.freeBytes - (5 << 30)) / bytesOfRow)
    guard largest > 2 * rows else {
        throw CommandError(message: "no room for files of \(times * rows) rows in \(options.scratch)")
    }
    let left = place.freeBytes - largest * bytesOfRow - (1 << 30)
    let limit = Command.Limit(seconds: seconds, megabytes: left / 1_000_000)
    let large = try ToolRace(
        clean, tools, .init(rows: largest, badPercent: 6, threads: 2, rounds: times > 10 ? 1 : 2, limit: limit),
        after: smaller, in: place)
    return CaseReport(
        name: name,
        notes: """
            \(jobNotes(options, absent: absent))

            One round, \(times > 10 ? "" : "two on the larger file, ")two threads. A limit of \(limit.seconds) s for one run, and of \(figure(Double(limit.megabytes) / 1e3)) GB of own memory: what
            the files, which stand in memory too, leave of it. Who cannot keep within the limit by what it took on the
            smaller file is not tried, and has no figure.
            """,
        tables: [large.table, large.growth(from: smaller), smaller.table], goals: goals(large, after: smaller),
        raw: [large, smaller].map { ($0.label, $0.results.map(\.measurement)) })
}

/// The notes that all tables of rivals share.
private func jobNotes(_ options: Options, absent: [String]) -> String {
    return """
        Exports of ten columns with a pattern each, as in clean, but with mistakes in values only: what all of these tools can do.
        All files in \(options.scratch), memory touched before each run. The job: the good rows to one file, the bad ones with the columns at fault to another, and how many
        there are of each. Every answer is compared with what the generator knows. assay clean, the same job: with
        --annotate --findings none. assay clean: without, so that it writes a finding with line and byte offset for each mistake
        as well. The outputs of both are the bytes that came. What each rival does stands in Benchmarks/README.md.

        Seconds on the clock for the whole process, on as many processors as threads. start: how much of it was the start of
        Python and of its packages. peak MB: resident memory with mapped files, own MB: without them. jsonschema-rs is the
        engine of qsv, which cannot be had here: qsv itself would be faster. rg says which lines are bad and not why, and
        knows no CSV.\(absent.isEmpty ? "" : "\n\nAbsent here (make rivals installs them): \(absent.joined(separator: ", ")).")
        """
}

private func goals(_ race: ToolRace, after smaller: ToolRace? = nil) -> [Goal] {
    let size = gigabytes(race.input.bytes)
    func times(_ name: String, _ bound: Double) -> Goal {
        let fastest = race.fastest(name)
        return Goal(
            name: "times \(name), ten rules, \(size)", measured: fastest.map(race.times) ?? .nan,
            bound: .atLeast(bound),
            note: fastest.map {
                "\($0.name); \(ratio($0.secondsWithoutStart / race.assay.seconds)) without its start; "
                    + "\(ratio($0.seconds / race.assayWithFindings.seconds)) what assay takes with findings"
            } ?? "none within its limits")
    }
    var goals = [
        Goal(
            name: "assay clean beside rivals, \(size)", measured: race.assayWithFindings.speed, bound: .atLeast(1_000),
            unit: " MB/s"),
        times("Polars", 10), times("DuckDB", 40),
    ]
    if let smaller {
        goals.append(
            Goal(
                name: "peak memory beside rivals, \(size) against \(gigabytes(smaller.input.bytes))",
                measured: race.assayWithFindings.peakMegabytes / smaller.assayWithFindings.peakMegabytes,
                bound: .atMost(1.25)))
    }
    return goals
}
