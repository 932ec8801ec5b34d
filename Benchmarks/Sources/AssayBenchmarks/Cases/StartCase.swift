import Foundation

/// Measures the start-up time of commands, on a file of ten rows, and the size of the command.
func startCase(_ options: Options) throws -> CaseReport {
    let place = try Workplace(in: options.scratch)
    defer { place.remove() }
    let input = try ExportFile(rows: 10, badPercent: 0, in: place)
    let assay = try Command(path: options.command)
    let rounds = options.rounds(quick: 5, standard: 60)
    let (tools, _) = Tool.here(Tool.Kind.all)
    let check = ["check", input.path, "--rules", input.rules, "--quiet"]

    let names = ["assay check"] + tools.map(\.name)
    var samples = [[Sample]](repeating: [], count: names.count)
    for round in 0...rounds {
        let (sample, status) = try assay.run(check)
        guard status == 0 else { throw CommandError(message: "assay check ends with status \(status)") }
        if round > 0 { samples[0].append(sample) }
        // Three rounds suffice for the other tools, which take up to two seconds.
        guard round <= 3 else { continue }
        for (index, tool) in tools.enumerated() {
            let (sample, _) = try tool.run(input, threads: 2, limit: Command.Limit(seconds: 60), in: place)
            if round > 0 { samples[index + 1].append(sample) }
        }
    }

    let size = ((try FileManager.default.attributesOfItem(atPath: assay.path))[.size] as? NSNumber)?.intValue ?? 0
    var table = Table("command", "best ms", "median ms", "peak MB")
    var raw: [Measurement] = []
    for (name, samples) in zip(names, samples) {
        let measurement = Measurement(
            contender: Contender(name: name, work: 1, expected: 0) { 0 }, samples: samples)
        table.add(
            name, figure(measurement.best.wall * 1e3), figure(median(samples.map(\.wall)) * 1e3),
            figure(Double(measurement.best.peakBytes ?? 0) / 1e6))
        raw.append(measurement)
    }
    let middle = median(samples[0].map(\.wall)) * 1e3
    return CaseReport(
        name: "start",
        notes: """
            Commands from start to exit on an export of ten rows with ten rules; milliseconds on the clock.
            The command assay is one file of \(figure(Double(size) / 1e6)) MB.
            """,
        tables: [table],
        goals: [
            Goal(name: "assay check on ten rows, median", measured: middle, bound: .atMost(15), unit: " ms"),
            Goal(name: "size of the command", measured: Double(size) / 1e6, bound: .atMost(25), unit: " MB"),
        ],
        raw: [("ten rows", raw)])
}
