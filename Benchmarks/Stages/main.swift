// Checks and cleans a table repeatedly, and prints the times of the fastest round as JSON, for the benchmark case
// `stages`:
//
//     StagesDriver TABLE RULES THREADS ROUNDS DIRECTORY
//
// DIRECTORY is for the outputs. The target is in the package of Assay, because only a run itself can measure the time
// of its serial parts (`SerialTime`).

import AssayFiles
import AssayRules
import Foundation

/// One run, from the rules to complete outputs. All times are in seconds.
struct Run: Encodable {
    var seconds: Double
    /// Processor time of all threads.
    var processorSeconds: Double
    /// Work that only one thread at a time may do. Parts may overlap: one thread may write outputs while another reads
    /// records.
    var serialSeconds: Serial
    /// Time until the outputs were on disk. Not included in the other times.
    var publishingSeconds: Double

    /// See `SerialTime`.
    struct Serial: Encodable {
        var records: Double
        var keys: Double
        var findings: Double
        var outputs: Double
        /// Work before and after the threads run: rules, the head of the table, counts.
        var ends: Double
    }
}

struct Figures: Encodable {
    var records: Int
    var check: Run
    var clean: Run
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 5, let threads = Int(arguments[2]), let rounds = Int(arguments[3]), rounds > 0 else {
    FileHandle.standardError.write(Data("usage: StagesDriver TABLE RULES THREADS ROUNDS DIRECTORY\n".utf8))
    exit(2)
}
let (table, directory) = (arguments[0], arguments[4])
let rules = try RuleFile.read(FileSource(path: arguments[1]))

func run(writes: Bool) throws -> (Run, RunResult) {
    let watch = Stopwatch()
    var options = CleanerOptions()
    options.threads = threads
    let cleaner = try Cleaner(rules: rules, options: options)
    let job = try CleanJob(inputs: [table], force: true) {
        guard writes else { return OutputPaths() }
        var paths = OutputPaths(nextTo: table, in: directory, packedAs: $0)
        paths.reports = []
        return paths
    }
    let result = try job.run(cleaner).result
    return (Run(watch.reading, result.serialTime), result)
}

extension Run {
    init(_ all: Stopwatch.Reading, _ time: SerialTime) {
        func seconds(_ nanoseconds: Int) -> Double { Double(max(0, nanoseconds)) / 1e9 }
        let clock = all.clock - time.publishing.clock
        self.init(
            seconds: seconds(clock), processorSeconds: seconds(all.processors - time.publishing.processors),
            serialSeconds: Serial(
                records: seconds(time.records), keys: seconds(time.keys + time.waitingKeys),
                findings: seconds(time.findings), outputs: seconds(time.outputs),
                ends: seconds(clock - time.sideBySide - time.waitingKeys)),
            publishingSeconds: seconds(time.publishing.clock))
    }
}

var (check, result) = try run(writes: false)
var (clean, _) = try run(writes: true)
for _ in 1..<rounds {
    let again = (check: try run(writes: false).0, clean: try run(writes: true).0)
    if again.check.seconds < check.seconds { check = again.check }
    if again.clean.seconds < clean.seconds { clean = again.clean }
}
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
let json = try encoder.encode(Figures(records: result.records, check: check, clean: clean))
FileHandle.standardOutput.write(json + Data("\n".utf8))
