internal import Assay
internal import CAssay

/// Rows of a column after their repairs: the output of one thread, which writes only to its own words and offsets.
struct RepairedRows: ~Copyable {
    let rows: Range<Int>
    /// The contiguous values; the offsets are relative to its start.
    private(set) var text = TextBuffer()
    /// Values that are not copied; they are empty in the text.
    private(set) var far: [FarValue] = []
    private(set) var counts: RepairedText.Counts

    private let uses: UnsafePointer<UInt64>?
    private let offsets: UnsafeMutablePointer<Int64>
    private let validity: UnsafeMutablePointer<UInt64>
    /// The repairs that make values missing.
    private let missing: UInt32

    /// - Parameters:
    ///   - uses: the number of cells with the value of each row of the column; `nil` means one.
    ///   - rows: must begin at a word of the mask.
    ///   - offsets: the offsets of the whole column; the end of each row is written.
    ///   - validity: the mask of the whole column, initially zero; the bits of present values are set.
    init(
        _ column: SourceColumn, uses: UnsafePointer<UInt64>?, _ rows: Range<Int>, _ repairs: [Repair],
        _ repairer: SliceRepairer, longest: Int, offsets: UnsafeMutablePointer<Int64>,
        validity: UnsafeMutablePointer<UInt64>
    ) throws(NoMemoryError) {
        (self.rows, self.uses, self.offsets, self.validity) = (rows, uses, offsets, validity)
        counts = RepairedText.Counts(repairs: repairs.count)
        missing = repairs.missingBits
        var slice = RepairSlice(longest: longest)
        var first = rows.lowerBound
        while first < rows.upperBound {
            slice.load(column, first..<rows.upperBound)
            try add(&slice, first, repairer)
            far += slice.far
            first += slice.rows
        }
    }

    /// Repairs a slice and appends its values.
    private mutating func add(
        _ slice: inout RepairSlice, _ first: Int, _ repairer: SliceRepairer
    ) throws(NoMemoryError) {
        let bytes = try repairer.repair(
            slice.bytes, slice.repaired, rows: slice.rows, skip: slice.skip, nulls: slice.nulls)
        countUnsettled(repairer, rows: first..<first + slice.rows)
        guard let bytes else { return addUnchanged(slice, first) }
        for row in 0..<slice.rows {
            let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
            var isNull = slice.nulls[word] & bit != 0
            if slice.skip[word] & bit == 0 {
                let cell = slice.repaired[row]
                if repairer.changed[word] & bit != 0 {
                    let causes = repairer.causes[row]
                    counts.count(causes, cells: cells(of: first + row))
                    if cell.length == 0 && causes & missing != 0 { isNull = true }
                }
                if !isNull { text.append(bytes + Int(cell.start), Int(cell.length)) }
            } else if !isNull {
                let cell = slice.cells[row]
                text.append(slice.bytes + Int(cell.start), Int(cell.length))
            }
            end(first + row, isNull: isNull, at: text.count)
        }
    }

    /// Appends the values of an unchanged slice in one copy.
    private mutating func addUnchanged(_ slice: borrowing RepairSlice, _ first: Int) {
        let shift = text.count - RepairedText.before
        text.append(slice.bytes + RepairedText.before, slice.byteCount - RepairedText.before)
        for row in 0..<slice.rows {
            let cell = slice.cells[row]
            end(
                first + row, isNull: slice.nulls[row / 64] >> UInt64(row % 64) & 1 != 0,
                at: shift + Int(cell.start) + Int(cell.length))
        }
    }

    private func cells(of row: Int) -> UInt64 { uses.map { $0[row] } ?? 1 }

    private mutating func countUnsettled(_ repairer: SliceRepairer, rows: Range<Int>) {
        guard uses != nil else {
            counts.unsettled += UInt64(repairer.unsettledCount)
            return
        }
        if repairer.unsettledCount == 0 { return }
        for row in rows {
            let place = row - rows.lowerBound
            if repairer.unsettled[place / 64] >> UInt64(place % 64) & 1 != 0 { counts.unsettled += cells(of: row) }
        }
    }

    private mutating func end(_ row: Int, isNull: Bool, at place: Int) {
        let validity = validity  // A copy: see vendor-notes.md, --sanitize=thread.
        offsets[row + 1] = Int64(place)
        if isNull { counts.nulls += cells(of: row) } else { validity[row / 64] |= 1 << UInt64(row % 64) }
    }
}
