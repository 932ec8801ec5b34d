import Foundation

/// Measures the work of `assay check` and `clean` that only one thread at a time may do, because it limits the gain of
/// more threads. `StagesDriver` (Benchmarks/Stages) runs them and has the times.
func stagesCase(_ options: Options) throws -> CaseReport {
    try ExportFile.checkRules()
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let driver = try Command(
        path: URL(fileURLWithPath: options.command).deletingLastPathComponent().path + "/StagesDriver")
    let rounds = options.rounds(quick: 1, standard: 9)
    let input = try ExportFile(rows: options.rows(quick: 50_000), badPercent: 6, in: place)

    var table = Table("run", "threads", "one at a time, ms", "processor ms", "share", "4", "8", "16", "32", "64")
    var parts = Table(
        "run", "threads", "records", "keys", "findings", "outputs", "begin and end", "to the disk, not counted")
    var shares: [(subject: String, value: Double)] = []
    for threads in [1, 2, 7] {
        let figures = try driver.stages(of: input, threads: threads, rounds: rounds, in: place)
        guard figures.records == input.expected.records else {
            throw WrongAnswer(
                job: "stages", contender: "StagesDriver", expected: input.expected.records,
                answer: figures.records)
        }
        for (name, run) in [("check", figures.check), ("clean", figures.clean)] {
            let serial = run.serialSeconds
            table.add(
                name, "\(threads)", figure(serial.all * 1e3), figure(run.processorSeconds * 1e3),
                figure(run.share * 100) + " %", ratio(run.speedUp(threads: 4)), ratio(run.speedUp(threads: 8)),
                ratio(run.speedUp(threads: 16)), ratio(run.speedUp(threads: 32)), ratio(run.speedUp(threads: 64)))
            parts.add(
                name, "\(threads)", figure(serial.records * 1e3), figure(serial.keys * 1e3),
                figure(serial.findings * 1e3), figure(serial.outputs * 1e3), figure(serial.ends * 1e3),
                figure(run.publishingSeconds * 1e3))
            shares.append(("\(name), \(threads) thread\(threads == 1 ? "" : "s")", run.share * 100))
        }
    }
    return CaseReport(
        name: "stages",
        notes: """
            StagesDriver on an export of ten columns with a pattern each, \(gigabytes(input.expected.bytes)), 6 % of the rows
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

/// The output of `StagesDriver`.
private struct StageFigures: Decodable {
    struct Run: Decodable {
        struct Serial: Decodable {
            var records: Double
            var keys: Double
            var findings: Double
            var outputs: Double
            var ends: Double

            var all: Double { records + keys + findings + outputs + ends }
        }
        var processorSeconds: Double
        var serialSeconds: Serial
        var publishingSeconds: Double

        /// The fraction of the processor time that is serial, 0 to 1.
        var share: Double { processorSeconds > 0 ? min(1, serialSeconds.all / processorSeconds) : 0 }

        /// The upper bound on the speed-up over one thread, if the serial part is constant and all other work is
        /// parallel. A model, not a measurement.
        ///
        /// Source: Amdahl, Validity of the single processor approach to achieving large scale computing capabilities,
        /// AFIPS 1967
        func speedUp(threads: Int) -> Double { 1 / (share + (1 - share) / Double(threads)) }
    }
    var records: Int
    var check: Run
    var clean: Run
}

extension Command {
    fileprivate func stages(of input: ExportFile, threads: Int, rounds: Int, in place: Workplace) throws -> StageFigures
    {
        try place.touch(bytes: 2 * input.expected.bytes)
        let arguments = [input.path, input.rules, "\(threads)", "\(rounds)", place.directory]
        guard let output = output(arguments) else { throw CommandError(message: "StagesDriver fails") }
        return try JSONDecoder().decode(StageFigures.self, from: Data(output.utf8))
    }
}
