package import CAssay

/// Repairs the values of one column slice by slice, where nobody judges them. One user at a time.
package final class SliceRepairer {
    private let repairs: CompiledRepairs
    private let scratch: Scratch
    private let repaired: UnsafeMutablePointer<assay_repaired>

    /// - Parameters:
    ///   - limits: of the matches of patterns.
    ///   - longest: a value that would be longer stays as it came.
    package init(_ repairs: CompiledRepairs, limits: MatchLimits, longest: Int) throws(NoMemoryError) {
        let scratch = try Scratch(limits: limits)
        guard let repaired = assay_repaired_create() else { throw .repairedValues }
        (self.repairs, self.repaired) = (repairs, repaired)
        self.scratch = scratch
        repaired.pointee.most_bytes = longest
    }

    deinit { assay_repaired_free(repaired) }

    /// Rows of the latest slice whose value changed, and for each of them which repairs did it: bit i for repair i.
    package var changed: UnsafePointer<UInt64> { UnsafePointer(repaired.pointee.changed) }
    package var causes: UnsafePointer<UInt32> { UnsafePointer(repaired.pointee.causes) }

    /// Values of the latest slice that their repairs would change a second time: they stay as they came.
    package var unsettledCount: Int { repaired.pointee.unsettled_count }
    package var unsettled: UnsafePointer<UInt64> { UnsafePointer(repaired.pointee.unsettled) }

    /// Repairs a slice.
    ///
    /// - Parameters:
    ///   - bytes: well-formed UTF-8, with 15 readable bytes before the first cell.
    ///   - cells: the values; if any changes, those of all rows that are not skipped are written anew.
    ///   - skip: rows that are not looked at.
    ///   - nulls: rows without a value; a default takes its rows out.
    /// - Returns: what the cells are counted from until the next call; `nil`: nothing changed.
    package func repair(
        _ bytes: UnsafePointer<UInt8>, _ cells: UnsafeMutablePointer<assay_cell>, rows: Int,
        skip: UnsafePointer<UInt64>, nulls: UnsafeMutablePointer<UInt64>
    ) throws(NoMemoryError) -> UnsafePointer<UInt8>? {
        assay_repaired_begin(repaired)
        var bytes: UnsafePointer<UInt8>? = bytes
        var count = 0
        let status = assay_repairs_column(
            repairs.handle, repaired, scratch.handle, &bytes, cells, rows, skip, nil, nulls, nil, &count)
        if status != .ASSAY_OK { throw .repairedValues }
        return count > 0 ? bytes : nil
    }
}
