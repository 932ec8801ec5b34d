internal import Assay
internal import CAssay

// Values inside their views, or in buffers.
extension SliceCells {
    /// Loads views in the common layout: each text is inside its view or in the same buffer. Returns `false` for other
    /// layouts, after writing only `cells`.
    mutating func loadNear(
        _ views: UnsafePointer<StringView>, _ buffers: ViewBuffers, _ rows: Range<Int>, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let slice = views + rows.lowerBound
        func isLong(_ row: Int) -> Bool { slice[row].length > StringView.inline }
        // Three samples usually determine the buffer, or that all texts are inline.
        let samples = [0, rows.count / 2, rows.count - 1]
        if let long = samples.first(where: isLong) {
            return loadNear(slice, buffers, slice[long].buffer, rows, longest, cells)
        }
        if loadNear(slice, buffers, nil, rows, longest, cells) { return true }
        guard let long = (0..<rows.count).first(where: isLong) else { return false }
        return loadNear(slice, buffers, slice[long].buffer, rows, longest, cells)
    }

    /// - Parameter buffer: the only buffer that views may refer to; `nil` if they may not refer to any.
    private mutating func loadNear(
        _ slice: UnsafePointer<StringView>, _ buffers: ViewBuffers, _ buffer: Int32?, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let own = ViewBuffers.addresses(
            UnsafeRawBufferPointer(start: slice, count: rows.count * MemoryLayout<StringView>.stride))
        var (start, size) = (own.lowerBound, 0)
        if let buffer {
            guard buffer >= 0, buffer < buffers.bases.count else { return false }
            (start, size) = (buffers.addresses[Int(buffer)], buffers.limits[Int(buffer)])
        }
        let borrowed = size > 0 ? start..<start + UInt(size) : nil
        guard let reach = buffers.reach ?? ViewBuffers.Reach(texts: borrowed, views: own) else { return false }
        let origin = UInt(bitPattern: reach.base)
        // Texts in the first 16 bytes of a buffer take the general path, because the core may read bytes before a text.
        var source = assay_view_source(
            views_start: UInt32(truncatingIfNeeded: own.lowerBound &- origin),
            buffer_start: UInt32(truncatingIfNeeded: start &- origin),
            buffer: buffer ?? 0, begin: 16, end: UInt32(clamping: size), longest: UInt32(clamping: longest))
        var texts = assay_view_texts()
        guard assay_cells_from_views(slice, rows.count, &source, cells, &texts),
            reach.hasViews || texts.inline_count == 0
        else { return false }
        groups.append(Group(base: reach.base, rows: .rest))
        mayHaveEmpty = texts.shortest == 0
        // Long values are usually contiguous, so one pass over the bytes from the first to the last can check them.
        let (place, span) = (start &- origin &+ UInt(texts.buffer_begin), Int(texts.buffer_end - texts.buffer_begin))
        let isPlain =
            texts.inline_bits & 0x8080_8080 == 0 && span <= 2 * Int(texts.buffer_bytes)
            && (span == 0 || assay_bytes_are_ascii(reach.base + Int(place), span))
        if !isPlain { lookAtEach(rows.count, reach.base, reach.base, longest, cells) }
        for word in 0..<maskWords(rows.count) where nulls[word] != 0 {
            forEachBit(in: nulls[word]) { cells[64 * word + $0] = assay_cell(start: 0, length: 0) }
        }
        // Copy the first inline text of the column, because the bytes before the first view may not be readable: see
        // below.
        let first = cells[0]
        if rows.lowerBound == 0 && slice[0].length <= StringView.inline && first.length > 0 {
            copy(reach.base + Int(first.start), Int(first.length), 0, cells)
        }
        return true
    }

    /// Empties the cells of values that cannot be checked. Values inside their views have another base.
    private mutating func lookAtEach(
        _ rows: Int, _ base: UnsafePointer<UInt8>, _ inlineBase: UnsafePointer<UInt8>, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        for row in 0..<rows where !isNull(row) {
            // Prefetch, because values that are scattered in memory, as after a sort or a join, would each cause a
            // cache miss.
            let ahead = min(row + Self.ahead, rows - 1)
            assay_bytes_prefetch(base + Int(cells[ahead].start))
            let count = Int(cells[row].length)
            let value = (count <= StringView.inline ? inlineBase : base) + Int(cells[row].start)
            if count <= longest && isASCII(value, count) || look(row, value, count, longest) { continue }
            cells[row] = assay_cell(start: 0, length: 0)
        }
    }

