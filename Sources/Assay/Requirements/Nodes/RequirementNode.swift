/// An object that evaluates a value.
protocol Evaluator<Value>: AnyObject, Sendable {
    associatedtype Value

    /// The first reason against a value, or `.confirmed`.
    func evaluate(_ value: Value) -> Evaluation
}

/// An evaluator of texts with known UTF-8 bytes, so that several evaluators get the bytes only once.
protocol UTF8Evaluator: Evaluator<String> {
    /// - Parameter utf8: The bytes of `value`.
    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation
}

extension UTF8Evaluator {
    func evaluate(_ value: String) -> Evaluation {
        // withUTF8(of:) is not used, because its slow path would retain and release this object for each value.
        if let evaluation = value.utf8.withContiguousStorageIfAvailable({ evaluate(value, $0) }) { return evaluation }
        return evaluate(contiguous(value))
    }
}

/// A node of a requirement. Nodes are final classes, so that copying a requirement retains one reference, and
/// evaluating it is one call.
protocol RequirementNode<Value>: Evaluator {
    /// Appends the reasons against a value, in declared order, until the limit of `failures` is reached.
    func collect(_ value: Value, into failures: inout Failures)

    /// The results of all parts of the requirement.
    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace

    /// The trace of a value that was not evaluated: the names of all parts, without verdicts.
    var traceSkeleton: RequirementTrace { get }

    /// The requirement in English.
    var phrase: Phrase { get }

    /// The requirement as data; `nil` if it contains a closure.
    var expression: RuleExpression? { get }

    /// The column check of a single node; `nil` if the node is not a check, or is a group.
    var columnNode: Node? { get }

    /// How arrays of texts are evaluated.
    var plan: ColumnPlan<Value> { get }

    /// The fastest evaluator with the same results as the node.
    var fastPath: any Evaluator<Value> { get }

    /// The number of nodes below this one on the longest path.
    var depth: Int { get }
}

/// The maximum ``RequirementNode/depth``, because evaluating and releasing a requirement uses the stack for each level.
let maxRequirementDepth = 500

/// The reasons against a value, up to a limit: first the failures, then the undecided reasons.
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

    /// Collects the reasons against a part of the value, each transformed into a reason for the whole value.
    mutating func collect(_ change: (Reason) -> Reason, _ body: (inout Failures) -> Void) {
        var inner = forPart
        body(&inner)
        append(inner, change)
    }

    /// An empty list for the reasons against a part of the value, with the remaining limit.
    var forPart: Failures { Failures(limit: limit - definite.count) }

    /// Appends the reasons against a part of the value, each transformed into a reason for the whole value.
    mutating func append(_ part: Failures, _ change: (Reason) -> Reason) {
        for reason in part.reasons { append(change(reason)) }
    }
}

extension [Reason] {
    /// The reasons in order of precedence: first the failures, then the undecided ones.
    package var undecidedLast: [Reason] { filter { !$0.isUndecided } + filter(\.isUndecided) }
}

extension RequirementNode {
    // The implementation for nodes without children.

    func collect(_ value: Value, into failures: inout Failures) {
        if failures.isFull { return }
        failures.append(evaluate(value))
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        RequirementTrace(name: traceSkeleton.name, evaluation: evaluate(value))
    }

    var expression: RuleExpression? { nil }

    /// The requirement as a check of a text; `nil` if it is not data or not about a text.
    var check: Check? { expression?.check }

    var columnNode: Node? { nil }

    var plan: ColumnPlan<Value> { columnNode.map(ColumnPlan.data) ?? .values }

    var fastPath: any Evaluator<Value> { self }

    var depth: Int { 0 }
}
