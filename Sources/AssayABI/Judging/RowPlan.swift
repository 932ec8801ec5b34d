internal import Assay
internal import AssayRules

/// The rules between columns, ready to judge tables: made once with the rules, used by every check of them.
final class RowPlan: Sendable {
    /// What their findings say, in declared order.
    let reported: [ReportedRule]
    private let schema: BoundSchema
    private let limits: MatchLimits
    /// Judges that nobody uses now.
    private let idle = Lock<[Judge]>([])
    private static let mostIdle = 16

    /// A judge that can be put aside. It has one user at a time.
    final class Judge: @unchecked Sendable {
        // SAFETY: whoever took it from the pool has it alone.
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

    // As in FieldPlan, the lock is never waited for.

    func takeJudge() throws(NoMemoryError) -> Judge {
        if let judge = idle.withLockIfAvailable({ $0.popLast() }).flatMap(\.self) { return judge }
        return try Judge(schema, limits: limits)
    }

    func giveBack(_ judge: Judge) {
        _ = idle.withLockIfAvailable { if $0.count < Self.mostIdle { $0.append(judge) } }
    }
}
