internal import CAssay

/// Runs operations over the columns of a slice. Used by one worker; the memory is allocated once and reused.
final class RowEvaluator {
    /// The column of an operation or a field. Valid until its parent operation is complete.
    struct Column {
        /// One of the next three properties is set, according to the kind.
        var bits: UnsafeMutablePointer<UInt64>?
        var values: UnsafeMutablePointer<Int64>?
        var texts = assay_row_texts()
        /// The number of decimal places of the values.
        var scale = 0
        /// For times: nanoseconds to add to each value, because `now()` has them.
        var nanoseconds: Int32 = 0
        /// Rows without a value, because a cell is empty; `nil`: all rows have a value.
        var absent: UnsafeMutablePointer<UInt64>?
    }

    /// The memory of one column.
    private struct Slot {
        let bits: UnsafeMutablePointer<UInt64>
        let absent: UnsafeMutablePointer<UInt64>
        let values: UnsafeMutablePointer<Int64>
        let cells: UnsafeMutablePointer<assay_cell>
    }

    private let cells: RowCells
    private let scratch: OpaquePointer
    private var slots: [Slot] = []
    /// Rows that the operations of a rule could not compute, and a second mask for one operation.
    private let uncomputed: UnsafeMutablePointer<UInt64>
    private let spare: UnsafeMutablePointer<UInt64>
    /// The values of an operand after its scale was increased.
    private let shifted: UnsafeMutablePointer<Int64>
    private var skip: UnsafePointer<UInt64>
    private var now: Timestamp?
    private var rows: Int { cells.rows }
    private var words: Int { maskWords(cells.rows) }
    private static let sliceWords = SchemaEvaluator.sliceRows / 64

    /// - Parameter depth: The maximum number of columns at the same time (``RowOperation/depth``).
    init(_ cells: RowCells, depth: Int, scratch: OpaquePointer) throws(NoMemoryError) {
        let purpose = "the rows of a thread"
        self.cells = cells
        self.scratch = scratch
        uncomputed = try reserve(2 * Self.sliceWords + SchemaEvaluator.sliceRows, for: purpose)
        spare = uncomputed + Self.sliceWords
        shifted = UnsafeMutableRawPointer(spare + Self.sliceWords)
            .bindMemory(to: Int64.self, capacity: SchemaEvaluator.sliceRows)
        skip = UnsafePointer(uncomputed)
        for _ in 0..<depth {
            // One allocation for all four, so that only one can fail.
            let count: Int = 2 * Self.sliceWords + 2 * SchemaEvaluator.sliceRows
            let memory: UnsafeMutablePointer<UInt64> = try reserve(count, for: purpose)
            let values = UnsafeMutableRawPointer(memory + 2 * Self.sliceWords)
            slots.append(
                Slot(
                    bits: memory, absent: memory + Self.sliceWords,
                    values: values.bindMemory(to: Int64.self, capacity: SchemaEvaluator.sliceRows),
                    cells: (values + SchemaEvaluator.sliceRows * 8).bindMemory(
                        to: assay_cell.self, capacity: SchemaEvaluator.sliceRows)))
        }
    }

    deinit {
        release(uncomputed)
        for slot in slots { release(slot.bits) }
    }

    /// Checks the rows that are not skipped.
    ///
    /// - Parameters:
    ///   - now: The time of the run; not `nil` if the operation depends on it.
    ///   - interpret: Returns the outcome of a row that the operation cannot compute.
    func evaluate(
        _ operation: RowOperation, now: Timestamp?, skip: UnsafePointer<UInt64>, into bits: VerdictBits,
        interpret: (Int) -> CELOutcome
    ) {
        (self.skip, self.now) = (skip, now)
        uncomputed.update(repeating: 0, count: words)
        let result = evaluate(operation, 0)
        for word in 0..<words {
            let live: UInt64 = liveRows(word, of: rows, skip)
            let absent: UInt64 = result.absent?[word] ?? 0
            uncomputed[word] &= live
            bits.failed[word] = live & ~(absent | result.bits![word] | uncomputed[word])
            bits.undecided[word] = 0
        }
        for word in 0..<words {
            forEachBit(in: uncomputed[word]) { bits.write(word * 64 + $0, interpret(word * 64 + $0)) }
        }
    }

