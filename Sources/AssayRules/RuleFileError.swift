/// All mistakes in a rule file, in order of place.
///
///     users.rules.yaml:7:5: error: unknown key 'maxLenght'
///        7 |     maxLenght: 5
///          |     ^^^^^^^^^ did you mean 'maxLength'?
///
/// A syntax error of YAML hides the rest of the file. All other mistakes are found at once, up to a thousand.
public struct RuleFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistakes; at least one.
    public var problems: [RuleProblem]

    /// Creates an error with all mistakes of a file, in the order of the file.
    public init(problems: [RuleProblem]) { self.problems = problems }

    /// All mistakes as text, one after the other, without a final newline.
    public var description: String {
        let text = problems.map(\.description).joined(separator: "\n")
        return problems.count < Mistake.limit
            ? text : text + "\nThere may be more: no more than \(Mistake.limit) mistakes are listed."
    }

    /// The ``description``, under the name that Foundation uses for messages to people.
    public var localizedDescription: String { description }

    /// The same errors, with remedies in the words of a caller who does not use Swift.
    package func advising(_ words: (RuleProblem.Remedy) -> String?) -> RuleFileError {
        RuleFileError(
            problems: problems.map { problem in
                var problem = problem
                if let remedy = problem.remedy { problem.suggestion = words(remedy) }
                return problem
            })
    }
}

/// One mistake in a rule file, with a suggestion.
public struct RuleProblem: Hashable, Sendable, CustomStringConvertible {
    /// The name of the file, as it was given.
    public var file: String

    /// From 1. LF, CR LF and a lone CR end lines.
    public var line: Int

    /// In characters, from 1. A byte order mark does not count.
    public var column: Int

    /// The number of wrong characters.
    public var width: Int

    /// The line as a terminal can show it: tabs as four spaces, hidden characters as escapes, cut around the place if
    /// long.
    public var sourceLine: String

    /// The mistake, in a sentence without a full stop.
    public var message: String

    /// The suggestion, if there is one.
    public var suggestion: String?

    /// Whether the problem makes the file invalid.
    var kind = Kind.error

    enum Kind: String {
        case error, warning
    }

    /// The columns of ``sourceLine`` that are underlined.
    var caret: Range<Int>

    /// The pattern, shown separately if the source uses escapes or several lines.
    var excerpt: Excerpt?

    /// The suggestion as data, if it concerns the way the file is read.
    var remedy: Remedy?

    /// A way to read the file with which it has no such mistake. Each kind of caller has its own words.
    package enum Remedy: Hashable, Sendable {
        /// Trust the file, or do this, as in "lower it".
        case trust(or: String)
        /// Raise this limit, to this value if it is known.
        case raise(String, to: Int?)
        /// Set this limit for the run that reads the file.
        case setBefore(String)
    }

    struct Excerpt: Hashable, Sendable {
        var text: String
        var caret: Range<Int>
    }

    /// The problem in the format of compilers, without a final newline.
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

extension RuleProblem.Remedy {
    /// The remedy in the words of Swift.
    var advice: String {
        switch self {
        case .trust(let change): "\(change), or call trustRuleFiles() on the limits if you trust the file"
        case .raise(let name, let value):
            "if that is right, raise \(Self.property(name)) of the limits" + (value.map { " to \($0)" } ?? "")
        case .setBefore(let name): "set \(Self.property(name)) of the Limits that are passed to the reader of the file"
        }
    }

    /// The property of ``Limits`` for the name of a limit.
    private static func property(_ name: String) -> String {
        let words = name.split(separator: "-")
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
