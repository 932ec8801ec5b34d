extension AsyncRequirement where Value: Sendable {
    /// A requirement that checks many keys in one call, such as whether rows with these ids exist.
    ///
    ///     let unknown = Reason(message: "Unknown customer")
    ///     let known = AsyncRequirement<Order>.batched(by: \.customer, because: unknown) { ids in
    ///         try await database.existing(ids)
    ///     }
    ///     try await known.evaluations(for: orders)        // one query for each 500 orders
    ///
    /// - Parameters:
    ///   - key: The part of the value to look up.
    ///   - reason: The reason for values with rejected keys.
    ///   - accepted: Returns the accepted keys among its argument, which contains each key once, in the order of the
    ///     values.
    public static func batched<Key: Hashable & Sendable>(
        by key: any KeyPath<Value, Key> & Sendable, because reason: Reason,
        _ accepted: @escaping @Sendable ([Key]) async throws -> Set<Key>
    ) -> Self {
        Self(BatchNode(key, reason, accepted))
    }

    /// Evaluates many values. Returns the results of ``evaluate(_:)`` in the order of the values.
    ///
    /// Within a chunk, synchronous requirements run first. ``batched(by:because:_:)`` then runs once for all
    /// undetermined values, and other closures run once for each value.
    ///
    /// - Parameters:
    ///   - chunk: The number of values that are evaluated together.
    ///   - atOnce: The maximum number of chunks that run at the same time.
    /// - Throws: The first error that a closure throws, which cancels the other chunks; `CancellationError`.
    public func evaluations(for values: [Value], chunk: Int = 500, atOnce: Int = 4) async throws -> [Evaluation] {
        checkPrecondition(
            chunk > 0 && atOnce > 0, "a chunk has at least one value, and at least one chunk is under way")
        let node = node
        let starts = Array(stride(from: 0, to: values.count, by: chunk))
        return try await withThrowingTaskGroup(of: (Int, [Evaluation]).self) { group in
            var done = [[Evaluation]](repeating: [], count: starts.count)
            func add(_ index: Int) {
                let part = Array(values[starts[index]..<min(values.count, starts[index] + chunk)])
                group.addTask {
                    try Task.checkCancellation()
                    return (index, try await node.evaluate(chunk: part))
                }
            }
            var next = min(atOnce, starts.count)
            for index in 0..<next { add(index) }
            while let (index, evaluations) = try await group.next() {
                done[index] = evaluations
                if next < starts.count {
                    add(next)
                    next += 1
                }
            }
            return done.flatMap { $0 }
        }
    }
}

private final class BatchNode<Value, Key: Hashable & Sendable>: AsyncNode {
    let key: any KeyPath<Value, Key> & Sendable
    let failure: Evaluation
    let accepted: @Sendable ([Key]) async throws -> Set<Key>

    init(
        _ key: any KeyPath<Value, Key> & Sendable, _ reason: Reason,
        _ accepted: @escaping @Sendable ([Key]) async throws -> Set<Key>
    ) {
        self.key = key
        failure = .failed(reason: reason)
        self.accepted = accepted
    }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        try await evaluate(chunk: [value])[0]
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        if chunk.isEmpty { return [] }
        try Task.checkCancellation()
        let keys = chunk.map { $0[keyPath: key] }
        var seen: Set<Key> = []
        let good = try await accepted(keys.filter { seen.insert($0).inserted })
        return keys.map { good.contains($0) ? .confirmed : failure }
    }
}