    private func evaluate(_ operation: RowOperation, _ depth: Int) -> Column {
        switch operation.form {
        case .bool(let bool):
            slots[depth].bits.update(repeating: bool ? ~0 : 0, count: words)
            return Column(bits: slots[depth].bits)
        case .integer(let integer, let scale):
            slots[depth].values.update(repeating: integer, count: rows)
            return Column(values: slots[depth].values, scale: scale)
        case .text(let text):
            slots[depth].cells.update(repeating: text.cell, count: rows)
            return Column(texts: assay_row_texts(bytes: text.bytes, cells: slots[depth].cells))
        case .field(let index): return field(index, operation.kind, depth)
        case .clock(let clock):
            guard let now else { preconditionFailure("a rule knows whether it needs the time") }
            let time = clock.value(at: now)
            slots[depth].values.update(repeating: time.seconds, count: rows)
            return Column(values: slots[depth].values, nanoseconds: time.nanoseconds)
        case .has(let index):
            for word in 0..<words { slots[depth].bits[word] = ~cells.columns[index]!.missing[word] }
            return Column(bits: slots[depth].bits)
        default:
            let operands = operation.operands.enumerated().map { evaluate($0.element, depth + $0.offset) }
            return combine(operation, operands, slots[depth])
        }
    }

    private func field(_ index: Int, _ kind: RowOperation.Kind, _ depth: Int) -> Column {
        if kind == .text {
            let column = cells.columns[index]!
            return Column(texts: assay_row_texts(bytes: column.bytes, cells: column.cells), absent: column.missing)
        }
        let column = cells.numbers(index)
        for word in 0..<words { uncomputed[word] |= column.uncomputed[word] }
        if kind != .bool { return Column(values: column.values, scale: column.scale, absent: column.missing) }
        for word in 0..<words {
            var bits: UInt64 = 0
            for row in word * 64..<min(rows, word * 64 + 64) {
                let bit: UInt64 = column.values[row] != 0 ? 1 : 0
                bits |= bit << UInt64(row % 64)
            }
            slots[depth].bits[word] = bits
        }
        return Column(bits: slots[depth].bits, absent: column.missing)
    }

    /// Combines the columns of the operands. The slot may be that of the first operand.
    private func combine(_ operation: RowOperation, _ operands: [Column], _ slot: Slot) -> Column {
        switch operation.form {
        case .and, .or: return join(operands[0], operands[1], isAnd: operation.form.isAnd, slot)
        case .choose: return choose(operands, operation.kind, slot)
        default: break
        }
        var result = Column(absent: absent(operands, slot))
        switch operation.form {
        case .not:
            for word in 0..<words { slot.bits[word] = ~operands[0].bits![word] }
            result.bits = slot.bits
        case .compare(let relation, let isNegated):
            compare(relation, operands, operation.operands[0].kind, slot)
            if isNegated { for word in 0..<words { slot.bits[word] = ~slot.bits[word] } }
            result.bits = slot.bits
        case .compute(let function, let bounds): compute(function, bounds, operands, operation.kind, slot, &result)
        case .widen: (result.values, result.scale) = (operands[0].values, 0)
        case .check(let node):
            let column = ColumnView(
                bytes: operands[0].texts.bytes, cells: UnsafeBufferPointer(start: operands[0].texts.cells, count: rows))
            node.evaluate(
                column, skip: skip, scratch: scratch, into: VerdictBits(failed: slot.bits, undecided: spare))
            for word in 0..<words { slot.bits[word] = ~slot.bits[word] }
            leaveSpare(but: result.absent)
            result.bits = slot.bits
        case .contained(let numbers):
            for word in 0..<words {
                var bits: UInt64 = 0
                for row in word * 64..<min(rows, word * 64 + 64) where numbers.has(operands[0].values![row]) {
                    bits |= 1 << UInt64(row % 64)
                }
                slot.bits[word] = bits
            }
            // The array has only whole seconds.
            if operands[0].nanoseconds != 0 { uncomputed.update(repeating: ~0, count: words) }
            result.bits = slot.bits
        case .find(let place):
            assay_row_find(place, operands[0].texts, operands[1].texts, rows, slot.bits)
            result.bits = slot.bits
        case .size:
            assay_row_sizes(operands[0].texts, rows, slot.values)
            result.values = slot.values
        case .part(let part):
            assay_row_parts(part, operands[0].values, rows, slot.values)
            result.values = slot.values
        case .bool, .integer, .text, .field, .has, .clock, .and, .or, .choose:
            preconditionFailure("it has been done before")
        }
        return result
    }

