/// Assay's command and other tools on one export and one number of threads.
struct ToolRace {
    let badPercent: Int
    let threads: Int
    let records: Int
    let results: [Result]

    var label: String { "\(records) rows, \(badPercent) % bad, \(threads) thread\(threads == 1 ? "" : "s")" }
    /// Stands first.
    var assay: Result { results[0] }

    /// What one tool took.
    struct Result {
        let measurement: Measurement
        let rows: Int
        let bytes: Int
        /// Of the best round.
        let start: Double
        let isSample: Bool

        var name: String { measurement.name }
        var seconds: Double { measurement.best.wall }
        var speed: Double { Double(bytes) / 1e6 / seconds }
        var secondsEach: Double { seconds / Double(rows) }
        /// The start does not count for those who get few rows.
        var secondsEachWithoutStart: Double { (seconds - start) / Double(rows) }
    }

    /// One that takes part, and what its rounds cost so far.
    private struct Entrant {
        let name: String
        let input: ExportFile
        let run: () throws -> (sample: Sample, jobSeconds: Double)
        var rounds: [(sample: Sample, jobSeconds: Double)] = []

        func result(threads: Int, isSample: Bool) -> Result {
            let contender = Contender(
                name: name, threads: threads, work: input.expected.bytes, expected: input.expected.rejected
            ) { 0 }
            let best = rounds.min { $0.sample.wall < $1.sample.wall }
            return Result(
                measurement: Measurement(contender: contender, samples: rounds.map(\.sample)),
                rows: input.expected.records, bytes: input.expected.bytes,
                start: best.map { $0.sample.wall - $0.jobSeconds } ?? .nan, isSample: isSample)
        }
    }

    /// Lets Assay and the tools run one after the other, round by round.
    static func run(
        _ clean: CleanCommand, _ tools: [Tool], rows: Int, badPercent: Int, threads: [Int], rounds: Int,
        in place: Workplace
    ) throws -> [ToolRace] {
        let input = try ExportFile(rows: rows, badPercent: badPercent, valuesOnly: true, in: place)
        var few: [Int: ExportFile] = [:]
        for most in Set(tools.map(\.kind.mostRows)) where most < rows {
            few[most] = try ExportFile(
                rows: most, badPercent: badPercent, valuesOnly: true, name: "few-\(most)", in: place)
        }
        return try threads.map { threads in
            let assay = Entrant(name: "assay clean", input: input) {
                let sample = try clean.clean(input, threads: threads)
                return (sample, sample.wall)
            }
            var entrants = [assay]
            for tool in tools where tool.kind.isThreaded || threads == 1 {
                let file = few[tool.kind.mostRows] ?? input
                entrants.append(
                    Entrant(name: tool.name, input: file) { try tool.run(file, threads: threads, in: place) })
            }
            for _ in 0..<rounds {
                for index in entrants.indices {
                    // Once is enough for who takes more than ten seconds.
                    if let first = entrants[index].rounds.first, first.sample.wall > 10 { continue }
                    entrants[index].rounds.append(try entrants[index].run())
                }
            }
            let results = entrants.map {
                $0.result(threads: threads, isSample: $0.input.expected.records < input.expected.records)
            }
            return ToolRace(
                badPercent: badPercent, threads: threads, records: input.expected.records, results: results)
        }
    }

    /// How many times as long as Assay another takes; by the row where it got fewer.
    func times(_ result: Result) -> Double {
        (result.isSample ? result.secondsEachWithoutStart : result.secondsEach) / assay.secondsEach
    }

    /// The faster of the ways in which a tool of this name ran.
    func fastest(_ name: String) -> (name: String, times: Double, timesWithoutStart: Double)? {
        let candidates = results.dropFirst().filter { $0.name.hasPrefix(name) }
        return candidates.min { $0.seconds < $1.seconds }.map {
            ($0.name, times($0), $0.secondsEachWithoutStart / assay.secondsEach)
        }
    }

    var table: Table {
        var table = Table(
            ["tool", "rows", "seconds", "start", "MB/s", "µs/row", "processor s", "peak MB", "× assay's time"],
            title: label)
        for result in results {
            let best = result.measurement.best
            table.add(
                result.name + (result.isSample ? " ¹" : ""), "\(result.rows)", figure(result.seconds),
                figure(result.start),
                figure(result.speed), figure(result.secondsEachWithoutStart * 1e6), figure(best.cpu),
                figure(Double(best.peakBytes ?? 0) / 1e6), ratio(times(result)))
        }
        return table
    }

    var chart: BarChart {
        BarChart(
            title: "Ten rules, \(label)", unit: "µs a row, without the start of Python; less is better",
            isLogarithmic: true,
            series: ["µs a row"], groups: results.map { ($0.name, [$0.secondsEachWithoutStart * 1e6]) })
    }
}
