internal import CAssay

/// The cells of the columns of a slice that rules between columns refer to, kept until all columns are checked.
///
/// Columns are numbered like the variables of the rules; unused columns are `nil`. The memory is allocated once and
/// used by one worker.
final class RowCells {
    /// One column.
    struct Column {
        let variable: RowVariable
        let cells: UnsafeMutablePointer<assay_cell>
        /// Rows without a value, and rows with a value that failed the column's own rules.
        let missing: UnsafeMutablePointer<UInt64>
        let failed: UnsafeMutablePointer<UInt64>
        /// The values as numbers, after the first request; Booleans are a mask.
        let values: UnsafeMutablePointer<Int64>
        let uncomputed: UnsafeMutablePointer<UInt64>
        var bytes: UnsafePointer<UInt8>
        /// The numbers of a column without texts.
        var numbers: (any KeptNumbers)?
        var scale = 0
        var isRead = false
    }

    private(set) var columns: [Column?] = []
    private(set) var rows = 0
    /// Values outside the column's bytes, and their fields. Usually empty.
    private(set) var far: [(field: Int, KeptColumn.Far)] = []
    /// Rows without values in all columns. Borrowed for a slice.
    private var broken: UnsafePointer<UInt64>
    private let scales: UnsafeMutablePointer<UInt8>
    private static let words = SchemaEvaluator.sliceRows / 64

    init(_ variables: [RowVariable?]) throws(NoMemoryError) {
        let purpose = "the rows of a thread"
        let scales: UnsafeMutablePointer<UInt8> = try reserve(8 * SchemaEvaluator.sliceRows, for: purpose)
        self.scales = scales
        broken = UnsafeRawPointer(scales).assumingMemoryBound(to: UInt64.self)
        for variable in variables {
            guard let variable else {
                columns.append(nil)
                continue
            }
            let cells: UnsafeMutablePointer<assay_cell> = try reserve(SchemaEvaluator.sliceRows, for: purpose)
            // These cells remain if the table does not have the column.
            cells.update(repeating: assay_cell(start: 0, length: 0), count: SchemaEvaluator.sliceRows)
            let masks: UnsafeMutablePointer<UInt64>
            let values: UnsafeMutablePointer<Int64>
            do throws(NoMemoryError) {
                masks = try reserve(3 * Self.words, for: purpose)
            } catch {
                release(cells)
                throw error
            }
            do throws(NoMemoryError) {
                values = try reserve(SchemaEvaluator.sliceRows, for: purpose)
            } catch {
                release(cells)
                release(masks)
                throw error
            }
            columns.append(
                Column(
                    variable: variable, cells: cells, missing: masks, failed: masks + Self.words, values: values,
                    uncomputed: masks + 2 * Self.words, bytes: UnsafePointer(scales)))
        }
    }

    deinit {
        release(scales)
        for case let column? in columns {
            release(column.cells)
            release(column.missing)
            release(column.values)
        }
    }

    /// Begins a slice, in which all columns are empty.
    ///
    /// - Parameter broken: Rows that are excluded from further checks. Borrowed until the next slice.
    func begin(rows: Int, broken: UnsafePointer<UInt64>) {
        (self.rows, self.broken) = (rows, broken)
        if !far.isEmpty { far.removeAll() }
        for index in columns.indices {
            guard let column = columns[index] else { continue }
            columns[index]!.isRead = false
            columns[index]!.numbers = nil
            column.missing.update(repeating: ~0, count: maskWords(rows))
            column.failed.update(repeating: 0, count: maskWords(rows))
        }
    }

    /// Keeps a column after its cells were written.
    func keep(
        _ index: Int, bytes: UnsafePointer<UInt8>, missing: UnsafePointer<UInt64>, failed: UnsafePointer<UInt64>
    ) {
        columns[index]!.bytes = bytes
        columns[index]!.missing.update(from: missing, count: maskWords(rows))
        columns[index]!.failed.update(from: failed, count: maskWords(rows))
    }

    /// Keeps a column that was checked separately, after its cells were written.
    func keep(_ index: Int, _ column: KeptColumn) {
        keep(index, bytes: column.bytes, missing: column.missing, failed: column.failed)
        columns[index]!.numbers = column.numbers
        for value in column.far { far.append((index, value)) }
    }

