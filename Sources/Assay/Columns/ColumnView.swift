internal import CAssay

/// The values of one column, as ranges of the bytes they stand in.
///
///     bytes   7,anna@example.org⏎8,bo@example.org⏎
///               ├──────────────┤   ├────────────┤
///     cells     (2, 16)            (21, 14)
///
/// Borrowed: it must not outlive the bytes, and does not, since it is only ever made inside a closure that lends them.
///
/// - Precondition: every cell is well-formed UTF-8 inside the bytes.
struct ColumnView {
    let bytes: UnsafePointer<UInt8>
    let cells: UnsafeBufferPointer<assay_cell>
    /// The kind of each value in JSON, an `assay_json_kind`; `nil`: the values are only texts.
    var kinds: UnsafePointer<UInt8>?

    var count: Int { cells.count }

    /// The bytes of one value.
    func value(_ row: Int) -> UnsafeBufferPointer<UInt8> {
        let cell = cells[row]
        return UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length))
    }
}

/// The two bits that a check writes for each row. A row that has neither passed, or was skipped.
struct VerdictBits {
    let failed: UnsafeMutablePointer<UInt64>
    let undecided: UnsafeMutablePointer<UInt64>

    /// Has all rows pass.
    func clear(rows: Int) {
        failed.update(repeating: 0, count: maskWords(rows))
        undecided.update(repeating: 0, count: maskWords(rows))
    }

    /// Writes the verdict of one row.
    @inline(__always)
    func set(_ row: Int, _ verdict: Verdict) {
        let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
        failed[word] = verdict == .fail ? failed[word] | bit : failed[word] & ~bit
        undecided[word] = verdict == .undecided ? undecided[word] | bit : undecided[word] & ~bit
    }
}

/// The number of words that hold one bit for each row.
@inline(__always)
package func maskWords(_ rows: Int) -> Int { (rows + 63) / 64 }

/// The word with the lowest `rows` bits set; all of them from 64 on.
@inline(__always)
package func lowBits(_ rows: Int) -> UInt64 { rows >= 64 ? ~0 : (1 << UInt64(rows)) - 1 }
