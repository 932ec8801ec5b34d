internal import Assay
internal import CAssay

/// The values of one slice of a column as cells, and which rows are judged together: those whose bytes are counted from the
/// same place.
///
///     group 0   base → the bytes of the column          rows 0 1 2 5 …
///     group 1   base → a buffer of long string views    rows 3 4 …
///
/// Nearly always there is one group. Made once for each worker, and filled again for every slice.
struct SliceCells: ~Copyable {
    /// How many bases there may be before short values are copied side by side instead.
    private static let mostBuffers = 4
    /// Values up to this length are copied where they stand all over memory.
    private static let packed = 4096

    /// Rows without a value.
    let nulls: UnsafeMutablePointer<UInt64>
    /// Rows whose value is not UTF-8, and those whose value is longer than the limit. They are in no group.
    let garbled: UnsafeMutablePointer<UInt64>
    let tooLong: UnsafeMutablePointer<UInt64>
    /// Rows that are not in the group under way.
    let closed: UnsafeMutablePointer<UInt64>
    private(set) var groups: [Group] = []
    private var text = TextBuffer()
    private var rows = 0
    private var maskCount = 0
    /// The mask of the copied values, once there is one.
    private var copies: Int?

    struct Group {
        enum Rows {
            /// All that are in no other group.
            case rest
            /// Those whose bit is set in one of the masks.
            case mask(Int)
            /// One long value.
            case one(Int)
        }

        /// `nil`: the copied text.
        var base: UnsafePointer<UInt8>?
        var rows: Rows
    }

    /// Of one mask. A static constant would be looked up for every value.
    private let words = SchemaJudge.sliceRows / 64
    private static let ownMasks = 4

    init() {
        // One mask for each buffer, and one for the copied values.
        nulls = .allocate(capacity: (Self.ownMasks + Self.mostBuffers + 1) * words)
        garbled = nulls + words
        tooLong = nulls + 2 * words
        closed = nulls + 3 * words
    }

    deinit { nulls.deallocate() }

    /// Whether some row has a finding for what it is rather than for what it says.
    private(set) var hasGarbled = false
    private(set) var hasTooLong = false

    /// Whether some value may be the empty text: not where they were counted from offsets, and none was.
    private(set) var mayHaveEmpty = true

    /// Whether the values lie where they can. If not, none was read, and all cells are empty.
    private(set) var areSound = true

    /// Fills `cells` with the values of some rows, once they are seen to be sound.
    ///
    /// - Parameter longest: the most bytes of a value that is judged.
    mutating func load(
        _ column: SourceColumn, rows: Range<Int>, longest: Int, into cells: UnsafeMutablePointer<assay_cell>
    ) {
        let words = maskWords(rows.count)
        self.rows = rows.count
        groups.removeAll(keepingCapacity: true)
        text.removeAll()
        (copies, maskCount) = (nil, 0)
        (hasGarbled, hasTooLong) = (false, false)
        garbled.update(repeating: 0, count: words)
        tooLong.update(repeating: 0, count: words)
        column.nullRows(rows, into: nulls)
        mayHaveEmpty = true
        areSound = load(column, rows, longest, cells)
        if !areSound {
            groups.removeAll()
            loadNothing(rows, cells)
        }
    }

    /// - Returns: whether the values are sound; if not, nothing has been done but to `cells` and `groups`.
    private mutating func load(
        _ column: SourceColumn, _ rows: Range<Int>, _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        switch column.values {
        case .offsets32(let bytes, let offsets):
            return load(bytes, offsets, last: offsets[column.count], rows, longest, cells)
        case .offsets64(let bytes, let offsets):
            return load(bytes, offsets, last: offsets[column.count], rows, longest, cells)
        case .views(let views, let buffers):
            if loadInline(views, rows, longest, cells) { return true }
            guard column.areSound(rows) else { return false }
            load(views, buffers, rows, longest, cells)
        case .pointers(let pointers, let lengths):
            guard column.areSound(rows) else { return false }
            load(pointers, lengths, rows, longest, cells)
        case .written(let writer): load(writer, rows, cells)
        case .nothing, .dictionary: loadNothing(rows, cells)
        }
        return true
    }

