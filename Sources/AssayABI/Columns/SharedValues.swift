internal import Assay

/// The distinct values of the rows of a dictionary or of runs, and the index of each row's value.
///
///     dictionary   a b c d      indices   3 1 null 3      → values   d b null      indices   0 1 2 0      uses   2 1 1
///
/// A missing value, because of a null index or a null in the dictionary, is one of the values, because a default can
/// replace it.
final class SharedValues {
    /// The index of each row's value.
    let indices: UnsafeMutablePointer<UInt32>
    /// The number of rows with each value.
    let uses: UnsafeMutablePointer<UInt64>
    private(set) var count = 0
    private let pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>
    private let lengths: UnsafeMutablePointer<Int>

    private static let purpose = "the values that rows share"
    private static let none = UInt32.max
    /// The maximum number of values, because one index is reserved for `none`.
    static let maxCount = Int(none) - 1

    /// - Parameters:
    ///   - column: has valid indices.
    ///   - values: the dictionary: texts with a valid layout, fewer than ``capacity``.
    init(_ column: SourceColumn, _ indices: Indices, of values: SourceColumn) throws(NoMemoryError) {
        let capacity = min(column.count, values.count) + 1
        // One block, so that a failed allocation does not leave others to free.
        let rowWords = (column.count + 1) / 2
        let block = try reserve(3 * capacity + rowWords, of: UInt64.self, for: Self.purpose)
        uses = block
        pointers = UnsafeMutableRawPointer(block + capacity).bindMemory(
            to: UnsafePointer<UInt8>?.self, capacity: capacity)
        lengths = UnsafeMutableRawPointer(block + 2 * capacity).bindMemory(to: Int.self, capacity: capacity)
        self.indices = UnsafeMutableRawPointer(block + 3 * capacity).bindMemory(to: UInt32.self, capacity: column.count)
        // The index of each dictionary value among the shared values.
        let places = try reserve(values.count, of: UInt32.self, for: Self.purpose)
        defer { release(places) }
        places.initialize(repeating: Self.none, count: values.count)
        var missing = Self.none
        indices.forEach(0..<column.count) { row, index in
            let isNull = !column.validity.allSatisfy { $0.isSet(row) }
            var place = isNull ? missing : places[index]
            if place == Self.none {
                let text = isNull ? nil : values.text(index)
                place = text == nil && missing != Self.none ? missing : add(text)
                if text == nil { missing = place }
                if !isNull { places[index] = place }
            }
            uses[Int(place)] += 1
            self.indices[row] = place
        }
    }

    /// The values that rows have, for a dictionary with many others. `nil` for other columns, for values that are no
    /// texts, and for an invalid layout, which a check of the whole dictionary then reports.
    convenience init?(replacing column: SourceColumn) throws(NoMemoryError) {
        guard case .dictionary(let indices, let values) = column.values, column.count < values.count / 2,
            values.count <= min(TableVerdicts.maxRows, Self.maxCount), values.holdsTexts, values.fault == nil,
            column.hasValidLayout(0..<column.count)
        else { return nil }
        try self.init(column, indices, of: values)
    }

    deinit { release(uses) }

    private func add(_ text: UnsafeBufferPointer<UInt8>?) -> UInt32 {
        uses[count] = 0
        (pointers + count).initialize(to: text.map { $0.baseAddress ?? UnsafePointer(emptyBase) })
        (lengths + count).initialize(to: text?.count ?? 0)
        count += 1
        return UInt32(count - 1)
    }

    /// The values as a column.
    ///
    /// - Precondition: this object outlives the column.
    func column(like other: SourceColumn) -> SourceColumn {
        SourceColumn(
            count: count, values: .pointers(pointers, lengths: lengths), path: other.path, faultCode: other.faultCode)
    }

    /// The rows as a column with these values.
    ///
    /// - Parameters:
    ///   - other: the original column.
    ///   - values: replaces the values.
    /// - Precondition: this object outlives the column.
    func dictionary(like other: SourceColumn, values: SourceColumn? = nil) -> SourceColumn {
        SourceColumn(
            count: other.count,
            values: .dictionary(Indices(width: .uint32(indices)), values: values ?? column(like: other)),
            path: other.path,
            faultCode: other.faultCode)
    }
}