    /// The rows in which an operand has no value. The mask is in the slot of the result, because the slots of the
    /// operands are reused.
    private func absent(_ operands: [Column], _ slot: Slot) -> UnsafeMutablePointer<UInt64>? {
        let masks = operands.compactMap(\.absent)
        if masks.isEmpty { return nil }
        for word in 0..<words {
            var absent: UInt64 = 0
            for mask in masks { absent |= mask[word] }
            slot.absent[word] = absent
        }
        return slot.absent
    }

    /// `&&` or `||`. As in CEL, one side may decide if the other has no value.
    private func join(_ one: Column, _ other: Column, isAnd: Bool, _ slot: Slot) -> Column {
        for word in 0..<words {
            let absent: UInt64 = one.absent?[word] ?? 0
            let otherAbsent: UInt64 = other.absent?[word] ?? 0
            let yes: UInt64 = one.bits![word] & ~absent
            let otherYes: UInt64 = other.bits![word] & ~otherAbsent
            let no: UInt64 = ~(one.bits![word] | absent)
            let otherNo: UInt64 = ~(other.bits![word] | otherAbsent)
            let isTrue: UInt64 = isAnd ? yes & otherYes : yes | otherYes
            let isFalse: UInt64 = isAnd ? no | otherNo : no & otherNo
            slot.bits[word] = isTrue
            slot.absent[word] = ~(isTrue | isFalse)
        }
        return Column(bits: slot.bits, absent: one.absent == nil && other.absent == nil ? nil : slot.absent)
    }

    private func choose(_ operands: [Column], _ kind: RowOperation.Kind, _ slot: Slot) -> Column {
        let (condition, one, other) = (operands[0], operands[1], operands[2])
        var result = Column(absent: slot.absent)
        let scale = max(one.scale, other.scale)
        let values = kind == .bool ? nil : (scaled(one, to: scale), scaled(other, to: scale))
        result.nanoseconds = one.nanoseconds
        if one.nanoseconds != other.nanoseconds { uncomputed.update(repeating: ~0, count: words) }
        for word in 0..<words {
            let yes: UInt64 = condition.bits![word]
            let absent: UInt64 = condition.absent?[word] ?? 0
            let absentOne: UInt64 = yes & (one.absent?[word] ?? 0)
            let absentOther: UInt64 = ~yes & (other.absent?[word] ?? 0)
            if kind == .bool {
                let bitsOne: UInt64 = yes & one.bits![word]
                let bitsOther: UInt64 = ~yes & other.bits![word]
                slot.bits[word] = bitsOne | bitsOther
            } else if let values {
                for row in word * 64..<min(rows, word * 64 + 64) {
                    let isYes = yes >> UInt64(row % 64) & 1 != 0
                    slot.values[row] = isYes ? values.0[row] : values.1[row]
                }
            }
            slot.absent[word] = absent | absentOne | absentOther
        }
        if kind == .bool { result.bits = slot.bits } else { (result.values, result.scale) = (slot.values, scale) }
        return result
    }

