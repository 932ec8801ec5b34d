/// Assay's command and other tools on one export and one number of threads.
struct ToolRace {
    let badPercent: Int
    let threads: Int
    let input: ExportFile.Counts
    let results: [Result]

    var label: String {
        "\(gigabytes(input.bytes)), \(badPercent) % bad, \(threads) thread\(threads == 1 ? "" : "s")"
    }
    /// Doing the job of all. Stands first.
    var assay: Result { results[0] }
    /// With findings as well, as it does unless it is told otherwise.
    var assayWithFindings: Result { results[1] }

    /// What one tool took.
    struct Result {
        let measurement: Measurement
        /// Of the best round: before Python and its packages were there.
        let start: Double

        var name: String { measurement.name }
        /// The whole process; not a number when it took part in no round.
        var seconds: Double { measurement.best.wall }
        var secondsWithoutStart: Double { seconds - start }
        var speed: Double { Double(measurement.contender.work) / 1e6 / seconds }
        var peakMegabytes: Double { measurement.best.peakBytes.map { Double($0) / 1e6 } ?? .nan }
        var ownMegabytes: Double { measurement.best.ownBytes.map { Double($0) / 1e6 } ?? .nan }
    }

    /// What the tools are asked to do.
    struct Job {
        let rows: Int
        let badPercent: Int
        let threads: Int
        let rounds: Int
        /// For one run of a rival.
        let limit: Command.Limit
    }

    /// One that takes part, and what its rounds cost so far.
    private struct Entrant {
        let name: String
        let run: () throws -> (sample: Sample, jobSeconds: Double)
        var rounds: [(sample: Sample, jobSeconds: Double)] = []
        var without: String?
        /// Who takes more than ten seconds runs once.
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

    /// Lets Assay and the tools run one after the other, round by round.
    ///
    /// - Parameter smaller: the same on fewer rows. Who cannot keep within the limit by what it took there is not started.
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
                    // What the outputs take and, in memory of its own, the most that fast rivals do on a small file.
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

    /// How many times as long as Assay another takes.
    func times(_ result: Result) -> Double { result.seconds / assay.seconds }

    /// The fastest of the ways in which a tool of this name ran.
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

    /// What became of the tools from a smaller file to this one.
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
