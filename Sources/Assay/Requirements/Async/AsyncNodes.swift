/// A synchronous requirement, as a node of an asynchronous one.
final class SyncNode<Value>: AsyncNode {
    let inner: Requirement<Value>

    init(_ inner: Requirement<Value>) { self.inner = inner }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation { inner.evaluate(value) }

    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws {
        inner.node.collect(value, into: &failures)
    }

    var requirement: Requirement<Value>? { inner }
}

final class AsyncClosureNode<Value>: AsyncNode {
    let evaluator: AsyncRequirement<Value>.Evaluator

    init(_ evaluator: @escaping AsyncRequirement<Value>.Evaluator) { self.evaluator = evaluator }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        try Task.checkCancellation()
        return try await evaluator(value)
    }
}

/// All or at least one of several requirements. The synchronous ones run first, then the others one after another.
final class AsyncGroupNode<Value>: AsyncNode {
    let operation: KleeneOperator
    let first: Requirement<Value>
    let later: [AsyncRequirement<Value>]

    init(_ operation: KleeneOperator, _ children: [AsyncRequirement<Value>]) {
        self.operation = operation
        first = .group(operation, children.compactMap { $0.immediate })
        later = children.filter { $0.immediate == nil }
    }

    var requirement: Requirement<Value>? { later.isEmpty ? first : nil }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        var fold = KleeneFold(operation)
        if fold.add(first.evaluate(value)) { return fold.evaluation }
        for child in later where fold.add(try await child.node.evaluate(value)) { break }
        return fold.evaluation
    }

    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws {
        // Alternatives have one common reason.
        guard operation == .and else {
            failures.append(try await evaluate(value))
            return
        }
        let answer = first.evaluate(value)
        if !answer.isConfirmed { first.node.collect(value, into: &failures) }
        if answer.verdict == .fail { return }
        for child in later where !failures.isFull { try await child.node.collect(value, into: &failures) }
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        var folds = chunk.map { value in
            var fold = KleeneFold(operation)
            _ = fold.add(first.evaluate(value))
            return fold
        }
        for child in later {
            let open = chunk.indices.filter { !folds[$0].isSettled }
            if open.isEmpty { break }
            let answers = try await child.node.evaluate(chunk: open.map { chunk[$0] })
            for (index, answer) in zip(open, answers) { _ = folds[index].add(answer) }
        }
        return folds.map(\.evaluation)
    }
}

/// A requirement that transforms the evaluation of another one, such as a negation or another message.
final class AsyncChangedNode<Value>: AsyncNode {
    let child: AsyncRequirement<Value>
    let change: @Sendable (Evaluation) -> Evaluation

    init(_ child: AsyncRequirement<Value>, _ change: @escaping @Sendable (Evaluation) -> Evaluation) {
        self.child = child
        self.change = change
    }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        change(try await child.node.evaluate(value))
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        try await child.node.evaluate(chunk: chunk).map(change)
    }
}

/// A requirement that adds a name to the reasons of another one.
final class AsyncNamedNode<Value>: AsyncNode {
    let child: AsyncRequirement<Value>
    let name: String

    init(_ child: AsyncRequirement<Value>, name: String) {
        self.child = child
        self.name = name
    }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        try await child.node.evaluate(value).changed { $0.named(name) }
    }

    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws {
        var inner = failures.forPart
        try await child.node.collect(value, into: &inner)
        failures.append(inner) { $0.named(name) }
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        try await child.node.evaluate(chunk: chunk).map { $0.changed { $0.named(name) } }
    }
}

/// A requirement of a part of a value.
final class AsyncPartNode<Value, Part>: AsyncNode {
    private let part: PartOfValue<Value, Part>
    private let child: AsyncRequirement<Part>

    init(_ part: PartOfValue<Value, Part>, _ child: AsyncRequirement<Part>) {
        self.part = part
        self.child = child
    }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        try await child.node.evaluate(part.of(value)).changed(part.placed)
    }

    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws {
        var inner = failures.forPart
        try await child.node.collect(part.of(value), into: &inner)
        failures.append(inner, part.placed)
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        try await child.node.evaluate(chunk: chunk.map(part.of)).map { $0.changed(part.placed) }
    }
}
