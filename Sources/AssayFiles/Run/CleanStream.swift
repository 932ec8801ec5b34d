internal import Assay
internal import AssayRules

extension Cleaner {
    /// Starts cleaning a table that arrives piece by piece.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - outputs: The destinations of the records. A ``MemorySink`` keeps them until they are taken.
    public func stream(named name: String, to outputs: Outputs = Outputs()) -> CleanStream {
        CleanStream(self, name: name, to: outputs)
    }
}

/// A table that is cleaned while it arrives, for callers that must not block: a server, an event loop, a loop over an
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
/// The input may be compressed (``Compression``) or in another encoding (``TextEncoding``). It is decoded as it
/// arrives.
///
/// The outputs are the same bytes as those of ``Cleaner/run(_:to:progress:)``, for any division of the input into
/// pieces. All work is done in the calls, on the caller's thread; ``CleanerOptions/threads`` is ignored. To cancel,
/// drop the stream.
///
/// Records are checked in batches of some hundred KiB, so that output arrives in steps. Memory: a few MiB for any size
/// of table, or about ten times the record limit if records are that long. Only the outputs keep written bytes. Keys
/// may use ``CleanerOptions/memory``; if that is exhausted, output arrives at the end.
public struct CleanStream: ~Copyable {
    private let cleaner: Cleaner
    private let outputs: Outputs
    private var input: PushedInput
    /// Receives the decoded input.
    private let feed: PushSource
    /// The number of bytes to wait for before the head is parsed.
    private var headBytes: Int
    private var run: TableRun?
    private var worker: ChunkWorker?
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

    /// Whether the head has been read and fits the rules. From then on, bad data is a finding.
    public var hasStarted: Bool { run != nil }

    /// Takes the next bytes of the table, checks the complete records and writes them to the outputs.
    ///
    /// - Throws: ``InputError`` if the input is not a valid table, before any output is written; ``FileError`` of an
    ///   output; ``NoMemoryError``. After an error, every call throws the same error.
    /// - Precondition: The stream has not been finished.
    /// - Complexity: O(bytes).
    public mutating func write(_ bytes: some Collection<UInt8>) throws {
        let contiguous: Void? = try bytes.withContiguousStorageIfAvailable { try take(UnsafeRawBufferPointer($0)) }
        if contiguous == nil { try Array(bytes).withUnsafeBytes { try take($0) } }
    }

    /// Ends the table: checks and writes the remaining records.
    ///
    /// - Throws: Errors of ``write(_:)``; ``InputError`` also if the table lacks a required header.
    /// - Precondition: The stream has not been finished.
    public mutating func finish() throws -> RunResult {
        try whileGood { (stream: inout CleanStream) throws in
            stream.isFinished = true
            var input = stream.input
            try input.finish { try stream.advance() }
            guard let run = stream.run else {
                preconditionFailure("a table that has ended has a head, or is refused")
            }
            guard var last = stream.worker.take() else { preconditionFailure("a run has a worker") }
            var pass = RunPass.table
            while let next = try run.policies.nextPass(after: pass, run, threads: 1) {
                pass = next
                while try last.step(pass) {}
            }
            run.end(last)
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

    /// Runs `body` unless an earlier call failed, and stores its error.
    private mutating func whileGood<Result>(_ body: (inout CleanStream) throws -> Result) throws -> Result {
        if let failure { throw failure }
        checkPrecondition(!isFinished, "a finished stream accepts no more input")
        do {
            return try body(&self)
        } catch {
            failure = error
            throw error
        }
    }

    /// Processes all available bytes.
    private mutating func advance() throws {
        if run == nil { try start() }
        guard let run else { return }
        while try worker!.step(.table) {}
        // Bytes remain only if the number of records was limited or the run was stopped.
        if run.hasReadAll { feed.discard() }
    }

    private mutating func start() throws {
        guard feed.holds(headBytes) else { return }
        let table: PreparedTable
        do {
            table = try cleaner.prepare(feed)
        } catch let error as FileError where error.needsMoreInput {
            // The head is incomplete because of a long header or an open quote. Doubling the size keeps the total work
            // linear.
            feed.rewind()
            headBytes *= 2
            return
        }
        let run = try TableRun(table, to: outputs, progress: nil)
        try run.commit.writeHeaders()
        worker = try ChunkWorker(run)
        self.run = run
    }
}
