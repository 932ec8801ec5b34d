internal import Assay
internal import AssayRules
internal import CAssay
internal import Synchronization

/// One run over one table.
///
///     worker 1   read ▸ judge ────────▸ place ▸ write          each worker runs all steps for its chunk; places in the
///     worker 2   read ▸ judge ───────────────▸ place ▸ write   outputs is assigned in file order, one worker at a time
///
/// Outputs that are not new files, such as pipes, are written by one worker at a time.
final class TableRun: Sendable {
    private let table: PreparedTable
    private let cleaner: Cleaner
    let parts: [PreparedTable.Part]
    let outputs: Outputs
    private let progress: (@Sendable (RunProgress) -> BulkControl)?

    let head: TableHead
    private let prefix: [UInt8]
    let bound: BoundSchema
    private let style: FindingStyle
    private let plan: FindingPlan
    let json: JSONTable?
    /// By file.
    private let templates: [FindingTemplates]
    let reader: TableReader
    /// Places chunks in the outputs, or writes them, in their order.
    let sequencer: TicketSequencer
    /// Whether all outputs are new files, to which workers can write concurrently.
    let areFiles: Bool
    private let threads: Int
    /// Ends the run when the limit on rejected records is reached.
    private let stop: RejectStop?
    /// Detects duplicate keys and references without a target. `nil` if the table has no keys.
    private let keys: TableKeys?
    /// Keeps a sample of the rejected records. `nil` if no caller needs one.
    private let sample: RejectSample?
    /// Keeps some of the clean records, if `sample` keeps rejected ones.
    private let cleanSample: CleanSample?
    /// The repairs to apply. `nil` if no column has repairs.
    private let repairs: RepairPlan?
    /// The account of the run. `nil` without a budget.
    private let account: BudgetAccount?
    /// Writes checkpoints. `nil` if the run cannot be resumed.
    let resumption: Resumption?
    /// The size of the clean output so far. Changed only during a worker's turn.
    let cleanBytes = Atomic(0)
    /// How far each output is, if they are new files.
    let ends = Lock(OutputPlaces())
    let written: Lock<Written>
    let findingsWritten = Atomic(0)
    /// Nanoseconds of concurrent work, of laying out findings during turns, and of resolving keys of waiting chunks.
    private let sideBySide = Atomic(0)
    private let findingsTime = Atomic(0)
    private let decidingTime = Atomic(0)

