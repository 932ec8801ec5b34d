internal import Assay
internal import CAssay

// Values that are inside their view, or where it says.
extension SliceCells {
    /// Views of which each has its text inside, as columns of short values have. `false`: they are not, and nothing was done.
    mutating func loadInline(
        _ views: UnsafePointer<StringView>, _ rows: Range<Int>, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let slice = views + rows.lowerBound
        let limit = Int32(min(longest, StringView.inline))
        var (signs, seen) = (Int32(0), UInt32(0))
        for row in 0..<rows.count {
            signs |= slice[row].length | (limit &- slice[row].length)
            seen |= slice[row].bytes
        }
        if signs < 0 { return false }
        let base = UnsafeRawPointer(slice).assumingMemoryBound(to: UInt8.self)
        groups.append(Group(base: base, rows: .rest))
        for row in 0..<rows.count {
            let start = UInt32(truncatingIfNeeded: row * MemoryLayout<StringView>.stride + 4)
            cells[row] = assay_cell(start: start, length: UInt32(bitPattern: slice[row].length))
        }
        for word in 0..<maskWords(rows.count) where nulls[word] != 0 {
            forEachBit(in: nulls[word]) { cells[64 * word + $0] = assay_cell(start: 0, length: 0) }
        }
        if seen & 0x8080_8080 != 0 {
            for row in 0..<rows.count { look(row, base + Int(cells[row].start), Int(cells[row].length), longest) }
        }
        // What stands before the first view is nobody's to read: see below.
        if rows.lowerBound == 0 && cells[0].length > 0 { copy(base + 4, Int(cells[0].length), 0, cells) }
        return true
    }

    mutating func load(
        _ views: UnsafePointer<StringView>, _ buffers: ViewBuffers, _ rows: Range<Int>, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        guard let base = buffers.base else { return loadFar(views, buffers.bases, rows, longest, cells) }
        let slice = views + rows.lowerBound
        let inlineBase = buffers.reachesViews ? base : UnsafeRawPointer(slice).assumingMemoryBound(to: UInt8.self)
        let first = UInt32(truncatingIfNeeded: UnsafeRawPointer(slice) - UnsafeRawPointer(inlineBase)) + 4
        let limit = Int32(clamping: longest)
        let hasNulls = (0..<maskWords(rows.count)).contains { nulls[$0] != 0 }
        var signs: Int32 = 0
        var inlineBytes: UInt32 = 0
        // The bytes that the long values lie between, how many are theirs, and whether they lie in one buffer.
        var (lowest, highest, total, inlineRows) = (UInt32.max, UInt32(0), 0, 0)
        var (allBuffers, anyBuffer) = (Int32(-1), Int32(0))
        var leastOffset = Int32.max
        buffers.starts.withUnsafeBufferPointer { starts in
            for row in 0..<rows.count {
                if hasNulls && isNull(row) {
                    cells[row] = assay_cell(start: 0, length: 0)
                    continue
                }
                // Choices rather than branches: whether a value is inline cannot be foretold.
                let view = slice[row]
                let isInline = view.length <= StringView.inline
                let buffer = isInline ? 0 : view.buffer
                let far = starts[Int(buffer)] &+ UInt32(bitPattern: view.offset)
                let start = isInline ? first &+ UInt32(truncatingIfNeeded: 16 * row) : far
                let length = UInt32(bitPattern: view.length)
                cells[row] = assay_cell(start: start, length: length)
                signs |= limit &- view.length
                inlineRows &+= isInline ? 1 : 0
                inlineBytes |= isInline ? view.bytes : 0
                lowest = min(lowest, isInline ? .max : far)
                highest = max(highest, isInline ? 0 : far &+ length)
                total &+= isInline ? 0 : Int(length)
                allBuffers &= isInline ? -1 : view.buffer
                anyBuffer |= buffer
                leastOffset = min(leastOffset, isInline ? .max : view.offset)
            }
        }
        let isOneGroup = buffers.reachesViews || inlineRows == 0 || total == 0
        groups.append(Group(base: total == 0 || !isOneGroup ? inlineBase : base, rows: .rest))
        let long = isOneGroup ? nil : mask(addMask(base))
        if let long {
            for word in 0..<maskWords(rows.count) {
                var bits: UInt64 = 0
                for row in 64 * word..<min(rows.count, 64 * word + 64) {
                    bits |= (slice[row].length > StringView.inline ? 1 : 0) << UInt64(row % 64)
                }
                long[word] = bits & ~nulls[word]
            }
        }
        // Values mostly stand one after the other, so that the bytes between the first and the last can be looked at at once.
        let span = highest > lowest ? Int(highest - lowest) : 0
        let isDense = span == 0 || allBuffers == anyBuffer && span <= 2 * total
        let isPlain =
            signs >= 0 && inlineBytes & 0x8080_8080 == 0 && isDense && assay_bytes_are_ascii(base + Int(lowest), span)
        for row in 0..<rows.count where !isPlain && !isNull(row) {
            let count = Int(cells[row].length)
            let value = (count <= StringView.inline ? inlineBase : base) + Int(cells[row].start)
            if count <= longest && isASCII(value, count) || look(row, value, count, longest) { continue }
            cells[row] = assay_cell(start: 0, length: 0)
        }
        // The core may read up to 15 bytes that stand before a value. Before the first one of a buffer is what nobody lent
        // us: those few are copied.
        guard rows.lowerBound == 0 || leastOffset < 16 else { return }
        for row in 0..<rows.count where cells[row].length > 0 {
            let count = Int(cells[row].length)
            let isInline = count <= StringView.inline
            guard isInline ? rows.lowerBound + row == 0 : slice[row].offset < 16 else { continue }
            copy((isInline ? inlineBase : base) + Int(cells[row].start), count, row, cells)
            long?[row / 64] &= ~(1 << UInt64(row % 64))
        }
    }

