internal import Assay

/// The values of a sorted column in the rows of a chunk or slice. The worker that reads the rows copies the values,
/// because ``TableOrder`` needs them later.
struct SortedValues {
    /// The index of its column in ``RowKeys/columns``.
    let column: Int
    let key: BoundKey
    private var values = RowValues()
    /// Whether the values are in order among themselves.
    private(set) var areSorted = true

    init(_ column: Int, _ key: BoundKey) { (self.column, self.key) = (column, key) }

    var count: Int { values.count }

    mutating func removeAll() {
        values.removeAll()
        areSorted = true
    }

    mutating func append(_ value: UnsafeBufferPointer<UInt8>, row: Int) {
        values.append(row: row) { $0.append(contentsOf: value) }
    }

    /// Compares the values from an index on with their predecessors.
    mutating func compare(from first: Int) {
        areSorted = areSorted && key.key.isSorted(values.text, values.ends, from: max(1, first))
    }

    /// Returns the row of a value, or `nil` after the last value.
    func row(of value: Int) -> Int? { values.row(of: value) }

    func withValue<Result>(_ value: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        values.withValue(value, body)
    }
}
