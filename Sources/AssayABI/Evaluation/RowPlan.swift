internal import Assay
internal import AssayEvaluation
internal import AssayRules

/// The rules between columns, prepared for checking tables. Compiled once with the rules and used by all checks.
final class RowPlan: Sendable {
    /// The texts of their findings, in declared order.
    let reported: [RuleTexts]
    let evaluators: EvaluatorPool

    init(_ compiled: CompiledSchema, limits: Limits) {
        evaluators = EvaluatorPool(BoundSchema(compiled, fields: [], hasRows: true), limits: limits.match)
        reported = ReportedRule.rows(of: evaluators.schema, limits: limits.match).map { RuleTexts($0) }
    }
}
