package import CAssay

/// A worker that repairs the columns of a table slice by slice. It keeps the changed columns until the next slice.
///
/// Its memory grows with the changed values. For one user at a time.
package final class ColumnRepairer {
    private let repaired: UnsafeMutablePointer<assay_repaired>
    /// The scratch of the evaluator, which must outlive this object.
    private let scratch: OpaquePointer
    /// The number of bytes of the room behind the cells that this slice uses.
    private var roomUsed = 0
    /// The rows without a value in the column that was repaired last.
    private let nulls: UnsafeMutablePointer<UInt64>

    /// The columns of the slice with changed values, in evaluation order.
    private var kept: [RepairedColumn] = []
    private var keptCount = 0
    // SAFETY: this object owns the memory, which `repaired` points to.
    private let dialect = UnsafeMutablePointer<assay_dialect>.allocate(capacity: 1)

    /// The number of values in the last repaired column that a second run of the repairs would change. They stay
    /// unchanged.
    private(set) var unsettledCount = 0
    /// The error if memory ran out. The verdicts and changes of the slice are then incomplete.
    package private(set) var failure: NoMemoryError?

    /// - Parameter scratch: Must outlive the repairer.
    static func make(_ schema: BoundSchema, scratch: OpaquePointer) throws(NoMemoryError) -> ColumnRepairer? {
        schema.hasRepairs ? try ColumnRepairer(scratch: scratch) : nil
    }

    init(scratch: OpaquePointer) throws(NoMemoryError) {
        nulls = try reserve(SchemaEvaluator.sliceRows / 64, for: Self.purpose)
        guard let repaired = assay_repaired_create() else {
            release(nulls)
            throw NoMemoryError(for: Self.purpose)
        }
        self.repaired = repaired
        self.scratch = scratch
    }

    /// Leaves values unchanged if their repaired form cannot be written in this dialect, or is longer than `longest`
    /// bytes.
    package func leaveWhatCannotBeWritten(as dialect: assay_dialect, longest: Int) {
        repaired.pointee.max_bytes = longest
        self.dialect.initialize(to: dialect)
        repaired.pointee.dialect = UnsafePointer(self.dialect)
    }

    deinit {
        assay_repaired_free(repaired)
        dialect.deallocate()
        release(nulls)
    }

    private static let purpose = "the repairs of a thread"

    /// Starts a slice and overwrites the repaired values of the previous one.
    func begin() {
        assay_repaired_begin(repaired)
        roomUsed = 0
        keptCount = 0
    }

    /// Repairs a column of the slice.
    ///
    /// - Parameters:
    ///   - index: The index of the column in the bound schema.
    ///   - cells: The cells of its rows, which are rewritten if any value changes.
    ///   - broken: The rows to skip.
    ///   - nulls: The rows without a value, if `gathered` has no nulls.
    /// - Returns: The cells with their new base, valid until the next `begin`.
    func repair(
        _ gathered: GatheredCells, _ column: BoundSchema.Column, _ index: Int,
        _ cells: UnsafeMutablePointer<assay_cell>, _ rows: Int, _ broken: UnsafePointer<UInt64>,
        _ nulls: UnsafePointer<UInt64>?
    ) -> GatheredCells {
        unsettledCount = 0
        guard let repairs = column.field.repairs else { return gathered }
        var bytes: UnsafePointer<UInt8>? = gathered.bytes
        var count = 0
        let borrowed = gathered.nulls ?? nulls
        if let borrowed { self.nulls.update(from: borrowed, count: maskWords(rows)) }
        let free = max(0, (gathered.room?.count ?? 0) - roomUsed)
        var room = assay_repair_room(bytes: gathered.room?.baseAddress.map { $0 + roomUsed }, count: free)
        repaired.pointee.is_first = column.position == 0
        repaired.pointee.literals = column.field.literals
        let status = assay_repairs_column(
            repairs.handle, repaired, scratch, &bytes, cells, rows, broken, gathered.unrepaired ?? gathered.wrongTypes,
            borrowed == nil ? nil : self.nulls, &room, &count)
        roomUsed += free - room.count
        if status != .ASSAY_OK { failure = .repairedValues }
        unsettledCount = repaired.pointee.unsettled_count
        guard count > 0, status == .ASSAY_OK, let bytes else { return gathered }
        if keptCount == kept.count { kept.append(RepairedColumn()) }
        kept[keptCount].keep(
            index, column.position, bytes, cells, rows, nulls: borrowed == nil ? nil : UnsafePointer(self.nulls),
            repaired.pointee)
        keptCount += 1
        return GatheredCells(
            bytes: bytes, nulls: borrowed == nil ? nil : UnsafePointer(self.nulls), wrongTypes: gathered.wrongTypes,
            nullTexts: gathered.nullTexts, nullValues: gathered.nullValues, kinds: gathered.kinds)
    }

    /// The checked cells of a column of the slice; `nil` if none of its values changed. Valid until the next `begin`,
    /// unless the room that the column was gathered with is overwritten.
    package func cells(at position: Int) -> RepairedColumn? { kept[..<keptCount].first { $0.position == position } }

    /// The columns of the slice with changed values, in evaluation order. Valid as long as their cells.
    package var repairedColumns: ArraySlice<RepairedColumn> { kept[..<keptCount] }
}
