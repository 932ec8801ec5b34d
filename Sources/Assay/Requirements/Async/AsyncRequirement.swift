/// What a value must be, where finding out takes time: whether a name is free, whether an address answers.
///
///     let free = AsyncRequirement<String> { name in
///         try await api.isFree(name) ? .confirmed : .failed(reason: Reason(code: "username_taken", message: "Taken"))
///     }
///     let username = Rules.username && free.timeout(.seconds(2))
///     try await username.evaluate("anna")
///
/// Requirements that need not wait are asked first, in every group, and what they refuse is asked no further. Errors that a
/// closure throws are thrown on: not to know is no verdict. A task that is cancelled throws `CancellationError` before the
/// next closure is asked.
///
/// Immutable; safe to use from any number of tasks at once. Evaluating stays on the caller's actor, so that a value need not
/// be `Sendable`, but for groups that run at once, timeouts and chunks.
public struct AsyncRequirement<Value>: Sendable {
    /// A closure that judges a value. It runs in the caller's isolation; an error that it throws is thrown on.
    public typealias Evaluator = nonisolated(nonsending) @Sendable (Value) async throws -> Evaluation

    /// A closure that has no answer, only an error.
    public typealias Thrower = nonisolated(nonsending) @Sendable (Value) async throws -> Never

    let node: any AsyncNode<Value>

    init(_ node: any AsyncNode<Value>) { self.node = node }

    /// A requirement of one's own. The last line of the closure is its answer.
    ///
    ///     AsyncRequirement<String> { name in
    ///         let answer = try await api.lookUp(name)
    ///         answer.isFree ? .confirmed : .failed(reason: Reason(code: "username_taken", message: "Taken"))
    ///     }
    public init(@EvaluationBuilder _ evaluator: @escaping Evaluator) { node = AsyncClosureNode(evaluator) }

    /// A requirement of one's own that never has an answer: its closure throws.
    @_disfavoredOverload
    public init(_ evaluator: @escaping Thrower) {
        node = AsyncClosureNode { value in try await evaluator(value) }
    }

    /// One that need not wait.
    public init(_ requirement: Requirement<Value>) { node = SyncNode(requirement) }

    /// The requirement, where it need not wait.
    var immediate: Requirement<Value>? { node.requirement }

    /// Always confirmed.
    public static var always: Self { Self(.always) }

    /// Never confirmed, for this reason.
    public static func never(_ reason: Reason) -> Self { Self(.never(reason)) }

    /// The first reason against a value, or none: what need not wait first, then in declared order.
    ///
    /// - Throws: what a closure throws; `CancellationError`.
    public nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        try await node.evaluate(value)
    }

    /// The reasons against a value, as many as are wanted: what was proved wrong, and after it what is undecided. What must wait is
    /// asked only about a value that everything else confirms.
    ///
    /// - Throws: what a closure throws; `CancellationError`.
    public nonisolated(nonsending) func failures(
        in value: Value?, limit: FailurePolicy = .all
    ) async throws -> [Reason] {
        if limit.limit == 0 { return [] }
        guard let value else { return [.missing] }
        if limit == .first { return try await evaluate(value).reason.map { [$0] } ?? [] }
        var failures = Failures(limit: limit.limit)
        try await node.collect(value, into: &failures)
        return failures.reasons
    }
}

/// One part of an asynchronous requirement.
protocol AsyncNode<Value>: AnyObject, Sendable {
    associatedtype Value

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation

    /// Adds the reasons against a value until there are enough.
    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws

    /// The same for many values at once; as many answers, in their order.
    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation]

    /// The requirement, where this need not wait.
    var requirement: Requirement<Value>? { get }
}

extension AsyncNode {
    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws {
        failures.append(try await evaluate(value))
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        var evaluations: [Evaluation] = []
        for value in chunk { evaluations.append(try await evaluate(value)) }
        return evaluations
    }

    var requirement: Requirement<Value>? { nil }
}
