package import Assay
package import AssayRules
internal import CAssay
internal import Synchronization

/// A profiler of the columns of a table, which works in one pass with limited memory.
///
///     let profile = try Profiler(rules: RuleFile()).run(asOne: [FileSource(path: "users.csv")])
///     profile.columns[2].type      // string, format email
///
/// The result is the same for any number of threads.
package struct Profiler: Sendable {
    private let cleaner: Cleaner

    /// - Parameters:
    ///   - rules: The dialect and the limits for reading the table. The fields are ignored.
    ///   - options: The threads, head, sample and format.
    /// - Throws: ``CompileError`` if a limit is out of its range.
    package init(rules: RuleFile, options: CleanerOptions = CleanerOptions()) throws(CompileError) {
        cleaner = try Cleaner(rules: RuleFile(dialect: rules.dialect, limits: rules.limits), options: options)
    }

    /// Reads the head of a table.
    ///
    /// - Throws: ``InputError`` if the input is not a table; ``FileError``.
    package func prepare(asOne sources: [any Source]) throws -> PreparedProfile {
        PreparedProfile(try ProfileInput(try cleaner.prepare(asOne: sources)))
    }

    /// Reads a table to its end.
    ///
    /// - Parameter progress: Called regularly, without overlapping calls. ``BulkControl/cancel`` stops the run.
    /// - Throws: ``FileError``; ``NoMemoryError``; ``RunCancelled``.
    /// - Complexity: O(bytes). Memory: a few MiB for each thread, and at most 32 MiB for the likely key, or 64 MiB
    ///   while its duplicates are removed.
    package func run(
        _ prepared: PreparedProfile, progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> TableProfile {
        let start = ContinuousClock.now
        let run = ProfileRun(prepared.input, progress: progress)
        let worker = try run.run(threads: max(1, cleaner.options.threads ?? processorCount))
        let elapsed = start.duration(to: .now)
        var profile = TableProfile(
            prepared.input, worker, plan: run.plan, sample: cleaner.options.sample, threads: run.workers)
        profile.threads = run.workers
        profile.seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        return profile
    }
}

/// A table with its head read, which can be profiled once.
package struct PreparedProfile: Sendable {
    let input: ProfileInput

    init(_ input: ProfileInput) { self.input = input }

    /// Whether one of its files has changed since it was opened.
    package var hasChanged: Bool { input.table.parts.contains { ($0.given as? FileSource)?.hasChanged ?? false } }

    /// The format of the records.
    package var format: InputFormat { input.table.format }
    /// A reason to doubt the settings with which the table is read; `nil` if there is none.
    package var doubt: HeadDoubt? { input.table.doubt }
}

/// The workers of a profile. Each worker reads chunks and counts values; at the end, their counts are merged.
private final class ProfileRun: Sendable {
    private let input: ProfileInput
    private let progress: (@Sendable (RunProgress) -> BulkControl)?
    private let state = Lock(State())

    private struct State {
        var plan: ProfilePlan?
        var joined: ProfileWorkerBox?
        var workers = 0
        var failure: (any Error)?
        var shortage: (any Error)?
        var bytes = 0
        var records = 0

        /// Takes the result that another worker has left for merging. Without such a result, leaves `found` and returns
        /// `nil`.
        mutating func exchange(_ found: ProfileWorkerBox) -> ProfileWorkerBox? {
            defer { joined = joined == nil ? found : nil }
            return joined
        }
    }

    // SAFETY: one thread at a time has access, because of the lock.
    private struct ProfileWorkerBox: @unchecked Sendable { let worker: ProfileWorker }

    init(_ input: ProfileInput, progress: (@Sendable (RunProgress) -> BulkControl)?) {
        (self.input, self.progress) = (input, progress)
    }

    var plan: ProfilePlan { state.withLock { $0.plan! } }
    var workers: Int { state.withLock { $0.workers } }

    func run(threads: Int) throws -> ProfileWorker {
        // The first chunk is read alone, so that its contents do not depend on the threads.
        let chunk = try input.reader.makeChunk()
        let hasRecords = try input.reader.next(chunk)
        let comma = input.table.head.dialect.separatorBytes != [UInt8(ascii: ",")] && input.paths == nil
        let first =
            hasRecords
            ? try ProfileWorker.firstValues(input, chunk)
            : (
                values: [[[UInt8]]](repeating: [], count: input.names.count),
                isComplete: [Bool](repeating: false, count: input.names.count)
            )
        let plan = try ProfilePlan(
            names: input.names, values: first.values, isComplete: first.isComplete, lists: input.paths?.lists ?? [],
            usesDecimalComma: comma, threads: threads)
        state.withLock { $0.plan = plan }
        let box = ProfileWorkerBox(worker: try ProfileWorker(input, plan, chunk: chunk))
        if hasRecords {
            try box.worker.add()
            try report(box.worker)
        }
        let unused = Lock<ProfileWorkerBox?>(box)
        onThreads(input.reader.workers(limit: min(threads, Self.workers(maxFor: input.names.count)))) { [self] in
            let own = unused.withLock { box in
                defer { box = nil }
                return box
            }
            work(own, plan)
        }
        let (joined, failure, shortage) = state.withLock { ($0.joined, $0.failure, $0.shortage) }
        if let failure { throw failure }
        guard let joined else { throw shortage ?? NoMemoryError(for: "the profile of a table") }
        try joined.worker.finish()
        return joined.worker
    }

    /// The maximum number of workers. Each worker has its own counts, which may take 100 kB for a column.
    private static func workers(maxFor columns: Int) -> Int { max(1, 8192 / max(1, columns)) }

    private func work(_ own: ProfileWorkerBox?, _ plan: ProfilePlan) {
        let worker: ProfileWorker
        do {
            worker = try own?.worker ?? ProfileWorker(input, plan)
        } catch {
            return state.withLock { $0.shortage = error }
        }
        do {
            while state.withLock({ $0.failure == nil }), try input.reader.next(worker.chunk) {
                try worker.add()
                try report(worker)
            }
            try join(ProfileWorkerBox(worker: worker))
        } catch {
            state.withLock { if $0.failure == nil { $0.failure = error } }
        }
    }

    /// Merges the result of a worker with the one that another worker has left, or leaves it for the next worker. Pairs
    /// are merged outside the lock, so that workers merge in parallel.
    private func join(_ box: ProfileWorkerBox) throws {
        state.withLock { $0.workers += 1 }
        var found = box
        while let other = state.withLock({ $0.exchange(found) }) {
            try other.worker.merge(found.worker)
            found = other
        }
    }

    private func report(_ worker: ProfileWorker) throws {
        guard let progress else { return }
        let (bytes, records) = (Int(worker.chunk.batch.pointee.consumed), worker.chunk.recordCount)
        let control = state.withLock { state in
            state.bytes += bytes
            state.records += records
            return progress(
                RunProgress(
                    bytes: input.headBytes + state.bytes, totalBytes: input.table.totalBytes, records: state.records,
                    rejected: 0))
        }
        if control == .cancel { throw RunCancelled() }
    }
}

extension PreparedProfile {
    /// The dialect for a rule file of the table. The default delimiter is omitted.
    package func writtenDialect(given: Dialect) -> Dialect {
        let head = input.table.head
        var dialect = head.format == .csv ? head.dialect : Dialect()
        if given.delimiter == nil && !head.choseDelimiter { dialect.delimiter = nil }
        return dialect
    }
}
