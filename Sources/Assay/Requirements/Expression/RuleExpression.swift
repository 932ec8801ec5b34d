/// A requirement as data, for writing and reading rule files.
///
/// A ``Check`` is about the text of a value; the other cases are about the parts of larger values.
package indirect enum RuleExpression: Hashable, Sendable {
    case check(Check)
    /// The text is not one of the markers of missing values.
    case present(missing: [String])

    // Combinations and names.
    case all([RuleExpression])
    case any([RuleExpression])
    case not(RuleExpression)
    case when(RuleExpression, then: RuleExpression)
    case because(RuleExpression, code: String, message: String)
    case named(RuleExpression, String)

    // Records, by the names of their members.
    case at(String, RuleExpression)
    case require(String)
    case compare(String, Comparison, String)
    /// A CEL expression over the members.
    case row(String)

    // Collections. Without a key, whole elements must be unique.
    case count(min: Int?, max: Int?)
    case each(RuleExpression)
    case contains(RuleExpression)
    case unique(by: String?)

    // Optional values.
    case ifPresent(RuleExpression)
    case notNil(RuleExpression)
}

/// A comparison of two parts of a value. The raw values are the names in rule files.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equals, notEquals, lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual

    /// Whether the comparison needs an order, not only equality.
    package var isOrder: Bool { self != .equals && self != .notEquals }

    /// The stable name of the rule.
    var rule: String {
        switch self {
        case .equals: "fields.equal"
        case .notEquals: "fields.notEqual"
        default: "fields.\(rawValue)"
        }
    }

    var phrase: String {
        switch self {
        case .equals: "equals"
        case .notEquals: "differs from"
        case .lessThan: "is less than"
        case .lessThanOrEqual: "is at most"
        case .greaterThan: "is greater than"
        case .greaterThanOrEqual: "is at least"
        }
    }
}

/// A rule of a column in a rule file.
package struct RequirementRule: Hashable, Sendable {
    package var check: Check
    /// The code of its reasons; `nil` for the default code.
    package var code: String?
    /// The failure message; `nil` for the default message.
    package var message: String?
}

extension RuleExpression {
    /// The expression as a check of a text; `nil` if it is about parts of a value.
    package var check: Check? {
        switch self {
        case .check(let check): check
        case .present(let missing): .not(.oneOf(missing))
        case .all(let expressions): Self.checks(expressions).map(Check.all)
        case .any(let expressions): Self.checks(expressions).map(Check.any)
        case .not(let expression): expression.check.map(Check.not)
        case .when(let condition, let then):
            if let condition = condition.check, let then = then.check { .when(condition, then: then) } else { nil }
        case .because(let expression, _, _), .named(let expression, _): expression.check
        case .at, .require, .compare, .row, .count, .each, .contains, .unique, .ifPresent, .notNil: nil
        }
    }

    private static func checks(_ expressions: [Self]) -> [Check]? {
        let checks = expressions.compactMap(\.check)
        return checks.count == expressions.count ? checks : nil
    }

    /// The expression as rules of a column that must all pass, each with its own code and message; `nil` if ``check``
    /// is.
    package var rules: [RequirementRule]? {
        switch self {
        case .all(let expressions):
            let rules = expressions.compactMap(\.rules)
            return rules.count == expressions.count ? rules.flatMap { $0 } : nil
        case .when(let condition, let then):
            guard let condition = condition.check else { return nil }
            return then.rules?.map { rule in
                var rule = rule
                rule.check = .when(condition, then: rule.check)
                return rule
            }
        case .because(let expression, let code, let message):
            return expression.check.map {
                [RequirementRule(check: $0, code: code == Reason.defaultCode ? nil : code, message: message)]
            }
        case .named(let expression, let name):
            return expression.rules?.map { rule in
                var rule = rule
                rule.code = rule.code ?? name
                return rule
            }
        default:
            return check.map { [RequirementRule(check: $0)] }
        }
    }
}
