internal import CAssay

// The comparison of values in a sorted column.

extension CompiledKey {
    private var sort: assay_sort {
        guard let order = sortOrder else { preconditionFailure("the column '\(key.id)' is not sorted") }
        return assay_sort(descending: order.direction == .descending, strict: order.isStrict)
    }

    /// Whether a value may follow another one.
    package func allows(_ later: UnsafeBufferPointer<UInt8>, after earlier: UnsafeBufferPointer<UInt8>) -> Bool {
        assay_sorted_follows(parts[0].type?.handle, sort, assay_text(earlier), assay_text(later))
    }

    /// Returns whether each value from `from` on, at least 1, may follow its predecessor.
    ///
    /// - Parameter ends: The end of each value in `text`.
    package func isSorted(_ text: [UInt8], _ ends: [Int], from: Int) -> Bool {
        assay_sorted_first_break(parts[0].type?.handle, sort, text, ends, from, ends.count) == ends.count
    }
}

extension CompiledKey {
    /// Appends the order key of a value to `keys`: bytes whose order as texts is the order of the values. Values that
    /// cannot be compared have no such key.
    package func appendOrderKey(
        of value: UnsafeBufferPointer<UInt8>, isDescending: Bool, to keys: inout [UInt8]
    ) {
        let room = assay_sorted_key_room(value.count)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { bytes in
            let count = assay_sorted_key(parts[0].type?.handle, isDescending, assay_text(value), bytes.baseAddress!)
            keys.append(contentsOf: bytes[..<count])
        }
    }
}

extension assay_text {
    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes: bytes.baseAddress, count: bytes.count) }
}

extension KeyHasher {
    /// Passes the values of a sorted column to `body` by row, in ascending order. Missing values and values that cannot
    /// be compared, such as NaN, are left out.
    ///
    /// - Parameter selected: The rows. Rows without such a value are removed.
    package func forEachValue(
        _ key: BoundKey, rows: Int, selected: UnsafeMutablePointer<UInt64>, in columns: KeyColumns,
        _ body: (_ row: Int, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard let position = key.positions[0] else { return selected.update(repeating: 0, count: maskWords(rows)) }
        let part = key.key.parts[0]
        let column = column(part.field, position, rows: rows, selected: selected, in: columns)
        let far = Dictionary(uniqueKeysWithValues: column.far.map { ($0.row, $0.value) })
        assay_sorted_take_out_unordered(part.type?.handle, column.bytes, column.cells, rows, selected)
        for word in 0..<maskWords(rows) {
            forEachBit(in: selected[word]) { bit in
                let row = 64 * word + bit
                let cell = column.cells[row]
                let near = UnsafeBufferPointer(start: column.bytes + Int(cell.start), count: Int(cell.length))
                body(row, far.isEmpty ? near : far[row] ?? near)
            }
        }
    }
}
