internal import Assay
package import AssayRules

/// Measures the part of a run that only one thread at a time may do, on the user's file and rules. This part limits the
/// speed-up by additional threads.
///
/// The file is checked, and cleaned into files that are removed before they get a name. The fastest round by the clock
/// counts.
package struct StageBench: Sendable {
    /// One run, from the rules to complete outputs. All times are in seconds.
    package struct Run: Sendable {
        package var seconds: Double
        /// Processor time of all threads.
        package var processorSeconds: Double
        /// See ``SerialTime``.
        package var records: Double
        package var keys: Double
        package var findings: Double
        package var outputs: Double
        /// Work before and after the threads run: rules, the head of the table, counts.
        package var ends: Double
        /// Time until the outputs were on disk. Not included in the other times.
        package var publishing: Double
        package var result: RunResult

        /// The total time of work that only one thread at a time may do. Parts may overlap: one thread may write
        /// outputs while another reads records.
        package var serial: Double { records + keys + findings + outputs + ends }

        /// The fraction of the processor time that is serial, 0 to 1.
        package var share: Double { processorSeconds > 0 ? min(1, serial / processorSeconds) : 0 }

        /// The upper bound on the speed-up over one thread, if the serial part is constant and all other work is
        /// parallel. A model, not a measurement.
        ///
        /// Source: Amdahl, Validity of the single processor approach to achieving large scale computing capabilities, AFIPS 1967
        package func speedUp(threads: Int) -> Double { 1 / (share + (1 - share) / Double(max(1, threads))) }
    }

    /// The numbers of threads for which the model is evaluated.
    package static let modelThreads = [4, 8, 16, 32, 64]

    package let file: String
    package let rounds: Int
    package private(set) var check: Run
    package private(set) var clean: Run
    /// Temporary files of killed runs that blocked this run and were removed.
    package let removed: [String]

    /// - Parameters:
    ///   - file: A path. It is read several times.
    ///   - rounds: The number of rounds, at least 1.
    /// - Throws: ``InputError`` if the input can be read only once; errors of ``CleanJob/run(_:progress:)``.
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
        // Removing the outputs is not part of a run.
        let all = watch.reading
        return withExtendedLifetime(job) { Run(all, result) }
    }

    private static func job(_ file: String, _ options: CleanerOptions, writes: Bool) throws -> CleanJob {
        let directory = options.temporaryDirectory ?? usualTemporaryDirectory()
        // Existing files with these names are kept, because the outputs are not published.
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
