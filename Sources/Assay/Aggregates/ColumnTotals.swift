internal import CAssay

/// The aggregates of one column over some of the accepted records. The totals of several workers are added at the end.
/// The result does not depend on the order of the records or on their distribution.
final class ColumnTotals {
    /// The parts that the rules need in addition to the counts.
    struct Parts: OptionSet, Sendable {
        let rawValue: Int
        /// The values as numbers or times: sum, minimum and maximum.
        static let values = Parts(rawValue: 1)
        static let quantiles = Parts(rawValue: 2)
        static let distinct = Parts(rawValue: 4)
    }

    /// The number of records without a value, and with one.
    var missing = 0
    var count = 0
    /// The number of values that cannot be computed: NaN, infinities, numbers of more than 38 digits, durations with
    /// months, and values that are not of the type of the column, which a warning can accept.
    private(set) var unread = 0
    /// The first record with such a value.
    private(set) var firstUnread = Int.max
    private(set) var sum = ExactSum()
    /// The extremes; `nil` without a value that can be computed.
    private(set) var min: CELValue?
    private(set) var max: CELValue?
    let distinct: DistinctCount?
    // SAFETY: created in `init`, freed in `deinit`, and used by one thread at a time.
    private let histogram: OpaquePointer?

    init(_ parts: Parts) throws(NoMemoryError) {
        distinct = parts.contains(.distinct) ? DistinctCount() : nil
        guard parts.contains(.quantiles) else {
            histogram = nil
            return
        }
        guard let made = assay_histogram_create() else { throw NoMemoryError(for: Self.purpose) }
        histogram = made
    }

    deinit { assay_histogram_free(histogram) }

    private static let purpose = "the aggregates of a column"

    func addUnread(record: Int) {
        unread += 1
        firstUnread = Swift.min(firstUnread, record)
    }

    /// Adds the sum of some values.
    func add(sum coefficient: Int128, scale: Int) { sum.add(coefficient, scale: scale) }

    /// Includes a value in the extremes.
    func include(_ value: CELValue) {
        if min.map({ CELValue.isLess(value, $0) }) ?? true { min = value }
        if max.map({ CELValue.isLess($0, value) }) ?? true { max = value }
    }

    /// Includes a number in the quantiles, if there are any.
    func addToQuantiles(_ number: CELNumber) throws(NoMemoryError) {
        guard let histogram else { return }
        if assay_histogram_add(histogram, number.double, 1) != .ASSAY_OK { throw NoMemoryError(for: Self.purpose) }
    }

    func add(_ other: ColumnTotals) throws(NoMemoryError) {
        missing += other.missing
        count += other.count
        unread += other.unread
        firstUnread = Swift.min(firstUnread, other.firstUnread)
        sum.add(other.sum)
        if let value = other.min { include(value) }
        if let value = other.max { include(value) }
        if let distinct, let more = other.distinct { try distinct.add(more) }
        if let histogram, let more = other.histogram, assay_histogram_merge(histogram, more) != .ASSAY_OK {
            throw NoMemoryError(for: Self.purpose)
        }
    }

    /// The quantile of a share; `nil` without values. The relative error is at most 1/1024.
    ///
    /// - Parameter areIntegers: Whether all values are integers.
    func quantile(_ share: CELNumber, areIntegers: Bool) -> CELNumber? {
        guard let histogram, assay_histogram_count(histogram) > 0 else { return nil }
        let quantile = assay_histogram_quantile(histogram, share.double, areIntegers)
        return CELNumber("\(quantile)".utf8)
    }
}

extension CELNumber {
    /// The nearest double.
    var double: Double {
        // Both operands are exact, so the result is rounded once.
        if coefficient.magnitude < 1 << 53, scale <= 15 { return Double(Int64(coefficient)) / Self.doubles[scale] }
        guard let double = Double(text) else { preconditionFailure("the text of a decimal number is a number") }
        return double
    }

    /// 10^0 to 10^15.
    private static let doubles: [Double] = (0..<15).reduce(into: [1]) { powers, _ in powers.append(10 * powers.last!) }
}
