/// What every part of a requirement said of one value, as a tree.
///
///     print(password.trace("secret"))
///
///     ✗ all: Must have at least 8 characters
///     ├─ ✗ string.minLength: Must have at least 8 characters
///     ├─ · string.containsDigit
///     └─ · string.containsUppercase
///
/// `✓` confirmed, `✗` failed, `?` undecided, `·` not asked, since the answer was known. A trace holds no value.
public struct RequirementTrace: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable name of the rule, such as `string.minLength`, or how the parts are joined, such as `all`.
    public var name: String

    /// What it said; `nil` if it was not asked.
    public var verdict: Verdict?

    /// Why not.
    public var reason: Reason?

    /// The parts, in declared order, those that were not asked included.
    public var children: [RequirementTrace]

    init(name: String, children: [RequirementTrace] = []) {
        self.name = name
        self.children = children
    }

    init(name: String, evaluation: Evaluation, children: [RequirementTrace] = []) {
        self.init(name: name, children: children)
        self.evaluation = evaluation
    }

    /// What was said of a value that was asked about.
    var evaluation: Evaluation {
        get { reason.map { .failed(reason: $0) } ?? .confirmed }
        set {
            verdict = newValue.verdict
            reason = newValue.reason
        }
    }

    /// The tree as a picture, in English.
    public var description: String { picture(in: .english) }

    /// The tree as a picture, its reasons in the language of a catalogue.
    public func picture(in catalog: MessageCatalog) -> String {
        lines(in: catalog).joined(separator: "\n")
    }

    private func lines(in catalog: MessageCatalog) -> [String] {
        let mark =
            switch verdict {
            case .pass: "✓"
            case .fail: "✗"
            case .undecided: "?"
            case nil: "·"
            }
        var lines = ["\(mark) \(name)" + (reason.map { ": " + $0.message(in: catalog) } ?? "")]
        for (index, child) in children.enumerated() {
            let isLast = index + 1 == children.count
            for (number, line) in child.lines(in: catalog).enumerated() {
                lines.append((number == 0 ? isLast ? "└─ " : "├─ " : isLast ? "   " : "│  ") + line)
            }
        }
        return lines
    }
}

extension Requirement {
    /// What every part of the requirement says of a value.
    ///
    /// - Parameter limit: as in ``failures(in:limit:)``. With `.first` the trace shows what ``evaluate(_:)`` does: what it
    ///   would not ask is not asked. With `.all` every part that can add a reason is.
    public func trace(_ value: Value, limit: FailurePolicy = .first) -> RequirementTrace {
        node.trace(value, limit: limit)
    }
}
