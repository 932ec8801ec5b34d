internal import Assay

/// Idle evaluators of a schema. They are reused, because creating one costs more than checking a small batch.
final class EvaluatorPool: Sendable {
    let schema: BoundSchema
    private let limits: MatchLimits
    private let idle = Lock<[PooledEvaluator]>([])
    private static let maxIdleEvaluators = 16

    /// An evaluator that can be pooled. Only one thread at a time may use it.
    final class PooledEvaluator: @unchecked Sendable {
        // SAFETY: only the thread that took an evaluator from the pool uses it, until it gives it back.
        var evaluator: SchemaEvaluator

        fileprivate init(_ schema: BoundSchema, limits: MatchLimits) throws(NoMemoryError) {
            evaluator = try SchemaEvaluator(schema, limits: limits)
        }
    }

    init(_ schema: BoundSchema, limits: MatchLimits) { (self.schema, self.limits) = (schema, limits) }

    // The pool must not wait for the lock. If another thread held the lock when the process forked, the lock is never
    // released in the child process.

    /// - Parameters:
    ///   - account: The account that the evaluator is charged to; `nil` without a budget.
    ///   - now: The time of the call; `nil` if no rule depends on it.
    func take(chargedTo account: BudgetAccount?, at now: Timestamp? = nil) throws(NoMemoryError) -> PooledEvaluator {
        let known = idle.withLockIfAvailable({ $0.popLast() }).flatMap(\.self)
        let pooled = if let known { known } else { try PooledEvaluator(schema, limits: limits) }
        if let account { pooled.evaluator.charge(to: account) }
        pooled.evaluator.setNow(now)
        return pooled
    }

    func giveBack(_ pooled: PooledEvaluator) {
        pooled.evaluator.charge(to: nil)
        _ = idle.withLockIfAvailable { if $0.count < Self.maxIdleEvaluators { $0.append(pooled) } }
    }
}
