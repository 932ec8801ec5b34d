/// Everything that is wrong with a rule file, in order of place.
///
///     users.rules.yaml:7:5: error: unknown key 'maxLenght'
///        7 |     maxLenght: 5
///          |     ^^^^^^^^^ did you mean 'maxLength'?
///
/// A mistake in the syntax of YAML hides what comes after it; all other mistakes are found at once, up to a thousand.
public struct RuleFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one.
    public var problems: [RuleProblem]

    /// An error with all mistakes of a file, in the order of the file.
    public init(problems: [RuleProblem]) { self.problems = problems }

    /// All problems as text, one after the other, without a newline at the end.
    public var description: String {
        let text = problems.map(\.description).joined(separator: "\n")
        return problems.count < Mistake.limit
            ? text : text + "\nThere may be more: no more than \(Mistake.limit) mistakes are listed."
    }

    /// The ``description``, as Foundation calls what people read.
    public var localizedDescription: String { description }

    /// The same errors, with advice for readers who do not use Swift.
    ///
    /// - Parameter trusting: how they say that they trust it, as in "lower it, or run with --trust-rules if you trust the file".
    package func advising(trusting: String) -> RuleFileError {
        RuleFileError(
            problems: problems.map { problem in
                var problem = problem
                if let remedy = problem.remedy { problem.suggestion = Self.trustAdvice(remedy, trusting) }
                return problem
            })
    }

    static func trustAdvice(_ remedy: String, _ trusting: String = "call trustRuleFiles() on the limits") -> String {
        "\(remedy), or \(trusting) if you trust the file"
    }
}

/// One mistake in a rule file, and what to write instead.
public struct RuleProblem: Hashable, Sendable, CustomStringConvertible {
    /// The name of the file, as it was given.
    public var file: String

    /// From 1. LF, CR LF and a lone CR end lines.
    public var line: Int

    /// In characters, from 1. A byte order mark does not count.
    public var column: Int

    /// How many characters are wrong.
    public var width: Int

    /// The line as a terminal can show it: tabs as four spaces, hidden characters as escapes, cut around the place if
    /// long.
    public var sourceLine: String

    /// What is wrong, in a sentence without a full stop.
    public var message: String

    /// What to do about it, if there is something to say.
    public var suggestion: String?

    /// Whether the file is refused for it.
    var kind = Kind.error

    enum Kind: String {
        case error, warning
    }

    /// The columns of ``sourceLine`` that are underlined.
    var caret: Range<Int>

    /// A pattern shown for itself, where the source writes it with escapes or over several lines.
    var excerpt: Excerpt?

    /// What to do instead of trusting the file; `nil`: that would not help.
    var remedy: String?

    struct Excerpt: Hashable, Sendable {
        var text: String
        var caret: Range<Int>
    }

    /// The problem as compilers write it, without a newline at the end.
    public var description: String {
        let number = String(line)
        let gutter = String(repeating: " ", count: max(4, number.count))
        var lines = ["\(file.visible):\(line):\(column): \(kind.rawValue): \(message)"]
        lines.append(gutter.dropLast(number.count) + "\(number) | \(sourceLine)")
        lines.append("\(gutter) | \(Self.underline(caret))")
        if let excerpt {
            lines.append("\(gutter) | \(excerpt.text)")
            lines.append("\(gutter) | \(Self.underline(excerpt.caret))")
        }
        if let suggestion {
            let parts = suggestion.split(separator: "\n", omittingEmptySubsequences: false)
            if parts.count == 1 {
                lines[lines.count - 1] += " \(suggestion)"
            } else {
                lines += parts.map { "\(gutter) | \($0)" }
            }
        }
        return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    private static func underline(_ columns: Range<Int>) -> String {
        String(repeating: " ", count: columns.lowerBound) + String(repeating: "^", count: columns.count)
    }
}
