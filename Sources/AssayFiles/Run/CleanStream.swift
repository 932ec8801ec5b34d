internal import Assay
internal import AssayRules

extension Cleaner {
    /// Starts on a table that comes piece by piece.
    ///
    /// - Parameters:
    ///   - name: what to call it in messages.
    ///   - outputs: where its records go. A ``MemorySink`` keeps them until they are taken.
    public func stream(named name: String, to outputs: Outputs = Outputs()) -> CleanStream {
        CleanStream(self, name: name, to: outputs)
    }
}

/// A table that is cleaned while it comes in, for whoever cannot wait in a call: a server, an event loop, a loop over an
/// `AsyncSequence`.
///
///     let good = MemorySink()
///     var stream = cleaner.stream(named: "upload.csv", to: Outputs(clean: good))
///     for try await piece in body {
///         try stream.write(piece)
///         try await response.write(good.take())    // the next piece is asked for when this one is gone: back-pressure
///     }
///     let result = try stream.finish()
///     try await response.write(good.take())
///
/// What comes may be packed (``Compression``) or in another encoding (``TextEncoding``): it is unpacked and decoded as it comes.
///
/// The outputs are the same bytes as those of ``Cleaner/run(_:to:progress:)``, however the input is cut up. All work is done
/// in the calls, by the thread that makes them; ``CleanerOptions/threads`` is not looked at. Whoever gives up drops the
/// stream: there is nothing to end.
///
/// Records are judged some hundred KiB at a time, so that output comes in steps. Memory: some MiB, whatever the size of the table,
/// and some ten times the record limit where records are that long; what is written is kept by nobody but the outputs. Keys have
/// ``CleanerOptions/memory``; once that is full, output comes at the end.
public struct CleanStream: ~Copyable {
    private let cleaner: Cleaner
    private let outputs: Outputs
    private var input: PushedInput
    /// What comes of the input.
    private let feed: PushSource
    /// How much to wait for before the head is tried.
    private var headBytes: Int
    private var run: TableRun?
    private var worker: TableRun.Worker?
    private var failure: (any Error)?
    private var isFinished = false

    init(_ cleaner: Cleaner, name: String, to outputs: Outputs) {
        self.cleaner = cleaner
        self.outputs = outputs
        headBytes = cleaner.options.chunkSizes?.readBytes ?? TableHead.firstRead
        feed = PushSource(name: name)
        let dialect = cleaner.rules.dialect
        input = PushedInput(
            to: feed, unpacks: cleaner.options.unpacks, encoding: dialect.encoding,
            trustsEncoding: dialect.trustEncoding, hasHeader: dialect.header)
    }

    /// The head of the table has been read, and it is one that the rules are for: from here on bad data is a finding.
    public var hasStarted: Bool { run != nil }

    /// Takes the next bytes of the table, judges the records that are whole, and writes them to the outputs.
    ///
    /// - Throws: ``InputError`` for what is no such table, before anything is written to an output; ``FileError`` of an output;
    ///   ``NoMemoryError``. After an error the stream is over, and every call throws it again.
    /// - Precondition: the stream has not been finished.
    /// - Complexity: linear in the bytes.
    public mutating func write(_ bytes: some Collection<UInt8>) throws {
        let whole: Void? = try bytes.withContiguousStorageIfAvailable { try take(UnsafeRawBufferPointer($0)) }
        if whole == nil { try Array(bytes).withUnsafeBytes { try take($0) } }
    }

    /// Says that the table ends here: judges and writes what is left.
    ///
    /// - Throws: as ``write(_:)``; ``InputError`` also for a table that has no header where there should be one.
    /// - Precondition: the stream has not been finished.
    public mutating func finish() throws -> RunResult {
        try whileGood { (stream: inout CleanStream) throws in
            stream.isFinished = true
            var input = stream.input
            try input.finish { try stream.advance() }
            guard let run = stream.run else {
                preconditionFailure("a table that has ended has a head, or is refused")
            }
            guard var last = stream.worker.take() else { preconditionFailure("a run has a worker") }
            if try run.decideWaiting(threads: 1) { while try run.stepWaiting(&last) {} }
            run.count(last)
            var result = try run.result()
            result.compression = input.compression
            return result
        }
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
        try whileGood { (stream: inout CleanStream) throws in
            var rest = bytes
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(RecordReader.chunkBytes))
                var input = stream.input
                defer { stream.input = input }
                try input.push(piece) { try stream.advance() }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            }
        }
    }

    /// Runs `body` unless an error came before, and remembers one that comes now.
    private mutating func whileGood<Result>(_ body: (inout CleanStream) throws -> Result) throws -> Result {
        if let failure { throw failure }
        checkPrecondition(!isFinished, "a stream that was finished takes nothing more")
        do {
            return try body(&self)
        } catch {
            failure = error
            throw error
        }
    }

    /// Does all that can be done with what has come.
    private mutating func advance() throws {
        if run == nil { try start() }
        guard let run else { return }
        while try run.step(&worker!) {}
        // Only when fewer records than there are were asked for, or the run was stopped, is anything left.
        if run.hasReadAll { feed.discard() }
    }

    private mutating func start() throws {
        guard feed.holds(headBytes) else { return }
        let table: PreparedTable
        do {
            table = try cleaner.prepare(feed)
        } catch let error as FileError where error.needsMoreInput {
            // A long header, or a quote in it that is still open. Twice as much each time, so that the whole stays linear.
            feed.rewind()
            headBytes *= 2
            return
        }
        let run = try TableRun(table, to: outputs, progress: nil)
        try run.begin()
        worker = try run.makeWorker()
        self.run = run
    }
}
