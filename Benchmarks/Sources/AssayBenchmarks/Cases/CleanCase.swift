import Foundation

/// The command from end to end: an export of ten columns and ten rules, everything in memory.
func cleanCase(_ options: Options) throws -> CaseReport {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let command = try CleanCommand(path: options.command, place: place)
    let rounds = options.rounds(quick: 1, standard: 5, full: 9)
    let rows = options.size == .quick ? 50_000 : 1_000_000

    var results: [CleanCommand.Result] = []
    try place.touch(bytes: rows * 1_000)
    for badPercent in [0, 6, 100] {
        let input = try ExportFile(rows: rows, badPercent: badPercent, in: place)
        results += try command.race(input, label: "\(badPercent) %", threads: [1, 2], rounds: rounds)
    }
    if options.size == .full {
        let room = 8 << 30
        if place.freeBytes > room {
            try place.touch(bytes: room)
            let input = try ExportFile(rows: 10 * rows, badPercent: 6, in: place)
            results += try command.race(input, label: "6 %, ten times the rows", threads: [1, 2], rounds: 3)
        } else {
            complain("no room for the export of 2.4 GB in \(options.scratch), which needs \(room >> 30) GiB")
        }
    }

    var table = Table("bad rows", "MB", "threads", "seconds", "MB/s", "processor s", "peak MB", "× cp")
    for result in results {
        table.add(
            result.label, figure(result.megabytes), "\(result.threads)", figure(result.best.wall), figure(result.speed),
            figure(result.best.cpu), figure(result.peakMegabytes), ratio(result.best.wall / result.copying.best.wall))
    }
    return CaseReport(
        name: "clean",
        notes: """
            \(rows) rows of ten columns with a pattern each, all files in \(options.scratch). Seconds on the clock for the whole
            command, from start to exit; best of \(rounds). MB are 10⁶ bytes of input. A bad row has one mistake: a value, or its
            structure. Records, clean, rejected, and the count of every rule are read from the report and compared with what
            the generator knows; clean and rejects together are as long as the input. × cp: against copying the input.
            """,
        tables: [table], goals: goals(results), raw: results.map { ($0.label, [$0.measurement, $0.copying]) })
}

private func goals(_ results: [CleanCommand.Result]) -> [Goal] {
    func onTwo(_ label: String) -> CleanCommand.Result? { results.first { $0.label == label && $0.threads == 2 } }
    var goals = [
        Goal(
            name: "assay clean on two threads, 6 % bad", measured: onTwo("6 %")?.speed ?? .nan, bound: .atLeast(400),
            unit: " MB/s"),
        .worst(
            "peak memory of assay clean", of: results.map { ($0.name, $0.peakMegabytes) }, .atMost(100), unit: " MB"),
    ]
    if let none = onTwo("0 %"), let all = onTwo("100 %") {
        goals.append(
            Goal(
                name: "every row bad against no row bad, two threads", measured: all.best.wall / none.best.wall,
                bound: .atMost(1.5), note: "a goal of issue 4"))
    }
    return goals
}