    /// - Parameters:
    ///   - collected: Receives the keys of the records. This run then does not check them.
    ///   - resumption: Writes checkpoints.
    init(
        _ table: PreparedTable, to outputs: Outputs, collecting collected: ReferencedKeys? = nil,
        resumption: Resumption? = nil,
        progress: (@Sendable (RunProgress) -> BulkControl)?
    ) throws {
        self.table = table
        self.resumption = resumption
        cleaner = table.cleaner
        threads = max(1, cleaner.options.threads ?? processorCount)
        // Without all keys of a table that is referred to, references would seem to be wrong.
        account =
            collected == nil ? cleaner.options.budget.map { [threads] in BudgetAccount($0, threads: threads) } : nil
        areFiles = [outputs.clean, outputs.rejects, outputs.findings, outputs.changes].allSatisfy { sink in
            sink.map { $0.stagedFile?.isNewFile ?? false } ?? true
        }
        let spins = threads <= processorCount
        sequencer = TicketSequencer(spinsBeforeParking: spins)
        stop = cleaner.options.stopAfter.map { RejectStop(after: max(1, $0), spinsBeforeParking: spins) }
        parts = table.parts
        head = table.head
        prefix = table.prefix
        bound = table.bound
        written = Lock(Written(counts: VerdictCounts(table.bound, table.json)))
        self.outputs = outputs
        self.progress = progress
        let (rules, options) = (cleaner.rules, cleaner.options)
        let format: FindingFormat = outputs.findingsAsCSV ? .csv : .jsonLines
        plan = FindingPlan(
            isWritten: outputs.findings != nil, showValues: options.showValues, most: options.maxFindings,
            kept: max(options.keptFindings, outputs.keptFindings), annotate: options.annotate && outputs.rejects != nil)
        let style = FindingStyle(format, dialect: head.dialect, isJSON: table.json != nil)
        self.style = style
        let (parts, head, bound) = (table.parts, table.head, table.bound)
        let styles = parts.map { $0.source.name }.map { parts.count == 1 ? style : style.naming($0) }
        let decoded = parts.map { $0.encoding.isUTF8 ? nil : $0.encoding.name }
        templates = zip(styles, decoded).map { style, decoded in
            FindingTemplates(
                bound, style: style, columnCount: head.columnCount, header: head.header, limits: rules.limits,
                decodedFrom: decoded, json: table.json?.paths)
        }
        var json = table.json
        let lists = (json?.lists ?? []).map { list in
            styles.map {
                FindingTemplates(
                    list, style: $0, columnCount: 1, limits: rules.limits, decodedFrom: nil, json: table.json?.paths)
            }
        }
        json?.listTemplates = lists
        self.json = json
        let width = head.header == nil && json == nil ? head.columnCount : nil
        sample = cleaner.options.suggestsRepairs ? RejectSample(most: Self.sampleBytes, width: width) : nil
        cleanSample =
            cleaner.options.suggestsRepairs
            ? CleanSample(most: Self.sampleBytes / 2, judged: cleaner.options.sample) : nil
        repairs = RepairPlan(table, outputs, dialect: head.recordDialect)
        keys = try TableKeys(
            table, styles: styles, kept: plan.kept, collecting: collected, spins: threads <= processorCount
        ) { progress?($0) ?? .proceed }
        reader = TableReader(
            parts.enumerated().map { index, part in
                part.records(
                    limits: table.json == nil ? rules.limits : rules.limits.forLines, most: options.head,
                    rules: bound.rules.count, lastTerminator: index + 1 == parts.count ? 0 : head.terminator,
                    endsAtCR: head.endsAtCR, spins: spins, sizes: options.chunkSizes)
            })
        for index in parts.indices.dropFirst() {
            written.withLock { $0.inputs.append(Written.Input(bytes: parts[index].head.prefix.count)) }
        }
    }

    /// The size of the rejected records on which repairs are tried, in bytes; clean records get half of this. The limit
    /// exists because one attempt takes some milliseconds.
    private static let sampleBytes = 1 << 21

    func run() throws -> RunResult {
        if try takeUpWhole() { return try result() }
        if try !goOn() { try begin() }
        let threads = reader.workers(most: threads)
        repeat {
            written.withLock { $0.workers = 0 }
            measured(sideBySide) { onThreads(threads) { [self] in work { while try step(&$0), !pauses($0) {} } } }
        } while try keepCheckpoint()
        if written.withLock({ $0.failure == nil && $0.workers > 0 }), try decideWaiting(threads: threads) {
            let workers = written.withLock { written in
                written.stage = .writing
                return written.workers
            }
            measured(sideBySide) { onThreads(threads) { [self] in work { while try stepWaiting(&$0) {} } } }
            written.withLock { $0.workers = workers }
        }
        var result = try result()
        try keepEnd()
        if let sample, let cleanSample, !isStopped {
            result.repairTrial = try cleaner.tryRepairs(on: sample, and: cleanSample, of: table, result: result)
        }
        return result
    }

    /// Runs `body` and adds its duration to `time`.
    private func measured<Result>(_ time: borrowing Atomic<Int>, _ body: () throws -> Result) rethrows -> Result {
        let start = nanoseconds()
        defer { time.wrappingAdd(nanoseconds() - start, ordering: .relaxed) }
        return try body()
    }

    /// Creates a worker and runs its share of the work.
    private func work(_ body: (inout Worker) throws -> Void) {
        let made: Worker
        do {
            made = try makeWorker()
        } catch {
            // The others do its work, if there are any.
            return written.withLock { $0.shortage = error }
        }
        do {
            var worker = made
            try body(&worker)
            count(worker)
        } catch {
            stop?.cancel()
            sequencer.cancel()
            keys?.cancel()
            written.withLock { if $0.failure == nil { $0.failure = error } }
        }
    }

