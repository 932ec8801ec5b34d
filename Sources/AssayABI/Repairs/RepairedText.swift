internal import Assay
internal import CAssay

/// The values of a column after its repairs, in memory of its own.
///
///     column    " Anna", null, "N/A"        [trim, {missing: [N/A]}]
///     text      Anna            offsets   0 4 4 4        validity   100
///
/// What becomes missing is null. Values that are not UTF-8 or too long to be judged are as they came.
final class RepairedText {
    let count: Int
    private(set) var nullCount = 0
    /// How many cells have another value.
    private(set) var changed: UInt64 = 0
    /// How many stay as they came, since their repairs would change them a second time.
    private(set) var unsettled: UInt64 = 0
    /// How many cells each repair of the list changed.
    private(set) var counts: [UInt64]

    private var text = TextBuffer()
    private let offsets: UnsafeMutablePointer<Int64>
    private let validity: UnsafeMutablePointer<UInt64>
    /// Those repairs that make values missing.
    private let missing: UInt32

    /// Readers may look at up to 15 bytes before a value.
    private static let before = 16
    /// A slice with more bytes has fewer rows.
    private static let sliceBytes = 64 << 20
    private static let longestValue = 1 << 30

    init(
        _ column: SourceColumn, _ repairs: CompiledRepairs, limits: MatchLimits, longest: Int
    ) throws(NoMemoryError) {
        count = column.count
        counts = Array(repeating: 0, count: repairs.description.count)
        missing = repairs.description.enumerated().reduce(0) { bits, repair in
            if case .missing = repair.element { bits | 1 << UInt32(repair.offset) } else { bits }
        }
        validity = .allocate(capacity: max(1, maskWords(column.count)))
        validity.initialize(repeating: 0, count: max(1, maskWords(column.count)))
        Self.pad(&text)
        offsets = .allocate(capacity: column.count + 1)
        offsets.initialize(repeating: Int64(text.count), count: column.count + 1)
        var slice = Slice(longest: min(longest, Self.longestValue))
        let repairer = try SliceRepairer(repairs, limits: limits, longest: longest)
        var first = 0
        while first < column.count {
            slice.load(column, from: first)
            try add(&slice, first, repairer)
            first += slice.rows
        }
    }

    deinit {
        validity.deallocate()
        offsets.deallocate()
    }

    /// As a column to be judged.
    ///
    /// - Precondition: this outlives it.
    func column(like other: SourceColumn) -> SourceColumn {
        let isValid = Bitmap(bytes: UnsafeRawPointer(validity).assumingMemoryBound(to: UInt8.self), offset: 0)
        return SourceColumn(
            count: count, values: .offsets64(UnsafePointer(text.bytes), offsets), path: other.path,
            faultCode: other.faultCode, validity: [isValid])
    }

    /// As an Arrow array of large texts.
    func array(_ allocator: Allocator) throws(Fault) -> OutgoingArray {
        let bits = try Block(8 * maskWords(count), allocator)
        bits.words().update(from: validity, count: maskWords(count))
        let bytes = try Block(text.count - Self.before, allocator)
        bytes.bytes.copyMemory(from: text.bytes + Self.before, byteCount: text.count - Self.before)
        let offsets = try Block((0...count).map { self.offsets[$0] - Int64(Self.before) }, allocator)
        return OutgoingArray(
            length: count, nullCount: nullCount, buffers: [nullCount > 0 ? bits : nil, offsets, bytes])
    }

    /// Repairs a slice, and takes its values.
    private func add(_ slice: inout Slice, _ first: Int, _ repairer: SliceRepairer) throws(NoMemoryError) {
        let bytes = try repairer.repair(
            slice.bytes, slice.repaired, rows: slice.rows, skip: slice.skip, nulls: slice.nulls)
        unsettled += UInt64(repairer.unsettledCount)
        guard let bytes else { return addUnchanged(slice, first) }
        for row in 0..<slice.rows {
            let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
            var isNull = slice.nulls[word] & bit != 0
            if slice.skip[word] & bit == 0 {
                let cell = slice.repaired[row]
                if repairer.changed[word] & bit != 0 {
                    let causes = repairer.causes[row]
                    changed += 1
                    for repair in counts.indices where causes >> UInt32(repair) & 1 != 0 { counts[repair] += 1 }
                    if cell.length == 0 && causes & missing != 0 { isNull = true }
                }
                if !isNull { text.append(bytes + Int(cell.start), Int(cell.length)) }
            } else if !isNull {
                let cell = slice.cells[row]
                text.append(slice.bytes + Int(cell.start), Int(cell.length))
            }
            offsets[first + row + 1] = Int64(text.count)
            if isNull { nullCount += 1 } else { validity[(first + row) / 64] |= 1 << UInt64((first + row) % 64) }
        }
    }

