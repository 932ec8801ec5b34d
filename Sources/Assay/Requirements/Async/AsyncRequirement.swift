/// A validation rule that waits for an answer, such as whether a user name is free or a host is reachable.
///
///     let free = AsyncRequirement<String> { name in
///         try await api.isFree(name) ? .confirmed : .failed(reason: Reason(code: "username_taken", message: "Taken"))
///     }
///     let username = Rules.username && free.timeout(.seconds(2))
///     try await username.evaluate("anna")
///
/// In each group, synchronous requirements run first. Asynchronous requirements run only if the synchronous ones do not
/// determine the result. Errors that a closure throws are rethrown, because an error is not a verdict. A cancelled task
/// throws `CancellationError` before the next closure runs.
///
/// A requirement is immutable, so any number of tasks may use it at the same time. Evaluation stays on the caller's
/// actor, so `Value` need not be `Sendable`, except for concurrent groups, timeouts and chunks.
public struct AsyncRequirement<Value>: Sendable {
    /// A closure that evaluates a value. It runs in the caller's isolation; errors that it throws are rethrown.
    public typealias Evaluator = nonisolated(nonsending) @Sendable (Value) async throws -> Evaluation

    /// A closure that always throws.
    public typealias Thrower = nonisolated(nonsending) @Sendable (Value) async throws -> Never

    let node: any AsyncNode<Value>

    init(_ node: any AsyncNode<Value>) { self.node = node }

    /// A requirement from a closure. The last line of the closure is its result.
    ///
    ///     AsyncRequirement<String> { name in
    ///         let answer = try await api.lookUp(name)
    ///         answer.isFree ? .confirmed : .failed(reason: Reason(code: "username_taken", message: "Taken"))
    ///     }
    public init(@EvaluationBuilder _ evaluator: @escaping Evaluator) { node = AsyncClosureNode(evaluator) }

    /// A requirement from a closure that always throws.
    @_disfavoredOverload
    public init(_ evaluator: @escaping Thrower) {
        node = AsyncClosureNode { value in try await evaluator(value) }
    }

    /// A synchronous requirement as an asynchronous one.
    public init(_ requirement: Requirement<Value>) { node = SyncNode(requirement) }

    /// The requirement, if it is synchronous.
    var immediate: Requirement<Value>? { node.requirement }

    /// A requirement that accepts every value.
    public static var always: Self { Self(.always) }

    /// A requirement that rejects every value with the given reason.
    public static func never(_ reason: Reason) -> Self { Self(.never(reason)) }

    /// Returns the first reason against a value, or `.confirmed`. Synchronous requirements run first, then the others
    /// in declared order.
    ///
    /// - Throws: The errors of closures; `CancellationError`.
    public nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        try await node.evaluate(value)
    }

    /// Returns the reasons against a value, up to a limit: first the failures, then the reasons of undecided checks.
    /// Asynchronous requirements run only for values that the synchronous ones do not reject.
    ///
    /// - Throws: The errors of closures; `CancellationError`.
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

/// A node of an asynchronous requirement.
protocol AsyncNode<Value>: AnyObject, Sendable {
    associatedtype Value

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation

    /// Appends the reasons against a value until the limit of `failures` is reached.
    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws

    /// Evaluates several values. The result has one evaluation for each value, in the same order.
    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation]

    /// The requirement, if it is synchronous.
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
