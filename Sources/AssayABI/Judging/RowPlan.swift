internal import Assay
internal import AssayRules

/// The rules between columns, prepared for checking tables. Compiled once with the rules and used by all checks.
final class RowPlan: Sendable {
    /// The texts of their findings, in declared order.
    let reported: [ReportedRule]
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
        reported = schema.rules[schema.rowRuleRange].map { rule in
            ReportedRule(
                column: nil, id: rule.id, code: rule.code, message: rule.message, severity: rule.severity,
                undecidedMessage: rule.expression.map { FindingText.undecided(row: $0) },
                exhaustedMessages: FindingText.exhausted(
                    row: rule.expression ?? "", maxBytes: limits.match.rowRuleBytes))
        }
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
