/// A comparison of the command with other tools, on one export with one number of threads.
struct ToolRace {
    let badPercent: Int
    let threads: Int
    let input: ExportFile.Counts
    let results: [Result]

    var label: String {
        "\(gigabytes(input.bytes)), \(badPercent) % bad, \(threads) thread\(threads == 1 ? "" : "s")"
    }
    /// The result of Assay with the job of the other tools. Always the first result.
    var assay: Result { results[0] }
    /// The result of Assay with its default outputs, which include findings.
    var assayWithFindings: Result { results[1] }

    /// The measurement of one tool.
    struct Result {
        let measurement: Measurement
        /// The seconds of the best round until Python and its packages were loaded.
        let start: Double

        var name: String { measurement.name }
        /// The seconds of the whole process; NaN if the tool has no rounds.
        var seconds: Double { measurement.best.wall }
        var secondsWithoutStart: Double { seconds - start }
        var speed: Double { Double(measurement.contender.work) / 1e6 / seconds }
        var peakMegabytes: Double { measurement.best.peakBytes.map { Double($0) / 1e6 } ?? .nan }
        var ownMegabytes: Double { measurement.best.ownBytes.map { Double($0) / 1e6 } ?? .nan }
    }

    /// The job of the tools.
    struct Job {
        let rows: Int
        let badPercent: Int
        let threads: Int
        let rounds: Int
        /// The limit of one run of another tool.
        let limit: Command.Limit
    }

    /// A participant with the cost of its rounds so far.
    private struct Entrant {
        let name: String
        let run: () throws -> (sample: Sample, jobSeconds: Double)
        var rounds: [(sample: Sample, jobSeconds: Double)] = []
        var without: String?
        /// Whether no further rounds run. A tool that takes more than ten seconds runs once.
        var isDone: Bool { without != nil || (rounds.first?.sample.wall ?? 0) > 10 }

        func result(threads: Int, input: ExportFile) -> Result {
            let contender = Contender(
                name: name, threads: threads, work: input.expected.bytes, expected: input.expected.rejected
            ) { 0 }
            let best = rounds.min { $0.sample.wall < $1.sample.wall }
            return Result(
                measurement: Measurement(contender: contender, samples: rounds.map(\.sample), without: without),
                start: best.map { $0.sample.wall - $0.jobSeconds } ?? .nan)
        }
    }

    /// Runs Assay, then each tool, in each round.
    ///
    /// - Parameter smaller: The results for fewer rows. A tool that would exceed the limit, by its time there, is not
    /// started.
    init(_ clean: CleanCommand, _ tools: [Tool], _ job: Job, after smaller: ToolRace? = nil, in place: Workplace) throws
    {
        let input = try ExportFile(rows: job.rows, badPercent: job.badPercent, valuesOnly: true, in: place)
        let (threads, limit) = (job.threads, job.limit)
        func assay(_ name: String, _ job: CleanCommand.Job) -> Entrant {
            Entrant(name: name) {
                let sample = try clean.clean(input, threads: threads, job: job)
                return (sample, sample.wall)
            }
        }
        var entrants = [assay("assay clean, the same job", .likeRivals), assay("assay clean", .usual)]
        for tool in tools {
            var entrant = Entrant(name: tool.name) {
                try tool.run(input, threads: threads, limit: limit, in: place)
            }
            if let smaller, let before = smaller.results.first(where: { $0.name == tool.name }) {
                let times = Double(input.expected.bytes) / Double(smaller.input.bytes)
                if let without = before.measurement.without {
                    entrant.without = without + " at " + gigabytes(smaller.input.bytes)
                } else if limit.seconds > 0 && before.secondsWithoutStart * times > 1.3 * Double(limit.seconds) {
                    entrant.without =
                        "not tried: \(figure(before.seconds)) s at \(gigabytes(smaller.input.bytes)), limit \(limit.seconds) s"
                }
            }
            entrants.append(entrant)
        }
        for round in 1...job.rounds {
            for index in entrants.indices where !entrants[index].isDone {
                do {
                    // The size of the outputs, plus the maximum own memory of fast tools on a small file.
                    try place.touch(bytes: 2 * input.expected.bytes + (1 << 30))
                    let cost = try entrants[index].run()
                    entrants[index].rounds.append(cost)
                    progress(
                        "\(gigabytes(input.expected.bytes)), \(job.badPercent) % bad, round \(round): "
                            + "\(entrants[index].name), \(figure(cost.sample.wall)) s")
                } catch let limit as OverLimit {
                    entrants[index].without = limit.what
                    entrants[index].rounds = []
                    progress("\(entrants[index].name): \(limit.what)")
                }
            }
        }
        badPercent = job.badPercent
        self.threads = threads
        self.input = input.expected
        results = entrants.map { $0.result(threads: threads, input: input) }
    }

    /// Returns the ratio of a tool's time to that of Assay.
    func times(_ result: Result) -> Double { result.seconds / assay.seconds }

    /// Returns the fastest result of the tools whose name starts with `name`.
    func fastest(_ name: String) -> Result? {
        results.dropFirst().filter { $0.name.hasPrefix(name) && $0.seconds.isFinite }.min { $0.seconds < $1.seconds }
    }

    var table: Table {
        var table = Table(
            [
                "tool", "seconds", "start", "MB/s", "processor s", "peak MB", "own MB", "× assay's time",
                "× without start",
            ],
            title: "\(label), \(input.records) rows")
        for result in results {
            if let without = result.measurement.without {
                table.add([result.name, without] + [String](repeating: "–", count: 7))
                continue
            }
            table.add(
                result.name, figure(result.seconds), figure(result.start), figure(result.speed),
                figure(result.measurement.best.cpu), figure(result.peakMegabytes), figure(result.ownMegabytes),
                ratio(times(result)), ratio(result.secondsWithoutStart / assay.seconds))
        }
        return table
    }

    /// Compares the tools on a smaller file with this one.
    func growth(from smaller: ToolRace) -> Table {
        let (from, to) = (gigabytes(smaller.input.bytes), gigabytes(input.bytes))
        var table = Table(
            ["tool", "MB/s at \(from)", "at \(to)", "own MB at \(from)", "at \(to)", "peak MB at \(from)", "at \(to)"],
            title: "From \(from) to \(to)")
        for result in results {
            guard let before = smaller.results.first(where: { $0.name == result.name }) else { continue }
            table.add(
                result.name, figure(before.speed), figure(result.speed), figure(before.ownMegabytes),
                figure(result.ownMegabytes), figure(before.peakMegabytes), figure(result.peakMegabytes))
        }
        return table
    }
}