    /// Writes the header of each output.
    func begin() throws {
        let isDecoded = !parts[0].encoding.isUTF8
        try outputs.clean?.writeTop(prefix, isDecoded: isDecoded)
        cleanBytes.store(prefix.count, ordering: .relaxed)
        try outputs.rejects?.writeTop(plan.annotate ? annotatedHeader() : prefix, isDecoded: isDecoded)
        try outputs.changes?.writeTop(
            ChangeLines.header(
                outputs.changesAsCSV ? .csv : .jsonLines, showValues: plan.showValues, namesInputs: parts.count > 1))
        try outputs.findings?.writeTop(style.format.header(showValues: plan.showValues, namesInputs: parts.count > 1))
        if areFiles {
            let places = OutputPlaces(
                clean: try end(of: outputs.clean), rejects: try end(of: outputs.rejects),
                changes: try end(of: outputs.changes), findings: try end(of: outputs.findings))
            cleanBytes.store(places.clean, ordering: .relaxed)
            ends.withLock { $0 = places }
        }
    }

    private func end(of sink: (any Sink)?) throws(FileError) -> Int { try sink?.stagedFile?.count ?? 0 }

    /// The state of one worker.
    struct Worker: ~Copyable {
        let chunk: Chunk
        var judge: ChunkJudge
        var emitter: ChunkEmitter
        var findings: OutputWriter
        var lines: ChangeLines
        var changes: OutputWriter
        var counts: VerdictCounts
        var positions = RejectPositions()
    }

    /// The counts of all checks in the chunks of one worker.
    struct VerdictCounts {
        var structure = RunResult.Structure()
        var lineBreaks = LineBreaks()
        var tally: RuleTally
        var listTallies: [RuleTally]
        /// By path of JSON Lines: whether some record has the member.
        var present: [Bool]

        init(_ bound: BoundSchema, _ json: JSONTable?) {
            tally = RuleTally(bound)
            listTallies = (json?.lists ?? []).map { RuleTally($0) }
            present = Array(repeating: false, count: json?.paths.names.count ?? 0)
        }

        mutating func add(_ other: VerdictCounts) {
            structure.add(other.structure)
            lineBreaks.add(other.lineBreaks)
            tally.add(other.tally)
            for index in listTallies.indices { listTallies[index].add(other.listTallies[index]) }
            notePresent(other.present)
        }

        mutating func notePresent(_ other: [Bool]) {
            for (index, isPresent) in other.enumerated() where isPresent { present[index] = true }
        }
    }

    func makeWorker() throws -> Worker {
        let rules = cleaner.rules
        return Worker(
            chunk: try reader.makeChunk(),
            judge: try ChunkJudge(
                schema: bound, limits: rules.limits.match, dialect: head.recordDialect,
                width: RecordWidth(head), plan: plan, templates: templates, json: json, keys: keys,
                repairs: repairs, sample: cleaner.options.sample, account: account,
                dropsBlankLines: head.format == .csv && head.dialect.blankLines == .skip),
            emitter: try ChunkEmitter(
                outputs: outputs, endsAtCR: head.endsAtCR, annotate: plan.annotate,
                areDecoded: parts.map { !$0.encoding.isUTF8 },
                isJSON: json != nil),
            findings: try OutputWriter(outputs.findings), lines: ChangeLines(),
            changes: try OutputWriter(outputs.changes), counts: VerdictCounts(bound, json))
    }