    /// The bytes of a value.
    private func bytes(_ index: Int, row: Int) -> UnsafeBufferPointer<UInt8> {
        if let numbers = columns[index]!.numbers { return numbers.text(ofRow: row) }
        if !far.isEmpty, let value = far.first(where: { $0.field == index && $0.1.row == row }) { return value.1.value }
        let (cell, bytes) = (columns[index]!.cells[row], columns[index]!.bytes)
        return UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length))
    }

    /// A column with its values parsed as numbers. Values in the rows of `uncomputed` do not fit.
    func numbers(_ index: Int) -> Column {
        let column = columns[index]!
        guard !column.isRead, let type = column.variable.type else { return column }
        let words = maskWords(rows)
        column.uncomputed.update(repeating: 0, count: words)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { skip in
            for word in 0..<words {
                let closed: UInt64 = column.missing[word] | column.failed[word]
                skip[word] = broken[word] | closed
            }
            let isNumber = column.variable.kind == .number
            if let numbers = column.numbers {
                read(numbers, type, column, isNumber: isNumber, skip: skip.baseAddress!)
            } else {
                assay_row_values(
                    type.handle, column.bytes, column.cells, rows, skip.baseAddress, column.values,
                    isNumber ? scales : nil, column.uncomputed)
            }
            if isNumber {
                columns[index]!.scale = Int(assay_row_align(column.values, scales, rows, column.uncomputed))
            }
        }
        columns[index]!.isRead = true
        return columns[index]!
    }

    /// Reads numbers in their own form, and texts for the other numbers.
    private func read(
        _ numbers: any KeptNumbers, _ type: CompiledType, _ column: Column, isNumber: Bool,
        skip: UnsafeMutablePointer<UInt64>
    ) {
        let words = maskWords(rows)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * words) { masks in
            let (unread, others) = (masks.baseAddress!, masks.baseAddress! + words)
            numbers.readValues(into: column.values, scales: isNumber ? scales : nil, unread: unread)
            var anyUnread = false
            for word in 0..<words {
                // Skipped rows are zero, so that they do not increase the common scale.
                forEachBit(in: skip[word] & lowBits(rows - 64 * word)) { bit in
                    column.values[64 * word + bit] = 0
                    if isNumber { scales[64 * word + bit] = 0 }
                }
                unread[word] &= ~skip[word]
                others[word] = ~unread[word]
                anyUnread = anyUnread || unread[word] != 0
            }
            if anyUnread { readTexts(numbers, type, column, isNumber: isNumber, rows: unread, skip: others) }
        }
    }

    /// - Parameter selected: The rows with texts to read; `skip` has all others.
    private func readTexts(
        _ numbers: any KeptNumbers, _ type: CompiledType, _ column: Column, isNumber: Bool,
        rows selected: UnsafePointer<UInt64>, skip: UnsafePointer<UInt64>
    ) {
        let base = numbers.writeTexts(of: selected, into: column.cells)
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: rows) { values in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows) { places in
                assay_row_values(
                    type.handle, base, column.cells, rows, skip, values.baseAddress,
                    isNumber ? places.baseAddress : nil, column.uncomputed)
                for word in 0..<maskWords(rows) {
                    forEachBit(in: selected[word]) { bit in
                        column.values[64 * word + bit] = values[64 * word + bit]
                        if isNumber { scales[64 * word + bit] = places[64 * word + bit] }
                    }
                }
            }
        }
    }

    /// The outcome of a cell for the interpreter.
    func outcome(_ index: Int, row: Int, _ budget: inout CELBudget) -> CELOutcome {
        let column = columns[index]!
        let (word, bit) = (row / 64, UInt64(row % 64))
        let closed: UInt64 = column.missing[word] | column.failed[word]
        if closed >> bit & 1 != 0 { return .absent }
        return column.variable.outcome(of: bytes(index, row: row), &budget)
    }
}

extension assay_row_exact {
    fileprivate var coefficient: Int128 {
        let upper = Int128(high) << 64
        return upper | Int128(low)
    }
}

/// The conversion of the cells of a column that a rule refers to.
struct RowVariable: Sendable {
    /// The type of the values; `nil` for texts.
    let type: CompiledType?
    let kind: ValueType.Kind
    /// The items of a list.
    private(set) var item: Item?
    /// The number type for integers of JSON Schema, which may have a point or an exponent.
    private let number: CompiledType?

    final class Item: Sendable {
        let variable: RowVariable

        init(_ variable: RowVariable) { self.variable = variable }
    }
}

