internal import Assay
internal import CAssay

/// The values of some rows, copied to contiguous memory, and the rows to skip.
struct RepairSlice: ~Copyable {
    /// The maximum size of a slice. Longer values reduce its number of rows.
    private static let sliceBytes = 64 << 20
    private static let longestValue = 1 << 30

    private(set) var rows = 0
    let cells: UnsafeMutablePointer<assay_cell>
    /// A copy of the cells that repairs overwrite.
    let repaired: UnsafeMutablePointer<assay_cell>
    let skip: UnsafeMutablePointer<UInt64>
    let nulls: UnsafeMutablePointer<UInt64>
    /// Values that are too long to be checked. They are not copied and their cells are empty, because their unverified
    /// length may exceed 32 bits or the memory.
    private(set) var far: [FarValue] = []
    private var text = TextBuffer()
    private var first = 0
    private let longest: Int

    init(longest: Int) {
        self.longest = min(longest, Self.longestValue)
        cells = .allocate(capacity: 2 * SchemaEvaluator.sliceRows)
        repaired = cells + SchemaEvaluator.sliceRows
        skip = .allocate(capacity: 2 * maskWords(SchemaEvaluator.sliceRows))
        nulls = skip + maskWords(SchemaEvaluator.sliceRows)
    }

    deinit {
        cells.deallocate()
        skip.deallocate()
    }

    var bytes: UnsafePointer<UInt8> { UnsafePointer(text.bytes) }
    var byteCount: Int { text.count }

    /// Loads the rows of a column that fit into a slice.
    mutating func load(_ column: SourceColumn, _ requested: Range<Int>) {
        first = requested.lowerBound
        text.removeAll()
        far.removeAll(keepingCapacity: true)
        for _ in 0..<RepairedText.before { text.append(UInt8(0)) }
        skip.update(repeating: 0, count: 2 * maskWords(SchemaEvaluator.sliceRows))
        rows = 0
        let limit = min(SchemaEvaluator.sliceRows, requested.count)
        switch column.values {
        case .offsets32(let bytes, let offsets): load(column, limit, bytes, offsets)
        case .offsets64(let bytes, let offsets): load(column, limit, bytes, offsets)
        default:
            while rows < limit, text.count <= Self.sliceBytes { append(column.text(first + rows)) }
        }
        repaired.update(from: cells, count: rows)
    }

    private mutating func load<Offset: FixedWidthInteger>(
        _ column: SourceColumn, _ limit: Int, _ bytes: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Offset>
    ) {
        column.nullRows(first..<first + limit, into: nulls)
        while rows < limit, text.count <= Self.sliceBytes {
            if nulls[rows / 64] >> UInt64(rows % 64) & 1 != 0 {
                append(nil)
            } else {
                let (start, end) = (Int(offsets[first + rows]), Int(offsets[first + rows + 1]))
                append(UnsafeBufferPointer(start: bytes + start, count: end - start))
            }
        }
    }

    private mutating func append(_ value: UnsafeBufferPointer<UInt8>?) {
        // Copies, because Swift 6.3.1 otherwise crashes with --sanitize=thread: see vendor-notes.md.
        let (skip, nulls, bit) = (skip, nulls, UInt64(1) << UInt64(rows % 64))
        let count = value?.count ?? 0
        let isFar = count > longest
        cells[rows] = assay_cell(start: UInt32(text.count), length: isFar ? 0 : UInt32(count))
        if let value, isFar {
            skip[rows / 64] |= bit
            far.append(FarValue(row: first + rows, bytes: value))
        } else if let value, let base = value.baseAddress {
            let isValid = isASCII(base, count) || assay_utf8_valid_prefix(base, count) == count
            if !isValid { skip[rows / 64] |= bit }
            text.append(base, count)
        } else if value == nil {
            nulls[rows / 64] |= bit
        }
        rows += 1
    }
}

/// A value that remains in the caller's memory.
struct FarValue {
    /// The row in the column.
    let row: Int
    let bytes: UnsafeBufferPointer<UInt8>
}
