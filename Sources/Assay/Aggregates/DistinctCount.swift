internal import CAssay

/// The number of different values, from their hashes: exact up to ``maxExact``, then an estimate. It does not depend on
/// the order of the values.
///
/// The estimate is that of HyperLogLog with 2^14 registers, as in profiles; its standard error is 0.8 %.
final class DistinctCount {
    /// The maximum number of values that are counted exactly.
    static let maxExact = 65_536
    private static let precision: UInt32 = 14

    private var hashes: Set<UInt64> = []
    /// The sketch of more values; `nil` while they are counted exactly.
    // SAFETY: created by this object, freed in `deinit`, and used by one thread at a time.
    private var sketch: OpaquePointer?

    deinit { assay_distinct_free(sketch) }

    func add(_ hash: UInt64) throws(NoMemoryError) {
        if let sketch { return assay_distinct_add(sketch, hash) }
        hashes.insert(hash)
        if hashes.count > Self.maxExact { _ = try estimated() }
    }

    func add(_ other: DistinctCount) throws(NoMemoryError) {
        if let more = other.sketch {
            assay_distinct_merge(try estimated(), more)
        } else {
            for hash in other.hashes { try add(hash) }
        }
    }

    /// The sketch of the values so far.
    private func estimated() throws(NoMemoryError) -> OpaquePointer {
        if let sketch { return sketch }
        guard let made = assay_distinct_create(Self.precision) else {
            throw NoMemoryError(bytes: 1 << Self.precision, for: "the distinct values of a column")
        }
        for hash in hashes { assay_distinct_add(made, hash) }
        hashes = []
        sketch = made
        return made
    }

    var isExact: Bool { sketch == nil }

    /// The number of different values, or the estimate.
    var count: Int { sketch.map { Int(assay_distinct_estimate($0).rounded()) } ?? hashes.count }
}
