internal import Assay
internal import CAssay

// Contiguous values, each from its offset to the next one.
extension SliceCells {
    mutating func load(
        _ bytes: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Int32>, last: Int32, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let slice = offsets + rows.lowerBound
        guard last >= 0, assay_cells_from_offsets32(slice, rows.count, Int(last), cells, &mayHaveEmpty) else {
            return false
        }
        settle(bytes, Int(slice[0])..<Int(slice[rows.count]), rows.count, longest, cells)
        return true
    }

    mutating func load(
        _ bytes: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Int64>, last: Int64, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let slice = offsets + rows.lowerBound
        let (start, end) = (slice[0], slice[rows.count])
        guard end &- start <= Int32.max else { return loadFar(bytes, offsets, last: last, rows, longest, cells) }
        // An invalid offset sets the sign bit, because the difference of two nonnegative offsets cannot overflow.
        var signs = start | last | (last &- end)
        for row in 0..<rows.count {
            let (from, to) = (slice[row], slice[row + 1])
            cells[row] = assay_cell(
                start: UInt32(truncatingIfNeeded: from &- start), length: UInt32(truncatingIfNeeded: to &- from))
            signs |= to | (to &- from)
        }
        if signs < 0 { return false }
        settle(bytes + Int(start), 0..<Int(end - start), rows.count, longest, cells)
        return true
    }

    /// Examines contiguous values in a part of some bytes.
    private mutating func settle(
        _ bytes: UnsafePointer<UInt8>, _ part: Range<Int>, _ count: Int, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        groups.append(Group(base: bytes, rows: .rest))
        let areShort = part.count <= longest || (0..<count).allSatisfy { cells[$0].length <= longest }
        if !areShort || !areWellFormed(bytes, part, cells, count) {
            for row in 0..<count { look(row, bytes + Int(cells[row].start), Int(cells[row].length), longest) }
        }
        for word in 0..<maskWords(count) where nulls[word] != 0 {
            forEachBit(in: nulls[word]) { cells[64 * word + $0] = assay_cell(start: 0, length: 0) }
        }
    }

    /// Loads a slice of 2 GiB or more: copies short values, and gives each long value its own group.
    private mutating func loadFar(
        _ bytes: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Int64>, last: Int64, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        guard rows.allSatisfy({ 0 <= offsets[$0] && offsets[$0] <= offsets[$0 + 1] && offsets[$0 + 1] <= last }) else {
            return false
        }
        groups.append(Group(base: nil, rows: .rest))
        for row in 0..<rows.count {
            let (from, to) = (Int(offsets[rows.lowerBound + row]), Int(offsets[rows.lowerBound + row + 1]))
            cells[row] = assay_cell(start: 0, length: 0)
            if look(row, bytes + from, to - from, longest) { pack(bytes + from, to - from, row, cells) }
        }
        return true
    }
}

/// Returns whether contiguous values in a part of some bytes are all UTF-8.
private func areWellFormed(
    _ bytes: UnsafePointer<UInt8>, _ part: Range<Int>, _ cells: UnsafePointer<assay_cell>, _ count: Int
) -> Bool {
    let first = bytes + part.lowerBound
    if assay_bytes_are_ascii(first, part.count) { return true }
    if assay_utf8_valid_prefix(first, part.count) != part.count { return false }
    // The whole part can be valid although a value is not, if an offset splits a character.
    return (0..<count).allSatisfy { cells[$0].length == 0 || bytes[Int(cells[$0].start)] & 0xC0 != 0x80 }
}
