extension AsyncRequirement where Value: Sendable {
    /// All requirements must hold. The synchronous ones run first, then all others at the same time.
    ///
    /// The result does not depend on timing: the first failure or error in declared order decides. As soon as the
    /// result is known, the remaining requirements are cancelled.
    public static func allConcurrently(_ requirements: [Self]) -> Self {
        Self(.all(requirements.compactMap { $0.immediate }))
            && waiting(requirements, isAll: true) { answers in
                var fold = KleeneFold(.and)
                for answer in answers {
                    guard let answer else { return nil }
                    if fold.add(try answer.get()) { break }
                }
                return fold.evaluation
            }
    }

    /// At least one requirement must hold. The synchronous ones run first, then all others at the same time.
    ///
    /// The result does not depend on timing: a confirmation takes precedence over failures and errors. As soon as one
    /// requirement confirms, the others are cancelled.
    public static func anyConcurrently(_ requirements: [Self]) -> Self {
        Self(.any(requirements.compactMap { $0.immediate }))
            || waiting(requirements) { answers in
                var fold = KleeneFold(.or)
                for case .success(let answer)? in answers where fold.add(answer) { return fold.evaluation }
                // An error counts only after all requirements have finished without a confirmation.
                if answers.contains(where: { $0 == nil }) { return nil }
                for answer in answers { _ = try answer?.get() }
                return fold.evaluation
            }
    }

    private static func waiting(
        _ requirements: [Self], isAll: Bool = false,
        _ joined: @escaping @Sendable ([ConcurrentNode<Value>.Answer?]) throws -> Evaluation?
    ) -> Self {
        Self(ConcurrentNode(requirements.filter { $0.immediate == nil }, isAll: isAll, joined))
    }
}

/// Requirements that run at the same time.
private final class ConcurrentNode<Value: Sendable>: AsyncNode {
    typealias Answer = Result<Evaluation, any Error>

    let children: [AsyncRequirement<Value>]
    /// Whether each child may add its own reasons. Alternatives have one common reason.
    let isAll: Bool
    /// Returns the result if the answers so far determine it; otherwise `nil`. The answers are in declared order, and
    /// those that have not arrived are `nil`.
    let joined: @Sendable ([Answer?]) throws -> Evaluation?

    init(
        _ children: [AsyncRequirement<Value>], isAll: Bool,
        _ joined: @escaping @Sendable ([Answer?]) throws -> Evaluation?
    ) {
        self.children = children
        self.isAll = isAll
        self.joined = joined
    }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        try await ask({ try await $0.node.evaluate(value) }) { answers in try joined(answers) }
    }

    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws {
        guard isAll && failures.limit > 1 else {
            failures.append(try await evaluate(value))
            return
        }
        let limit = failures.limit
        let reasons: [Reason] = try await ask({ child in
            var failures = Failures(limit: limit)
            try await child.node.collect(value, into: &failures)
            return failures.reasons
        }) { answers in
            if answers.contains(where: { $0 == nil }) { return nil }
            return try answers.flatMap { try $0?.get() ?? [] }
        }
        for reason in reasons { failures.append(reason) }
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        try await ask({ try await $0.node.evaluate(chunk: chunk) }) { answers in
            if answers.contains(where: { $0 == nil }) { return nil }
            return try chunk.indices.map { row in
                try joined(answers.map { answer in answer?.map { $0[row] } }) ?? .confirmed
            }
        }
    }

    /// Runs `body` for all children at the same time, until `known` returns a result.
    private nonisolated(nonsending) func ask<Part: Sendable, Combined>(
        _ body: @escaping @Sendable (AsyncRequirement<Value>) async throws -> Part,
        known: ([Result<Part, any Error>?]) throws -> Combined?
    ) async throws -> Combined {
        var answers = [Result<Part, any Error>?](repeating: nil, count: children.count)
        if let combined = try known(answers) { return combined }
        try Task.checkCancellation()
        return try await withThrowingTaskGroup(of: (Int, Result<Part, any Error>).self) { group in
            defer { group.cancelAll() }
            for (index, child) in children.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await body(child)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for try await (index, answer) in group {
                answers[index] = answer
                if let combined = try known(answers) { return combined }
            }
            preconditionFailure("when every answer is there, that of the group is known")
        }
    }
}
