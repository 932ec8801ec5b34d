internal import Assay
internal import CAssay

/// A random sample of the records of a table: those with the smallest pseudorandom numbers (``RecordSample``). It does
/// not depend on the threads that read the records.
///
/// It is used for properties that are not counted in all records: unexpected types and shapes, and the most frequent
/// values of a column with very many distinct values.
struct ProfileSample {
    /// One record: the texts of its columns, without missing values.
    struct Row {
        let number: UInt64
        let record: Int
        var bytes: [UInt8] = []
        /// For each column: the end of its text in `bytes`, shifted left by one bit. The lowest bit is 1 if the value
        /// is missing or longer than ``ProfileSample/longestValue``.
        var ends: [UInt32] = []

        init(number: UInt64, record: Int, columns: Int) {
            (self.number, self.record) = (number, record)
            bytes.reserveCapacity(16 * columns)
            ends.reserveCapacity(columns)
        }

        mutating func add(_ value: UnsafeBufferPointer<UInt8>?) {
            if let value { bytes.append(contentsOf: value) }
            ends.append(UInt32(bytes.count) << 1 | (value == nil ? 1 : 0))
        }

        func value(_ column: Int) -> ArraySlice<UInt8>? {
            guard column < ends.count, ends[column] & 1 == 0 else { return nil }
            return bytes[(column == 0 ? 0 : Int(ends[column - 1] >> 1))..<Int(ends[column] >> 1)]
        }
    }

    private(set) var rows: [Row] = []
    /// The maximum number of rows.
    let limit: Int
    private var bound = UInt64.max
    private let seed: UInt64

    /// The maximum length of a kept value, in bytes.
    static let longestValue = 128

    init(columns: Int, seed: UInt64) {
        limit = max(64, min(4096, (1 << 17) / max(1, columns)))
        self.seed = seed
    }

    /// The pseudorandom number of a record, if the record is in the sample so far; otherwise `nil`.
    func number(ofRecord record: Int) -> UInt64? {
        let number = RecordSample.number(of: record, seed)
        return number < bound ? number : nil
    }

    mutating func add(_ row: Row) {
        rows.append(row)
        if rows.count >= 2 * limit { cut() }
    }

    mutating func merge(_ other: ProfileSample) {
        rows += other.rows
        cut()
    }

    /// Keeps the records with the smallest numbers.
    mutating func cut() {
        rows.sort { $0.number < $1.number }
        guard rows.count > limit else { return }
        rows.removeSubrange(limit...)
        bound = rows[limit - 1].number
    }
}
