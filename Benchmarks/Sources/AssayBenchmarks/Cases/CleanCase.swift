import Foundation

/// The command from end to end, alone: how it takes more rows, more bad rows and a second thread.
func cleanCase(_ options: Options) throws -> CaseReport {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let command = try CleanCommand(path: options.command, place: place)
    let rounds = options.rounds(quick: 1, standard: 5, full: 9)
    let rows = options.rows(quick: 50_000)

    var results: [CleanCommand.Result] = []
    var withoutRoom: [String] = []
    // 0.24, 2.4 and 10 GB.
    for times in options.size == .full ? [1, 10, 42] : [1] {
        for badPercent in [0, 6, 100] {
            let need = CleanCommand.bytesNeeded(rows: times * rows, badPercent: badPercent)
            guard place.freeBytes > need else {
                withoutRoom.append("\(times) × \(rows) rows, \(badPercent) % bad: \(need >> 30) GiB")
                continue
            }
            try place.touch(bytes: need)
            let input = try ExportFile(rows: times * rows, badPercent: badPercent, in: place)
            results += try command.race(
                input, times: times, badPercent: badPercent, threads: [1, 2],
                rounds: times == 1 ? rounds : min(rounds, times == 10 ? 3 : 1))
        }
    }

    var table = Table("rows", "bad", "MB", "threads", "seconds", "MB/s", "processor s", "peak MB", "× cp")
    for result in results {
        table.add(
            "\(result.input.records)", "\(result.badPercent) %", figure(result.megabytes), "\(result.threads)",
            figure(result.best.wall), figure(result.speed), figure(result.best.cpu), figure(result.peakMegabytes),
            ratio(result.best.wall / result.copying.best.wall))
    }
    let missing =
        withoutRoom.isEmpty
        ? "" : "\nNo room in \(options.scratch), so absent: \(withoutRoom.joined(separator: "; ")).\n"
    return CaseReport(
        name: "clean",
        notes: """
            Exports of ten columns with a pattern each, all files in \(options.scratch), memory touched before. Seconds on the clock for
            the whole command, from start to exit, on as many processors as threads; best of \(rounds), of fewer for larger files.
            MB are 10⁶ bytes of input. A bad row has one mistake: a value, or its structure. Records, clean, rejected, and the
            count of every rule are read from the report and compared with what the generator knows; clean and rejects together
            are as long as the input. × cp: against copying the input.
            \(missing)
            """,
        tables: [table], goals: goals(results), raw: results.map { ($0.label, [$0.measurement, $0.copying]) },
        charts: [
            BarChart(
                title: "assay clean", unit: "MB/s, files in memory", series: ["1 thread", "2 threads"],
                groups: results.filter { $0.threads == 1 }.map { one in
                    let two = results.first { $0.threads == 2 && $0.label == one.label }
                    return (one.label, [one.speed, two?.speed])
                })
        ])
}

private func goals(_ results: [CleanCommand.Result]) -> [Goal] {
    func on(_ threads: Int, _ badPercent: Int, times: Int = 1) -> CleanCommand.Result? {
        results.first { $0.times == times && $0.badPercent == badPercent && $0.threads == threads }
    }
    /// Of figures of which one may not have been measured.
    func quotient(_ one: Double?, _ other: Double?) -> Double { (one ?? .nan) / (other ?? .nan) }
    let usual = on(2, 6)
    let largest = results.last { $0.times > 1 && $0.badPercent == 6 && $0.threads == 2 }
    return [
        Goal(
            name: "assay clean on two threads, 6 % bad", measured: usual?.speed ?? .nan, bound: .atLeast(1_000),
            unit: " MB/s"),
        .worst(
            "peak memory of assay clean", of: results.map { ($0.name, $0.peakMegabytes) }, .atMost(100), unit: " MB"),
        Goal(
            name: "peak memory, the largest file against the smallest",
            measured: quotient(largest?.peakMegabytes, usual?.peakMegabytes), bound: .atMost(1.25),
            note: largest?.label ?? ""),
        Goal(
            name: "seconds a row, the largest file against the smallest",
            measured: quotient(usual?.speed, largest?.speed), bound: .atMost(1.1), note: largest?.label ?? ""),
        Goal(
            name: "every row bad against no row bad, two threads",
            measured: quotient(on(2, 100)?.best.wall, on(2, 0)?.best.wall), bound: .atMost(1.5)),
        Goal(
            name: "assay clean on two threads against one, 6 % bad",
            measured: quotient(on(1, 6)?.best.wall, usual?.best.wall), bound: .atLeast(1.85)),
    ]
}
