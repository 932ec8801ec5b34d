internal import Assay
internal import CAssay

/// The order of the sorted columns of a table. It takes the rows of each chunk or slice in the order of the table.
///
///     record   time    verdict
///     1        10:00   in order
///     2        10:07   in order
///     3        10:05   rejected: not in ascending order after record 2
///     4        10:07   in order, because it is compared with record 2
///
/// For each sorted column, a record is compared with the latest earlier record that is in order and has a value there,
/// so a rejected record cannot reject later ones. If a record is out of order in one column, its values in all others
/// do not count.
///
/// A record that another finding already rejects does not take part. Keys are decided later. So a record that will be
/// rejected for its keys still takes part in the order, and later records may have the keys of a record that is out of
/// order.
package final class TableOrder: Sendable {
    /// The last value of each sorted column, by rule id.
    private let last = Lock<[ByteEqualString: Last]>([:])

    /// A value, and the record that it is from.
    package struct Last: Sendable {
        package var value: [UInt8]
        package var record: UInt64
        package var place: UInt64

        package init(value: [UInt8], record: UInt64, place: UInt64) {
            (self.value, self.record, self.place) = (value, record, place)
        }
    }

    package init() {}

    /// Decides which rows are out of order, after all earlier rows of the table.
    package func decide(_ rows: RowKeys) {
        if rows.isSorted { last.withLock { rows.decideOrder(after: &$0) } }
    }

    /// The last values in the order of their rule ids, for a run that is resumed later.
    package var state: [(id: String, last: Last)] {
        get { last.withLock { $0.sorted { $0.key < $1.key }.map { (id: $0.key.text, last: $0.value) } } }
        set {
            last.withLock { $0 = Dictionary(newValue.map { (ByteEqualString($0.id), $0.last) }) { first, _ in first } }
        }
    }
}

/// A row that is out of order.
package struct UnsortedRow: BitwiseCopyable, Sendable {
    let row: UInt32
    /// The index of the sorted column.
    let column: UInt32
    /// The record that this row should follow in sorted order but does not, and the place of that record.
    let record: UInt64
    let place: UInt64
}

extension RowKeys {
    /// Whether some column is sorted.
    var isSorted: Bool { !sorted.isEmpty }

    /// Marks the rows that are out of order, and excludes them from decisions about keys. Call it before any key is
    /// decided.
    ///
    /// - Parameter last: The last values of the table so far; receives the last values of these rows.
    fileprivate func decideOrder(after last: inout [ByteEqualString: TableOrder.Last]) {
        unsorted.removeAll(keepingCapacity: true)
        let ids = sorted.map { ByteEqualString($0.key.key.key.id) }
        let areInOrder = zip(sorted, ids).allSatisfy { values, id in
            values.areSorted && (values.count == 0 || values.allows(0, after: last[id]))
        }
        if areInOrder {
            for (values, id) in zip(sorted, ids) where values.count > 0 {
                last[id] = lastValue(values, values.count - 1)
            }
            return
        }
        decideRows(ids, after: &last)
        closeUnsorted()
    }

    private func decideRows(_ ids: [ByteEqualString], after last: inout [ByteEqualString: TableOrder.Last]) {
        let earlier = ids.map { last[$0] }
        // By sorted column: the next value, and the last one that is in order.
        var next = Array(repeating: 0, count: sorted.count)
        var latest = [Int?](repeating: nil, count: sorted.count)
        for row in 0..<rows {
            let before = unsorted.count
            for index in sorted.indices where sorted[index].row(of: next[index]) == row {
                if let value = latest[index] {
                    if sorted[index].allows(next[index], after: value) { continue }
                    markUnsorted(row, index, after: holder(sorted[index], value))
                } else if let earlier = earlier[index], !sorted[index].allows(next[index], after: earlier) {
                    markUnsorted(row, index, after: (earlier.record, earlier.place))
                }
            }
            for index in sorted.indices where sorted[index].row(of: next[index]) == row {
                if unsorted.count == before { latest[index] = next[index] }
                next[index] += 1
            }
        }
        for (index, id) in ids.enumerated() {
            if let value = latest[index] { last[id] = lastValue(sorted[index], value) }
        }
    }

    private func markUnsorted(_ row: Int, _ index: Int, after holder: (record: UInt64, place: UInt64)) {
        unsorted.append(
            UnsortedRow(
                row: UInt32(row), column: UInt32(sorted[index].column), record: holder.record, place: holder.place))
    }

    /// The record of a value, and its place.
    private func holder(_ values: SortedValues, _ value: Int) -> (record: UInt64, place: UInt64) {
        let row = values.row(of: value)!
        return (records[row], claims[row * each + values.column].place)
    }

    private func lastValue(_ values: SortedValues, _ value: Int) -> TableOrder.Last {
        let (record, place) = holder(values, value)
        return TableOrder.Last(value: values.withValue(value) { Array($0) }, record: record, place: place)
    }
}

extension SortedValues {
    /// Whether a value may follow the last value of the table so far.
    fileprivate func allows(_ value: Int, after last: TableOrder.Last?) -> Bool {
        guard let last else { return true }
        return withValue(value) { later in
            last.value.withUnsafeBufferPointer { key.key.allows(later, after: $0) }
        }
    }

    /// Whether a value may follow another one of the same rows.
    fileprivate func allows(_ value: Int, after earlier: Int) -> Bool {
        withValue(value) { later in withValue(earlier) { key.key.allows(later, after: $0) } }
    }
}
