internal import CAssay

/// The values of the aggregated columns in the records of a chunk that have passed their own checks, for one worker.
/// They wait until the keys of the chunk are decided, and the values of the accepted records are then added to the
/// totals.
///
///     columns ──add──► values by entry of the chunk ──settle──► totals
///                                                   rejects
package final class AggregateRows {
    private let bound: BoundTableRules
    package let totals: TableTotals
    private let hasher: KeyHasher
    /// The entries that passed their own checks, one bit for each.
    private var open: [UInt64] = []
    private var columns: [AggregateValues]
    /// Scratch memory of a slice.
    private let selected: UnsafeMutablePointer<UInt64>
    private static let words = maskWords(SchemaEvaluator.sliceRows)

    /// The number of aggregated columns.
    package var columnCount: Int { columns.count }

    /// - Parameter limits: The limits for finding missing values.
    package init(_ bound: BoundTableRules, limits: MatchLimits) throws(NoMemoryError) {
        let hasher = try KeyHasher(limits: limits)
        let totals = try TableTotals(bound.rules)
        selected = try reserve(2 * Self.words, for: "the aggregates of a thread")
        (self.bound, self.hasher, self.totals) = (bound, hasher, totals)
        columns = bound.rules.columns.map { _ in AggregateValues() }
    }

    deinit { release(selected) }

    /// Begins another chunk.
    package func begin(entries: Int) {
        open.removeAll(keepingCapacity: true)
        open.append(contentsOf: repeatElement(0, count: maskWords(entries)))
        for index in columns.indices {
            columns[index].present.removeAll(keepingCapacity: true)
            columns[index].present.append(contentsOf: open)
            if bound.rules.columns[index].variable != nil { columns[index].makeRoom(entries) }
            if bound.rules.columns[index].parts.contains(.distinct)
                && columns[index].hashes.count < 64 * maskWords(entries)
            {
                columns[index].hashes = Array(repeating: 0, count: 64 * maskWords(entries))
            }
        }
    }

    /// Adds the rows of a slice after its other checks.
    ///
    /// - Parameters:
    ///   - first: The entry of its first row, a multiple of 64.
    ///   - closed: The rows to leave out.
    package func add(rows: Int, first: Int, in source: KeyColumns, closed: (_ word: Int) -> UInt64) {
        let words = maskWords(rows)
        var isAny = false
        for word in 0..<words {
            open[first / 64 + word] = ~closed(word) & lowBits(rows - 64 * word)
            isAny = isAny || open[first / 64 + word] != 0
        }
        if !isAny { return }
        for index in columns.indices {
            guard let position = bound.keys[index].positions[0] else { continue }
            for word in 0..<words { selected[word] = open[first / 64 + word] }
            let part = bound.keys[index].key.parts[0]
            let column = hasher.column(part.field, position, rows: rows, selected: selected, in: source)
            for word in 0..<words { columns[index].present[first / 64 + word] = selected[word] }
            if bound.rules.columns[index].parts.contains(.distinct) {
                let hashes = hasher.hash(bound.keys[index], column, rows: rows, selected: selected)
                for row in 0..<rows { columns[index].hashes[first + row] = hashes[row].low }
            }
            if let variable = bound.rules.columns[index].variable {
                readValues(index, variable, column, rows: rows, first: first)
            }
        }
    }

    /// Reads the values of a slice as numbers.
    private func readValues(_ index: Int, _ variable: RowVariable, _ column: KeptColumn, rows: Int, first: Int) {
        guard let type = variable.type else { preconditionFailure("the values of an aggregate have a type") }
        let words = maskWords(rows)
        let (skip, uncomputed) = (selected, selected + Self.words)
        for word in 0..<words {
            skip[word] = ~skip[word]
            uncomputed[word] = 0
        }
        // Taken out, because the calls below access both at the same time.
        var (values, scales) = ([Int64](), [UInt8]())
        swap(&values, &columns[index].values)
        swap(&scales, &columns[index].scales)
        values.withUnsafeMutableBufferPointer { values in
            scales.withUnsafeMutableBufferPointer { scales in
                assay_row_values(
                    type.handle, column.bytes, column.cells, rows, skip, values.baseAddress! + first,
                    variable.kind == .number ? scales.baseAddress! + first : nil, uncomputed)
            }
        }
        swap(&values, &columns[index].values)
        swap(&scales, &columns[index].scales)
        for word in 0..<words {
            let others = uncomputed[word] & ~skip[word]
            columns[index].others[first / 64 + word] = others
            forEachBit(in: others) { bit in
                let row = 64 * word + bit
                let cell = column.cells[row]
                let value = UnsafeBufferPointer(start: column.bytes + Int(cell.start), count: Int(cell.length))
                columns[index].exact.append(ExactValue(first + row, variable, value))
            }
        }
    }

    /// The values of the chunk, for a chunk that waits until the end of the table.
    package var state: (open: [UInt64], columns: [AggregateValues]) {
        get { (open, columns.map { $0.prefix(64 * open.count) }) }
        set { (open, columns) = newValue }
    }

    /// Adds the values of the accepted records to the totals.
    ///
    /// - Parameters:
    ///   - rejects: The rejected entries of the chunk.
    ///   - record: The number of the record of an entry.
    package func settle(rejects: [UInt64], record: (_ entry: Int) -> Int) throws(NoMemoryError) {
        for word in open.indices {
            open[word] &= ~rejects[word]
            totals.records += open[word].nonzeroBitCount
        }
        for index in columns.indices {
            let total = totals.columns[index]
            for word in open.indices {
                let present = open[word] & columns[index].present[word]
                total.count += present.nonzeroBitCount
                total.missing += (open[word] & ~present).nonzeroBitCount
                // The remaining steps concern accepted values.
                columns[index].present[word] = present
            }
            if let distinct = total.distinct {
                for word in open.indices {
                    var rows = columns[index].present[word]
                    while rows != 0 {
                        try distinct.add(columns[index].hashes[64 * word + rows.trailingZeroBitCount])
                        rows &= rows - 1
                    }
                }
            }
            guard let variable = bound.rules.columns[index].variable else { continue }
            try addValues(index, variable, to: total)
            try addExact(index, variable, to: total, record: record)
        }
    }

    private func addValues(_ index: Int, _ variable: RowVariable, to total: ColumnTotals) throws(NoMemoryError) {
        let column = columns[index]
        let isTime = variable.kind.isTime
        // By number of decimal places. Only `used` ones have values.
        let scales = Int(ASSAY_ROW_MAX_SCALE) + 1
        var sums = [Int128](repeating: 0, count: scales)
        var (mins, maxs) = ([Int64](repeating: .max, count: scales), [Int64](repeating: .min, count: scales))
        let hasQuantiles = bound.rules.columns[index].parts.contains(.quantiles)
        for word in column.present.indices {
            var rows = column.present[word] & ~column.others[word]
            while rows != 0 {
                let entry = 64 * word + rows.trailingZeroBitCount
                rows &= rows - 1
                let (value, scale) = (column.values[entry], Int(column.scales[entry]))
                sums[scale] &+= Int128(value)
                mins[scale] = min(mins[scale], value)
                maxs[scale] = max(maxs[scale], value)
                if hasQuantiles { try total.addToQuantiles(CELNumber(coefficient: Int128(value), scale: scale)) }
            }
        }
        for scale in 0..<scales where mins[scale] <= maxs[scale] {
            if !isTime { total.add(sum: sums[scale], scale: scale) }
            for value in [mins[scale], maxs[scale]] { total.include(variable.value(value, scale: scale)) }
        }
    }

    private func addExact(
        _ index: Int, _ variable: RowVariable, to total: ColumnTotals, record: (_ entry: Int) -> Int
    ) throws(NoMemoryError) {
        for exact in columns[index].exact {
            if columns[index].present[exact.entry / 64] >> UInt64(exact.entry % 64) & 1 == 0 { continue }
            guard exact.isRead else {
                total.addUnread(record: record(exact.entry))
                continue
            }
            if variable.kind.isTime {
                total.include(variable.time(Int64(exact.coefficient), nanoseconds: exact.nanoseconds))
                continue
            }
            let number = CELNumber(coefficient: exact.coefficient, scale: exact.scale)
            total.add(sum: number.coefficient, scale: number.scale)
            total.include(variable.kind == .number ? .number(number) : .int(Int64(number.coefficient)))
            if bound.rules.columns[index].parts.contains(.quantiles) { try total.addToQuantiles(number) }
        }
    }
}

