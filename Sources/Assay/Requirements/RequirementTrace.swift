/// The results of all parts of a requirement on one value, as a tree.
///
///     print(password.trace("secret"))
///
///     ✗ all: Must have at least 8 characters
///     ├─ ✗ string.minLength: Must have at least 8 characters
///     ├─ · string.containsDigit
///     └─ · string.containsUppercase
///
/// `✓` confirmed, `✗` failed, `?` undecided, `·` skipped, because the result was known. A trace does not contain the
/// value.
public struct RequirementTrace: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable name of the rule, such as `string.minLength`, or the name of the combination, such as `all`.
    public var name: String

    /// The verdict; `nil` if the part was skipped.
    public var verdict: Verdict?

    /// The reason; `nil` if the part is confirmed or was skipped.
    public var reason: Reason?

    /// The parts in declared order, including skipped ones.
    public var children: [RequirementTrace]

    init(name: String, children: [RequirementTrace] = []) {
        self.name = name
        self.children = children
    }

    init(name: String, evaluation: Evaluation, children: [RequirementTrace] = []) {
        self.init(name: name, children: children)
        self.evaluation = evaluation
    }

    /// The evaluation of a part that was not skipped.
    var evaluation: Evaluation {
        get { reason.map { .failed(reason: $0) } ?? .confirmed }
        set {
            verdict = newValue.verdict
            reason = newValue.reason
        }
    }

    /// A drawing of the tree in English.
    public var description: String { picture(in: .english) }

    /// A drawing of the tree with messages of a catalog.
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
    /// Returns the result of each part of the requirement on a value.
    ///
    /// - Parameter limit: As for ``failures(in:limit:)``. With `.first`, the trace skips the same parts as
    ///   ``evaluate(_:)``. With `.all`, it contains results for all parts that can add a reason.
    public func trace(_ value: Value, limit: FailurePolicy = .first) -> RequirementTrace {
        node.trace(value, limit: limit)
    }
}
