package import CAssay

/// A column of a slice that was judged by itself, lent for what is asked of whole rows.
///
///     bytes   7,anna@example.org⏎8,bo@example.org⏎       far   row 2 → a value of its own
///     cells   (2, 16)            (21, 14)   (0, 0)
///
package struct KeptColumn {
    /// A value that cannot be counted from where the others are. Its cell is empty.
    package struct Far {
        let row: Int
        let value: UnsafeBufferPointer<UInt8>

        package init(row: Int, value: UnsafeBufferPointer<UInt8>) { (self.row, self.value) = (row, value) }
    }

    let bytes: UnsafePointer<UInt8>
    let cells: UnsafePointer<assay_cell>
    /// Rows without a value, and rows whose value failed the column's own rules. Their cells are not read.
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
