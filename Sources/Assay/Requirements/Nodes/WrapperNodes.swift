/// The opposite.
final class NotNode<Value>: RequirementNode {
    let child: Requirement<Value>

    init(_ child: Requirement<Value>) { self.child = child }

    func evaluate(_ value: Value) -> Evaluation { child.question.evaluate(value).negated }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let part = child.node.trace(value, limit: limit)
        return RequirementTrace(name: "not", evaluation: part.evaluation.negated, children: [part])
    }

    var outline: RequirementTrace { RequirementTrace(name: "not", children: [child.node.outline]) }

    var words: Words { .compound("not: \(child.node.words.inner)") }

    var form: RequirementForm? { child.node.form.map(RequirementForm.not) }

    var plan: ColumnPlan<Value> { child.node.plan.negated }
}

/// If the condition is confirmed, what follows must be, too.
final class WhenNode<Value>: RequirementNode {
    let condition: Requirement<Value>
    let then: Requirement<Value>

    init(_ condition: Requirement<Value>, then: Requirement<Value>) {
        self.condition = condition
        self.then = then
    }

    func evaluate(_ value: Value) -> Evaluation {
        condition.question.evaluate(value).implies { then.question.evaluate(value) }
    }

    func collect(_ value: Value, into failures: inout Failures) {
        if failures.isFull { return }
        let answer = condition.question.evaluate(value)
        if answer.isConfirmed {
            then.node.collect(value, into: &failures)
        } else if case .failed(let reason) = answer.implies({ then.question.evaluate(value) }) {
            failures.append(reason)
        }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let first = condition.node.trace(value, limit: limit)
        var second = then.node.outline
        let evaluation = first.evaluation.implies {
            second = then.node.trace(value, limit: limit)
            return second.evaluation
        }
        return RequirementTrace(name: "when", evaluation: evaluation, children: [first, second])
    }

    var outline: RequirementTrace {
        RequirementTrace(name: "when", children: [condition.node.outline, then.node.outline])
    }

    var words: Words { .compound("if \(condition.node.words.inner), then \(then.node.words.inner)") }

    var form: RequirementForm? {
        if let condition = condition.node.form, let then = then.node.form { .when(condition, then: then) } else { nil }
    }

    var plan: ColumnPlan<Value> { .any([.not(condition), then]) }
}

/// A requirement with words of one's own for whatever fails in it.
final class BecauseNode<Value>: RequirementNode {
    let child: Requirement<Value>
    let code: String
    let message: String

    init(_ child: Requirement<Value>, code: String, message: String) {
        self.child = child
        self.code = code
        self.message = message
    }

    func evaluate(_ value: Value) -> Evaluation {
        guard case .failed(let reason) = child.question.evaluate(value) else { return .confirmed }
        return .failed(reason: reason.replaced(code: code, message: message))
    }

    /// The words belong to the node that they were given to, so that no node of their own appears.
    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        var trace = child.node.trace(value, limit: limit)
        if let reason = trace.reason { trace.reason = reason.replaced(code: code, message: message) }
        return trace
    }

    var outline: RequirementTrace { child.node.outline }

    var words: Words { child.node.words }

    var form: RequirementForm? { child.node.form.map { .because($0, code: code, message: message) } }

    var plan: ColumnPlan<Value> { child.node.plan }

    /// A check gives its reason in these words at once.
    var direct: any Question<Value> {
        guard let check = child.question as? any CheckNode else { return self }
        let reworded = check.failing(with: check.failure.replaced(code: code, message: message))
        return reworded as? any Question<Value> ?? self
    }
}

/// A requirement whose reasons carry a name that somebody gave it.
final class NamedNode<Value>: RequirementNode {
    let child: Requirement<Value>
    let name: String

    init(_ child: Requirement<Value>, name: String) {
        self.child = child
        self.name = name
    }

    func evaluate(_ value: Value) -> Evaluation { child.question.evaluate(value).changed { $0.named(name) } }

    func collect(_ value: Value, into failures: inout Failures) {
        failures.collect({ $0.named(name) }) { child.node.collect(value, into: &$0) }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let part = child.node.trace(value, limit: limit)
        return RequirementTrace(name: name, evaluation: part.evaluation.changed { $0.named(name) }, children: [part])
    }

    var outline: RequirementTrace { RequirementTrace(name: name, children: [child.node.outline]) }

    var words: Words { child.node.words }

    var form: RequirementForm? { child.node.form.map { .named($0, name) } }

    var plan: ColumnPlan<Value> { child.node.plan }
}

/// A closure.
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

    var outline: RequirementTrace { RequirementTrace(name: name ?? "closure") }

    var words: Words { .plain(name.map { "as '\($0)' asks" } ?? "as a rule of its own asks") }
}

/// The same answer for every value.
final class ConstantNode<Value>: RequirementNode {
    let evaluation: Evaluation

    init(_ evaluation: Evaluation) { self.evaluation = evaluation }

    func evaluate(_ value: Value) -> Evaluation { evaluation }

    var outline: RequirementTrace { RequirementTrace(name: evaluation.isConfirmed ? "always" : "never") }

    var words: Words { .plain(evaluation.isConfirmed ? "anything" : "nothing") }

    var form: RequirementForm? {
        guard let reason = evaluation.reason else { return .all([]) }
        // What is undecided was asked something that no rule file can hold, such as a pattern that does not compile.
        if reason.isUndecided { return nil }
        let never = RequirementForm.because(.not(.all([])), code: reason.code, message: reason.message)
        return reason.rule.map { .named(never, $0) } ?? never
    }
}
