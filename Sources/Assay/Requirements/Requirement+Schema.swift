extension Requirement where Value == String {
    /// The requirement of a column's cells, as in rule files. Repairs run first. A missing value is checked only for
    /// whether it is required; other values must have the type and then pass every rule that rejects, with the rule's
    /// id as name and its message. Rules that only warn are left out.
    ///
    /// - Parameter missingValues: The markers of the schema, for a field without its own.
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
        let conditional = Self.when(
            present, .all([type.named("\(field.name).\(field.type.ruleCode)"), .when(type, .all(rules))]))
        let requested =
            field.isRequired && !field.isNullable
            ? .all([present.named("\(field.name).required"), conditional]) : conditional
        self =
            field.repair.isEmpty
            ? requested
            : requested.repairing(try CompiledRepairs(field.repair, of: field.type, missingValues: missingValues))
    }
}

extension Requirement where Value == [String: String] {
    /// The requirement of a record, given as column name to text: all fields of a schema and all row rules that reject.
    /// A missing column counts as an empty text. Reasons of fields contain the column name as their path. Keys are left
    /// out, because they are about several records.
    ///
    /// - Throws: ``CompileError``.
    public init(_ schema: Schema) throws(CompileError) {
        var fields: [Self] = []
        for field in schema.fields {
            let cell = try Requirement<String>(field, missingValues: schema.missingValues)
            fields.append(.at(\.[cell: FieldKey(field.name)], named: field.name, cell))
        }
        for rule in schema.rows where rule.severity == .reject { fields.append(try Self(rule, in: schema)) }
        let all = Self.all(fields)
        var usesNow = false
        for rule in schema.rows where !usesNow { usesNow = try rule.usesNow(in: schema) }
        // Two rules must not see two times.
        self = usesNow ? Self(ClockNode(all)) : all
    }
}

extension [String: String] {
    /// The text of a field; empty if the record does not contain the field.
    fileprivate subscript(cell field: FieldKey) -> String { field.text(in: self) ?? "" }
}

/// A requirement that a text is not a marker of a missing value.
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