extension AggregateValues {
    fileprivate mutating func makeRoom(_ entries: Int) {
        exact.removeAll(keepingCapacity: true)
        others.removeAll(keepingCapacity: true)
        others.append(contentsOf: repeatElement(0, count: maskWords(entries)))
        let count = 64 * maskWords(entries)
        if values.count >= count { return }
        values = Array(repeating: 0, count: count)
        scales = Array(repeating: 0, count: count)
    }

    /// The same values without those of earlier chunks.
    fileprivate func prefix(_ entries: Int) -> AggregateValues {
        var part = self
        part.values = Array(values.prefix(entries))
        part.scales = Array(scales.prefix(entries))
        part.hashes = Array(hashes.prefix(entries))
        return part
    }
}

extension ExactValue {
    fileprivate init(_ entry: Int, _ variable: RowVariable, _ value: UnsafeBufferPointer<UInt8>) {
        self.init(entry: entry)
        var budget = CELBudget(maxBytes: 0)
        guard case .value(let value) = variable.outcome(of: value, &budget) else { return }
        isRead = true
        switch value {
        case .int(let value): coefficient = Int128(value)
        case .number(let number): (coefficient, scale) = (number.coefficient, number.scale)
        case .timestamp(let time), .duration(let time):
            (coefficient, nanoseconds) = (Int128(time.seconds), time.nanoseconds)
        case .bool, .string, .list: preconditionFailure("the values of an aggregate are numbers or times")
        }
    }
}

