extension Requirement where Value == String {
    /// What a cell of a column must be, as rule files have it: after its repairs a missing value is asked only whether it is
    /// required; then the type; then every rule that rejects, under its id and with its message. Rules that only warn are left out.
    ///
    /// - Parameter missingValues: those of the schema, for a field that has none of its own.
    /// - Throws: ``CompileError``.
    public init(_ field: Field, missingValues: [String] = Schema().missingValues) throws(CompileError) {
        let missingValues = field.missingValues ?? missingValues
        let type = try Self(.type(field.type))
        var rules: [Self] = []
        for rule in field.rules where rule.severity == .reject {
            let requirement = try Self(rule.check)
            rules.append((rule.message.map { requirement.because($0) } ?? requirement).named(rule.id))
        }
        let present = Self(try MissingNode(missingValues))
        let judged = Self.when(
            present, .all([type.named("\(field.name).\(field.type.ruleCode)"), .when(type, .all(rules))]))
        let asked =
            field.isRequired && !field.isNullable ? .all([present.named("\(field.name).required"), judged]) : judged
        self =
            field.repair.isEmpty
            ? asked : asked.repairing(try CompiledRepairs(field.repair, of: field.type, missingValues: missingValues))
    }
}

extension Requirement where Value == [String: String] {
    /// What a record must be, given as column name to text: every field of a schema, and every row rule that rejects. A column
    /// that is not there is an empty text. Reasons of fields carry the name of the column as their path. Keys are about several
    /// records, and have no part in it.
    ///
    /// - Throws: ``CompileError``.
    public init(_ schema: Schema) throws(CompileError) {
        var fields: [Self] = []
        for field in schema.fields {
            let cell = try Requirement<String>(field, missingValues: schema.missingValues)
            fields.append(.at(\.[cell: FieldKey(field.name)], named: field.name, cell))
        }
        for rule in schema.rows where rule.severity == .reject { fields.append(try Self(rule, in: schema)) }
        self = .all(fields)
    }
}

extension [String: String] {
    /// The text of a field.
    fileprivate subscript(cell field: FieldKey) -> String { field.text(in: self) ?? "" }
}

/// There is a text that does not mean "no value".
final class MissingNode: RequirementNode {
    let missingValues: [String]
    private let missing: Requirement<String>

    init(_ missingValues: [String]) throws(CompileError) {
        self.missingValues = missingValues
        missing = try Requirement(.oneOf(missingValues))
    }

    func evaluate(_ value: String) -> Evaluation {
        missing.evaluate(value).isConfirmed ? .failed(reason: .missing) : .confirmed
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: "value.missing") }
    var phrase: Phrase { .plain("there") }
    var expression: RuleExpression? { .present(missing: missingValues) }
    var plan: ColumnPlan<String> { missing.node.plan.negated }
}
