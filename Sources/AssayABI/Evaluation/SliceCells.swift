internal import Assay
internal import CAssay

/// The values of one slice of a column as cells, in groups that are checked together. The cells of a group have the
/// same base address.
///
///     group 0   base → the bytes of the column          rows 0 1 2 5 …
///     group 1   base → a buffer of long string views    rows 3 4 …
///
/// There is almost always one group. Created once per worker and refilled for each slice.
///
/// It has more than twelve properties, because its masks are parts of one block and are refilled together.
struct SliceCells: ~Copyable {
    /// The maximum length of scattered values that are copied.
    static let packed = 4096

    /// Rows without a value.
    let nulls: UnsafeMutablePointer<UInt64>
    /// Rows with values that are not UTF-8, and rows with values over the length limit. They are not in any group.
    let misencoded: UnsafeMutablePointer<UInt64>
    let tooLong: UnsafeMutablePointer<UInt64>
    /// Rows that are not in the current group.
    let closed: UnsafeMutablePointer<UInt64>
    var groups: [Group] = []
    private var text = TextBuffer()
    private var rows = 0
    private var maskCount = 0
    /// The mask of the copied values, if there are any.
    private var copies: Int?

    struct Group {
        enum Rows {
            /// The rows that are not in other groups.
            case rest
            /// The rows that are set in a mask.
            case mask(Int)
            /// A single long value.
            case one(Int)
        }

        /// The base of the cells; `nil` for the copied text.
        var base: UnsafePointer<UInt8>?
        var rows: Rows
    }

    /// The words of one mask. Not a static constant, because its lookup would take time for each value.
    private let words = SchemaEvaluator.sliceRows / 64
    private static let ownMasks = 4

    init() {
        // Two further masks: for long views among short ones, and for the copied values.
        nulls = .allocate(capacity: (Self.ownMasks + 2) * words)
        misencoded = nulls + words
        tooLong = nulls + 2 * words
        closed = nulls + 3 * words
    }

    deinit { nulls.deallocate() }

    /// The rows to check, if not all; only for written values. The texts of other rows are not written.
    var only: UnsafePointer<UInt64>?

    /// Whether a row has an invalid encoding or length.
    private(set) var hasMisencoded = false
    private(set) var hasTooLong = false

    /// Whether a value may be empty. `false` if the loader found that all lengths are positive.
    var mayHaveEmpty = true

    /// Whether all values are in bounds. If not, values have not been read and all cells are empty.
    private(set) var hasValidLayout = true

    /// Validates the layout of some rows and fills `cells` with their values.
    ///
    /// - Parameter longest: the maximum length of a checked value in bytes.
    mutating func load(
        _ column: SourceColumn, rows: Range<Int>, longest: Int, into cells: UnsafeMutablePointer<assay_cell>
    ) {
        let words = maskWords(rows.count)
        self.rows = rows.count
        groups.removeAll(keepingCapacity: true)
        text.removeAll()
        (copies, maskCount) = (nil, 0)
        (hasMisencoded, hasTooLong) = (false, false)
        misencoded.update(repeating: 0, count: words)
        tooLong.update(repeating: 0, count: words)
        column.nullRows(rows, into: nulls)
        mayHaveEmpty = true
        hasValidLayout = load(column, rows, longest, cells)
        if !hasValidLayout {
            groups.removeAll()
            loadEmpty(rows, cells)
        }
    }

    /// - Returns: whether the layout is valid; if not, only `cells` and `groups` have changed.
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
        case .nothing, .dictionary: loadEmpty(rows, cells)
        }
        return true
    }

    private mutating func loadEmpty(_ rows: Range<Int>, _ cells: UnsafeMutablePointer<assay_cell>) {
        cells.update(repeating: assay_cell(start: 0, length: 0), count: rows.count)
        groups.append(Group(base: UnsafePointer(emptyBase), rows: .rest))
    }

    /// The rows of a group with a mask.
    func mask(_ index: Int) -> UnsafeMutablePointer<UInt64> {
        nulls + (Self.ownMasks + index) * words
    }

    /// Sets `closed` to the rows outside a group, and lends the base of the group's cells.
    mutating func open(_ group: Int) -> UnsafePointer<UInt8> {
        let words = maskWords(rows)
        for word in 0..<words { closed[word] = misencoded[word] | tooLong[word] }
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
        if let only { for word in 0..<words { closed[word] |= ~only[word] } }
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
        guard let only else { return writer.append(rows, skipping: nulls, to: &text, cells: cells) }
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(rows.count)) { others in
            for word in others.indices { others[word] = ~only[word] }
            writer.append(rows, skipping: others.baseAddress!, to: &text, cells: cells)
        }
    }
}

// Operations of all layouts.
extension SliceCells {
    func isNull(_ row: Int) -> Bool { nulls[row / 64] >> UInt64(row % 64) & 1 != 0 }

    /// Returns whether a value can be checked. Otherwise records the reason.
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
        misencoded[row / 64] |= bit
        hasMisencoded = true
        return false
    }

    /// Adds a group for rows to be named later, and returns its mask.
    mutating func addMask(_ base: UnsafePointer<UInt8>?) -> Int {
        let index = maskCount
        maskCount += 1
        mask(index).update(repeating: 0, count: maskWords(rows))
        groups.append(Group(base: base, rows: .mask(index)))
        return index
    }

    /// Copies a short value, or makes a group of a long one. Returns whether it was copied.
    @discardableResult
    mutating func pack(
        _ value: UnsafePointer<UInt8>, _ count: Int, _ row: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) -> Bool {
        let isCopied = count <= Self.packed
        cells[row] = assay_cell(start: isCopied ? UInt32(text.count) : 0, length: UInt32(count))
        if isCopied { text.append(value, count) } else { groups.append(Group(base: value, rows: .one(row))) }
        return isCopied
    }

    /// Copies one value of a slice. The other values are not copied.
    mutating func copy(
        _ value: UnsafePointer<UInt8>, _ count: Int, _ row: Int, _ cells: UnsafeMutablePointer<assay_cell>
    ) {
        guard pack(value, count, row, cells) else { return }
        let index = copies ?? addMask(nil)
        copies = index
        mask(index)[row / 64] |= 1 << UInt64(row % 64)
    }
}
