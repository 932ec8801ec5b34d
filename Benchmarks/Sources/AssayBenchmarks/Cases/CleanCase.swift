import Foundation

/// Measures the command from end to end, with different shares of bad rows and a second thread.
func cleanCase(_ options: Options) throws -> CaseReport {
    let runs = try BadShares(.ten, options)
    return runs.report(
        "clean", notes: notes(options),
        goals: [
            Goal(
                name: "assay clean on two threads, 6 % bad", measured: runs.on(2, 6)?.speed ?? .nan,
                bound: .atLeast(1_000), unit: " MB/s"),
            .worst(
                "peak memory of assay clean", of: runs.results.map { ($0.name, $0.peakMegabytes) }, .atMost(100),
                unit: " MB"),
            Goal(
                name: "every row bad against no row bad, two threads",
                measured: quotient(runs.on(2, 100)?.best.wall, runs.on(2, 0)?.best.wall), bound: .atMost(1.5)),
            Goal(
                name: "assay clean on two threads against one, 6 % bad",
                measured: quotient(runs.on(1, 6)?.best.wall, runs.on(2, 6)?.best.wall), bound: .atLeast(1.85)),
        ])
}

/// Measures the same with built-in types, whose messages describe the error of a value.
func typesCleanCase(_ options: Options) throws -> CaseReport {
    let runs = try BadShares(.types, options)
    return runs.report(
        "types-clean",
        notes: notes(
            options, columns: "eight columns with a built-in type each",
            mistakes: "one mistake: a value, of which the findings say what is wrong"),
        goals: [1, 2].map { threads in
            Goal(
                name: "every row bad against no row bad, \(threads) thread\(threads == 1 ? "" : "s")",
                measured: quotient(runs.on(threads, 100)?.best.wall, runs.on(threads, 0)?.best.wall),
                bound: .atMost(1.5))
        })
}

/// Runs over exports with no bad rows, some bad rows, and only bad rows.
private struct BadShares {
    let rounds: Int
    let results: [CleanCommand.Result]

    init(_ kind: ExportFile.Kind, _ options: Options) throws {
        let rounds = options.rounds(quick: 1, standard: 5)
        self.rounds = rounds
        results = try measure(options) { command, rows in
            try [0, 6, 100].flatMap { badPercent in
                try place(kind, rows, badPercent, command).map {
                    try command.race($0, badPercent: badPercent, threads: [1, 2], rounds: rounds)
                } ?? []
            }
        }
    }

    func on(_ threads: Int, _ badPercent: Int) -> CleanCommand.Result? {
        results.first { $0.badPercent == badPercent && $0.threads == threads }
    }

    func report(_ name: String, notes: String, goals: [Goal]) -> CaseReport {
        CaseReport(
            name: name, notes: notes + "\nBest of \(rounds) rounds, after one that is not counted.\n",
            tables: [table(results)], goals: goals, raw: raw(results))
    }
}

/// Measures larger files, to show that time grows with the rows and memory does not grow.
func largeCleanCase(_ name: String, times: Int, _ options: Options) throws -> CaseReport {
    // The first race uses the usual number of rows, for comparison.
    let results = try measure(options) { command, rows in
        let small = try place(.ten, rows, 6, command)
        var results = try small.map { try command.race($0, badPercent: 6, threads: [2], rounds: 3) } ?? []
        for badPercent in [0, 6, 100] {
            guard let input = try place(.ten, times * rows, badPercent, command) else { continue }
            results += try command.race(
                input, badPercent: badPercent, threads: [1, 2], rounds: times > 10 ? 1 : 2, isWarm: false)
        }
        return results
    }
    let small = results.first
    let large = results.dropFirst().filter { $0.threads == 2 }
    let usual = large.first { $0.badPercent == 6 }
    return CaseReport(
        name: name,
        notes: notes(options) + """

            Of rows that have no room in memory with what becomes of them there are as many as have: MB says how many bytes.
            Best of \(times > 10 ? "one round" : "two rounds").

            """,
        tables: [table(results)],
        goals: [
            .worst(
                "peak memory of assay clean", of: results.map { ($0.name, $0.peakMegabytes) }, .atMost(100), unit: " MB"
            ),
            Goal(
                name: "peak memory, the larger file against the smaller",
                measured: quotient(usual?.peakMegabytes, small?.peakMegabytes), bound: .atMost(1.25),
                note: usual?.label ?? ""),
            Goal(
                name: "seconds a row, the larger file against the smaller",
                measured: quotient(usual?.secondsEach, small?.secondsEach), bound: .atMost(1.1),
                note: usual?.label ?? ""),
            Goal(
                name: "every row bad against no row bad, seconds a row",
                measured: quotient(
                    large.first { $0.badPercent == 100 }?.secondsEach, large.first { $0.badPercent == 0 }?.secondsEach),
                bound: .atMost(1.5)),
        ],
        raw: raw(results))
}

