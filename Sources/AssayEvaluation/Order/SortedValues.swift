internal import Assay

/// The values of a sorted column in the rows of a chunk or slice. The worker that reads the rows copies the values,
/// because ``TableOrder`` needs them later.
struct SortedValues {
    /// The index of its column in ``RowKeys/columns``.
    let column: Int
    let key: BoundKey
    private var text: [UInt8] = []
    /// The end of each value.
    private var ends: [Int] = []
    /// The row of each value. Rows without a value are left out.
    private var rows: [UInt32] = []
    /// Whether the values are in order among themselves.
    private(set) var areSorted = true

    init(_ column: Int, _ key: BoundKey) { (self.column, self.key) = (column, key) }

    var count: Int { ends.count }

    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        areSorted = true
    }

    mutating func append(_ value: UnsafeBufferPointer<UInt8>, row: Int) {
        text.append(contentsOf: value)
        ends.append(text.count)
        rows.append(UInt32(row))
    }

    /// Compares the values from an index on with their predecessors.
    mutating func compare(from first: Int) {
        areSorted = areSorted && key.key.isSorted(text, ends, from: max(1, first))
    }

    /// Returns the row of a value, or `nil` after the last value.
    func row(of value: Int) -> Int? { value < rows.count ? Int(rows[value]) : nil }

    func withValue<Result>(_ value: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.withUnsafeBufferPointer { text in
            body(UnsafeBufferPointer(rebasing: text[(value == 0 ? 0 : ends[value - 1])..<ends[value]]))
        }
    }
}
