/// The values of one column in some rows of a chunk or slice, copied by the worker that reads the rows.
struct RowValues {
    private(set) var text: [UInt8] = []
    /// The end of each value.
    private(set) var ends: [Int] = []
    /// The row of each value, in ascending order. Rows without a value are left out.
    private var rows: [UInt32] = []

    var count: Int { ends.count }

    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
    }

    /// Adds the value that `write` appends to the text.
    mutating func append(row: Int, _ write: (inout [UInt8]) -> Void) {
        write(&text)
        ends.append(text.count)
        rows.append(UInt32(row))
    }

    /// Returns the row of a value, or `nil` after the last value.
    func row(of value: Int) -> Int? { value < rows.count ? Int(rows[value]) : nil }

    func range(of value: Int) -> Range<Int> { (value == 0 ? 0 : ends[value - 1])..<ends[value] }

    func withValue<Result>(_ value: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range(of: value)])) }
    }
}
