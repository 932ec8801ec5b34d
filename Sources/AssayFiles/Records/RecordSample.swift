/// Which records of a table are judged, where not all of them are.
///
/// Each record has a number of 64 bits that is as good as random, and depends on the seed and the number of the record alone: those below
/// a bound are in the sample, whoever reads them.
package struct RecordSample: Hashable, Sendable {
    /// How much was asked for.
    package enum Amount: Hashable, Sendable {
        /// Each record with this chance, in a hundred.
        case percent(Double)
        /// So many, or all if there are no more.
        case count(Int)
    }

    package let amount: Amount
    package let seed: UInt64
    /// The numbers below it are in the sample; `nil`: all are.
    private let bound: UInt64?

    /// A share of the records.
    ///
    /// - Parameter percent: from 0 to 100.
    package init(percent: Double, seed: UInt64) {
        (amount, self.seed) = (.percent(percent), seed)
        bound = percent >= 100 ? nil : UInt64(percent / 100 * 0x1p64)
    }

    /// So many of a known number of records: those with the smallest numbers.
    ///
    /// - Complexity: O(records), and memory for some times the square root of `count`.
    package init(count: Int, of records: Int, seed: UInt64) {
        (amount, self.seed) = (.count(count), seed)
        bound = count >= records ? nil : Self.bound(for: count, of: records, seed: seed)
    }

    /// Whether a record is in the sample.
    ///
    /// - Parameter record: its number, from 1.
    @inline(__always)
    func contains(_ record: Int) -> Bool { bound.map { Self.number(of: record, seed) < $0 } ?? true }

    /// Source: SplitMix64, https://doi.org/10.1145/2714064.2660195
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

    /// The number that exactly so many records are below. It is looked for where it is likely, and else everywhere.
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
