/// A rule on a whole table, in the Common Expression Language over aggregates of its columns.
///
///     TableRule(id: "enough", check: "count() >= 1000 && mean(amount) < 500.0", message: "the export is incomplete")
///
/// The aggregates describe the records that pass all other rules and keys, as they are written to the clean output. A
/// table that fails the rule keeps its outputs; the run fails, as with ``Thresholds`` of `AssayRules`. A description:
/// plain data, which a `Cleaner` runs. Rules on single values and records ignore it.
public struct TableRule: Hashable, Sendable, Codable {
    /// The stable name for reports. Unique in a rule file.
    public var id: String

    /// The expression. It must be true for a valid table.
    ///
    /// Aggregates are `count()`, `count(x)`, `missing(x)`, `distinct(x)`, `sum(x)`, `mean(x)`, `min(x)`, `max(x)`,
    /// `quantile(x, 0.95)` and `share(…)`, where `x` is a column.
    public var check: String

    /// The message for a failed table, such as "the export has too few rows".
    public var message: String?

    /// Whether a failure makes the run fail or only warns.
    public var severity: Severity

    /// A rule. Its expression is parsed and type-checked when a `Cleaner` is created.
    ///
    /// - Parameters:
    ///   - id: The stable name, unique in a rule file.
    ///   - check: The expression, which must be true for a valid table.
    ///   - message: The message for a failed table; `nil` for the default, which quotes the expression.
    ///   - severity: Whether a failure makes the run fail or only warns.
    public init(id: String, check: String, message: String? = nil, severity: Severity = .reject) {
        self.id = id
        self.check = check
        self.message = message
        self.severity = severity
    }

    /// The message of a failed table.
    package var failureMessage: String { message ?? "does not fulfil \(Check.shortened(check))" }
}

extension TableRule {
    /// The expression, compiled as one of many rules on a table.
    ///
    /// - Parameters:
    ///   - aggregates: The aggregates of all rules, over the columns of `fields`.
    ///   - budget: The remaining work for all expressions.
    /// - Throws: The first mistake in the expression.
    package func program(
        for fields: [Field], _ aggregates: inout CELAggregates, _ budget: inout ReadingBudget
    ) throws(CELMistake) -> CELProgram {
        let before = aggregates.all.count
        let program = try CELProgram(compiling: check, &aggregates, &budget)
        let columns = aggregates.all[before...].compactMap(\.column)
        if let place = columns.first(where: { fields[$0].type.hasMembers || fields[$0].name.contains(bytesOf: "[]") }) {
            throw CELMistake(
                "'\(fields[place].name)' has lists, objects or elements of lists, which have no aggregates",
                "write the rule over another column", at: 0..<check.utf8.count)
        }
        return program
    }
}
