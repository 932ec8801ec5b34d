extension AsyncRequirement where Value: Sendable {
    /// The same requirement with a time limit.
    ///
    /// After `duration`, the result is an undecided reason with the code `timeout`. The evaluation is cancelled, but
    /// not awaited, because it may ignore the cancellation.
    ///
    /// - Parameter clock: The clock that measures the time. Tests can pass another one.
    public func timeout<Ticker: Clock>(
        _ duration: Duration, clock: Ticker = ContinuousClock()
    ) -> Self where Ticker.Duration == Duration {
        if immediate != nil { return self }
        return Self(TimeoutNode(self) { try await clock.sleep(for: duration) })
    }
}

private final class TimeoutNode<Value: Sendable>: AsyncNode {
    let child: AsyncRequirement<Value>
    let deadline: @Sendable () async throws -> Void

    init(_ child: AsyncRequirement<Value>, deadline: @escaping @Sendable () async throws -> Void) {
        self.child = child
        self.deadline = deadline
    }

    nonisolated(nonsending) func evaluate(_ value: Value) async throws -> Evaluation {
        let child = child
        return try await Race().run(.failed(reason: .timeout), after: deadline) {
            try await child.node.evaluate(value)
        }
    }

    nonisolated(nonsending) func collect(_ value: Value, into failures: inout Failures) async throws {
        let (child, limit) = (child, failures.limit)
        let reasons = try await Race().run([Reason.timeout], after: deadline) {
            var failures = Failures(limit: limit)
            try await child.node.collect(value, into: &failures)
            return failures.reasons
        }
        for reason in reasons { failures.append(reason) }
    }

    nonisolated(nonsending) func evaluate(chunk: [Value]) async throws -> [Evaluation] {
        let child = child
        let late = [Evaluation](repeating: .failed(reason: .timeout), count: chunk.count)
        return try await Race().run(late, after: deadline) { try await child.node.evaluate(chunk: chunk) }
    }
}

/// Runs work against a deadline and returns the first result. A task group would also wait for the slower task.
private final class Race<Answer: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Answer, any Error>)
        case over(Result<Answer, any Error>)
    }

    private let state = Lock(State.open)

    nonisolated(nonsending) func run(
        _ late: Answer, after deadline: @escaping @Sendable () async throws -> Void,
        _ work: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try Task.checkCancellation()
        let runner = Task {
            do {
                finish(.success(try await work()))
            } catch {
                finish(.failure(error))
            }
        }
        let timer = Task {
            // A cancelled timer must not finish the race.
            if (try? await deadline()) != nil { finish(.success(late)) }
        }
        defer {
            runner.cancel()
            timer.cancel()
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Result<Answer, any Error>? = state.withLock { state in
                    if case .over(let answer) = state { return answer }
                    state = .waiting(continuation)
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    private func finish(_ answer: Result<Answer, any Error>) {
        let continuation: CheckedContinuation<Answer, any Error>? = state.withLock { state in
            switch state {
            case .open:
                state = .over(answer)
                return nil
            case .waiting(let continuation):
                state = .over(answer)
                return continuation
            case .over:
                return nil
            }
        }
        continuation?.resume(with: answer)
    }
}
