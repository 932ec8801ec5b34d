internal import Assay

/// The outcome of a rule on the table in words.
package struct TableRuleText {
    private let rule: RunResult.TableRule

    package init(_ rule: RunResult.TableRule) { self.rule = rule }

    /// `passed`, `failed` or `undecided`
    package var verdict: String {
        switch rule.verdict {
        case .pass: "passed"
        case .fail: "failed"
        case .undecided: "undecided"
        }
    }

    /// The known aggregates: `count() = 900, missing(email) = 7`
    package var measured: String {
        rule.aggregates.compactMap { aggregate in aggregate.value.map { "\(aggregate.name) = \($0)" } }
            .joined(separator: ", ")
    }

    /// The message of a failed rule, or the reason of an undecided one; `nil` for a rule that passed.
    package var reason: String? {
        switch rule.verdict {
        case .pass: nil
        case .fail: rule.message
        case .undecided: rule.problem
        }
    }

    /// A line about a rule that did not pass: `the rule enough-rows on the table failed: the export has too few rows
    /// (count() = 900)`
    package var warning: String {
        let values = measured.isEmpty ? "" : " (\(printable(measured)))"
        return "the rule \(printable(rule.id)) on the table \(rule.verdict == .fail ? "failed" : "is undecided"): "
            + printable(reason ?? "") + values
    }
}
