/// What evaluates a value.
protocol Evaluator<Value>: AnyObject, Sendable {
    associatedtype Value

    /// The first reason against a value.
    func evaluate(_ value: Value) -> Evaluation
}

/// An evaluator of texts whose UTF-8 is at hand, so that several evaluators find it only once.
protocol UTF8Evaluator: Evaluator<String> {
    /// - Parameter utf8: the bytes of `value`.
    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation
}

extension UTF8Evaluator {
    func evaluate(_ value: String) -> Evaluation {
        // Not by withUTF8(of:), whose second way would have to keep this object alive: that is counted, for each value.
        if let evaluation = value.utf8.withContiguousStorageIfAvailable({ evaluate(value, $0) }) { return evaluation }
        return evaluate(contiguous(value))
    }
}

/// One part of a requirement. Nodes are final classes: passing a requirement on costs one reference, and evaluating it one call.
protocol RequirementNode<Value>: Evaluator {
    /// Adds the reasons against a value, in declared order, until there are enough.
    func collect(_ value: Value, into failures: inout Failures)

    /// What every part of the requirement said.
    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace

    /// The trace of a value that was not evaluated: the names of all parts, without verdicts.
    var traceSkeleton: RequirementTrace { get }

    /// The requirement in English.
    var phrase: Phrase { get }

    /// The requirement as data; `nil` where a closure is part of it.
    var expression: RuleExpression? { get }

    /// The check of a text that this is, for whole columns; `nil` where it is none, or a group.
    var columnNode: Node? { get }

    /// How an array of texts is judged.
    var plan: ColumnPlan<Value> { get }

    /// The shortest way to evaluate a value, with the same answers as the node.
    var fastPath: any Evaluator<Value> { get }
}

/// The reasons against a value, as many as are wanted: first what was proved wrong, and what is undecided if there is room for it.
struct Failures {
    private var definite: [Reason] = []
    private var undecided: [Reason] = []
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var reasons: [Reason] {
        undecided.isEmpty ? definite : definite + undecided.prefix(limit - definite.count)
    }

    var isFull: Bool { definite.count >= limit }

    mutating func append(_ evaluation: Evaluation) {
        if case .failed(let reason) = evaluation { append(reason) }
    }

    mutating func append(_ reason: Reason) {
        if isFull { return }
        if !reason.isUndecided {
            definite.append(reason)
        } else if undecided.count < limit {
            undecided.append(reason)
        }
    }

    /// The reasons against a part of the value, each changed to what it is for the whole.
    mutating func collect(_ change: (Reason) -> Reason, _ body: (inout Failures) -> Void) {
        var inner = Failures(limit: limit - definite.count)
        body(&inner)
        for reason in inner.reasons { append(change(reason)) }
    }
}

extension [Reason] {
    /// In the order in which they count: what was proved wrong, and then what is undecided.
    package var undecidedLast: [Reason] { filter { !$0.isUndecided } + filter(\.isUndecided) }
}

extension RequirementNode {
    // What a node that holds no others does.

    func collect(_ value: Value, into failures: inout Failures) {
        if failures.isFull { return }
        failures.append(evaluate(value))
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        RequirementTrace(name: traceSkeleton.name, evaluation: evaluate(value))
    }

    var expression: RuleExpression? { nil }

    /// The requirement as a check of a text; `nil` where it is not data or not about a text.
    var check: Check? { expression?.check }

    var columnNode: Node? { nil }

    var plan: ColumnPlan<Value> { columnNode.map(ColumnPlan.data) ?? .values }

    var fastPath: any Evaluator<Value> { self }
}