    /// Views of buffers that are too far apart to count from one place.
    private mutating func loadFar(
        _ views: UnsafePointer<StringView>, _ buffers: [UnsafePointer<UInt8>], _ rows: Range<Int>, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        let base = UnsafeRawPointer(views + rows.lowerBound).assumingMemoryBound(to: UInt8.self)
        groups.append(Group(base: base, rows: .rest))
        // The rows of each buffer that was met, and of the one before; `nil`: there are too many, and values are copied.
        var masks: [Int32: Int] = [:]
        var (last, lastRows) = (Int32(-1), UnsafeMutablePointer<UInt64>?.none)
        let nulls = nulls
        for row in 0..<rows.count {
            let view = views[rows.lowerBound + row]
            let count = Int(view.length)
            let bit = UInt64(1) << UInt64(row % 64)
            cells[row] = assay_cell(start: 0, length: 0)
            if nulls[row / 64] & bit != 0 { continue }
            if count <= StringView.inline {
                let start = row * MemoryLayout<StringView>.stride + 4
                if view.isInlineASCII && count <= longest || look(row, base + start, count, longest) {
                    cells[row] = assay_cell(start: UInt32(start), length: UInt32(count))
                }
                continue
            }
            let value = buffers[Int(view.buffer)] + Int(view.offset)
            guard count <= longest && isASCII(value, count) || look(row, value, count, longest) else { continue }
            if view.buffer != last {
                if masks[view.buffer] == nil && masks.count < Self.mostBuffers {
                    masks[view.buffer] = addMask(buffers[Int(view.buffer)])
                }
                (last, lastRows) = (view.buffer, masks[view.buffer].map { mask($0) })
            }
            if let lastRows {
                cells[row] = assay_cell(start: UInt32(view.offset), length: UInt32(count))
                lastRows[row / 64] |= bit
            } else {
                copy(value, count, row, cells)
            }
        }
    }
}

extension StringView {
    /// The bytes of an inline text on top of each other. What follows the text is zero, or else more is found than there is.
    fileprivate var bytes: UInt32 { prefix | UInt32(bitPattern: buffer) | UInt32(bitPattern: offset) }

    fileprivate var isInlineASCII: Bool { bytes & 0x8080_8080 == 0 }
}
