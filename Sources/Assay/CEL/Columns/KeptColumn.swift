package import CAssay

/// A separately checked column of a slice, borrowed for the checks of whole rows.
///
///     bytes   7,anna@example.org⏎8,bo@example.org⏎       far   row 2 → a separate value
///     cells   (2, 16)            (21, 14)   (0, 0)
package struct KeptColumn {
    /// A value that a cell cannot address, because it is not near the others. Its cell is empty.
    package struct Far {
        let row: Int
        let value: UnsafeBufferPointer<UInt8>

        package init(row: Int, value: UnsafeBufferPointer<UInt8>) { (self.row, self.value) = (row, value) }
    }

    let bytes: UnsafePointer<UInt8>
    let cells: UnsafePointer<assay_cell>
    /// Rows without a value, and rows with a value that failed the column's own rules. Their cells are not read.
    let missing: UnsafePointer<UInt64>
    let failed: UnsafePointer<UInt64>
    let far: [Far]
    /// The numbers of the column, if it has no texts. The bytes and cells are then not read.
    let numbers: (any KeptNumbers)?

    package init(
        bytes: UnsafePointer<UInt8>, cells: UnsafePointer<assay_cell>, missing: UnsafePointer<UInt64>,
        failed: UnsafePointer<UInt64>, far: [Far], numbers: (any KeptNumbers)? = nil
    ) {
        (self.bytes, self.cells, self.missing, self.failed, self.far) = (bytes, cells, missing, failed, far)
        self.numbers = numbers
    }
}

/// The numbers of a slice in their own form. Texts are written only for the rows that need them.
package protocol KeptNumbers: AnyObject {
    /// Converts all numbers, like `assay_row_numbers`. `scales` is `nil` unless the field is a number.
    func readValues(
        into values: UnsafeMutablePointer<Int64>, scales: UnsafeMutablePointer<UInt8>?,
        unread: UnsafeMutablePointer<UInt64>)

    /// Writes the texts of the rows of a mask, and returns their base. Borrowed until the next call.
    func writeTexts(
        of rows: UnsafePointer<UInt64>, into cells: UnsafeMutablePointer<assay_cell>
    ) -> UnsafePointer<UInt8>

    /// The text of a row with a value. Borrowed until the next call.
    func text(ofRow row: Int) -> UnsafeBufferPointer<UInt8>
}
