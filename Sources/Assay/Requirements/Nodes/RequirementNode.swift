/// What can be asked of a value.
protocol Question<Value>: AnyObject, Sendable {
    associatedtype Value

    /// The first reason against a value.
    func evaluate(_ value: Value) -> Evaluation
}

/// A question about a text whose bytes are at hand, so that several of them need them found only once.
protocol TextQuestion: Question<String> {
    /// - Parameter utf8: the bytes of `value`.
    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation
}

extension TextQuestion {
    func evaluate(_ value: String) -> Evaluation {
        // Not by withUTF8(of:), whose second way would have to keep this object alive: that is counted, for each value.
        if let evaluation = value.utf8.withContiguousStorageIfAvailable({ evaluate(value, $0) }) { return evaluation }
        return evaluate(contiguous(value))
    }
}

/// One part of a requirement. Final classes, so that handing a requirement on costs no more than a reference, and a question
/// no more than a call.
protocol RequirementNode<Value>: Question {
    /// Adds the reasons against a value, in declared order, until there are enough.
    func collect(_ value: Value, into failures: inout Failures)

    /// What every part of the question said.
    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace

    /// The trace of a value that was not asked about.
    var outline: RequirementTrace { get }

    /// The question in words.
    var words: Words { get }

    /// The same question as data; `nil` where it cannot be put so.
    var form: RequirementForm? { get }

    /// The same about a text, as a column is asked; `nil` where it cannot be put so.
    var check: Check? { get }

    /// How an array of values is judged.
    var plan: ColumnPlan<Value> { get }

    /// The same question on the shortest way: what is asked for each value.
    var direct: any Question<Value> { get }
}

/// The reasons against a value, as many as are wanted. One that is undecided is there until there are enough that are not.
struct Failures {
    private(set) var reasons: [Reason] = []
    let limit: Int
    private var definite = 0

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { definite >= limit }

    mutating func append(_ reason: Reason) {
        if isFull { return }
        if reasons.count >= limit {
            guard !reason.isUndecided, let last = reasons.lastIndex(where: \.isUndecided) else { return }
            reasons.remove(at: last)
        }
        reasons.append(reason)
        if !reason.isUndecided { definite += 1 }
    }

    /// The reasons against a part of the value, each changed to what it is for the whole.
    mutating func collect(_ change: (Reason) -> Reason, _ body: (inout Failures) -> Void) {
        var inner = Failures(limit: limit - definite)
        body(&inner)
        for reason in inner.reasons { append(change(reason)) }
    }
}

extension RequirementNode {
    // What a node that holds no others does.

    func collect(_ value: Value, into failures: inout Failures) {
        if failures.isFull { return }
        if case .failed(let reason) = evaluate(value) { failures.append(reason) }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        RequirementTrace(name: outline.name, evaluation: evaluate(value))
    }

    var form: RequirementForm? { nil }

    var check: Check? { form?.check }

    var plan: ColumnPlan<Value> { check.map(ColumnPlan.data) ?? .values }

    var direct: any Question<Value> { self }
}
