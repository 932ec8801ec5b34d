internal import CAssay

/// What repairs have made of cells: their new values, one after another.
package struct RepairedCells: Sendable {
    /// A cell with another value.
    package struct Cell: Sendable {
        /// Counted as the caller does: see ``ColumnRepairer/firstRow``.
        package var row: Int
        /// The place of its column among those of the bound schema.
        package var column: Int
        /// Bit i: repair i of the field changed it.
        package var causes: UInt32
        /// Its new value, in ``RepairedCells/bytes``.
        package var range: Range<Int>
    }

    package private(set) var cells: [Cell] = []
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// How many bytes the values of a few thousand records may have together.
    package static let mostBytes = Int(ASSAY_REPAIR_MOST)

    package var isEmpty: Bool { cells.isEmpty }

    /// Keeps its memory.
    package mutating func removeAll() {
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(row: Int, column: Int, causes: UInt32, _ value: UnsafeBufferPointer<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: value)
        cells.append(Cell(row: row, column: column, causes: causes, range: start..<bytes.count))
    }
}

extension NoMemoryError {
    /// What a few thousand records have become is more than is allowed, or than there is memory for.
    package static let repairedValues = NoMemoryError(
        for: "repaired values: those of a few thousand records may have \(RepairedCells.mostBytes >> 20) MiB together",
        hint: "shorten what the repairs of the rules write, or let the process have more memory")
}