    private mutating func loadNothing(_ rows: Range<Int>, _ cells: UnsafeMutablePointer<assay_cell>) {
        cells.update(repeating: assay_cell(start: 0, length: 0), count: rows.count)
        groups.append(Group(base: UnsafePointer(nowhere), rows: .rest))
    }

    /// The rows of a group that has a mask.
    private func mask(_ index: Int) -> UnsafeMutablePointer<UInt64> {
        nulls + (Self.ownMasks + index) * words
    }

    /// Makes `closed` the rows that are not in a group, and lends the bytes that the cells of the group are counted from.
    mutating func open(_ group: Int) -> UnsafePointer<UInt8> {
        let words = maskWords(rows)
        for word in 0..<words { closed[word] = garbled[word] | tooLong[word] }
        switch groups[group].rows {
        case .mask(let index):
            for word in 0..<words { closed[word] |= ~mask(index)[word] }
        case .one(let row):
            for word in 0..<words { closed[word] = ~0 }
            closed[row / 64] = ~(1 << UInt64(row % 64))
        case .rest:
            for other in groups {
                switch other.rows {
                case .mask(let index): for word in 0..<words { closed[word] |= mask(index)[word] }
                case .one(let row): closed[row / 64] |= 1 << UInt64(row % 64)
                case .rest: break
                }
            }
        }
        if rows % 64 != 0 { closed[words - 1] &= lowBits(rows % 64) }
        return groups[group].base ?? UnsafePointer(text.bytes)
    }
}

