extension Requirement {
    /// The first reason against a value in declared order, or none. What comes after the first is not asked. What a limit left
    /// undecided counts only when nothing else is wrong, as in all of Assay.
    ///
    /// - Complexity: that of the requirements asked. Those about texts and numbers, and what joins them, allocate nothing when the
    ///   value is confirmed (counted by `make check-thresholds`).
    public func evaluate(_ value: Value) -> Evaluation { evaluator.evaluate(value) }

    /// The same for a part of a text, which is copied.
    public func evaluate(_ value: Substring) -> Evaluation where Value == String { evaluate(String(value)) }

    /// The reasons against a value, as many as are wanted: what was proved wrong, in declared order, and after it what a limit left
    /// undecided. When there are enough, nothing more is asked.
    ///
    ///     password.failures(in: "abc")                  // all of them; the first is the one that `evaluate` gives
    ///     password.failures(in: "abc", limit: .first)   // that one alone
    ///
    /// Alternatives (`any`), negations and requirements with a ``because(_:)`` of their own count as one reason each. No value
    /// at all satisfies nothing: `nil` gives one reason.
    public func failures(in value: Value?, limit: FailurePolicy = .all) -> [Reason] {
        if limit.limit == 0 { return [] }
        guard let value else { return [.missing] }
        if limit == .first { return evaluate(value).reason.map { [$0] } ?? [] }
        var failures = Failures(limit: limit.limit)
        node.collect(value, into: &failures)
        return failures.reasons
    }
}
