/// An aggregate of a table: a function of one column over all records that pass the rules, or the number of these
/// records.
///
///     mean(amount) < 500.0 && count() >= 1000
///     ╰── mean, column 3      ╰── count, no column
package struct CELAggregate: Hashable, Sendable {
    /// The functions, by their names in expressions.
    package enum Function: String, Hashable, Sendable, CaseIterable {
        /// The number of records; of a column, the number of values.
        case count
        /// The number of records without a value.
        case missing
        /// The number of different values.
        case distinct
        case sum, mean, min, max
        /// The smallest number that is not exceeded by a share of the values.
        case quantile
    }

    package let function: Function
    /// The index of the column; `nil` for the number of records.
    package let column: Int?
    /// The share of a quantile, from 0 to 1.
    package let share: CELNumber?

    /// The maximum number of different aggregates of a rule file, because each may hold a few MiB in each thread.
    package static let maxCount = 64

    package init(_ function: Function, column: Int? = nil, share: CELNumber? = nil) {
        (self.function, self.column, self.share) = (function, column, share)
    }

    /// Whether the value is a number of records or values, and not computed from the values themselves.
    package var isCount: Bool {
        switch function {
        case .count, .missing, .distinct: true
        case .sum, .mean, .min, .max, .quantile: false
        }
    }
}

extension CELAggregate.Function {
    /// The type of the result for a column of a type; `nil` if the function does not accept such a column.
    func result(of type: CELType) -> CELType? {
        switch (self, type) {
        case (_, .list), (_, .nothing): nil
        case (.count, _), (.missing, _), (.distinct, _): .int
        case (.sum, .int), (.sum, .number): type
        case (.mean, .int), (.mean, .number), (.quantile, .int), (.quantile, .number): .number
        case (.min, .int), (.min, .number), (.min, .timestamp), (.min, .duration): type
        case (.max, .int), (.max, .number), (.max, .timestamp), (.max, .duration): type
        default: nil
        }
    }

    /// The accepted columns, for messages.
    var takes: String {
        switch self {
        case .count, .missing, .distinct: "a column of single values"
        case .sum, .mean, .quantile: "a column of numbers"
        case .min, .max: "a column of numbers, timestamps or durations"
        }
    }

    /// Example arguments.
    var usage: String { self == .quantile ? "quantile(x, 0.95)" : "\(rawValue)(x)" }
}

/// The aggregates of several expressions over one table. Equal ones are computed once.
package struct CELAggregates: Sendable {
    package let columns: CELColumns
    /// The different aggregates. They are the variables of the expressions.
    package private(set) var all: [CELAggregate] = []
    /// For each aggregate: its text, as in `mean(amount)`, and the type of its value.
    package private(set) var variables: [CELVariable] = []

    package init(_ columns: CELColumns) { self.columns = columns }

    /// The place of an aggregate, which is added if it is new; `nil` if there are too many.
    mutating func place(of aggregate: CELAggregate, _ type: CELType) -> Int? {
        if let known = all.firstIndex(of: aggregate) { return known }
        if all.count == CELAggregate.maxCount { return nil }
        all.append(aggregate)
        variables.append(CELVariable(text(of: aggregate), type))
        return all.count - 1
    }

    private func text(of aggregate: CELAggregate) -> String {
        let column = aggregate.column.map { columns.variables[$0].name.asCELColumn }
        return "\(aggregate.function.rawValue)("
            + [column, aggregate.share?.text].compactMap(\.self).joined(separator: ", ") + ")"
    }
}

extension String {
    /// The name of a column in expressions: `amount`, or `row["unit price"]`.
    fileprivate var asCELColumn: String {
        var isIdentifier = !isEmpty
        for (index, byte) in utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: break
            default: isIdentifier = false
            }
        }
        return isIdentifier ? self : "row[\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"]"
    }
}
