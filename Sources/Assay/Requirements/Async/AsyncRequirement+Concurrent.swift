extension AsyncRequirement where Value: Sendable {
    /// Every one of these, all asked at once, after those that need not wait.
    ///
    /// The answer does not depend on who is ready first: the first reason in declared order wins, and so does an error that
    /// stands before it in that order. As soon as the answer is known the others are cancelled.
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

    /// At least one of these, all asked at once, after those that need not wait.
    ///
    /// The answer does not depend on who is ready first: one that confirms wins, also over an error. As soon as one does the
    /// others are cancelled.
    public static func anyConcurrently(_ requirements: [Self]) -> Self {
        Self(.any(requirements.compactMap { $0.immediate }))
            || waiting(requirements) { answers in
                var fold = KleeneFold(.or)
                for case .success(let answer)? in answers where fold.add(answer) { return fold.evaluation }
                // An error counts only when nobody can confirm any more.
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

/// Requirements that are all asked at once.
private final class ConcurrentNode<Value: Sendable>: AsyncNode {
    typealias Answer = Result<Evaluation, any Error>

    let children: [AsyncRequirement<Value>]
    /// Whether each of them may add reasons; alternatives have one reason together.
    let isAll: Bool
    /// The answer that follows from those that are there, in declared order; `nil` if it is not known yet.
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

    /// Asks all children at once, until `known` has an answer.
    private nonisolated(nonsending) func ask<Part: Sendable, Whole>(
        _ body: @escaping @Sendable (AsyncRequirement<Value>) async throws -> Part,
        known: ([Result<Part, any Error>?]) throws -> Whole?
    ) async throws -> Whole {
        var answers = [Result<Part, any Error>?](repeating: nil, count: children.count)
        if let whole = try known(answers) { return whole }
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
                if let whole = try known(answers) { return whole }
            }
            preconditionFailure("when every answer is there, that of the group is known")
        }
    }
}
