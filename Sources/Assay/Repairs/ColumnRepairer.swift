package import CAssay

/// A worker that repairs the columns of a table, slice by slice, and notes what it changed.
///
/// Its memory grows with what is changed. One user at a time.
package final class ColumnRepairer {
    private let repaired: UnsafeMutablePointer<assay_repaired>
    /// Of whoever judges, and outlives this.
    private let scratch: OpaquePointer
    /// How much of the room behind the cells has values of this slice.
    private var roomUsed = 0
    /// Rows without a value, of the column that was repaired last.
    private let nulls: UnsafeMutablePointer<UInt64>

    /// The columns of the slice in which a value changed, by their positions.
    private var kept: [RepairedColumn] = []
    private var keptCount = 0
    // SAFETY: memory of its own, for `repaired`.
    private let dialect = UnsafeMutablePointer<assay_dialect>.allocate(capacity: 1)

    /// What has been changed since the caller last emptied it: column by column of each slice, by ascending row.
    package var changes = RepairedCells()
    /// What is added to the rows of a slice in ``changes``.
    package var firstRow = 0
    /// There was no memory, so that the verdicts of a slice, and ``changes``, are not whole.
    package private(set) var failure: NoMemoryError?

    /// - Parameter scratch: outlives the repairer.
    static func make(_ schema: BoundSchema, scratch: OpaquePointer) throws(NoMemoryError) -> ColumnRepairer? {
        schema.hasRepairs ? try ColumnRepairer(scratch: scratch) : nil
    }

    init(scratch: OpaquePointer) throws(NoMemoryError) {
        nulls = try reserve(SchemaJudge.sliceRows / 64, for: Self.purpose)
        guard let repaired = assay_repaired_create() else {
            release(nulls)
            throw NoMemoryError(for: Self.purpose)
        }
        self.repaired = repaired
        self.scratch = scratch
    }

    /// Leaves values as they came that a table of this dialect cannot have in a field.
    package func leaveWhatCannotBeWritten(as dialect: assay_dialect) {
        self.dialect.initialize(to: dialect)
        repaired.pointee.dialect = UnsafePointer(self.dialect)
    }

    deinit {
        assay_repaired_free(repaired)
        dialect.deallocate()
        release(nulls)
    }

    private static let purpose = "the repairs of a thread"

    /// Begins a slice: the repaired values of the one before are written over. Those in ``changes`` are copies.
    func begin() {
        assay_repaired_begin(repaired)
        roomUsed = 0
        keptCount = 0
    }

    /// Repairs a column of the slice.
    ///
    /// - Parameters:
    ///   - index: what the column is called in ``changes``.
    ///   - cells: of its rows; they are written anew if any value changes.
    ///   - broken: rows that are not looked at.
    ///   - nulls: rows without a value, if the column has none of its own.
    /// - Returns: where the cells lie now, until the next `begin`.
    func repair(
        _ gathered: GatheredCells, _ column: BoundSchema.Column, _ index: Int,
        _ cells: UnsafeMutablePointer<assay_cell>, _ rows: Int, _ broken: UnsafePointer<UInt64>,
        _ nulls: UnsafePointer<UInt64>?
    ) -> GatheredCells {
        guard let repairs = column.field.repairs else { return gathered }
        var bytes: UnsafePointer<UInt8>? = gathered.bytes
        var count = 0
        let lent = gathered.nulls ?? nulls
        if let lent { self.nulls.update(from: lent, count: maskWords(rows)) }
        let free = max(0, (gathered.room?.count ?? 0) - roomUsed)
        var room = assay_repair_room(bytes: gathered.room?.baseAddress.map { $0 + roomUsed }, count: free)
        repaired.pointee.is_first = column.position == 0
        repaired.pointee.literals = column.field.literals
        let status = assay_repairs_column(
            repairs.handle, repaired, scratch, &bytes, cells, rows, broken, gathered.unrepaired ?? gathered.wrongTypes,
            lent == nil ? nil : self.nulls, &room, &count)
        roomUsed += free - room.count
        if status != .ASSAY_OK { failure = .repairedValues }
        guard count > 0, status == .ASSAY_OK, let bytes else { return gathered }
        note(index, bytes, cells, rows)
        if keptCount == kept.count { kept.append(RepairedColumn()) }
        kept[keptCount].keep(column.position, bytes, cells, rows, nulls: lent == nil ? nil : UnsafePointer(self.nulls))
        keptCount += 1
        return GatheredCells(
            bytes: bytes, nulls: lent == nil ? nil : UnsafePointer(self.nulls), wrongTypes: gathered.wrongTypes)
    }

    /// The cells of a column of the slice as they were judged; `nil`: none of its values changed. Valid until the next `begin`, as
    /// long as nobody writes over the room that the column was gathered with.
    package func cells(at position: Int) -> RepairedColumn? { kept[..<keptCount].first { $0.position == position } }

    private func note(
        _ column: Int, _ bytes: UnsafePointer<UInt8>, _ cells: UnsafeMutablePointer<assay_cell>, _ rows: Int
    ) {
        for word in 0..<maskWords(rows) {
            var changed = repaired.pointee.changed[word]
            while changed != 0 {
                let row = word * 64 + changed.trailingZeroBitCount
                changed &= changed - 1
                if changes.bytes.count + Int(cells[row].length) > RepairedCells.mostBytes {
                    failure = .repairedValues
                    return
                }
                changes.append(
                    row: firstRow + row, column: column, causes: repaired.pointee.causes[row],
                    UnsafeBufferPointer(start: bytes + Int(cells[row].start), count: Int(cells[row].length)))
            }
        }
    }
}
