internal import Assay
internal import CAssay

/// The values of one slice of a column, kept for row rules and keys. Created once per worker.
final class KeptValues {
    /// Owned by this column, so that copied values remain while other columns are checked.
    var slice = SliceCells()
    private var rows = 0
    private var bytes = UnsafePointer(emptyBase)
    private var far: [KeptColumn.Far] = []
    /// Values that were in several buffers.
    private var text = TextBuffer()
    private let cells: UnsafeMutablePointer<assay_cell>
    private let missing: UnsafeMutablePointer<UInt64>
    private let failed: UnsafeMutablePointer<UInt64>
    /// The numbers of the slice, if texts are written only on demand.
    private var numbers: SliceNumbers?

    init() {
        cells = .allocate(capacity: SchemaEvaluator.sliceRows)
        missing = .allocate(capacity: 2 * maskWords(SchemaEvaluator.sliceRows))
        failed = missing + maskWords(SchemaEvaluator.sliceRows)
    }

    deinit {
        cells.deallocate()
        missing.deallocate()
    }

    /// Borrowed until the next slice.
    var column: KeptColumn {
        KeptColumn(bytes: bytes, cells: cells, missing: missing, failed: failed, far: far, numbers: numbers)
    }

    func begin(rows: Int) {
        self.rows = rows
        numbers = nil
        far.removeAll(keepingCapacity: true)
        missing.update(repeating: 0, count: maskWords(rows))
        failed.update(repeating: 0, count: maskWords(rows))
    }

    func take(_ cells: UnsafePointer<assay_cell>) { self.cells.update(from: cells, count: rows) }

    func addMissing(_ mask: UnsafePointer<UInt64>) { assay_mask_merge(missing, mask, maskWords(rows)) }
    func addFailed(_ mask: UnsafePointer<UInt64>) { assay_mask_merge(failed, mask, maskWords(rows)) }
    func addMissing(row: Int) { missing[row / 64] |= 1 << UInt64(row % 64) }
    func addFailed(row: Int) { failed[row / 64] |= 1 << UInt64(row % 64) }

    /// The rows of a word with needed values.
    private func live(_ word: Int) -> UInt64 { lowBits(rows - 64 * word) & ~missing[word] & ~failed[word] }

    /// Empties the cells of unneeded values, because their offsets may be invalid.
    private func clear() {
        for word in 0..<maskWords(rows) where missing[word] | failed[word] != 0 {
            forEachBit(in: missing[word] | failed[word]) { cells[64 * word + $0] = assay_cell(start: 0, length: 0) }
        }
    }

    /// Moves all values to one base address, after the column has been checked.
    func settle() {
        clear()
        guard slice.groups.count > 1 else {
            bytes = slice.open(0)
            return
        }
        var bases: [UnsafePointer<UInt8>] = []
        for group in slice.groups.indices {
            let base = slice.open(group)
            if (0..<maskWords(rows)).contains(where: { live($0) & ~slice.closed[$0] != 0 }) { bases.append(base) }
        }
        if bases.count <= 1 {
            bytes = bases.first ?? UnsafePointer(emptyBase)
            return
        }
        text.removeAll()
        for group in slice.groups.indices {
            let base = slice.open(group)
            for word in 0..<maskWords(rows) {
                forEachBit(in: live(word) & ~slice.closed[word]) { bit in
                    let cell = cells[64 * word + bit]
                    put(UnsafeBufferPointer(start: base + Int(cell.start), count: Int(cell.length)), 64 * word + bit)
                }
            }
        }
        bytes = UnsafePointer(text.bytes)
    }

    /// Keeps numbers in their own form, after the column has been checked.
    func lend(_ numbers: SliceNumbers) { self.numbers = numbers }

    /// Writes the texts of numbers for the needed rows, after the column has been checked without them.
    func write(_ writer: any ValueWriter, _ range: Range<Int>) {
        text.removeAll()
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(rows)) { unneeded in
            for word in unneeded.indices { unneeded[word] = ~live(word) }
            writer.append(range, skipping: unneeded.baseAddress!, to: &text, cells: cells)
        }
        bytes = UnsafePointer(text.bytes)
    }

    /// Loads the values of a dictionary for the needed rows.
    func load(_ indices: Indices, of values: SourceColumn, _ range: Range<Int>) {
        clear()
        text.removeAll()
        func forEachLive(_ body: (_ row: Int, _ index: Int) -> Void) {
            indices.forEach(range) { place, index in
                let row = place - range.lowerBound
                if live(row / 64) >> UInt64(row % 64) & 1 != 0 { body(row, index) }
            }
        }
        switch values.values {
        case .offsets32(let base, let offsets):
            forEachLive { row, index in
                cells[row] = assay_cell(
                    start: UInt32(offsets[index]), length: UInt32(offsets[index + 1] - offsets[index]))
            }
            bytes = base
            return
        case .written(let writer):
            forEachLive { row, index in
                let start = text.count
                writer.append(index, to: &text)
                cells[row] = assay_cell(start: UInt32(start), length: UInt32(text.count - start))
            }
        default:
            forEachLive { row, index in
                if let value = values.text(index) { put(value, row) }
            }
        }
        bytes = UnsafePointer(text.bytes)
    }

    /// Copies a short value to `text`. A long value is not copied.
    private func put(_ value: UnsafeBufferPointer<UInt8>, _ row: Int) {
        if value.count > SliceCells.packed {
            far.append(KeptColumn.Far(row: row, value: value))
            cells[row] = assay_cell(start: 0, length: 0)
        } else {
            cells[row] = assay_cell(start: UInt32(text.count), length: UInt32(value.count))
            if let base = value.baseAddress { text.append(base, value.count) }
        }
    }
}