    /// Processes the next chunk, from reading to writing. Returns `false` if there is no next chunk, the run was
    /// stopped or another worker failed.
    func step(_ worker: inout Worker) throws -> Bool {
        let chunk = worker.chunk
        guard !isStopped, try reader.next(chunk) else { return false }
        resumption?.input.add(
            UnsafeRawBufferPointer(start: chunk.bytes, count: Int(chunk.batch.pointee.consumed)), at: chunk.firstOffset)
        try worker.judge.judge(chunk, room: room())
        if let stop, let keys, keys.countForStop {
            // Records that are rejected by keys count toward the limit.
            switch try keys.decide(chunk, worker.judge) {
            case .cancelled: return false
            case .noRoom:
                // Unless the run has ended before this chunk.
                guard case .goesOn = try stop.count(0, ticket: chunk.sequence) else { return false }
                throw Self.keysHaveNoRoom
            case .decided, .parked: break
            }
            guard try stopIfDue(&worker) else { return false }
            countVerdicts(&worker)
            return try write(&worker)
        }
        guard try stopIfDue(&worker) else { return false }
        countVerdicts(&worker)
        switch try keys?.decide(chunk, worker.judge) {
        case .cancelled: return false
        case .noRoom: preconditionFailure("only runs that keys can stop need room")
        case .parked:
            try countWaiting(chunk, worker.judge)
            return true
        case .decided, nil: return try write(&worker)
        }
    }

    private static var keysHaveNoRoom: InputError {
        InputError(
            "the keys have no room in the memory for keys, and --stop-after counts the records that they refuse",
            hint: "allow more with --memory, or leave out --stop-after")
    }

    /// Ends the run, and cuts the chunk, if the limit on rejected records is reached. Returns `false` if the run ended
    /// before the chunk.
    private func stopIfDue(_ worker: inout Worker) throws -> Bool {
        guard let stop else { return true }
        let chunk = worker.chunk
        let withKeys = keys?.countForStop ?? false
        switch try stop.count(worker.judge.rejectedRecords(withKeys: withKeys), ticket: chunk.sequence) {
        case .goesOn: return true
        case .isDropped: return false
        case .endsAt(let reject):
            // All chunks up to here have been decided about. Others may wait for one that a worker has and will not begin any more.
            if withKeys { keys?.cancel() }
            chunk.cut(before: worker.judge.entry(ofReject: reject, withKeys: withKeys, in: chunk) + 1)
            try worker.judge.judge(chunk, room: room())
            if withKeys { worker.judge.keys?.decideAsBefore() }
            return true
        }
    }

    /// Resolves the chunks that wait for the end of the input because of their keys. Returns `false` if no chunk waits.
    ///
    /// - Parameter threads: The maximum number of threads; 1 runs only on the caller's thread.
    func decideWaiting(threads: Int) throws -> Bool {
        guard let keys else { return false }
        return try measured(decidingTime) {
            try keys.decideWaiting(threads: threads) {
                var state = written.withLock { $0.waiting }
                (state.stage, state.totalBytes) = (.keys, totalBytes)
                if progress?(state) == .cancel { throw RunCancelled() }
            }
        }
    }

    /// Reports the progress for a checked chunk that waits.
    private func countWaiting(_ chunk: Chunk, _ judge: borrowing ChunkJudge) throws {
        let (bytes, rejected) = (Int(chunk.batch.pointee.consumed), judge.rejectedRecords)
        let (prefixBytes, totalBytes) = (prefix.count, totalBytes)
        // Under the lock: it is called by one thread at a time.
        let answer = written.withLock { written in
            if written.waiting.stage != .waiting {
                written.waiting = RunProgress(
                    stage: .waiting, bytes: prefixBytes + written.bytes, totalBytes: totalBytes,
                    records: written.records, rejected: written.rejected)
            }
            written.waiting.bytes += bytes
            written.waiting.records += chunk.recordCount
            written.waiting.rejected += rejected
            return progress?(written.waiting) ?? .proceed
        }
        if answer == .cancel { throw RunCancelled() }
    }

    /// Processes the next waiting chunk. Returns `false` if there is no waiting chunk or another worker failed.
    func stepWaiting(_ worker: inout Worker) throws -> Bool {
        guard let keys, try keys.takeNext(into: worker.chunk, &worker.judge, room: room()) else { return false }
        return try write(&worker)
    }