    /// Takes the values of a slice as they lie side by side.
    private func addUnchanged(_ slice: borrowing Slice, _ first: Int) {
        let shift = text.count - Self.before
        text.append(slice.bytes + Self.before, slice.byteCount - Self.before)
        for row in 0..<slice.rows {
            let cell = slice.cells[row]
            offsets[first + row + 1] = Int64(shift + Int(cell.start) + Int(cell.length))
            if slice.nulls[row / 64] >> UInt64(row % 64) & 1 != 0 {
                nullCount += 1
            } else {
                validity[(first + row) / 64] |= 1 << UInt64((first + row) % 64)
            }
        }
    }

    private static func pad(_ text: inout TextBuffer) {
        for _ in 0..<before { text.append(UInt8(0)) }
    }

    /// The values of some rows side by side, and which of them are not to be looked at.
    private struct Slice: ~Copyable {
        private(set) var rows = 0
        let cells: UnsafeMutablePointer<assay_cell>
        /// The same cells, to be written over.
        let repaired: UnsafeMutablePointer<assay_cell>
        let skip: UnsafeMutablePointer<UInt64>
        let nulls: UnsafeMutablePointer<UInt64>
        private var text = TextBuffer()
        private let longest: Int

        init(longest: Int) {
            self.longest = longest
            cells = .allocate(capacity: 2 * SchemaJudge.sliceRows)
            repaired = cells + SchemaJudge.sliceRows
            skip = .allocate(capacity: 2 * maskWords(SchemaJudge.sliceRows))
            nulls = skip + maskWords(SchemaJudge.sliceRows)
        }

        deinit {
            cells.deallocate()
            skip.deallocate()
        }

        var bytes: UnsafePointer<UInt8> { UnsafePointer(text.bytes) }
        var byteCount: Int { text.count }

        mutating func load(_ column: SourceColumn, from first: Int) {
            text.removeAll()
            RepairedText.pad(&text)
            skip.update(repeating: 0, count: 2 * maskWords(SchemaJudge.sliceRows))
            rows = 0
            let most = min(SchemaJudge.sliceRows, column.count - first)
            switch column.values {
            case .offsets32(let bytes, let offsets): load(column, first, most, bytes, offsets)
            case .offsets64(let bytes, let offsets): load(column, first, most, bytes, offsets)
            case .dictionary(let indices, let values):
                indices.forEach(first..<first + most) { row, index in
                    if text.count > RepairedText.sliceBytes { return }
                    let hasValue = column.validity.allSatisfy { $0.isSet(row) }
                    append(hasValue ? values.text(index) : nil)
                }
            default:
                while rows < most, text.count <= RepairedText.sliceBytes { append(column.text(first + rows)) }
            }
            repaired.update(from: cells, count: rows)
        }

        private mutating func load<Offset: FixedWidthInteger>(
            _ column: SourceColumn, _ first: Int, _ most: Int, _ bytes: UnsafePointer<UInt8>,
            _ offsets: UnsafePointer<Offset>
        ) {
            column.nullRows(first..<first + most, into: nulls)
            while rows < most, text.count <= RepairedText.sliceBytes {
                if nulls[rows / 64] >> UInt64(rows % 64) & 1 != 0 {
                    append(nil)
                } else {
                    let (start, end) = (Int(offsets[first + rows]), Int(offsets[first + rows + 1]))
                    append(UnsafeBufferPointer(start: bytes + start, count: end - start))
                }
            }
        }

        private mutating func append(_ value: UnsafeBufferPointer<UInt8>?) {
            let bit = UInt64(1) << UInt64(rows % 64)
            cells[rows] = assay_cell(start: UInt32(text.count), length: UInt32(value?.count ?? 0))
            if let value, let base = value.baseAddress {
                let isWhole = isASCII(base, value.count) || assay_utf8_valid_prefix(base, value.count) == value.count
                if value.count > longest || !isWhole { skip[rows / 64] |= bit }
                text.append(base, value.count)
            } else if value == nil {
                nulls[rows / 64] |= bit
            }
            rows += 1
        }
    }
}
