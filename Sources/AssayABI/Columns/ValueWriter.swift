internal import CAssay

/// Writes values that are not text in the form that a CSV file would have.
protocol ValueWriter: Sendable {
    /// Appends the text of a row, whose value must be present.
    func append(_ row: Int, to text: inout TextBuffer)

    /// Appends the texts of some rows, and writes their places to `cells`. The cells of skipped rows are empty.
    ///
    /// - Parameter skipped: bits of the rows without a value or whose text is not needed.
    func append(
        _ rows: Range<Int>, skipping skipped: UnsafePointer<UInt64>, to text: inout TextBuffer,
        cells: UnsafeMutablePointer<assay_cell>)
}

extension ValueWriter {
    func append(
        _ rows: Range<Int>, skipping skipped: UnsafePointer<UInt64>, to text: inout TextBuffer,
        cells: UnsafeMutablePointer<assay_cell>
    ) {
        for row in 0..<rows.count {
            let start = text.count
            if skipped[row / 64] >> UInt64(row % 64) & 1 == 0 { append(rows.lowerBound + row, to: &text) }
            cells[row] = assay_cell(start: UInt32(start), length: UInt32(text.count - start))
        }
    }
}
