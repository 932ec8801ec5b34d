internal import Assay
internal import AssayEvaluation
internal import AssayRules

/// The rules between columns, prepared for checking tables. Compiled once with the rules and used by all checks.
final class RowPlan: Sendable {
    /// The texts of their findings, in declared order.
    let reported: [RuleTexts]
    private let schema: BoundSchema
    private let limits: MatchLimits
    /// Idle judges.
    private let idle = Lock<[Judge]>([])
    private static let mostIdle = 16

    /// A judge that can be pooled. Only one thread at a time may use it.
    final class Judge: @unchecked Sendable {
        // SAFETY: a judge that was taken from the pool has one user.
        let judge: RowSliceJudge

        fileprivate init(_ schema: BoundSchema, limits: MatchLimits) throws(NoMemoryError) {
            judge = try RowSliceJudge(schema, limits: limits)
        }
    }

    init(_ compiled: CompiledSchema, limits: Limits) {
        schema = BoundSchema(compiled, fields: [], hasRows: true)
        self.limits = limits.match
        reported = ReportedRule.rows(of: schema, limits: limits.match).map { RuleTexts($0) }
    }

    // As in FieldPlan, the pool must not wait for the lock.

    func takeJudge() throws(NoMemoryError) -> Judge {
        if let judge = idle.withLockIfAvailable({ $0.popLast() }).flatMap(\.self) { return judge }
        return try Judge(schema, limits: limits)
    }

    func giveBack(_ judge: Judge) {
        _ = idle.withLockIfAvailable { if $0.count < Self.mostIdle { $0.append(judge) } }
    }
}
