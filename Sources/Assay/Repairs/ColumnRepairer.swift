package import CAssay

/// A worker that repairs the columns of a table, slice by slice, and has what it changed until the next slice.
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

    /// Values of the column that was repaired last which its repairs would change a second time: they stay as they came.
    private(set) var unsettledCount = 0
    /// There was no memory, so that the verdicts of a slice, and what was changed, are not whole.
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

    /// Leaves values as they came that a table of this dialect cannot have in a field of so many bytes.
    package func leaveWhatCannotBeWritten(as dialect: assay_dialect, longest: Int) {
        repaired.pointee.most_bytes = longest
        self.dialect.initialize(to: dialect)
        repaired.pointee.dialect = UnsafePointer(self.dialect)
    }

    deinit {
        assay_repaired_free(repaired)
        dialect.deallocate()
        release(nulls)
    }

    private static let purpose = "the repairs of a thread"

    /// Begins a slice: the repaired values of the one before are written over.
    func begin() {
        assay_repaired_begin(repaired)
        roomUsed = 0
        keptCount = 0
    }

    /// Repairs a column of the slice.
    ///
    /// - Parameters:
    ///   - index: the place of the column in the bound schema.
    ///   - cells: of its rows; they are written anew if any value changes.
    ///   - broken: rows that are not looked at.
    ///   - nulls: rows without a value, if the column has none of its own.
    /// - Returns: where the cells lie now, until the next `begin`.
    func repair(
        _ gathered: GatheredCells, _ column: BoundSchema.Column, _ index: Int,
        _ cells: UnsafeMutablePointer<assay_cell>, _ rows: Int, _ broken: UnsafePointer<UInt64>,
        _ nulls: UnsafePointer<UInt64>?
    ) -> GatheredCells {
        unsettledCount = 0
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
        unsettledCount = repaired.pointee.unsettled_count
        guard count > 0, status == .ASSAY_OK, let bytes else { return gathered }
        if keptCount == kept.count { kept.append(RepairedColumn()) }
        kept[keptCount].keep(
            index, column.position, bytes, cells, rows, nulls: lent == nil ? nil : UnsafePointer(self.nulls),
            repaired.pointee)
        keptCount += 1
        return GatheredCells(
            bytes: bytes, nulls: lent == nil ? nil : UnsafePointer(self.nulls), wrongTypes: gathered.wrongTypes,
            nullTexts: gathered.nullTexts, nullValues: gathered.nullValues, kinds: gathered.kinds)
    }

    /// The cells of a column of the slice as they were judged; `nil`: none of its values changed. Valid until the next `begin`, as
    /// long as nobody writes over the room that the column was gathered with.
    package func cells(at position: Int) -> RepairedColumn? { kept[..<keptCount].first { $0.position == position } }

    /// The columns of the slice in which a value changed, in the order in which they were judged. Valid as long as their cells.
    package var repairedColumns: ArraySlice<RepairedColumn> { kept[..<keptCount] }
}
