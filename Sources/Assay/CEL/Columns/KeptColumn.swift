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

    package init(
        bytes: UnsafePointer<UInt8>, cells: UnsafePointer<assay_cell>, missing: UnsafePointer<UInt64>,
        failed: UnsafePointer<UInt64>, far: [Far]
    ) {
        (self.bytes, self.cells, self.missing, self.failed, self.far) = (bytes, cells, missing, failed, far)
    }
}
