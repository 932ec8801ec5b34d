internal import Assay
internal import AssayRules
internal import CAssay
internal import CAssayABI

/// Says of single records whether they are clean, without a result and without threads: made once with the rules.
final class RecordPlan: Sendable {
    private let schema: BoundSchema
    private let limits: MatchLimits
    /// The most bytes of a value that is judged.
    private let longest: Int
    private let fieldCount: Int
    /// Judges that nobody uses now.
    private let idle = Lock<[Judge]>([])
    private static let mostIdle = 16

    init(_ compiled: CompiledSchema, limits: Limits) {
        fieldCount = compiled.schema.fields.count
        schema = BoundSchema(compiled, fields: Array(0..<fieldCount), hasRows: true)
        (self.limits, longest) = (limits.match, limits.fieldBytes)
    }

    /// Whether no rule has anything to say of a record.
    ///
    /// - Throws: when there is no memory for a judge.
    func accepts(
        _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>
    ) throws(NoMemoryError) -> Bool {
        let judge = try takeJudge()
        defer { _ = idle.withLockIfAvailable { if $0.count < Self.mostIdle { $0.append(judge) } } }
        return judge.accepts(values, lengths, longest: longest)
    }

    // As in FieldPlan, the lock is never waited for.
    private func takeJudge() throws(NoMemoryError) -> Judge {
        if let judge = idle.withLockIfAvailable({ $0.popLast() }).flatMap(\.self) { return judge }
        return try Judge(schema, limits: limits, fieldCount: fieldCount)
    }

    /// A judge that can be put aside. It has one user at a time.
    private final class Judge: @unchecked Sendable {
        // SAFETY: whoever took it from the pool has it alone.
        /// Behind a pointer, because Swift checks exclusive access each time a variable of a class is used.
        private let desk: UnsafeMutablePointer<Desk>

        init(_ schema: BoundSchema, limits: MatchLimits, fieldCount: Int) throws(NoMemoryError) {
            let judge = try SchemaJudge(schema, limits: limits)
            desk = .allocate(capacity: 1)
            desk.initialize(to: Desk(judge, fieldCount: fieldCount))
        }

        deinit {
            desk.deinitialize(count: 1)
            desk.deallocate()
        }

        func accepts(
            _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int
        ) -> Bool {
            desk.pointee.accepts(values, lengths, longest: longest)
        }
    }

    /// What a judge needs for one record.
    private struct Desk: ~Copyable {
        private var judge: SchemaJudge
        private var text = TextBuffer()
        private let cells: UnsafeMutablePointer<assay_cell>
        /// For each field a word whose lowest bit says that there is no value; behind them one for records that are broken: none.
        private let nulls: UnsafeMutablePointer<UInt64>
        private let count: Int

        init(_ judge: consuming SchemaJudge, fieldCount: Int) {
            self.judge = judge
            count = fieldCount
            cells = .allocate(capacity: fieldCount + 1)
            nulls = .allocate(capacity: fieldCount + 1)
            nulls.initialize(repeating: 0, count: fieldCount + 1)
        }

        deinit {
            cells.deallocate()
            nulls.deallocate()
        }

        mutating func accepts(
            _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int
        ) -> Bool {
            text.removeAll()
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
            judge.judge(rows: 1, broken: nulls + count) { position, target in
                target[0] = cells[position]
                let isEmpty = nulls[position] == 0 && target[0].length == 0
                return GatheredCells(bytes: bytes, mayHaveEmpty: isEmpty, nulls: nulls + position)
            }
            return judge.marked[0] & 1 == 0
        }
    }
}

@c @implementation
public func assay_rules_accepts(
    _ rules: OpaquePointer?, _ values: UnsafePointer<UnsafePointer<UInt8>?>?, _ lengths: UnsafePointer<Int>?
) -> Bool {
    guard let plan = (try? Rules.behind(rules))?.recordPlan, let values, let lengths else { return false }
    return (try? plan.accepts(values, lengths)) ?? false
}
