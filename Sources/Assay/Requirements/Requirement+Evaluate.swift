extension Requirement {
    /// Returns the first reason against a value in declared order, or `.confirmed`. Evaluation stops at the first
    /// failure. An undecided reason is returned only if no requirement fails, as everywhere in Assay.
    ///
    /// - Complexity: That of the evaluated requirements. Requirements for texts and numbers, and their combinations, do
    ///   not allocate memory for confirmed values (counted by `make check-thresholds`).
    public func evaluate(_ value: Value) -> Evaluation { evaluator.evaluate(value) }

    /// Evaluates a copy of a part of a text.
    public func evaluate(_ value: Substring) -> Evaluation where Value == String { evaluate(String(value)) }

    /// Returns the reasons against a value, up to a limit: first the failures in declared order, then the undecided
    /// reasons. Evaluation stops when the limit is reached.
    ///
    ///     password.failures(in: "abc")                  // all; the first is the one that `evaluate` returns
    ///     password.failures(in: "abc", limit: .first)   // only the first
    ///
    /// Alternatives (`any`), negations and requirements with a ``because(_:)`` count as one reason each. `nil` does not
    /// satisfy any requirement and gives one reason.
    public func failures(in value: Value?, limit: FailurePolicy = .all) -> [Reason] {
        if limit.limit == 0 { return [] }
        guard let value else { return [.missing] }
        if limit == .first { return evaluate(value).reason.map { [$0] } ?? [] }
        var failures = Failures(limit: limit.limit)
        node.collect(value, into: &failures)
        return failures.reasons
    }
}
