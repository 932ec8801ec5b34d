internal import Assay
internal import CAssay

/// The numbers of a column for row rules. Each worker has its own object, which it moves from slice to slice.
final class SliceNumbers: KeptNumbers {
    private let column: NumberColumn
    private let unit: assay_row_unit
    private let writer: any ValueWriter
    private var rows = 0..<0
    private var text = TextBuffer()

    /// `nil` if the numbers of this column are not values of the field.
    init?(_ column: NumberColumn, _ values: SourceColumn.Values, of type: ValueType) {
        guard case .written(let writer) = values, let unit = column.unit(of: type) else { return nil }
        (self.column, self.unit, self.writer) = (column, unit, writer)
    }

    func move(to rows: Range<Int>) { self.rows = rows }

    func readValues(
        into values: UnsafeMutablePointer<Int64>, scales: UnsafeMutablePointer<UInt8>?,
        unread: UnsafeMutablePointer<UInt64>
    ) {
        var unit = unit
        assay_row_numbers(
            column.domain.form, &unit, column.values(from: rows.lowerBound), rows.count, values, scales, unread)
    }

    func writeTexts(
        of selected: UnsafePointer<UInt64>, into cells: UnsafeMutablePointer<assay_cell>
    ) -> UnsafePointer<UInt8> {
        text.removeAll()
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(rows.count)) { others in
            for word in others.indices { others[word] = ~selected[word] }
            writer.append(rows, skipping: others.baseAddress!, to: &text, cells: cells)
        }
        return UnsafePointer(text.bytes)
    }

    func text(ofRow row: Int) -> UnsafeBufferPointer<UInt8> {
        text.removeAll()
        writer.append(rows.lowerBound + row, to: &text)
        return UnsafeBufferPointer(start: text.bytes, count: text.count)
    }
}

extension NumberColumn {
    /// The conversion to values of row rules, or `nil` if a field of this type has other values.
    func unit(of type: ValueType) -> assay_row_unit? {
        func unit(factor: Int64 = 1, divisor: Int64 = 1, roundsDown: Bool = false, scale: Int = 0) -> assay_row_unit {
            assay_row_unit(factor: factor, divisor: divisor, rounds_down: roundsDown, scale: UInt8(scale))
        }
        switch (format, type.kind) {
        case (.integer, .integer), (.integer, .number), (.integer, .year): return unit()
        case (.float, .integer), (.float, .number): return unit()
        case (.decimal(let scale, _), .number) where (0...Int(ASSAY_ROW_MAX_SCALE)).contains(scale):
            return unit(scale: scale)
        case (.decimal(scale: 0, _), .integer): return unit()
        case (.date32, .date), (.date32, .datetime): return unit(factor: 86_400)
        case (.date64, .date), (.date64, .datetime):
            return unit(factor: 86_400, divisor: 86_400_000, roundsDown: true)
        case (.timestamp(let clock, _), .datetime), (.time(let clock, _), .time):
            return unit(divisor: clock.perSecond)
        default: return nil
        }
    }
}
