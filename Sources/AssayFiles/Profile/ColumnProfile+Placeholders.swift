internal import Assay
internal import CAssay

extension ColumnProfile {
    /// A number or day that probably stands for a missing one, such as -1 or 9999-12-31.
    package struct Placeholder: Hashable, Sendable {
        package var text: String
        package var count: Int
        package var firstRecord: Int
    }

    /// Numbers or days that often stand for missing ones, with their counts, and the range of the other values.
    struct PlaceholderCounts {
        var found: [(placeholder: Placeholder, value: Double)] = []
        var minOther: Double
        var maxOther: Double
        /// The number of other values, and of different ones among these.
        var otherCount: Int
        var otherDistinctCount: Double
        /// Whether the values are numbers. Small numbers are frequent in many columns.
        var areNumbers: Bool

        /// The day on which the range of dates of most systems begins or ends. Real dates are never there.
        private static let certain: Set = ["0001-01-01", "9999-12-31"]

        /// Those that differ clearly from the other values.
        var probable: [Placeholder] {
            if otherCount == 0 { return [] }
            return found.filter { Self.certain.contains($0.placeholder.text) || isOutlier($0.value) || isFrequent($0) }
                .map(\.placeholder)
        }

        /// Whether a value is further from the others than these are from each other, or the only negative number.
        private func isOutlier(_ value: Double) -> Bool {
            guard otherDistinctCount >= 5 else { return false }
            let distance = max(minOther - value, value - maxOther)
            return distance > maxOther - minOther || value < 0 && minOther >= 0
        }

        /// Whether a value is at least ten times as frequent as the others are on average. A number must also have a
        /// hundredth of all values, and 0 a tenth.
        private func isFrequent(_ item: (placeholder: Placeholder, value: Double)) -> Bool {
            let (count, mean) = (Double(item.placeholder.count), Double(otherCount) / max(1, otherDistinctCount))
            let minShare = !areNumbers ? 0 : item.value == 0 ? 0.1 : 0.01
            return otherDistinctCount >= 5 && count >= 10 * mean && count >= minShare * (Double(otherCount) + count)
        }
    }

    /// The placeholders of a column of numbers.
    static func placeholders(
        ofNumbers profile: OpaquePointer, numbers: Int, distinct: Double
    ) -> [Placeholder] {
        let counted = assay_profile_get_placeholders(profile).pointee
        let items = withUnsafeBytes(of: counted.numbers) { Array($0.bindMemory(to: assay_profile_placeholder.self)) }
        var counts = PlaceholderCounts(
            minOther: counted.min_other, maxOther: counted.max_other, otherCount: numbers, otherDistinctCount: distinct,
            areNumbers: true)
        for (index, item) in items.enumerated() where item.values > 0 {
            let number = assay_profile_placeholder_number(index)
            counts.add(String(Int(number)), number, item)
        }
        return counts.probable
    }

    /// The placeholders of a column of dates or times.
    static func placeholders(of times: assay_profile_times, unitsPerDay: Int, values: Int, distinct: Double)
        -> [Placeholder]
    {
        let items = withUnsafeBytes(of: times.days) { Array($0.bindMemory(to: assay_profile_placeholder.self)) }
        let units = Double(unitsPerDay)
        var counts = PlaceholderCounts(
            minOther: Double(times.first_other) / units, maxOther: Double(times.last_other) / units, otherCount: values,
            otherDistinctCount: distinct, areNumbers: false)
        for (index, item) in items.enumerated() where item.values > 0 {
            let day = assay_profile_placeholder_day(index)
            counts.add(dateText(day), Double(day), item)
        }
        return counts.probable
    }

    /// The placeholders in words.
    var placeholderNote: [ProfileNotePiece]? {
        if placeholders.isEmpty { return nil }
        let texts = placeholders.map { "\($0.text) (\(grouped($0.count)), first in record \(grouped($0.firstRecord)))" }
        return [.plain("may mean a missing value: " + texts.joined(separator: ", "))]
    }
}

extension ColumnProfile.PlaceholderCounts {
    fileprivate mutating func add(_ text: String, _ value: Double, _ item: assay_profile_placeholder) {
        found.append(
            (
                ColumnProfile.Placeholder(text: text, count: Int(item.values), firstRecord: Int(item.first_record)),
                value
            ))
        otherCount -= Int(item.values)
        otherDistinctCount -= 1
    }
}

extension ColumnProfile.Placeholder {
    /// For the report.
    var value: JSONValue {
        .object([("value", .string(text)), ("count", .integer(count)), ("firstRecord", .integer(firstRecord))])
    }
}