    /// Writes a chunk after all of its records are decided. Returns `false` if another worker failed.
    private func write(_ worker: inout Worker) throws -> Bool {
        let chunk = worker.chunk
        try worker.judge.refuse(chunk)
        worker.positions.add(chunk, rejects: worker.judge.rejects)
        try prepareChanges(&worker)
        let isNext = sequencer.isCurrent(chunk.sequence)
        try worker.emitter.prepare(
            chunk, worker.judge, cleanOffset: isNext ? cleanBytes.load(ordering: .relaxed) : nil)
        try worker.findings.prepare(worker.judge.findings.written(atMost: room().written).bytes)
        let lines = worker.lines.bytes
        return try lines.withUnsafeBytes { lines in
            try worker.changes.prepare(lines)
            return try commit(chunk, &worker)
        }
    }

    private func prepareChanges(_ worker: inout Worker) throws {
        guard let repairs = worker.judge.repairs else { return }
        try repairs.settle(worker.chunk, rejects: worker.judge.rejects)
        let room = cleaner.options.keptChanges
        worker.lines.prepare(
            worker.chunk, repairs, room: room == 0 ? 0 : max(0, room - written.withLock { $0.firstChanges.count }))
    }

    /// Counts a prepared chunk when it is its turn, and writes it: immediately, or afterwards to its places in new
    /// files. Returns `false` if another worker failed.
    private func commit(_ chunk: Chunk, _ worker: inout Worker) throws -> Bool {
        var places = OutputPlaces()
        var control = BulkControl.proceed
        let went = try sequencer.run(ticket: chunk.sequence) { () throws(FileError) in
            try takeFindings(&worker)
            if areFiles { places = place(worker) } else { try writeInTurn(worker) }
            if worker.judge.rejectedRecords > 0 { sample?.add(chunk, rejects: worker.judge.rejects) }
            cleanSample?.add(chunk, rejects: worker.judge.rejects, drops: worker.judge.drops)
            keepChanges(worker.judge.repairs, worker.lines.kept)
            control = count(chunk, worker.judge, outputBytes: worker.emitter.byteCount)
        }
        if !went { return false }
        if control == .cancel { throw RunCancelled() }
        if areFiles {
            try worker.emitter.clean.write(at: places.clean)
            try worker.emitter.rejects.write(at: places.rejects)
            try worker.changes.write(at: places.changes)
            try worker.findings.write(at: places.findings)
        }
        return true
    }

    /// Assigns the chunk's places in the outputs. Called only during the worker's turn.
    private func place(_ worker: borrowing Worker) -> OutputPlaces {
        let (clean, rejects) = (worker.emitter.clean.size, worker.emitter.rejects.size)
        let (changes, findings) = (worker.changes.size, worker.findings.size)
        cleanBytes.wrappingAdd(clean, ordering: .relaxed)
        return ends.withLock { ends in
            let places = ends
            ends.clean += clean
            ends.rejects += rejects
            ends.changes += changes
            ends.findings += findings
            return places
        }
    }

    private func writeInTurn(_ worker: borrowing Worker) throws(FileError) {
        try worker.emitter.clean.write()
        cleanBytes.wrappingAdd(worker.emitter.clean.size, ordering: .relaxed)
        try worker.emitter.rejects.write()
        try worker.changes.write()
        try worker.findings.write()
    }

    /// Called only during the worker's turn.
    private func keepChanges(_ repairs: ChunkRepairs?, _ first: [Change]) {
        guard let repairs else { return }
        written.withLock { written in
            written.changes += repairs.settled.count
            written.firstChanges += first.prefix(max(0, cleaner.options.keptChanges - written.firstChanges.count))
        }
    }

    /// Whether the run has ended because of the limit on rejected records.
    private var isStopped: Bool { stop?.isReached ?? false }

    /// Whether all requested records have been read.
    var hasReadAll: Bool { isStopped || reader.isAtEnd }

