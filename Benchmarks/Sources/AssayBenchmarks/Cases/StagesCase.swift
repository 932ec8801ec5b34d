import Foundation

/// Measures the serial part of `assay clean` with the command's own figures, because it limits the gain of more
/// threads.
func stagesCase(_ options: Options) throws -> CaseReport {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let command = try Command(path: options.command)
    let rounds = options.rounds(quick: 1, standard: 9)
    let input = try ExportFile(rows: options.rows(quick: 50_000), badPercent: 6, in: place)

    var table = Table("run", "threads", "one at a time, ms", "processor ms", "share", "4", "8", "16", "32", "64")
    var parts = Table("run", "threads", "records", "outputs", "begin and end", "to the disk, not counted")
    var shares: [(subject: String, value: Double)] = []
    for threads in [1, 2, 7] {
        let figures = try command.stages(of: input, threads: threads, rounds: rounds, in: place)
        guard figures.records == input.expected.records else {
            throw WrongAnswer(
                job: "stages", contender: "assay bench --stages", expected: input.expected.records,
                answer: figures.records)
        }
        for (name, run) in [("check", figures.check), ("clean", figures.clean)] {
            let serial = run.serialSeconds
            table.add(
                name, "\(threads)", figure((serial["all"] ?? .nan) * 1e3), figure(run.processorSeconds * 1e3),
                figure(run.share * 100) + " %", modelled(run, 4), modelled(run, 8), modelled(run, 16),
                modelled(run, 32),
                modelled(run, 64))
            parts.add(
                name, "\(threads)", figure((serial["records"] ?? .nan) * 1e3),
                figure((serial["outputs"] ?? .nan) * 1e3),
                figure((serial["ends"] ?? .nan) * 1e3), figure(run.publishingSeconds * 1e3))
            shares.append(("\(name), \(threads) thread\(threads == 1 ? "" : "s")", run.share * 100))
        }
    }
    return CaseReport(
        name: "stages",
        notes: """
            assay bench --stages on an export of ten columns with a pattern each, \(gigabytes(input.expected.bytes)), 6 % of the rows
            bad, from file to files in \(options.scratch); best of \(rounds) rounds. Milliseconds.
            share: the time that only one thread may work at a time, of all processor time. 4 to 64: how many times as fast as one
            thread so many would be at most, by a model, Amdahl's law with that share; nothing of that is measured.
            """,
        tables: [table, parts],
        goals: [
            .worst("share of what only one thread may do at a time", of: shares, .atMost(2), unit: " %")
        ],
        raw: [])
}

private func modelled(_ run: StageFigures.Run, _ threads: Int) -> String {
    ratio(run.model.speedUp["\(threads)"] ?? .nan)
}

/// The output of `assay bench --stages --json`.
private struct StageFigures: Decodable {
    struct Run: Decodable {
        struct Model: Decodable {
            var speedUp: [String: Double]
        }
        var processorSeconds: Double
        var serialSeconds: [String: Double]
        var share: Double
        var publishingSeconds: Double
        var model: Model
    }
    var records: Int
    var check: Run
    var clean: Run
}

extension Command {
    fileprivate func stages(of input: ExportFile, threads: Int, rounds: Int, in place: Workplace) throws -> StageFigures
    {
        try place.touch(bytes: 2 * input.expected.bytes)
        let arguments = [
            "bench", input.path, "--rules", input.rules, "--stages", "--json", "--threads", "\(threads)",
            "--rounds", "\(rounds)", "--temp-dir", place.directory,
        ]
        guard let output = output(arguments) else { throw CommandError(message: "assay bench --stages fails") }
        return try JSONDecoder().decode(StageFigures.self, from: Data(output.utf8))
    }
}
