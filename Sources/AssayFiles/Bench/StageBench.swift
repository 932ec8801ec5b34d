internal import Assay
package import AssayRules

/// Measures, for somebody's own file and rules, how much of a run only one thread may do at a time: what is left of it however many
/// threads there are.
///
/// The file is checked, and cleaned into files that are removed before they get a name. The best round counts, by the clock.
package struct StageBench: Sendable {
    /// One run, from the rules to outputs that are complete. All times are in seconds.
    package struct Run: Sendable {
        package var seconds: Double
        /// What the processors did, for all threads.
        package var processorSeconds: Double
        /// See ``SerialTime``.
        package var records: Double
        package var keys: Double
        package var findings: Double
        package var outputs: Double
        /// What comes before the threads and behind them: rules, the head of the table, counts.
        package var ends: Double
        /// Until the outputs were on the disk. Not in any of the others.
        package var publishing: Double
        package var result: RunResult

        /// What only one thread may do at a time, in all. Some of it may go on at once: while one thread is at the outputs, another
        /// may be at the records.
        package var serial: Double { records + keys + findings + outputs + ends }

        /// Its part of all processor time, 0 to 1.
        package var share: Double { processorSeconds > 0 ? min(1, serial / processorSeconds) : 0 }

        /// How many times as fast as one thread so many can be at most, if that part stays what it is and all else is done side by
        /// side. A model: nothing of it is measured.
        ///
        /// Source: Amdahl, Validity of the single processor approach to achieving large scale computing capabilities, AFIPS 1967
        package func speedUp(threads: Int) -> Double { 1 / (share + (1 - share) / Double(max(1, threads))) }
    }

    /// The numbers of threads that the model is asked for.
    package static let modelThreads = [4, 8, 16, 32, 64]

    package let file: String
    package let rounds: Int
    package private(set) var check: Run
    package private(set) var clean: Run
    /// Temporary files of runs that were killed, which were in the way of its own and are removed.
    package let removed: [String]

    /// - Parameters:
    ///   - file: a path. It is read again and again.
    ///   - rounds: how often; 1 or more.
    /// - Throws: ``InputError`` for what can be read only once; what ``CleanJob/run(_:progress:)`` throws.
    package init(file: String, rules: RuleFile, options: CleanerOptions, rounds: Int) throws {
        if !FileSource.isFile(at: file) {
            let name = file == CleanJob.standard ? "standard input" : printable(file)
            throw InputError(
                "bench reads its input again and again, and \(name) can be read only once",
                hint: "save it as a file first")
        }
        (self.file, self.rounds) = (file, rounds)
        removed = CleanJob.removeLeftovers(of: [try Self.job(file, options, writes: true)])
        check = try Self.run(file, rules, options, writes: false)
        clean = try Self.run(file, rules, options, writes: true)
        for _ in 1..<rounds {
            check = check.better(try Self.run(file, rules, options, writes: false))
            clean = clean.better(try Self.run(file, rules, options, writes: true))
        }
    }

    private static func run(_ file: String, _ rules: RuleFile, _ options: CleanerOptions, writes: Bool) throws -> Run {
        let watch = Stopwatch()
        let cleaner = try Cleaner(rules: rules, options: options)
        let job = try job(file, options, writes: writes)
        let result = try job.run(job.prepare(cleaner), publishes: false).result
        // Removing the outputs is no part of a run.
        let all = watch.reading
        return withExtendedLifetime(job) { Run(all, result) }
    }

    private static func job(_ file: String, _ options: CleanerOptions, writes: Bool) throws -> CleanJob {
        let directory = options.temporaryDirectory ?? usualTemporaryDirectory()
        // Files that have these names stay: nothing is published.
        return try CleanJob(inputs: [file], force: true, format: options.format, unpacks: options.unpacks) {
            guard writes else { return OutputPaths() }
            var paths = OutputPaths(besides: file, in: directory, packedAs: $0)
            paths.reports = []
            return paths
        }
    }
}

extension StageBench.Run {
    fileprivate init(_ all: Stopwatch.Reading, _ result: RunResult) {
        let time = result.serialTime
        func seconds(_ nanoseconds: Int) -> Double { Double(max(0, nanoseconds)) / 1e9 }
        let clock = all.clock - time.publishing.clock
        self.init(
            seconds: seconds(clock), processorSeconds: seconds(all.processors - time.publishing.processors),
            records: seconds(time.records), keys: seconds(time.keys + time.waitingKeys),
            findings: seconds(time.findings), outputs: seconds(time.outputs),
            ends: seconds(clock - time.sideBySide - time.waitingKeys), publishing: seconds(time.publishing.clock),
            result: result)
    }

    fileprivate func better(_ other: Self) -> Self { other.seconds < seconds ? other : self }
}