    /// Adds the counts of a finished worker, including the records that keys rejected.
    func count(_ worker: borrowing Worker) {
        let keyFailures = worker.judge.keys?.failed ?? []
        let columnFailures = worker.judge.keys?.failedByColumn ?? []
        let repairCounts = worker.judge.repairs?.counts ?? []
        let (counts, positions, firsts) = (worker.counts, worker.positions, worker.judge.findings.firsts)
        written.withLock { written in
            written.workers += 1
            written.counts.add(counts)
            written.positions.add(positions)
            written.firsts.add(firsts)
            add(keyFailures, to: &written.keyFailures)
            add(columnFailures, to: &written.columnFailures)
            if written.repairCounts.isEmpty { written.repairCounts = repairCounts.map { _ in [] } }
            for (column, counts) in repairCounts.enumerated() { add(counts, to: &written.repairCounts[column]) }
        }
    }

    private func add(_ counts: [Int], to sums: inout [Int]) {
        if sums.isEmpty { sums = Array(repeating: 0, count: counts.count) }
        for (index, count) in counts.enumerated() { sums[index] += count }
    }

    /// Adds the counts of a chunk after its final check.
    private func countVerdicts(_ worker: inout Worker) {
        worker.counts.structure.add(worker.judge.findings.structure)
        let input = parts.count > 1 ? parts[worker.chunk.input].source.name : nil
        worker.counts.lineBreaks.add(worker.judge.lineBreaks, input: input)
        worker.counts.tally.add(worker.judge.tally)
        let lists = worker.judge.listTallies
        for index in lists.indices { worker.counts.listTallies[index].add(lists[index]) }
        worker.counts.notePresent(worker.judge.present)
    }

    /// Returns an upper bound on the findings that can still be kept. Other workers may reduce it concurrently, but
    /// never increase it.
    private func room() -> FindingRoom {
        FindingRoom(
            written: max(0, plan.most - findingsWritten.load(ordering: .relaxed)),
            kept: max(0, plan.kept - written.withLock { $0.first.count }))
    }

    /// Takes the findings of a chunk, up to the remaining limit. Called only during the worker's turn.
    private func takeFindings(_ worker: inout Worker) throws(FileError) {
        let (bytes, count) = worker.judge.findings.written(atMost: room().written)
        // Other workers may have used some of the limit since the chunk was prepared, so that fewer findings fit.
        if bytes.count != worker.findings.count {
            let start = nanoseconds()
            try worker.findings.prepare(bytes)
            findingsTime.wrappingAdd(nanoseconds() - start, ordering: .relaxed)
        }
        if outputs.findings != nil { findingsWritten.wrappingAdd(count, ordering: .relaxed) }
    }

    /// The size of all files in bytes, if known.
    private var totalBytes: Int? {
        var total = 0
        for part in parts {
            guard let count = part.source.byteCount else { return nil }
            total += count
        }
        return total
    }

    /// Counts a written chunk and reports the progress. Called only during the worker's turn.
    private func count(_ chunk: Chunk, _ judge: borrowing ChunkJudge, outputBytes: Int) -> BulkControl {
        let rejected = judge.rejectedRecords
        let droppedLines = judge.droppedLines
        let findings = judge.findings.count
        let kept = judge.findings.kept
        var state = written.withLock { written in
            written.bytes += Int(chunk.batch.pointee.consumed)
            written.outputBytes += outputBytes
            written.records += chunk.recordCount
            written.rejected += rejected
            written.clean += chunk.recordCount - rejected
            written.findings += findings
            written.undecided += judge.findings.undecidedRecords
            written.inputs[chunk.input].bytes += Int(chunk.batch.pointee.consumed)
            written.inputs[chunk.input].records += chunk.recordCount
            written.inputs[chunk.input].rejected += rejected
            written.inputs[chunk.input].leftOut += judge.leftOut
            written.inputs[chunk.input].skippedLines += droppedLines
            written.inputs[chunk.input].undecided += judge.findings.undecidedRecords
            if parts[chunk.input].encoding.isUTF8 && written.garbledSample.count < FindingWriter.garbledBytes {
                written.garbledSample += judge.findings.garbledSample
            }
            if written.first.count < plan.kept { written.first += kept.prefix(plan.kept - written.first.count) }
            return RunProgress(
                stage: written.stage, bytes: prefix.count + written.bytes, totalBytes: totalBytes,
                records: written.records,
                rejected: written.rejected)
        }
        if let checkpoint = resumption?.checkpoint {
            state.resumed = RunProgress.Resumed(bytes: checkpoint.bytes, records: checkpoint.records)
        }
        return progress?(state) ?? .proceed
    }

