/// A requirement for a text after its repairs.
final class RepairedNode: RequirementNode {
    let repairs: CompiledRepairs
    let child: Requirement<String>
    let depth: Int

    init(_ repairs: CompiledRepairs, _ child: Requirement<String>) {
        self.repairs = repairs
        self.child = child
        depth = 1 + child.node.depth
    }

    func evaluate(_ value: String) -> Evaluation { child.evaluator.evaluate(repairs.repaired(value)) }

    func collect(_ value: String, into failures: inout Failures) {
        child.node.collect(repairs.repaired(value), into: &failures)
    }

    func trace(_ value: String, limit: FailurePolicy) -> RequirementTrace {
        child.node.trace(repairs.repaired(value), limit: limit)
    }

    var traceSkeleton: RequirementTrace { child.node.traceSkeleton }

    var phrase: Phrase { child.node.phrase }
}

extension Requirement where Value == String {
    /// Evaluates this requirement on the repaired text, so that repairable mistakes do not fail.
    ///
    ///     let repairs = try CompiledRepairs([.trim, .lower])
    ///     Requirement.email().repairing(repairs).evaluate(" Anna@example.org")     // .confirmed
    ///
    /// The result runs value by value, including in the bulk calls. Rule files cannot contain it; use the `repair:` of
    /// a field instead.
    public func repairing(_ repairs: CompiledRepairs) -> Self { Self(RepairedNode(repairs, self)) }
}
