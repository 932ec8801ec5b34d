package import CAssay

/// A hasher of keys for tables in which each column is checked separately. Used by one worker.
package final class RowKeyHasher {
    private let hashes: UnsafeMutablePointer<assay_key_hash>
    private let near: UnsafeMutablePointer<UInt64>

    package init() throws(NoMemoryError) {
        let near: UnsafeMutablePointer<UInt64> = try reserve(
            maskWords(SchemaJudge.sliceRows), for: "the keys of a thread")
        do throws(NoMemoryError) {
            hashes = try reserve(SchemaJudge.sliceRows, for: "the keys of a thread")
        } catch {
            release(near)
            throw error
        }
        self.near = near
    }

    deinit {
        release(hashes)
        release(near)
    }

    /// Hashes a key for the rows of a mask.
    ///
    /// - Parameters:
    ///   - wanted: The rows. Rows with a missing part of the key are removed.
    ///   - column: The values of a part; `nil` if the table lacks the column.
    /// - Returns: The hashes, which are defined for rows that remain in `wanted`. Valid until the next call.
    package func hash(
        _ key: CompiledKey, seed: assay_key_hash, rows: Int, wanted: UnsafeMutablePointer<UInt64>,
        column: (_ part: Int) -> KeptColumn?
    ) -> UnsafePointer<assay_key_hash> {
        hashes.update(repeating: seed, count: rows)
        for (number, part) in key.parts.enumerated() {
            guard let column = column(number) else {
                wanted.update(repeating: 0, count: maskWords(rows))
                break
            }
            for word in 0..<maskWords(rows) {
                wanted[word] &= ~column.missing[word]
                near[word] = wanted[word]
            }
            for far in column.far { near[far.row / 64] &= ~(1 << UInt64(far.row % 64)) }
            assay_key_mix(part.type?.handle, column.bytes, column.cells, near, rows, hashes)
            for far in column.far where wanted[far.row / 64] >> UInt64(far.row % 64) & 1 != 0 {
                var (cell, one) = (assay_cell(start: 0, length: UInt32(far.value.count)), UInt64(1))
                assay_key_mix(part.type?.handle, far.value.baseAddress, &cell, &one, 1, hashes + far.row)
            }
        }
        return UnsafePointer(hashes)
    }
}