    private func compare(
        _ relation: assay_row_relation, _ operands: [Column], _ kind: RowOperation.Kind, _ slot: Slot
    ) {
        switch kind {
        case .bool:
            let (one, other) = (operands[0].bits!, operands[1].bits!)
            for word in 0..<words { slot.bits[word] = ~(one[word] ^ other[word]) }
        case .text: assay_row_compare_texts(relation, operands[0].texts, operands[1].texts, rows, slot.bits)
        case .integer, .number:
            let scale = max(operands[0].scale, operands[1].scale)
            let relation = relation.ofSeconds(before: operands[0].nanoseconds, operands[1].nanoseconds)
            guard let relation else { return slot.bits.update(repeating: 0, count: words) }
            assay_row_compare(
                relation, scaled(operands[0], to: scale), scaled(operands[1], to: scale), rows, slot.bits)
        }
    }

    private func compute(
        _ function: assay_row_operator, _ bounds: ClosedRange<Int64>?, _ operands: [Column],
        _ kind: RowOperation.Kind, _ slot: Slot, _ result: inout Column
    ) {
        let (one, other) = (operands[0], operands[1])
        result.values = slot.values
        spare.update(repeating: 0, count: words)
        if function == .ASSAY_ROW_MULTIPLY && kind == .number {
            result.scale = one.scale + other.scale
            if result.scale > ASSAY_ROW_MAX_SCALE {
                uncomputed.update(repeating: ~0, count: words)
                result.scale = 0
            }
            assay_row_compute(function, one.values, other.values, rows, slot.values, spare)
        } else {
            result.scale = max(one.scale, other.scale)
            assay_row_compute(
                function, scaled(one, to: result.scale), scaled(other, to: result.scale), rows, slot.values, spare)
            result.nanoseconds = combineNanoseconds(function, one, other, slot)
        }
        if let bounds {
            for row in 0..<rows where !bounds.contains(slot.values[row]) {
                spare[row / 64] |= 1 << UInt64(row % 64)
            }
        }
        leaveSpare(but: result.absent)
    }

    /// Returns the nanoseconds of a sum or a difference, and carries to its seconds. Ints and numbers have none.
    private func combineNanoseconds(
        _ function: assay_row_operator, _ one: Column, _ other: Column, _ slot: Slot
    ) -> Int32 {
        let sum = function == .ASSAY_ROW_ADD ? one.nanoseconds + other.nanoseconds : one.nanoseconds - other.nanoseconds
        let (carry, rest) = floorDivided(Int64(sum), by: 1_000_000_000)
        // Rows with an overflow are in the spare mask.
        if carry != 0 { for row in 0..<rows { slot.values[row] &+= carry } }
        return Int32(rest)
    }

    /// Leaves the rows of the spare mask to the interpreter, except rows without a value.
    private func leaveSpare(but absent: UnsafeMutablePointer<UInt64>?) {
        for word in 0..<words {
            let without: UInt64 = absent?[word] ?? 0
            uncomputed[word] |= spare[word] & ~without
        }
    }

    /// The values with `scale` decimal places. The result may be the memory of the column itself.
    private func scaled(_ column: Column, to scale: Int) -> UnsafeMutablePointer<Int64> {
        if column.scale == scale { return column.values! }
        assay_row_shift(column.values, rows, UInt32(scale - column.scale), shifted, uncomputed)
        return shifted
    }
}

extension [Int64] {
    /// Whether the array, which must be in ascending order, contains a number. O(log *n*).
    fileprivate func has(_ number: Int64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == number
    }
}

extension assay_row_relation {
    /// The relation of whole seconds that decides about times with these nanoseconds; `nil`: always false.
    ///
    ///     12 s + 0.3 < x + 0.7   if 12 <= x
    fileprivate func ofSeconds(before one: Int32, _ other: Int32) -> Self? {
        if one == other { return self }
        if self == .ASSAY_ROW_EQUAL { return nil }
        return one < other ? .ASSAY_ROW_LESS_OR_EQUAL : .ASSAY_ROW_LESS
    }
}

extension RowOperation.Form {
    fileprivate var isAnd: Bool { if case .and = self { true } else { false } }
}

extension VerdictBits {
    /// Writes the verdict of a row. A row without a value for a cell passes.
    func write(_ row: Int, _ outcome: CELOutcome) {
        switch outcome {
        case .value(.bool(true)), .absent: set(row, .pass)
        case .value: set(row, .fail)
        case .undecided, .exhausted: set(row, .undecided)
        }
    }
}
