internal import Assay
internal import AssayEvaluation
internal import AssayFiles
public import CAssayABI
internal import Synchronization

/// An Arrow stream whose batches are checked as they are read.
///
/// Not `Sendable`: only one thread at a time may use it, as the header requires.
final class CheckedStream: Handle {
    static let argument = "stream"

    private let rules: Rules
    private let field: Int?
    private let reader: ArrowReader
    private var options: CheckOptions
    /// The results of all batches, if verdicts depend on later batches; `nil` before they have been read.
    private var settled: [CheckResult]?
    /// Whether a call reads the next batch. Callbacks of this call, such as those of the source, may call again.
    private let isBusy = Atomic(false)

    /// Takes ownership of the stream, even if it throws.
    init(
        _ rules: Rules, _ source: UnsafeMutablePointer<ArrowArrayStream>, field: Int?, options: CheckOptions
    ) throws {
        self.rules = rules
        self.field = field
        self.options = options
        reader = try ArrowReader(source)
        let node = reader.node
        if let field {
            try node.mustBeCheckable("the array")
            _ = try RowQuestions.of(field, of: rules)
        } else {
            try rules.lookForColumns(node)
        }
        // All batches share the referenced keys.
        if options.keys.secret == nil {
            let questions = try field.map { try RowQuestions.of($0, of: rules) } ?? .all(of: rules)
            let held = try rules.held(options, questions.foreign)
            self.options.keys.held = held
            if !rules.schema.keys.isEmpty && options.keys.seen == nil {
                self.options.keys.seen = try SeenKeys(rules, memory: held.memoryLeft)
            }
        }
    }

    /// The verdicts of the next batch, or `nil` at the end.
    ///
    /// - Throws: a fault if another call of this function has not returned.
    func next() throws -> CheckResult? {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "the stream is in use by another call, which has not returned",
                hint: "do not read a checked stream in a callback of itself, or in two threads at a time")
        }
        defer { isBusy.store(false, ordering: .releasing) }
        if options.keys.secret != nil || !rules.decidesAtTheEnd {
            guard let batch = try nextChecked() else { return nil }
            return result(try batch.settled(), batch.firstRecord)
        }
        if settled == nil { settled = try allResults() }
        return settled!.isEmpty ? nil : settled!.removeFirst()
    }

    private func result(_ verdicts: TableVerdicts, _ firstRecord: Int) -> CheckResult {
        var own = options
        own.firstRecord = firstRecord
        return CheckResult(verdicts, isOneColumn: field != nil, options: own)
    }

    /// Reads the stream to its end, because a later record may have the same key as an earlier one.
    private func allResults() throws -> [CheckResult] {
        var batches: [CheckedTable] = []
        var open = OpenKeys()
        while let batch = try nextChecked() {
            if let keys = batch.keys { try open.add(keys.open()) }
            batches.append(batch)
        }
        var rest = try batches.first?.keys?.settle(open)[...] ?? []
        return batches.map { batch in
            let end = UInt64(batch.firstRecord + batch.verdicts.rows)
            let own = rest.prefix { $0.record <= end }
            rest = rest.dropFirst(own.count)
            return result(batch.settled(own), batch.firstRecord)
        }
    }

    private func nextChecked() throws -> CheckedTable? {
        try reader.next { array in
            let checked = try rules.check(array, reader.node, field: field, options: options)
            options.firstRecord += checked.verdicts.rows
            return checked
        }
    }
}

@c @implementation
public func assay_stream_open(
    _ rules: OpaquePointer?, _ field: Int, _ source: UnsafeMutablePointer<ArrowArrayStream>?,
    _ options: UnsafePointer<assay_options>?, _ stream: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let source else { throw Fault.null("source") }
        guard source.pointee.release != nil else { throw Fault(ASSAY_FAULT_ARROW, "the stream was released already") }
        do {
            guard let stream else { throw Fault.null("stream") }
            let rules = try Rules.behind(rules)
            // Swift imports SIZE_MAX as −1.
            let field = field == -1 ? nil : try rules.field(field)
            stream.pointee = try CheckedStream(rules, source, field: field, options: CheckOptions(options)).retained()
        } catch {
            if source.pointee.release != nil { source.pointee.release(source) }
            throw error
        }
    }
}

@c @implementation
public func assay_stream_next(
    _ stream: OpaquePointer?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let result else { throw Fault.null("result") }
        result.pointee = try CheckedStream.behind(stream).next()?.retained()
    }
}

@c @implementation
public func assay_stream_free(_ stream: OpaquePointer?) { CheckedStream.release(stream) }

@c @implementation
public func assay_stream_export(
    _ stream: OpaquePointer?, _ out: UnsafeMutablePointer<ArrowArrayStream>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let out else { throw Fault.null("out") }
        let owner = OutgoingStream(try CheckedStream.behind(stream))
        CheckedStream.release(stream)
        out.initialize(
            to: ArrowArrayStream(
                get_schema: { _, schema in
                    guard let schema else { return EINVAL }
                    OutgoingSchema.stream.write(to: schema)
                    return 0
                },
                get_next: { stream, array in
                    guard let array, let owner = OutgoingStream.of(stream) else { return EINVAL }
                    return owner.next(into: array)
                },
                get_last_error: { stream in OutgoingStream.of(stream)?.error?.pointer },
                release: { stream in
                    guard let stream, let owner = stream.pointee.private_data else { return }
                    stream.pointee.release = nil
                    stream.pointee.private_data = nil
                    Unmanaged<OutgoingStream>.fromOpaque(owner).release()
                },
                private_data: Unmanaged.passRetained(owner).toOpaque()))
    }
}

/// The C error number for an invalid call.
private let EINVAL: Int32 = 22
/// The C error number for a stream with faulty data.
private let EIO: Int32 = 5

/// A stream of verdicts for another reader.
private final class OutgoingStream {
    private let stream: CheckedStream
    private(set) var error: CText?

    init(_ stream: CheckedStream) { self.stream = stream }

    static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> OutgoingStream? {
        stream?.pointee.private_data.map { Unmanaged<OutgoingStream>.fromOpaque($0).takeUnretainedValue() }
    }

    func next(into array: UnsafeMutablePointer<ArrowArray>) -> Int32 {
        do {
            guard let result = try stream.next() else {
                array.initialize(to: ArrowArray())
                return 0
            }
            let table = try result.table()
            OutgoingArray(
                length: table.rows, buffers: [nil],
                children: [
                    try .verdicts(table, nullable: false, result.allocator), try .reasons(table, result.allocator),
                ]
            ).write(to: array)
            return 0
        } catch {
            let fault = reporting { throw error }
            self.error = fault.map { CText(String(cString: $0.pointee.text)) }
            assay_fault_free(fault)
            return EIO
        }
    }
}

extension OutgoingSchema {
    fileprivate static let stream = OutgoingSchema(format: "+s", children: [.verdicts, .reasons])
}
