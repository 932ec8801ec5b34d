/// A requirement whose parts see one value of `now()`.
final class ClockNode<Value>: RequirementNode {
    let child: Requirement<Value>
    let depth: Int

    init(_ child: Requirement<Value>) {
        self.child = child
        depth = 1 + child.node.depth
    }

    func evaluate(_ value: Value) -> Evaluation {
        Timestamp.$fixed.withValue(.current) { child.evaluator.evaluate(value) }
    }

    func collect(_ value: Value, into failures: inout Failures) {
        Timestamp.$fixed.withValue(.current) { child.node.collect(value, into: &failures) }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        Timestamp.$fixed.withValue(.current) { child.node.trace(value, limit: limit) }
    }

    var traceSkeleton: RequirementTrace { child.node.traceSkeleton }
    var phrase: Phrase { child.node.phrase }
    var expression: RuleExpression? { child.node.expression }
    var plan: ColumnPlan<Value> { child.node.plan }
}
