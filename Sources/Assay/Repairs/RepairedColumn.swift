package import CAssay

/// The cells of a repaired column. Made once, and written over slice by slice.
package final class RepairedColumn {
    private(set) var position = 0
    /// What the cells are counted from.
    package private(set) var bytes: UnsafePointer<UInt8>
    package let cells: UnsafeMutablePointer<assay_cell>
    private let nullMask: UnsafeMutablePointer<UInt64>
    /// Rows without a value; `nil`: the empty text is one.
    package private(set) var nulls: UnsafePointer<UInt64>?

    init() {
        cells = .allocate(capacity: SchemaJudge.sliceRows)
        nullMask = .allocate(capacity: maskWords(SchemaJudge.sliceRows))
        bytes = UnsafePointer(UnsafeMutableRawPointer(cells).assumingMemoryBound(to: UInt8.self))
    }

    deinit {
        cells.deallocate()
        nullMask.deallocate()
    }

    func keep(
        _ position: Int, _ bytes: UnsafePointer<UInt8>, _ cells: UnsafePointer<assay_cell>, _ rows: Int,
        nulls: UnsafePointer<UInt64>?
    ) {
        (self.position, self.bytes) = (position, bytes)
        self.cells.update(from: cells, count: rows)
        if let nulls { nullMask.update(from: nulls, count: maskWords(rows)) }
        self.nulls = nulls == nil ? nil : UnsafePointer(nullMask)
    }
}