// How each layout becomes cells.
extension SliceCells {
    private mutating func load(
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

    private mutating func load(
        _ bytes: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Int64>, last: Int64, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let slice = offsets + rows.lowerBound
        let (start, end) = (slice[0], slice[rows.count])
        guard end &- start <= Int32.max else { return loadFar(bytes, offsets, last: last, rows, longest, cells) }
        // What is wrong shows in a sign, as the difference of two offsets that are not negative cannot overflow.
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

    /// Looks at values that stand one after the other in a part of some bytes.
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

    /// A slice of 2 GiB or more: its values are far apart, so that each is judged by itself.
    private mutating func loadFar(
        _ bytes: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Int64>, last: Int64, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        guard rows.allSatisfy({ 0 <= offsets[$0] && offsets[$0] <= offsets[$0 + 1] && offsets[$0 + 1] <= last }) else {
            return false
        }
        groups.append(Group(base: UnsafePointer(nowhere), rows: .rest))
        for row in 0..<rows.count {
            let (from, to) = (Int(offsets[rows.lowerBound + row]), Int(offsets[rows.lowerBound + row + 1]))
            cells[row] = assay_cell(start: 0, length: 0)
            if look(row, bytes + from, to - from, longest) { copy(bytes + from, to - from, row, cells) }
        }
        return true
    }

    /// Views of which each has its text inside, as columns of short values have. `false`: they are not, and nothing was done.
    private mutating func loadInline(
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

    private mutating func load(
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

    private mutating func load(
        _ pointers: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        groups.append(Group(base: UnsafePointer(nowhere), rows: .rest))
        for row in 0..<rows.count {
            cells[row] = assay_cell(start: 0, length: 0)
            guard !isNull(row) else { continue }
            guard let value = pointers[rows.lowerBound + row] else {
                nulls[row / 64] |= 1 << UInt64(row % 64)
                continue
            }
            let count = lengths[rows.lowerBound + row]
            if count <= longest && isASCII(value, count) || look(row, value, count, longest) {
                copy(value, count, row, cells)
            }
        }
    }

    private mutating func load(
        _ writer: any ValueWriter, _ rows: Range<Int>, _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        groups.append(Group(base: nil, rows: .rest))
        for row in 0..<rows.count {
            let start = text.count
            if !isNull(row) { writer.append(rows.lowerBound + row, to: &text) }
            cells[row] = assay_cell(start: UInt32(start), length: UInt32(text.count - start))
        }
    }
}

extension SliceCells {
    private func isNull(_ row: Int) -> Bool { nulls[row / 64] >> UInt64(row % 64) & 1 != 0 }

    /// Whether a value can be judged. One that cannot is noted.
    @inline(__always) @discardableResult
    private mutating func look(_ row: Int, _ value: UnsafePointer<UInt8>, _ count: Int, _ longest: Int) -> Bool {
        if isNull(row) { return false }
        let bit = UInt64(1) << UInt64(row % 64)
        if count > longest {
            tooLong[row / 64] |= bit
            hasTooLong = true
            return false
        }
        if assay_utf8_valid_prefix(value, count) == count { return true }
        garbled[row / 64] |= bit
        hasGarbled = true
        return false
    }

    /// A group for rows that are named later, and its mask.
    private mutating func addMask(_ base: UnsafePointer<UInt8>?) -> Int {
        let index = maskCount
        maskCount += 1
        mask(index).update(repeating: 0, count: maskWords(rows))
        groups.append(Group(base: base, rows: .mask(index)))
        return index
    }

    /// Copies a short value beside the others; a long one is a group of its own.
    private mutating func copy(
        _ value: UnsafePointer<UInt8>, _ count: Int, _ row: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        guard count <= Self.packed else {
            groups.append(Group(base: value, rows: .one(row)))
            cells[row] = assay_cell(start: 0, length: UInt32(count))
            return
        }
        let index = copies ?? addMask(nil)
        copies = index
        cells[row] = assay_cell(start: UInt32(text.count), length: UInt32(count))
        text.append(value, count)
        mask(index)[row / 64] |= 1 << UInt64(row % 64)
    }
}

extension StringView {
    /// The bytes of an inline text on top of each other. What follows the text is zero, or else more is found than there is.
    fileprivate var bytes: UInt32 { prefix | UInt32(bitPattern: buffer) | UInt32(bitPattern: offset) }

    fileprivate var isInlineASCII: Bool { bytes & 0x8080_8080 == 0 }
}

/// Whether values that stand one after the other in a part of some bytes are all UTF-8.
private func areWellFormed(
    _ bytes: UnsafePointer<UInt8>, _ part: Range<Int>, _ cells: UnsafePointer<assay_cell>, _ count: Int
) -> Bool {
    let first = bytes + part.lowerBound
    if assay_bytes_are_ascii(first, part.count) { return true }
    if assay_utf8_valid_prefix(first, part.count) != part.count { return false }
    // All of it may be well-formed and a value not, when an offset cuts a character in two.
    return (0..<count).allSatisfy { cells[$0].length == 0 || bytes[Int(cells[$0].start)] & 0xC0 != 0x80 }
}

/// Whether no byte of a short value is above 127. For these, calling the function that looks at 32 bytes at once costs
/// more than it saves.
@inline(__always)
private func isASCII(_ value: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count <= 64 else { return false }
    let bytes = UnsafeRawPointer(value)
    var seen: UInt64 = 0
    var index = 0
    while index + 8 <= count {
        seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index += 8
    }
    while index < count {
        seen |= UInt64(value[index])
        index += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
}

extension SourceColumn {
    /// Sets the bits of the rows without a value.
    func nullRows(_ rows: Range<Int>, into nulls: UnsafeMutablePointer<UInt64>) {
        if case .nothing = values {
            for word in 0..<maskWords(rows.count) { nulls[word] = lowBits(rows.count - 64 * word) }
            return
        }
        if validity.isEmpty {
            nulls.update(repeating: 0, count: maskWords(rows.count))
            return
        }
        for word in 0..<maskWords(rows.count) {
            let count = min(64, rows.count - 64 * word)
            var present: UInt64 = lowBits(count)
            for map in validity { present &= map.word(first: rows.lowerBound + 64 * word, count: count) }
            nulls[word] = lowBits(count) & ~present
        }
    }
}
