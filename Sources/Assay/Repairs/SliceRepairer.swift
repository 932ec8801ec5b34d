package import CAssay

/// A worker that repairs the values of one column slice by slice, without checking them. For one user at a time.
package final class SliceRepairer {
    private let repairs: CompiledRepairs
    private let scratch: Scratch
    private let repaired: UnsafeMutablePointer<assay_repaired>

    /// - Parameters:
    ///   - limits: The match limits of patterns.
    ///   - longest: The maximum length of a repaired value, in bytes. A value stays unchanged if it would be longer.
    package init(_ repairs: CompiledRepairs, limits: MatchLimits, longest: Int) throws(NoMemoryError) {
        let scratch = try Scratch(limits: limits)
        guard let repaired = assay_repaired_create() else { throw .repairedValues }
        (self.repairs, self.repaired) = (repairs, repaired)
        self.scratch = scratch
        repaired.pointee.max_bytes = longest
    }

    deinit { assay_repaired_free(repaired) }

    /// The rows of the latest slice with changed values, and for each of those rows its causes: bit i for repair i.
    package var changed: UnsafePointer<UInt64> { UnsafePointer(repaired.pointee.changed) }
    package var causes: UnsafePointer<UInt32> { UnsafePointer(repaired.pointee.causes) }

    /// The number of values in the latest slice that a second run of the repairs would change. They stay unchanged.
    package var unsettledCount: Int { repaired.pointee.unsettled_count }
    package var unsettled: UnsafePointer<UInt64> { UnsafePointer(repaired.pointee.unsettled) }

    /// Repairs a slice.
    ///
    /// - Parameters:
    ///   - bytes: Well-formed UTF-8, with 15 readable bytes before the first cell.
    ///   - cells: The values. If any value changes, the cells of all rows that are not skipped are rewritten.
    ///   - skip: The rows to skip.
    ///   - nulls: The rows without a value. A default repair clears the bits of its rows.
    /// - Returns: The base of the cells until the next call; `nil` if all values stay unchanged.
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
