internal import Assay
internal import AssayEvaluation
internal import AssayRules

/// The rules between columns, prepared for checking tables. Compiled once with the rules and used by all checks.
final class RowPlan: Sendable {
    /// The texts of their findings, in declared order.
    let reported: [RuleTexts]
    let judges: JudgePool

    init(_ compiled: CompiledSchema, limits: Limits) {
        judges = JudgePool(BoundSchema(compiled, fields: [], hasRows: true), limits: limits.match)
        reported = ReportedRule.rows(of: judges.schema, limits: limits.match).map { RuleTexts($0) }
    }
}
