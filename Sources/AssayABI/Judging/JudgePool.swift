internal import Assay

/// Idle judges of a schema. They are reused, because creating one costs more than checking a small batch.
final class JudgePool: Sendable {
    let schema: BoundSchema
    private let limits: MatchLimits
    private let idle = Lock<[Judge]>([])
    private static let mostIdle = 16

    /// A judge that can be pooled. Only one thread at a time may use it.
    final class Judge: @unchecked Sendable {
        // SAFETY: only the thread that took a judge from the pool uses it, until it gives it back.
        var judge: SchemaJudge

        fileprivate init(_ schema: BoundSchema, limits: MatchLimits) throws(NoMemoryError) {
            judge = try SchemaJudge(schema, limits: limits)
        }
    }

    init(_ schema: BoundSchema, limits: MatchLimits) { (self.schema, self.limits) = (schema, limits) }

    // The pool must not wait for the lock. If another thread held the lock when the process forked, the lock is never
    // released in the child process.

    /// - Parameter account: The account that the judge is charged to; `nil` without a budget.
    func take(chargedTo account: BudgetAccount?) throws(NoMemoryError) -> Judge {
        let known = idle.withLockIfAvailable({ $0.popLast() }).flatMap(\.self)
        let judge = if let known { known } else { try Judge(schema, limits: limits) }
        if let account { judge.judge.charge(to: account) }
        return judge
    }

    func giveBack(_ judge: Judge) {
        judge.judge.charge(to: nil)
        _ = idle.withLockIfAvailable { if $0.count < Self.mostIdle { $0.append(judge) } }
    }
}
