package import CAssay

/// The cells of a repaired column, with the changed ones marked. Created once and reused for each slice.
package final class RepairedColumn {
    /// The index of the column in the bound schema.
    package private(set) var index = 0
    private(set) var position = 0
    /// The base of the cells' offsets.
    package private(set) var bytes: UnsafePointer<UInt8>
    package let cells: UnsafeMutablePointer<assay_cell>
    private var rows = 0
    private let nullMask: UnsafeMutablePointer<UInt64>
    /// The rows without a value; `nil` if the empty text means "no value".
    package private(set) var nulls: UnsafePointer<UInt64>?
    private let changedMask: UnsafeMutablePointer<UInt64>
    /// For changed rows: bit i is set if repair i of the field changed the value.
    private let causes: UnsafeMutablePointer<UInt32>

    init() {
        cells = .allocate(capacity: SchemaEvaluator.sliceRows)
        nullMask = .allocate(capacity: maskWords(SchemaEvaluator.sliceRows))
        changedMask = .allocate(capacity: maskWords(SchemaEvaluator.sliceRows))
        causes = .allocate(capacity: SchemaEvaluator.sliceRows)
        bytes = UnsafePointer(UnsafeMutableRawPointer(cells).assumingMemoryBound(to: UInt8.self))
    }

    deinit {
        cells.deallocate()
        nullMask.deallocate()
        changedMask.deallocate()
        causes.deallocate()
    }

    func keep(
        _ index: Int, _ position: Int, _ bytes: UnsafePointer<UInt8>, _ cells: UnsafePointer<assay_cell>, _ rows: Int,
        nulls: UnsafePointer<UInt64>?, _ repaired: assay_repaired
    ) {
        (self.index, self.position, self.bytes, self.rows) = (index, position, bytes, rows)
        self.cells.update(from: cells, count: rows)
        if let nulls { nullMask.update(from: nulls, count: maskWords(rows)) }
        self.nulls = nulls == nil ? nil : UnsafePointer(nullMask)
        changedMask.update(from: repaired.changed, count: maskWords(rows))
        for word in 0..<maskWords(rows) {
            var changed = repaired.changed[word]
            while changed != 0 {
                let row = word * 64 + changed.trailingZeroBitCount
                causes[row] = repaired.causes[row]
                changed &= changed - 1
            }
        }
    }

    /// The value of a row if a repair changed it, otherwise `nil`.
    package func changedValue(_ row: Int) -> UnsafeBufferPointer<UInt8>? {
        if changedMask[row / 64] >> UInt64(row % 64) & 1 == 0 { return nil }
        return UnsafeBufferPointer(start: bytes + Int(cells[row].start), count: Int(cells[row].length))
    }

    /// The changed cells as a column with the caller's number.
    package func changed(as number: Int) -> assay_changed_column {
        assay_changed_column(
            column: UInt32(number), bytes: bytes, cells: cells, changed: changedMask, causes: causes, count: rows)
    }
}
