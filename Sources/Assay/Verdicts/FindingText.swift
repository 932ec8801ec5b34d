/// The messages of findings that no rule of a rule file makes: about structure, encoding and limits. Each is a sentence
/// without its subject, as ``Check/failureMessage`` is.
///
/// Files, Arrow columns and the command show the same texts.
package enum FindingText {
    package static let undecided = "is undecided: a limit of the engine stopped the check"

    /// The rule of records that the budget of the call left undecided.
    package static let budgetRule = "budget"
    package static let overBudget = "was not judged to the end: the budget of the call is spent"

    /// Of a rule between columns.
    package static func undecided(row check: String) -> String {
        "cannot be decided: a part of \(Check.shortened(check)) has no value, as after a division by zero, or one that "
            + "does not fit"
    }

    /// Of a rule between columns that a limit stopped: one for each ``CELResource``.
    ///
    /// - Parameter maxBytes: the limit on memory.
    package static func exhausted(row check: String, maxBytes: Int) -> [String] {
        CELResource.allCases.map { resource in
            let amount =
                switch resource {
                case .work: "\(CELBudget.maxSteps) steps"
                case .memory: "\(maxBytes) bytes of memory (limit row-rule-bytes)"
                }
            return "cannot be decided: \(Check.shortened(check)) takes over \(amount)"
        }
    }

    /// Of a record that lacks a part of the primary key.
    package static func lacksPrimaryKey(_ key: Key) -> String {
        key.fields.count == 1 ? "is missing, and is the primary key" : "lacks a part of the primary key"
    }

    package static let invalidUTF8 = "is not well-formed UTF-8"
    package static let unclosedQuote = "has a quote that is never closed"
    package static let blankLine = "is blank"
    package static let textAfterQuote = "has text after a closing quote"

    /// About a malformed record, with the lines that were read to find that it is one.
    package static func reading(_ message: String, lines: ClosedRange<Int>) -> String {
        "\(message); lines \(lines.lowerBound) to \(lines.upperBound) were read"
    }

    /// About a record with another number of fields than the header.
    package static func fields(_ count: Int, expected: Int) -> String {
        let fields = "\(count) field\(count == 1 ? "" : "s")"
        return "has \(fields) where \(expected) \(expected == 1 ? "is" : "are") expected"
    }

    /// About a value, record or header over a limit.
    ///
    /// - Parameters:
    ///   - limit: the name of the limit, such as `field-bytes`.
    ///   - inField: whether it is a field of the subject that is too long, and not the subject itself.
    package static func tooLong(over bytes: Int, limit: String, inField: Bool = false) -> String {
        "\(inField ? "has a field" : "is") over \(bytes) bytes (limit \(limit))"
    }
}