extension RowVariable {
    /// - Parameters:
    ///   - isJSON: Whether lists are JSON arrays.
    ///   - isWholeNumber: Whether every whole number is an integer, including `1.0`.
    init(_ type: ValueType, isJSON: Bool = false, isWholeNumber: Bool = false) throws(CompileError) {
        number = isWholeNumber && type.kind == .integer ? try CompiledType(.number) : nil
        kind = type.kind
        self.type = type.celType == .string ? nil : try CompiledType(type, isJSON: isJSON)
        if kind == .list { item = Item(try RowVariable(ValueType(type.itemType ?? .string))) }
    }

    /// The value of a text.
    func outcome(of text: String, _ budget: inout CELBudget) -> CELOutcome {
        if type == nil { return budget.holdText(text.utf8.count) ? .value(.string(text)) : .undecided }
        var text = text
        return text.withUTF8 { outcome(of: $0, &budget) }
    }

    /// The value of the bytes of a cell.
    func outcome(of bytes: UnsafeBufferPointer<UInt8>, _ budget: inout CELBudget) -> CELOutcome {
        guard let type else { return text(bytes, &budget) }
        if let item { return list(of: item.variable, type, bytes, &budget) }
        var exact = assay_row_exact()
        guard let start = bytes.baseAddress, assay_row_exact_value(type.handle, start, bytes.count, &exact) else {
            return wholeNumber(bytes)
        }
        switch kind {
        case .boolean: return .value(.bool(exact.seconds != 0))
        case .integer:
            return Int64(exactly: exact.coefficient).map { .value(.int($0)) } ?? .undecided
        case .number:
            return .value(.number(CELNumber(coefficient: exact.coefficient, scale: Int(exact.scale))))
        case .year: return .value(.int(exact.seconds))
        case .date, .datetime, .yearmonth:
            return .value(.timestamp(CELTime(seconds: exact.seconds, nanoseconds: exact.nanoseconds)))
        case .time, .duration:
            return .value(.duration(CELTime(seconds: exact.seconds, nanoseconds: exact.nanoseconds)))
        case .any, .string, .list, .array, .object: return text(bytes, &budget)
        }
    }

    /// The value of an integer with a point or an exponent.
    private func wholeNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> CELOutcome {
        var exact = assay_row_exact()
        guard let number, let start = bytes.baseAddress,
            assay_row_exact_value(number.handle, start, bytes.count, &exact)
        else { return .undecided }
        var (coefficient, scale) = (exact.coefficient, exact.scale)
        while scale > 0, coefficient % 10 == 0 {
            coefficient /= 10
            scale -= 1
        }
        if scale != 0 { return .undecided }
        return Int64(exactly: coefficient).map { .value(.int($0)) } ?? .undecided
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>, _ budget: inout CELBudget) -> CELOutcome {
        budget.holdText(bytes.count) ? .value(.string(String(decoding: bytes, as: UTF8.self))) : .undecided
    }

    /// The items of a list.
    private func list(
        of item: RowVariable, _ type: CompiledType, _ bytes: UnsafeBufferPointer<UInt8>, _ budget: inout CELBudget
    ) -> CELOutcome {
        guard budget.spend(bytes.count / 64) else { return .undecided }
        var items = ListItems(variable: item, budget: budget)
        let status = withUnsafeMutablePointer(to: &items) { items in
            assay_type_visit_items(
                type.handle, bytes.cBase, bytes.count,
                { items, bytes, count in
                    items!.assumingMemoryBound(to: ListItems.self).pointee.append(
                        UnsafeBufferPointer(start: bytes, count: count))
                }, items)
        }
        if status == .ASSAY_NO_MEMORY { outOfMemory() }
        budget = items.budget
        return items.isUndecided || !budget.isLeft ? .undecided : .value(.list(items.values))
    }
}

/// The items of a list, in order. Items beyond a limit are omitted, and the budget names the limit.
private struct ListItems {
    let variable: RowVariable
    var budget: CELBudget
    var values: [CELValue] = []
    var isUndecided = false

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard budget.spend(1) else { return }
        switch variable.outcome(of: bytes, &budget) {
        case .value(let value): _ = budget.append(value, to: &values)
        case .absent, .undecided, .exhausted: isUndecided = true
        }
    }
}

extension ValueType {
    /// The type of its values in an expression.
    package var celType: CELType {
        switch kind {
        case .list: .list(ValueType(itemType ?? .string).celType)
        // The text of the cell. Row rules refuse some of these kinds with a message.
        case .any, .string, .array, .object: .string
        case .integer, .year: .int
        case .number: .number
        case .boolean: .bool
        case .date, .datetime, .yearmonth: .timestamp
        case .time, .duration: .duration
        }
    }
}
