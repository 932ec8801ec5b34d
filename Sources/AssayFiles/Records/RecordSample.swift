/// The selection of records for a run on a part of a table.
///
/// Each record has a pseudorandom 64-bit number that depends only on the seed and the record's number. Records with
/// numbers below a bound are in the sample, independently of the threads that read them.
package struct RecordSample: Hashable, Sendable {
    /// The requested size.
    package enum Amount: Hashable, Sendable {
        /// The percentage of records. Each record has this probability.
        case percent(Double)
        /// The number of records, or all if there are fewer.
        case count(Int)
    }

    package let amount: Amount
    package let seed: UInt64
    /// The bound of numbers in the sample; `nil` if all records are.
    private let bound: UInt64?

    /// A sample with a share of the records.
    ///
    /// - Parameter percent: From 0 to 100.
    package init(percent: Double, seed: UInt64) {
        (amount, self.seed) = (.percent(percent), seed)
        bound = percent >= 100 ? nil : UInt64(percent / 100 * 0x1p64)
    }

    /// A sample of `count` records from a known number of records: those with the smallest numbers.
    ///
    /// - Complexity: O(records), with memory for a multiple of the square root of `count`.
    package init(count: Int, of records: Int, seed: UInt64) {
        (amount, self.seed) = (.count(count), seed)
        bound = count >= records ? nil : Self.bound(for: count, of: records, seed: seed)
    }

    /// Whether a record is in the sample.
    ///
    /// - Parameter record: The number of the record, from 1.
    @inline(__always)
    func contains(_ record: Int) -> Bool { bound.map { Self.number(of: record, seed) < $0 } ?? true }

    /// The pseudorandom number of a record. Source: SplitMix64, https://doi.org/10.1145/2714064.2660195
    @inline(__always)
    static func number(of record: Int, _ seed: UInt64) -> UInt64 {
        mix(mix(seed) &+ UInt64(truncatingIfNeeded: record) &* 0x9E37_79B9_7F4A_7C15)
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// The number that exactly `count` records are below. It is searched in its probable range, and then in the full
    /// range.
    private static func bound(for count: Int, of records: Int, seed: UInt64) -> UInt64 {
        let share = Double(count) / Double(records)
        let doubt = 8 * (share * (1 - share) / Double(records)).squareRoot() + 1 / Double(records)
        for (low, high) in [(share - doubt, share + doubt), (0, 1)] {
            let from = low <= 0 ? 0 : UInt64(low * 0x1p64)
            let to = high >= 1 ? UInt64.max : UInt64(high * 0x1p64)
            var below = 0
            var near: [UInt64] = []
            for record in 1...records {
                let number = number(of: record, seed)
                if number < from { below += 1 } else if number <= to { near.append(number) }
            }
            let index = count - below
            if near.indices.contains(index) { return near.sorted()[index] }
        }
        return .max
    }
}
