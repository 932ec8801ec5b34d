internal import Assay
internal import AssayRules
internal import CAssay
internal import CAssayABI

/// Decides whether single records are clean, without results or threads. Compiled once with the rules.
final class RecordPlan: Sendable {
    /// The checks without a table; `nil`: there are rules between fields.
    private let checks: RecordChecks?
    /// The same checks, if the limits are those of each thread's own scratch. Without a reference count, which would
    /// take 10 ns for each record.
    private let quickChecks: Unmanaged<RecordChecks>?
    private let schema: BoundSchema
    private let limits: MatchLimits
    /// The maximum length of a checked value in bytes.
    private let longest: Int
    private let fieldCount: Int
    /// Idle evaluators.
    private let idle = Lock<[PooledEvaluator]>([])
    private static let maxIdleEvaluators = 16

    init(_ compiled: CompiledSchema, limits: Limits) {
        fieldCount = compiled.schema.fields.count
        checks = RecordChecks(compiled)
        quickChecks = limits.match == MatchLimits() ? checks.map(Unmanaged.passUnretained) : nil
        schema = BoundSchema(compiled, fields: Array(0..<fieldCount), hasRows: true)
        (self.limits, longest) = (limits.match, limits.fieldBytes)
    }

    /// Returns whether a record has no findings.
    ///
    /// - Throws: if memory for an evaluator runs out.
    func accepts(
        _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>
    ) throws(NoMemoryError) -> Bool {
        // SAFETY: `checks` keeps the object alive.
        if let quickChecks {
            return quickChecks._withUnsafeGuaranteedRef { $0.accepts(values, lengths, longest: longest) }
        }
        let evaluator = try takeEvaluator()
        defer { _ = idle.withLockIfAvailable { if $0.count < Self.maxIdleEvaluators { $0.append(evaluator) } } }
        return evaluator.accepts(values, lengths, longest: longest, by: checks)
    }

    // As in FieldPlan, the pool must not wait for the lock.
    private func takeEvaluator() throws(NoMemoryError) -> PooledEvaluator {
        if let evaluator = idle.withLockIfAvailable({ $0.popLast() }).flatMap(\.self) { return evaluator }
        return try PooledEvaluator(schema, limits: limits, fieldCount: fieldCount)
    }

    /// An evaluator that can be pooled. Only one thread at a time may use it.
    private final class PooledEvaluator: @unchecked Sendable {
        // SAFETY: an evaluator that was taken from the pool has one user.
        /// Behind a pointer, because Swift checks exclusive access at each use of a class variable.
        private let desk: UnsafeMutablePointer<Desk>

        init(_ schema: BoundSchema, limits: MatchLimits, fieldCount: Int) throws(NoMemoryError) {
            let evaluator = try SchemaEvaluator(schema, limits: limits)
            desk = .allocate(capacity: 1)
            desk.initialize(to: Desk(evaluator, fieldCount: fieldCount))
        }

        deinit {
            desk.deinitialize(count: 1)
            desk.deallocate()
        }

        func accepts(
            _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int,
            by checks: RecordChecks?
        ) -> Bool {
            if let checks { return desk.pointee.accepts(values, lengths, longest: longest, by: checks) }
            return desk.pointee.accepts(values, lengths, longest: longest)
        }
    }

    /// The state for checking one record.
    private struct Desk: ~Copyable {
        private var evaluator: SchemaEvaluator
        private var text = TextBuffer()
        private let cells: UnsafeMutablePointer<assay_cell>
        /// One word per field, whose lowest bit is 1 if the value is missing. A last word for malformed records is 0.
        private let nulls: UnsafeMutablePointer<UInt64>
        private let count: Int

        init(_ evaluator: consuming SchemaEvaluator, fieldCount: Int) {
            self.evaluator = evaluator
            count = fieldCount
            cells = .allocate(capacity: fieldCount + 1)
            nulls = .allocate(capacity: fieldCount + 1)
            nulls.initialize(repeating: 0, count: fieldCount + 1)
        }

        deinit {
            cells.deallocate()
            nulls.deallocate()
        }

        func accepts(
            _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int,
            by checks: RecordChecks
        ) -> Bool {
            evaluator.accepts(values, lengths, longest: longest, by: checks)
        }

        mutating func accepts(
            _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int
        ) -> Bool {
            text.removeAll()
            // Each record is a run of its own.
            evaluator.setNow(nil)
            for field in 0..<count {
                nulls[field] = values[field] == nil ? 1 : 0
                cells[field] = assay_cell(start: UInt32(text.count), length: 0)
                guard let value = values[field] else { continue }
                let length = lengths[field]
                guard length >= 0, length <= longest, text.count + length <= Int(Int32.max) else { return false }
                guard isASCII(value, length) || assay_utf8_valid_prefix(value, length) == length else { return false }
                cells[field].length = UInt32(length)
                text.append(value, length)
            }
            let (bytes, cells, nulls) = (UnsafePointer(text.bytes), cells, nulls)
            evaluator.evaluate(rows: 1, broken: nulls + count) { position, target in
                target[0] = cells[position]
                let isEmpty = nulls[position] == 0 && target[0].length == 0
                return GatheredCells(bytes: bytes, mayHaveEmpty: isEmpty, nulls: nulls + position)
            }
            return evaluator.marked[0] & 1 == 0
        }
    }
}

@c @implementation
public func assay_rules_accepts(
    _ rules: OpaquePointer?, _ values: UnsafePointer<UnsafePointer<UInt8>?>?, _ lengths: UnsafePointer<Int>?
) -> Bool {
    guard let rules, let values, let lengths else { return false }
    // Without a reference of its own, because counting references takes as long as a value.
    return Unmanaged<Rules>.fromOpaque(UnsafeRawPointer(rules))._withUnsafeGuaranteedRef { rules in
        (try? rules.recordPlan?.accepts(values, lengths)) ?? false
    }
}
