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
    /// Values up to this length are copied where they stand all over memory.
    static let packed = 4096

    /// Rows without a value.
    let nulls: UnsafeMutablePointer<UInt64>
    /// Rows whose value is not UTF-8, and those whose value is longer than the limit. They are in no group.
    let garbled: UnsafeMutablePointer<UInt64>
    let tooLong: UnsafeMutablePointer<UInt64>
    /// Rows that are not in the group under way.
    let closed: UnsafeMutablePointer<UInt64>
    var groups: [Group] = []
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
        // One mask for long views beside short ones, and one for the copied values.
        nulls = .allocate(capacity: (Self.ownMasks + 2) * words)
        garbled = nulls + words
        tooLong = nulls + 2 * words
        closed = nulls + 3 * words
    }

    deinit { nulls.deallocate() }

    /// Whether some row has a finding for what it is rather than for what it says.
    private(set) var hasGarbled = false
    private(set) var hasTooLong = false

    /// Whether some value may be the empty text: not where they were counted from offsets, and none was.
    var mayHaveEmpty = true

    /// Whether the values lie where they can. If not, none was read, and all cells are empty.
    private(set) var hasValidLayout = true

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
        hasValidLayout = load(column, rows, longest, cells)
        if !hasValidLayout {
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
            if loadNear(views, buffers, rows, longest, cells) { return true }
            guard column.hasValidLayout(rows) else { return false }
            load(views, buffers, rows, longest, cells)
        case .pointers(let pointers, let lengths):
            guard column.hasValidLayout(rows) else { return false }
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
    func mask(_ index: Int) -> UnsafeMutablePointer<UInt64> {
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

// Layouts without a file of their own.
extension SliceCells {
    private mutating func load(
        _ pointers: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, _ rows: Range<Int>,
        _ longest: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        groups.append(Group(base: nil, rows: .rest))
        for row in 0..<rows.count {
            cells[row] = assay_cell(start: 0, length: 0)
            guard !isNull(row) else { continue }
            guard let value = pointers[rows.lowerBound + row] else {
                nulls[row / 64] |= 1 << UInt64(row % 64)
                continue
            }
            let count = lengths[rows.lowerBound + row]
            if count <= longest && isASCII(value, count) || look(row, value, count, longest) {
                pack(value, count, row, cells)
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

// What all layouts need.
extension SliceCells {
    func isNull(_ row: Int) -> Bool { nulls[row / 64] >> UInt64(row % 64) & 1 != 0 }

    /// Whether a value can be judged. One that cannot is noted.
    @inline(__always) @discardableResult
    mutating func look(_ row: Int, _ value: UnsafePointer<UInt8>, _ count: Int, _ longest: Int) -> Bool {
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
    mutating func addMask(_ base: UnsafePointer<UInt8>?) -> Int {
        let index = maskCount
        maskCount += 1
        mask(index).update(repeating: 0, count: maskWords(rows))
        groups.append(Group(base: base, rows: .mask(index)))
        return index
    }

    /// Copies a short value beside the others; a long one is a group of its own. `true`: it was copied.
    @discardableResult
    mutating func pack(
        _ value: UnsafePointer<UInt8>, _ count: Int, _ row: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let isCopied = count <= Self.packed
        cells[row] = assay_cell(start: isCopied ? UInt32(text.count) : 0, length: UInt32(count))
        if isCopied { text.append(value, count) } else { groups.append(Group(base: value, rows: .one(row))) }
        return isCopied
    }

    /// The same for one value of a slice whose others stay where they are.
    mutating func copy(
        _ value: UnsafePointer<UInt8>, _ count: Int, _ row: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        guard pack(value, count, row, cells) else { return }
        let index = copies ?? addMask(nil)
        copies = index
        mask(index)[row / 64] |= 1 << UInt64(row % 64)
    }
}

/// Whether no byte of a short value is above 127. For these, calling the function that looks at 32 bytes at once costs
/// more than it saves.
@inline(__always)
func isASCII(_ value: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count <= 64 else { return false }
    let bytes = UnsafeRawPointer(value)
    var seen: UInt64 = 0
    if count >= 8 {
        // The last eight bytes are looked at whole: some of them twice.
        var index = 0
        while index < count - 8 {
            seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        seen |= bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
        for index in 0..<count { seen |= UInt64(value[index]) }
    }
    return seen & 0x8080_8080_8080_8080 == 0
}