    /// Returns the result after all workers are done.
    func result() throws -> RunResult {
        let written = written.withLock { $0 }
        if let failure = written.failure { throw failure }
        if written.workers == 0, let shortage = written.shortage { throw shortage }
        try assertConservation(written)

        var result = RunResult()
        result.bytes = parts.reduce(written.bytes) { $0 + $1.head.prefix.count }
        result.leftOut = written.inputs.reduce(0) { $0 + $1.leftOut }
        result.skippedBlankLines = written.inputs.reduce(0) { $0 + $1.skippedLines }
        result.records = written.records - result.leftOut
        result.clean = written.clean - result.leftOut
        result.rejected = written.rejected
        result.undecided = written.undecided
        result.structure = written.counts.structure
        result.lineBreaks = written.counts.lineBreaks
        result.positions = written.positions.covering(records: written.records)
        result.firstOfRules = written.firsts.all
        result.findings = written.findings
        if plan.isWritten { result.findingsDropped = written.findings - findingsWritten.load(ordering: .relaxed) }
        result.firstFindings = written.first
        result.overBudget = written.counts.tally.overBudget
        result.budgetTicks = account?.used ?? 0
        result.changes = written.changes
        result.firstChanges = written.firstChanges
        result.threads = written.workers
        result.header = head.header
        result.compression = parts[0].compression
        result.encoding = parts[0].encoding
        result.inputs = zip(parts, written.inputs).map { part, counts in
            RunResult.Input(
                name: part.source.name, compression: part.compression, encoding: part.encoding, bytes: counts.bytes,
                records: counts.records - counts.leftOut, clean: counts.records - counts.leftOut - counts.rejected,
                rejected: counts.rejected, undecided: counts.undecided, skippedBlankLines: counts.skippedLines)
        }
        result.inputs[0].bytes += parts[0].head.prefix.count
        result.delimiter = String(decoding: head.dialect.separatorBytes, as: UTF8.self)
        result.choseDelimiter = head.choseDelimiter
        result.encodingGuess = EncodingGuess(written.garbledSample)?.encoding
        result.mixesEncodings = EncodingGuess.isMixed(written.garbledSample)
        var columns = columns(of: bound, written.counts.tally)
        for (list, tally) in zip(json?.lists ?? [], written.counts.listTallies) {
            columns += self.columns(of: list, tally)
        }
        for (place, counts) in written.repairCounts.enumerated() {
            guard let names = repairs?.columns[place].repairs else { continue }
            columns[place].column.repairs = zip(names, counts).map { RunResult.Repair(name: $0, changed: $1) }
        }
        for (position, refused) in zip(keys?.columns.keyPositions ?? [], written.columnFailures) {
            for place in columns.indices where columns[place].position == position {
                columns[place].column.refusedByKeys = refused
            }
        }
        result.columns = columns.sorted { $0.position < $1.position }.map(\.column)
        result.rows = rules(bound.rowRuleRange, of: bound, written.counts.tally)
        result.keys = zip(keys?.columns ?? [], written.keyFailures).map { key, failed in
            RunResult.Rule(
                id: key.key.key.key.id, severity: .reject, failed: failed, warned: 0, undecided: 0,
                keyColumns: key.key.key.key.fields)
        }
        result.references = keys?.columns.compactMap(\.referenced?.table) ?? []
        result.format = head.format
        if let json, result.records > result.structure.total, !isStopped {
            let present = written.counts.present
            result.absentFields = json.paths.names.indices.filter { !present[$0] }.map { json.paths.names[$0] }
            let fields = cleaner.rules.schema.fields
            // Required elements are required only of lists that have elements.
            let lists = Set(json.paths.lists)
            let needed = fields.indices.filter { index in
                let isRequired = fields[index].isRequired && !lists.contains(index)
                return !present[index] && (isRequired || !fields[index].isOptional)
            }.map { fields[$0].name }
            let isPart = cleaner.options.head != nil || cleaner.options.sample != nil
            if let error = InputError(absent: needed, of: json.paths.names, in: head, isPart: isPart) { throw error }
        }
        result.serialTime = serialTime
        result.isStopped = isStopped
        if !isStopped { result.thresholds = result.measured(by: cleaner.rules.thresholds) }
        return result
    }