    mutating func load(
        _ views: UnsafePointer<StringView>, _ buffers: ViewBuffers, _ rows: Range<Int>, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        let slice = views + rows.lowerBound
        guard let reach = buffers.reach ?? self.reach(slice, buffers, rows.count) else {
            return loadFar(slice, buffers.bases, rows.count, longest, cells)
        }
        let base = reach.base
        let origin = UInt(bitPattern: base)
        let inlineBase = reach.hasViews ? base : UnsafeRawPointer(slice).assumingMemoryBound(to: UInt8.self)
        let first = UInt32(truncatingIfNeeded: UnsafeRawPointer(slice) - UnsafeRawPointer(inlineBase)) + 4
        let limit = Int32(clamping: longest)
        let hasNulls = self.hasNulls(rows.count)
        var signs: Int32 = 0
        var inlineBytes: UInt32 = 0
        // The range and total size of the long values, and whether they are in one buffer.
        var (lowest, highest, total, inlineRows) = (UInt32.max, UInt32(0), 0, 0)
        var (allBuffers, anyBuffer) = (Int32(-1), Int32(0))
        var minOffset = Int32.max
        buffers.addresses.withUnsafeBufferPointer { addresses in
            for row in 0..<rows.count {
                if hasNulls && isNull(row) {
                    cells[row] = assay_cell(start: 0, length: 0)
                    continue
                }
                // Selections instead of branches, because inline and out-of-line strings alternate unpredictably.
                let view = slice[row]
                let isInline = view.length <= StringView.inline
                let buffer = isInline ? 0 : view.buffer
                let far =
                    UInt32(truncatingIfNeeded: addresses[Int(buffer)] &- origin) &+ UInt32(bitPattern: view.offset)
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
                minOffset = min(minOffset, isInline ? .max : view.offset)
            }
        }
        let isOneGroup = reach.hasViews || inlineRows == 0 || total == 0
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
        // Values are usually contiguous, so one pass over the bytes from the first to the last can check them.
        let span = highest > lowest ? Int(highest - lowest) : 0
        let isDense = span == 0 || allBuffers == anyBuffer && span <= 2 * total
        let isPlain =
            signs >= 0 && inlineBytes & 0x8080_8080 == 0 && isDense && assay_bytes_are_ascii(base + Int(lowest), span)
        if !isPlain { lookAtEach(rows.count, base, inlineBase, longest, cells) }
        // The core may read up to 15 bytes before a value, but the bytes before a buffer belong to others. Copy the few
        // values at the start of a buffer.
        guard rows.lowerBound == 0 || minOffset < 16 else { return }
        for row in 0..<rows.count where cells[row].length > 0 {
            let count = Int(cells[row].length)
            let isInline = count <= StringView.inline
            guard isInline ? rows.lowerBound + row == 0 : slice[row].offset < 16 else { continue }
            copy((isInline ? inlineBase : base) + Int(cells[row].start), count, row, cells)
            long?[row / 64] &= ~(1 << UInt64(row % 64))
        }
    }

    /// The base of the cells of these rows, or `nil` if their buffers are too far apart.
    private func reach(_ slice: UnsafePointer<StringView>, _ buffers: ViewBuffers, _ rows: Int) -> ViewBuffers.Reach? {
        let hasNulls = self.hasNulls(rows)
        var (lowest, highest) = (UInt.max, UInt(0))
        buffers.addresses.withUnsafeBufferPointer { addresses in
            for row in 0..<rows {
                let view = slice[row]
                let isFar = view.length > StringView.inline && !(hasNulls && isNull(row))
                let start = addresses[isFar ? Int(view.buffer) : 0]
                lowest = min(lowest, isFar ? start : .max)
                highest = max(highest, isFar ? start + UInt(view.offset) + UInt(view.length) : 0)
            }
        }
        let views = UnsafeRawBufferPointer(start: slice, count: rows * MemoryLayout<StringView>.stride)
        return ViewBuffers.Reach(
            texts: lowest < highest ? lowest..<highest : nil, views: ViewBuffers.addresses(views))
    }

    private func hasNulls(_ rows: Int) -> Bool { (0..<maskWords(rows)).contains { nulls[$0] != 0 } }

    /// Loads views by copying their texts, which are too far apart for a common base.
    private mutating func loadFar(
        _ slice: UnsafePointer<StringView>, _ buffers: [UnsafePointer<UInt8>], _ rows: Int, _ longest: Int,
        _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        func value(_ row: Int) -> UnsafePointer<UInt8> {
            if slice[row].length > StringView.inline { return buffers[Int(slice[row].buffer)] + Int(slice[row].offset) }
            return UnsafeRawPointer(slice + row).assumingMemoryBound(to: UInt8.self) + 4
        }
        groups.append(Group(base: nil, rows: .rest))
        for row in 0..<rows {
            cells[row] = assay_cell(start: 0, length: 0)
            let ahead = min(row + Self.ahead, rows - 1)
            if !isNull(ahead) { assay_bytes_prefetch(value(ahead)) }
            if isNull(row) { continue }
            let (value, count) = (value(row), Int(slice[row].length))
            if count <= longest && isASCII(value, count) || look(row, value, count, longest) {
                pack(value, count, row, cells)
            }
        }
    }

    /// The number of rows to prefetch ahead.
    private static var ahead: Int { 16 }
}

extension StringView {
    /// The bytes of an inline text, combined by OR. Arrow requires that the bytes after the text are zero; if they are
    /// not, the text can seem to contain a byte that it does not have.
    fileprivate var bytes: UInt32 { prefix | UInt32(bitPattern: buffer | offset) }
}
