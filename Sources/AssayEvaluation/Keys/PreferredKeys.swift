package import Assay
internal import CAssay
internal import CAssaySystem

/// The keys of records that are decided after the last record, because a later record may be preferred (`keep: last`,
/// `{max: COLUMN}`, `{min: COLUMN}`). In memory.
///
///     record   id   updated        keep: {max: updated} visits 3, 1, 2, 4: a record with a value comes before one
///     1        7    10:00          without. 3 gets 7, 1 is refused, 2 gets 8, and 4 is refused.
///     2        8    ·
///     3        7    12:00
///     4        8    ·
///
/// A record gets its keys only if all are free. A refused record leaves its other keys free for less preferred records.
package struct PreferredKeys: Sendable {
    private var records: [Record] = []
    private var claims: [(hash: assay_key_hash, column: UInt32)] = []
    /// The order keys of the records.
    private var text: [UInt8] = []

    private struct Record {
        let number: UInt64
        let firstClaim: Int
        /// The order key in `text`; empty if the record has no value.
        let orderKey: Range<Int>
    }

    /// A key of a refused record that another record holds.
    package struct Refusal {
        package let record: UInt64
        package let column: Int
        package let holder: UInt64
    }

    package init() {}

    /// Adds the undecided rows, which follow all rows that have been added.
    package mutating func add(_ rows: RowKeys) {
        var next = 0
        let (before, unique) = (text.count, rows.columns.uniqueCount)
        text += rows.preferences.text
        for row in 0..<rows.rows {
            let firstClaim = claims.count
            for column in 0..<unique {
                let claim = rows.claims[row * rows.each + column]
                if claim.record != 0 { claims.append((claim.hash, UInt32(column))) }
            }
            while let other = rows.preferences.row(of: next), other < row { next += 1 }
            if claims.count == firstClaim { continue }
            var orderKey = 0..<0
            if rows.preferences.row(of: next) == row {
                let range = rows.preferences.range(of: next)
                orderKey = before + range.lowerBound..<before + range.upperBound
            }
            records.append(Record(number: rows.records[row], firstClaim: firstClaim, orderKey: orderKey))
        }
    }

    /// Adds the rows of a table that follows.
    package mutating func add(_ other: PreferredKeys) {
        let (claim, byte) = (claims.count, text.count)
        claims += other.claims
        text += other.text
        for record in other.records {
            let range = record.orderKey
            records.append(
                Record(
                    number: record.number, firstClaim: claim + record.firstClaim,
                    orderKey: byte + range.lowerBound..<byte + range.upperBound))
        }
    }

    /// The memory of the records until they have been decided, in bytes.
    package var bytes: Int {
        records.count * (MemoryLayout<Record>.stride + MemoryLayout<Int>.stride)
            + claims.count * (24 + MemoryLayout<Refusal>.stride) + text.count
    }

    /// Decides the records. Returns `nil` if their keys do not fit in memory.
    ///
    /// - Parameters:
    ///   - keep: The preference.
    ///   - memory: The maximum memory for the keys, in bytes.
    package func refusals(_ keep: DuplicatePolicy, memory: Int) throws(NoMemoryError) -> [Refusal]? {
        let set = try KeySet(memory: memory)
        set.reserve(claims.count)
        var refusals: [Refusal] = []
        for index in order(keep) {
            let number = records[index].number
            let end = index + 1 < records.count ? records[index + 1].firstClaim : claims.count
            let own = claims[records[index].firstClaim..<end]
            let refused = refusals.count
            for claim in own {
                guard let held = set.find(claim.hash) else { continue }
                refusals.append(Refusal(record: number, column: Int(claim.column), holder: held.record))
            }
            if refusals.count > refused { continue }
            for claim in own where !set.add(assay_key(hash: claim.hash, record: number, place: 0)) { return nil }
        }
        return refusals
    }

    /// The indices of the records in the order in which they get their keys.
    private func order(_ keep: DuplicatePolicy) -> [Int] {
        if keep == .last { return records.indices.reversed() }
        return text.withUnsafeBufferPointer { text in
            records.indices.sorted { one, other in
                let (left, right) = (records[one].orderKey, records[other].orderKey)
                if left.isEmpty || right.isEmpty {
                    return left.isEmpty == right.isEmpty ? one < other : right.isEmpty
                }
                let order = compareBytes(
                    UnsafeBufferPointer(rebasing: text[left]), UnsafeBufferPointer(rebasing: text[right]))
                return order == 0 ? one < other : order < 0
            }
        }
    }
}

/// Compares two texts byte by byte. The result is negative, zero or positive.
package func compareBytes(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Int {
    let shorter = min(one.count, other.count)
    let difference = shorter == 0 ? 0 : Int(memcmp(one.baseAddress!, other.baseAddress!, shorter))
    return difference == 0 ? one.count - other.count : difference
}
