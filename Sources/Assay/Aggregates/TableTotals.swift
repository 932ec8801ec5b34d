/// The aggregates of a table over some of its accepted records.
package final class TableTotals: @unchecked Sendable {
    // SAFETY: used by one thread at a time: by its worker until that has ended, then under the lock of the run.
    let rules: CompiledTableRules
    /// The number of accepted records.
    var records = 0
    /// By column of the rules.
    let columns: [ColumnTotals]

    package init(_ rules: CompiledTableRules) throws(NoMemoryError) {
        self.rules = rules
        var columns: [ColumnTotals] = []
        for column in rules.columns { columns.append(try ColumnTotals(column.parts)) }
        self.columns = columns
    }

    /// Adds the aggregates of other records.
    package func add(_ other: TableTotals) throws(NoMemoryError) {
        records += other.records
        for (own, more) in zip(columns, other.columns) { try own.add(more) }
    }

    /// Returns the outcomes of the rules, in their order.
    ///
    /// - Parameter now: The time of the run; `nil`: no rule depends on it.
    package func outcomes(now: Timestamp?) -> [TableRuleOutcome] {
        let values = rules.aggregates.indices.map { value(of: $0) }
        return zip(rules.rules, rules.programs).map { rule, program in
            let outcome = program.outcome(now: now) { place, _ in
                if case .value(let value) = values[place] { .value(value) } else { .undecided }
            }
            var verdict = Verdict.undecided
            if case .value(let value) = outcome { verdict = value == .bool(true) ? .pass : .fail }
            let measured = program.fields.map { place in
                let isCount = rules.aggregates[place].isCount
                return switch values[place] {
                case .value(let value): MeasuredAggregate(rules.texts[place], value.shownText, isCount: isCount)
                case .none(let reason): MeasuredAggregate(rules.texts[place], nil, isCount: isCount, reason: reason)
                }
            }
            var problem: String?
            if verdict == .undecided {
                problem = measured.first { $0.value == nil }.flatMap { aggregate in
                    aggregate.reason.map { "\(aggregate.text) \($0)" }
                }
                if case .exhausted = outcome { problem = "a limit stopped the evaluation" }
                problem = problem ?? "the expression divides by zero, or exceeds the range of numbers"
            }
            return TableRuleOutcome(rule: rule, verdict: verdict, problem: problem, aggregates: measured)
        }
    }

    /// The value of an aggregate, or the reason for its absence.
    private enum Value {
        case value(CELValue)
        case none(String)
    }

    private func value(of place: Int) -> Value {
        let aggregate = rules.aggregates[place]
        guard let index = rules.places[place] else { return .value(.int(Int64(records))) }
        let column = columns[index]
        switch aggregate.function {
        case .count: return .value(.int(Int64(column.count)))
        case .missing: return .value(.int(Int64(column.missing)))
        case .distinct: return .value(.int(Int64(column.distinct?.count ?? 0)))
        case .sum, .mean, .min, .max, .quantile: break
        }
        if column.unread > 0 {
            let count = column.unread == 1 ? "a value" : "\(column.unread) values"
            return .none(
                "has no exact value, because \(count) of the column cannot be computed, first in record "
                    + "\(column.firstUnread)")
        }
        let isInteger = rules.columns[index].variable?.kind != .number
        if column.count == 0, aggregate.function != .sum {
            return .none("has no value, because no accepted record has one in this column")
        }
        let found: CELValue? =
            switch aggregate.function {
            case .sum: column.sum.total.flatMap { $0.value(asInteger: isInteger) }
            case .mean: column.sum.total?.divided(by: CELNumber(Int64(column.count))).map { .number($0) }
            case .min: column.min
            case .max: column.max
            default: aggregate.share.flatMap { column.quantile($0, areIntegers: isInteger) }.map { .number($0) }
            }
        return found.map { .value($0) } ?? .none("exceeds the range of numbers")
    }
}

extension CELNumber {
    /// The number as the value of an `int`, if it fits, or of a number.
    fileprivate func value(asInteger: Bool) -> CELValue? {
        asInteger ? Int64(exactly: coefficient).map { .int($0) } : .number(self)
    }
}

extension CELValue {
    /// The value as in reports.
    fileprivate var shownText: String {
        if case .string(let text)? = converted(by: .toString) { return text }
        preconditionFailure("every aggregate has a text")
    }
}

/// The outcome of a rule on a table.
package struct TableRuleOutcome: Sendable {
    package let rule: TableRule
    package let verdict: Verdict
    /// The reason why the rule is undecided.
    package let problem: String?
    /// The aggregates in the expression.
    package let aggregates: [MeasuredAggregate]
}

/// An aggregate and its value.
package struct MeasuredAggregate: Sendable {
    /// As in `mean(amount)`.
    package let text: String
    /// `nil` if the table has no such value.
    package let value: String?
    /// Whether it counts records or values, and so contains no value of the data.
    package let isCount: Bool
    /// The reason for the absence of the value.
    let reason: String?

    init(_ text: String, _ value: String?, isCount: Bool, reason: String? = nil) {
        (self.text, self.value, self.isCount, self.reason) = (text, value, isCount, reason)
    }
}
