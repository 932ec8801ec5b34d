/// The negation of a requirement.
final class NotNode<Value>: RequirementNode {
    let child: Requirement<Value>
    let depth: Int

    init(_ child: Requirement<Value>) {
        self.child = child
        depth = 1 + child.node.depth
    }

    func evaluate(_ value: Value) -> Evaluation { child.evaluator.evaluate(value).negated }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let part = child.node.trace(value, limit: limit)
        return RequirementTrace(name: "not", evaluation: part.evaluation.negated, children: [part])
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: "not", children: [child.node.traceSkeleton]) }

    var phrase: Phrase { .compound("not: \(child.node.phrase.parenthesized)") }

    var expression: RuleExpression? { child.node.expression.map(RuleExpression.not) }

    var plan: ColumnPlan<Value> { child.node.plan.negated }
}

/// A requirement that must hold if a condition holds.
final class WhenNode<Value>: RequirementNode {
    let condition: Requirement<Value>
    let then: Requirement<Value>
    let depth: Int

    init(_ condition: Requirement<Value>, then: Requirement<Value>) {
        self.condition = condition
        self.then = then
        depth = 1 + max(condition.node.depth, then.node.depth)
    }

    func evaluate(_ value: Value) -> Evaluation {
        condition.evaluator.evaluate(value).implies { then.evaluator.evaluate(value) }
    }

    func collect(_ value: Value, into failures: inout Failures) {
        if failures.isFull { return }
        let answer = condition.evaluator.evaluate(value)
        if answer.isConfirmed {
            then.node.collect(value, into: &failures)
        } else if case .failed(let reason) = answer.implies({ then.evaluator.evaluate(value) }) {
            failures.append(reason)
        }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let first = condition.node.trace(value, limit: limit)
        var second = then.node.traceSkeleton
        let evaluation = first.evaluation.implies {
            second = then.node.trace(value, limit: limit)
            return second.evaluation
        }
        return RequirementTrace(name: "when", evaluation: evaluation, children: [first, second])
    }

    var traceSkeleton: RequirementTrace {
        RequirementTrace(name: "when", children: [condition.node.traceSkeleton, then.node.traceSkeleton])
    }

    var phrase: Phrase {
        .compound("if \(condition.node.phrase.parenthesized), then \(then.node.phrase.parenthesized)")
    }

    var expression: RuleExpression? {
        if let condition = condition.node.expression, let then = then.node.expression {
            .when(condition, then: then)
        } else {
            nil
        }
    }

    var plan: ColumnPlan<Value> { ColumnPlan(.or, [.not(condition), then]) }
}

/// A requirement with a custom code and message.
final class BecauseNode<Value>: RequirementNode {
    let child: Requirement<Value>
    let code: String
    let message: String
    let depth: Int

    init(_ child: Requirement<Value>, code: String, message: String) {
        self.child = child
        depth = 1 + child.node.depth
        self.code = code
        self.message = message
    }

    func evaluate(_ value: Value) -> Evaluation {
        guard case .failed(let reason) = child.evaluator.evaluate(value) else { return .confirmed }
        return .failed(reason: reason.replaced(code: code, message: message))
    }

    /// The message replaces that of the child's trace, so that this node does not appear in traces.
    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        var trace = child.node.trace(value, limit: limit)
        if let reason = trace.reason { trace.reason = reason.replaced(code: code, message: message) }
        return trace
    }

    var traceSkeleton: RequirementTrace { child.node.traceSkeleton }

    var phrase: Phrase { child.node.phrase }

    var expression: RuleExpression? { child.node.expression.map { .because($0, code: code, message: message) } }

    var plan: ColumnPlan<Value> { child.node.plan }

    /// A check gets a reason with this code and message, which saves a step for each failure.
    var fastPath: any Evaluator<Value> {
        guard let check = child.evaluator as? any CheckNode else { return self }
        let reworded = check.failing(with: check.failure.replaced(code: code, message: message))
        return reworded as? any Evaluator<Value> ?? self
    }
}

/// A requirement that adds a name to its reasons.
final class NamedNode<Value>: RequirementNode {
    let child: Requirement<Value>
    let name: String
    let depth: Int

    init(_ child: Requirement<Value>, name: String) {
        self.child = child
        depth = 1 + child.node.depth
        self.name = name
    }

    func evaluate(_ value: Value) -> Evaluation { child.evaluator.evaluate(value).changed { $0.named(name) } }

    func collect(_ value: Value, into failures: inout Failures) {
        failures.collect({ $0.named(name) }) { child.node.collect(value, into: &$0) }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let part = child.node.trace(value, limit: limit)
        return RequirementTrace(name: name, evaluation: part.evaluation.changed { $0.named(name) }, children: [part])
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: name, children: [child.node.traceSkeleton]) }

    var phrase: Phrase { child.node.phrase }

    var expression: RuleExpression? { child.node.expression.map { .named($0, name) } }

    var plan: ColumnPlan<Value> { child.node.plan }
}

/// A requirement from a closure.
final class ClosureNode<Value>: RequirementNode {
    let name: String?
    let evaluator: @Sendable (Value) -> Evaluation

    init(name: String?, evaluator: @escaping @Sendable (Value) -> Evaluation) {
        self.name = name
        self.evaluator = evaluator
    }

    func evaluate(_ value: Value) -> Evaluation {
        let evaluation = evaluator(value)
        return name.map { name in evaluation.changed { $0.named(name) } } ?? evaluation
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: name ?? "closure") }

    var phrase: Phrase { .plain(name.map { "as '\($0)' requires" } ?? "as a rule of its own requires") }
}

/// The same result for every value.
final class ConstantNode<Value>: RequirementNode {
    let evaluation: Evaluation

    init(_ evaluation: Evaluation) { self.evaluation = evaluation }

    func evaluate(_ value: Value) -> Evaluation { evaluation }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: evaluation.isConfirmed ? "always" : "never") }

    var phrase: Phrase { .plain(evaluation.isConfirmed ? "anything" : "nothing") }

    var columnNode: Node? { evaluation.verdict == .undecided ? nil : .constant(evaluation.isConfirmed) }

    var expression: RuleExpression? {
        guard let reason = evaluation.reason else { return .all([]) }
        // An undecided reason describes a mistake that rule files cannot contain, such as a pattern that does not
        // compile.
        if reason.isUndecided { return nil }
        let never = RuleExpression.because(.not(.all([])), code: reason.contents.code, message: reason.message)
        return reason.rule.map { .named(never, $0) } ?? never
    }
}
