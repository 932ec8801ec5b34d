internal import Assay
internal import CAssay

/// Two columns that probably identify records together, such as an order and its line.
struct KeyPair: Hashable, Sendable {
    /// The columns, in ascending order.
    let first: Int
    let second: Int

    /// The best pair according to the first records, or `nil`.
    ///
    /// Columns that repeat their values in the first records, but never both values together, are a pair if at least
    /// ten repetitions would be expected of independent columns. Fewer records are no evidence.
    ///
    /// - Parameters:
    ///   - values: The values of the first records, for each column without a missing value there; `nil` for
    ///     other columns.
    ///   - rank: The order of preference of a column.
    init?(_ values: [[[UInt8]]?], rank: (Int) -> Int) {
        let count = values.lazy.compactMap { $0?.count }.max() ?? 0
        let columns = values.indices.filter { values[$0]?.count == count }.prefix(Self.maxColumns).compactMap {
            Column($0, values[$0] ?? [])
        }
        var best: (rank: Int, pair: (Int, Int))?
        for (place, one) in columns.enumerated() {
            for other in columns[(place + 1)...] {
                let chance = Double(count) * Double(count - 1) / 2 * one.equalShare * other.equalShare
                guard chance >= Self.minChance else { continue }
                let order = rank(one.index) + rank(other.index)
                if order >= best?.rank ?? .max { continue }
                if one.isKey(with: other) { best = (order, (one.index, other.index)) }
            }
        }
        guard let best else { return nil }
        (first, second) = best.pair
    }

    private static let maxColumns = 32
    private static let minChance = 10.0

    /// A column that repeats values.
    private struct Column {
        let index: Int
        /// The number of each value, by its first occurrence.
        let numbers: [Int]
        /// The probability that two values are equal.
        let equalShare: Double

        init?(_ index: Int, _ values: [[UInt8]]) {
            var known: [[UInt8]: Int] = [:]
            var counts: [Int] = []
            var numbers: [Int] = []
            for value in values {
                if value.count > 64 { return nil }
                let number = known[value] ?? counts.count
                if number == counts.count {
                    known[value] = number
                    counts.append(0)
                }
                counts[number] += 1
                numbers.append(number)
            }
            if counts.count < 2 || counts.count == values.count { return nil }
            let equal = counts.reduce(0.0) { $0 + Double($1) * Double($1 - 1) }
            (self.index, self.numbers) = (index, numbers)
            equalShare = equal / (Double(values.count) * Double(values.count - 1))
        }

        func isKey(with other: Column) -> Bool {
            var seen: Set<Int> = []
            return zip(numbers, other.numbers).allSatisfy { seen.insert($0 * other.numbers.count + $1).inserted }
        }
    }
}

/// The counts of one worker for a pair of columns.
final class KeyPairCounter {
    // SAFETY: created in `init`, freed in `deinit`, and used by one worker.
    private let handle: OpaquePointer
    let pair: KeyPair
    private var hashes = [UInt64](repeating: 0, count: Slice.maxRows)

    init(_ pair: KeyPair, keys: UInt32) throws(NoMemoryError) {
        var options = assay_profile_options(
            values: 1, shapes: 1, keys: keys, precision: 4, decimal: UInt8(ascii: "."), group: 0, has_no_numbers: true,
            has_no_runs: true)
        guard let handle = assay_profile_create(&options) else { throw Self.noMemory }
        (self.handle, self.pair) = (handle, pair)
    }

    deinit { assay_profile_free(handle) }

    private static let noMemory = NoMemoryError(for: "the likely key of two columns")

    /// Adds the values of a column of a slice. Columns must be added in ascending order.
    func add(_ column: Int, _ values: ProfileCells) throws(NoMemoryError) {
        guard column == pair.first || column == pair.second else { return }
        if column == pair.first { for row in 0..<values.count { hashes[row] = 0 } }
        assay_profile_mix_hashes(values.bytes, values.cells, values.count, values.skip, values.nulls, &hashes)
        guard column == pair.second else { return }
        if assay_profile_add_keys(handle, hashes, values.count, values.skip) != .ASSAY_OK { throw Self.noMemory }
    }

    func merge(_ other: KeyPairCounter) throws(NoMemoryError) {
        if assay_profile_merge(handle, other.handle) != .ASSAY_OK { throw Self.noMemory }
    }

    /// Completes the counts after all values were added.
    func finish() throws(NoMemoryError) {
        if assay_profile_settle(handle) != .ASSAY_OK { throw Self.noMemory }
    }

    /// The number of records that repeat a pair, and whether it is an estimate. The counts must be complete.
    var duplicates: (count: Int, isEstimated: Bool) {
        var counts = assay_profile_counts()
        assay_profile_get_counts(handle, &counts)
        return (Int(counts.duplicates << UInt64(counts.key_share)), counts.key_share > 0)
    }
}