/// Measures the same bytes in more columns, each with its rule, to show that time grows only with the number of cells.
func columnsCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 1, standard: 3)
    let workplace = try Workplace(in: options.scratch)
    defer { workplace.remove() }
    let command = try CleanCommand(path: options.command, place: workplace)
    let rows = options.rows(quick: 50_000)
    var table = Table("columns", "rows", "MB", "seconds", "MB/s", "ns a cell", "peak MB")
    var results: [(columns: Int, result: CleanCommand.Result)] = []
    for copies in [1, 2, 4, 8, 16] {
        let few = try ExportFile(
            rows: rows / copies, badPercent: 6, valuesOnly: true, name: "few", in: workplace)
        let input = try few.repeatingColumns(copies, in: workplace)
        let columns = 10 * copies
        for result in try command.race(input, badPercent: 6, threads: [2], rounds: rounds) {
            results.append((columns, result))
            table.add(
                "\(columns)", "\(result.input.records)", figure(result.megabytes), figure(result.best.wall),
                figure(result.speed), figure(result.secondsEach / Double(columns) * 1e9), figure(result.peakMegabytes))
        }
    }
    let speeds = results.map { ("\($0.columns) columns", results[0].result.speed / $0.result.speed) }
    return CaseReport(
        name: "columns",
        notes: """
            assay clean on exports of about the same bytes: the ten columns of clean, again and again under names of their own,
            each with its rule, in so many fewer rows. 6 % of the rows are bad, in each copy of the columns. Two threads, best of
            \(rounds) rounds; all files in \(options.scratch).
            """,
        tables: [table],
        goals: [.worst("seconds a byte, many columns against ten", of: speeds, .atMost(1.1))],
        raw: results.map { ("\($0.columns) columns", [$0.result.measurement]) })
}

private func measure(
    _ options: Options, _ body: (CleanCommand, _ rows: Int) throws -> [CleanCommand.Result]
) throws -> [CleanCommand.Result] {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    return try body(try CleanCommand(path: options.command, place: place), options.rows(quick: 50_000))
}

/// Makes an export of the given rows, or of as many rows as fit; nil if fewer than half fit.
private func place(
    _ kind: ExportFile.Kind, _ rows: Int, _ badPercent: Int, _ command: CleanCommand
) throws -> ExportFile? {
    let place = command.place
    try? FileManager.default.removeItem(atPath: place.directory + "/export.csv")
    let bytes = CleanCommand.bytesNeeded(badPercent: badPercent)
    let fitting = min(rows, (place.freeBytes - (2 << 30)) / bytes)
    guard fitting > rows / 2 else {
        complain("no room for \(rows) rows, \(badPercent) % bad, in \(place.directory)")
        return nil
    }
    return try ExportFile(kind, rows: fitting, badPercent: badPercent, in: place)
}

private func notes(
    _ options: Options, columns: String = "ten columns with a pattern each",
    mistakes: String = "one mistake: a value, or its structure"
) -> String {
    """
    Exports of \(columns), all files in \(options.scratch), memory touched before each run.
    Seconds on the clock for the whole command, from start to exit, on as many processors as threads. MB are 10⁶ bytes of
    input. A bad row has \(mistakes).
    Records, clean, rejected, and the count of every rule are read from the report and compared with what the generator
    knows; clean and rejects together are as long as the input. × cp: against copying the input.
    """
}

private func table(_ results: [CleanCommand.Result]) -> Table {
    var table = Table("rows", "bad", "MB", "threads", "seconds", "MB/s", "processor s", "peak MB", "× cp")
    for result in results {
        table.add(
            "\(result.input.records)", "\(result.badPercent) %", figure(result.megabytes), "\(result.threads)",
            figure(result.best.wall), figure(result.speed), figure(result.best.cpu), figure(result.peakMegabytes),
            ratio(result.best.wall / result.copying.best.wall))
    }
    return table
}

private func raw(_ results: [CleanCommand.Result]) -> [(subject: String, measurements: [Measurement])] {
    results.map { ($0.label, [$0.measurement, $0.copying]) }
}

/// Returns the quotient of two figures; NaN if one was not measured.
private func quotient(_ one: Double?, _ other: Double?) -> Double { (one ?? .nan) / (other ?? .nan) }
