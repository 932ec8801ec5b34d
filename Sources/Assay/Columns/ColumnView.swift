internal import CAssay

/// The values of one column, as ranges of the bytes that contain them.
///
///     bytes   7,anna@example.org⏎8,bo@example.org⏎
///               ├──────────────┤   ├────────────┤
///     cells     (2, 16)            (21, 14)
///
/// Borrowed: it must not outlive the bytes. Views are only created inside closures that lend the bytes.
///
/// - Precondition: Every cell is well-formed UTF-8 inside the bytes.
struct ColumnView {
    let bytes: UnsafePointer<UInt8>
    let cells: UnsafeBufferPointer<assay_cell>
    /// The kind of each value in JSON, an `assay_json_kind`; `nil` if the values are only texts.
    var kinds: UnsafePointer<UInt8>?

    var count: Int { cells.count }

    /// The bytes of one value.
    func value(_ row: Int) -> UnsafeBufferPointer<UInt8> {
        let cell = cells[row]
        return UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length))
    }
}

/// The two result bits for each row. A row without a bit passed or was skipped.
struct VerdictBits {
    let failed: UnsafeMutablePointer<UInt64>
    let undecided: UnsafeMutablePointer<UInt64>

    /// Marks all rows as passed.
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

/// The number of words with one bit for each row.
@inline(__always)
package func maskWords(_ rows: Int) -> Int { (rows + 63) / 64 }

/// A word with the `rows` lowest bits set; with all bits set from 64 on.
@inline(__always)
package func lowBits(_ rows: Int) -> UInt64 { rows >= 64 ? ~0 : (1 << UInt64(rows)) - 1 }