extension RowVariable {
    /// A value of 64 bits: a number times 10^`scale`, or seconds.
    fileprivate func value(_ value: Int64, scale: Int) -> CELValue {
        if kind.isTime { return time(value) }
        return kind == .number ? .number(CELNumber(coefficient: Int128(value), scale: scale)) : .int(value)
    }

    fileprivate func time(_ seconds: Int64, nanoseconds: Int32 = 0) -> CELValue {
        let time = CELTime(seconds: seconds, nanoseconds: nanoseconds)
        return kind == .time || kind == .duration ? .duration(time) : .timestamp(time)
    }
}

extension ValueType.Kind {
    fileprivate var isTime: Bool {
        switch self {
        case .date, .datetime, .yearmonth, .time, .duration: true
        default: false
        }
    }
}

/// The values of an aggregated column, by entry of a chunk.
package struct AggregateValues {
    /// The entries with a value, and those whose value is not in `values`, one bit for each.
    package var present: [UInt64] = []
    package var others: [UInt64] = []
    /// The numbers times 10^scale, or seconds. Empty if the values are only counted.
    package var values: [Int64] = []
    package var scales: [UInt8] = []
    /// The other values, in the order of the entries.
    package var exact: [ExactValue] = []
    package var hashes: [UInt64] = []

    package init() {}
}

/// A value that does not fit 64 bits: a number, or a time with a fraction of a second.
package struct ExactValue: BitwiseCopyable, Sendable {
    fileprivate let entry: Int
    /// Whether the value can be computed.
    fileprivate var isRead = false
    /// The number times 10^scale, or the seconds.
    fileprivate var coefficient: Int128 = 0
    fileprivate var scale = 0
    fileprivate var nanoseconds: Int32 = 0
}
