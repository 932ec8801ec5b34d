extension AsyncRequirement where Value: Sendable {
    /// A requirement that is asked about many keys at once, such as whether rows with these ids exist.
    ///
    ///     let known = AsyncRequirement<Order>.batched(by: \.customer, because: Reason(message: "Unknown customer")) { ids in
    ///         try await database.existing(ids)
    ///     }
    ///     try await known.evaluations(for: orders)        // one question for each 500 orders
    ///
    /// - Parameters:
    ///   - key: what of the value is asked about.
    ///   - reason: why a value whose key is not accepted fails.
    ///   - accepted: those of the keys that are accepted. It gets each key once, in the order of the values.
    public static func batched<Key: Hashable & Sendable>(
        by key: any KeyPath<Value, Key> & Sendable, because reason: Reason,
        _ accepted: @escaping @Sendable ([Key]) async throws -> Set<Key>
    ) -> Self {
        Self(BatchNode(key, reason, accepted))
    }

    /// Judges many values: the answers of ``evaluate(_:)`` in the order of the values.
    ///
    /// Within a chunk, what need not wait is asked first, ``batched(by:because:_:)`` once for all values that are still open,
    /// and other closures value by value.
    ///
    /// - Parameters:
    ///   - chunk: how many values are judged together.
    ///   - atOnce: how many chunks are under way at the same time.
    /// - Throws: what a closure throws, the first chunk's that comes to it; `CancellationError`. The rest is cancelled.
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