    private var serialTime: SerialTime {
        let findings = findingsTime.load(ordering: .relaxed)
        return SerialTime(
            records: reader.heldNanoseconds, keys: keys?.heldNanoseconds ?? 0,
            waitingKeys: decidingTime.load(ordering: .relaxed), findings: findings,
            outputs: sequencer.heldNanoseconds - findings, sideBySide: sideBySide.load(ordering: .relaxed))
    }

    private func columns(of bound: BoundSchema, _ tally: RuleTally) -> [(position: Int, column: RunResult.Column)] {
        bound.columns.enumerated().map { index, column in
            let rules = rules(column.rules, of: bound, tally)
            return (
                column.position,
                RunResult.Column(
                    name: column.name, missing: tally.missing[index], rejected: tally.rejected[index], rules: rules,
                    unsettled: tally.unsettled[index])
            )
        }
    }

    private func rules(_ rules: Range<Int>, of bound: BoundSchema, _ tally: RuleTally) -> [RunResult.Rule] {
        rules.map { rule in
            let (counts, severity) = (tally.rules[rule], bound.rules[rule].severity)
            return RunResult.Rule(
                id: bound.rules[rule].id, severity: severity, failed: severity == .reject ? counts.failed : 0,
                warned: severity == .warn ? counts.failed : 0, undecided: counts.undecided,
                message: bound.rules[rule].message)
        }
    }

    /// Checks that the output contains each input record, and each byte if possible. Otherwise the run must not publish
    /// its outputs.
    private func assertConservation(_ written: Written) throws {
        // In a stopped run, other workers may have read further. A run that resumes from a complete checkpoint reads no
        // records.
        let isRead = !isStopped && !(resumption?.checkpoint?.isWhole ?? false)
        let read = !isRead ? (records: written.records, bytes: written.bytes) : reader.handedOut
        let bytesIn = read.bytes
        let bytesOut = plan.annotate || outputs.clean == nil || outputs.rejects == nil ? bytesIn : written.outputBytes
        guard read.records == written.records, written.clean + written.rejected == written.records,
            written.bytes == bytesIn, bytesOut == bytesIn
        else {
            throw ConservationError(
                message: "\(read.records) records of \(bytesIn) bytes went in, but \(written.clean) clean and "
                    + "\(written.rejected) rejected records of \(bytesOut) bytes came out")
        }
    }

    private func annotatedHeader() throws(InputError) -> [UInt8] {
        guard head.header != nil, json == nil else { return prefix }
        let (header, end) = splitTerminator(prefix, endsAtCR: head.endsAtCR)
        let delimiter = head.dialect.separatorBytes
        var line = header
        if style.endsInHalfDelimiter(line) {
            throw InputError(
                "--annotate cannot add columns to a header that ends in half of a delimiter",
                hint: "leave it out: the findings have the line of each record")
        }
        style.appendEscape(behind: line, to: &line)
        return line + delimiter + Array("_line".utf8) + delimiter + Array("_reasons".utf8) + end
    }
}

/// An internal error: the outputs do not contain exactly the input records. The outputs of such a run are not
/// published.
public struct ConservationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The counts that differ.
    public var message: String
    public var description: String { "internal error, please report it: \(message)" }
}
