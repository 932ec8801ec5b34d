package import Assay
package import AssayRules
internal import CAssay
internal import Synchronization

/// Finds out what is in the columns of a table, in one pass and bounded memory.
///
///     let profile = try Profiler(rules: RuleFile()).run(asOne: [FileSource(path: "users.csv")])
///     profile.columns[2].type      // string, format email
///
/// The result is the same for any number of threads.
package struct Profiler: Sendable {
    private let cleaner: Cleaner

    /// - Parameters:
    ///   - rules: how the table is read: its dialect and limits. Their fields are not looked at.
    ///   - options: threads, head, sample and format.
    /// - Throws: ``CompileError`` when a limit is out of its range.
    package init(rules: RuleFile, options: CleanerOptions = CleanerOptions()) throws(CompileError) {
        cleaner = try Cleaner(rules: RuleFile(dialect: rules.dialect, limits: rules.limits), options: options)
    }

    /// Reads the head of a table.
    ///
    /// - Throws: ``InputError`` for what is no table; ``FileError``.
    package func prepare(asOne sources: [any Source]) throws -> PreparedProfile {
        PreparedProfile(try ProfileInput(try cleaner.prepare(asOne: sources)))
    }

    /// Reads a table to its end.
    ///
    /// - Parameter progress: called now and then, by one thread at a time; ``BulkControl/cancel`` ends it.
    /// - Throws: ``FileError``; ``NoMemoryError``; ``RunCancelled``.
    /// - Complexity: linear in the bytes. Memory: some MiB for each thread, and 32 MiB at most for the likely key.
    package func run(
        _ prepared: PreparedProfile, progress: (@Sendable (RunProgress) -> BulkControl)? = nil
    ) throws -> TableProfile {
        let start = ContinuousClock.now
        let run = ProfileRun(prepared.input, progress: progress)
        let worker = try run.run(threads: max(1, cleaner.options.threads ?? processorCount))
        let elapsed = start.duration(to: .now)
        var profile = TableProfile(prepared.input, worker, plan: run.plan, sample: cleaner.options.sample)
        profile.threads = run.workers
        profile.seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        return profile
    }
}

/// A table whose head has been read, to be profiled once.
package struct PreparedProfile: Sendable {
    let input: ProfileInput

    init(_ input: ProfileInput) { self.input = input }

    /// Whether one of its files is no longer what it was when it was opened.
    package var hasChanged: Bool { input.table.parts.contains { ($0.given as? FileSource)?.hasChanged ?? false } }

    /// How its records stand in the files.
    package var format: InputFormat { input.table.format }
}

/// The workers of a profile: each reads and looks at its chunks, and at the end their parts are joined.
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

        /// Takes what another worker has left to be joined; `nil`: there is nothing, and this is left instead.
        mutating func exchange(_ found: ProfileWorkerBox) -> ProfileWorkerBox? {
            defer { joined = joined == nil ? found : nil }
            return joined
        }
    }

    // SAFETY: one thread at a time has it, under the lock.
    private struct ProfileWorkerBox: @unchecked Sendable { let worker: ProfileWorker }

    init(_ input: ProfileInput, progress: (@Sendable (RunProgress) -> BulkControl)?) {
        (self.input, self.progress) = (input, progress)
    }

    var plan: ProfilePlan { state.withLock { $0.plan! } }
    var workers: Int { state.withLock { $0.workers } }

    func run(threads: Int) throws -> ProfileWorker {
        // The first chunk is read alone: what it holds does not depend on the threads.
        let chunk = try input.reader.makeChunk()
        let hasRecords = try input.reader.next(chunk)
        let comma = input.table.head.dialect.separatorBytes != [UInt8(ascii: ",")] && input.paths == nil
        let values =
            hasRecords
            ? try ProfileWorker.firstValues(input, chunk) : [[[UInt8]]](repeating: [], count: input.names.count)
        let plan = try ProfilePlan(
            names: input.names, values: values, lists: input.paths?.lists ?? [], usesDecimalComma: comma)
        state.withLock { $0.plan = plan }
        let first = ProfileWorkerBox(worker: try ProfileWorker(input, plan, chunk: chunk))
        if hasRecords {
            try first.worker.add()
            try report(first.worker)
        }
        let unused = Lock<ProfileWorkerBox?>(first)
        onThreads(input.reader.workers(most: min(threads, Self.workers(mostFor: input.names.count)))) { [self] in
            let own = unused.withLock { box in
                defer { box = nil }
                return box
            }
            work(own, plan)
        }
        let (joined, failure, shortage) = state.withLock { ($0.joined, $0.failure, $0.shortage) }
        if let failure { throw failure }
        guard let joined else { throw shortage ?? NoMemoryError(for: "the profile of a table") }
        joined.worker.finish()
        return joined.worker
    }

    /// Each worker has its own part of what is found, which may take 100 kB of a column.
    private static func workers(mostFor columns: Int) -> Int { max(1, 8192 / max(1, columns)) }

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

    /// Leaves what a worker has found to whoever ends next, or joins it with what the one before has left: two by two, outside
    /// the lock, so that many workers join side by side.
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
                    bytes: input.headBytes + state.bytes, totalBytes: input.totalBytes, records: state.records,
                    rejected: 0))
        }
        if control == .cancel { throw RunCancelled() }
    }
}

extension PreparedProfile {
    /// The dialect as a rule file for the table has to have it: the usual delimiter need not be said.
    package func writtenDialect(given: Dialect) -> Dialect {
        let head = input.table.head
        var dialect = head.format == .csv ? head.dialect : Dialect()
        if given.delimiter == nil && !head.choseDelimiter { dialect.delimiter = nil }
        return dialect
    }
}
