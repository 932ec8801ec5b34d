internal import Assay
internal import AssayEvaluation
internal import AssayRules

/// A field of the rules, prepared for checking columns. Compiled once with the rules and used by all checks.
final class FieldPlan: Sendable {
    /// Its index in the fields of the rules.
    let field: Int
    let name: CText
    let description: Field
    var type: ValueType { description.type }
    /// The texts of missing values.
    let missingValues: [String]
    let schema: BoundSchema
    /// The texts of its findings, in reported order. The library's own rules are first.
    let reported: [RuleTexts]
    /// The index of the rule that a null violates, among the rules of the field.
    let required: Int?
    /// The maximum length of a checked value in bytes.
    let longest: Int
    /// Whether `longest` is a limit of the library and not of the rules. Longer values are then undecided.
    let leavesLongUndecided: Bool
    let limits: MatchLimits
    /// The repairs of its values, or `nil`. They are not part of the schema.
    let repairs: CompiledRepairs?
    /// The names of the repairs in counts.
    let repairNames: [CText]
    let evaluators: EvaluatorPool
    /// The plans for columns of numbers that were compiled, by the type of the column.
    let numberPlans = Lock<[ArrowFormat: KnownNumberPlan]>([:])

    /// - Parameters:
    ///   - compiled: a schema without repairs.
    ///   - longest: overrides the limit of the rules.
    init(
        _ compiled: CompiledSchema, field index: Int, limits: Limits, repairs: CompiledRepairs?, longest: Int? = nil
    ) {
        let field = (description: compiled.schema.fields[index], schema: BoundSchema(compiled, field: index))
        self.field = index
        name = CText(field.description.name)
        description = field.description
        missingValues = field.description.missingValues ?? compiled.schema.missingValues
        schema = field.schema
        self.longest = longest ?? limits.fieldBytes
        leavesLongUndecided = longest != nil
        self.limits = limits.match
        evaluators = EvaluatorPool(field.schema, limits: limits.match)
        self.repairs = repairs
        repairNames = (repairs?.description.names ?? []).map { CText($0) }
        reported = ValueRule.all(
            before: schema, of: field.description.name, longest: self.longest, limits: limits.match)
        required = schema.rules.firstIndex { $0.code == "required" }
    }
}
