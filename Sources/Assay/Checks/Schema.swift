/// What every record of a table must be: the fields with their rules. A superset of a Table Schema.
///
/// A description: plain data. ``CompiledSchema`` runs it.
public struct Schema: Hashable, Sendable, Codable {
    public var fields: [Field]

    /// Texts that mean "no value here". By default only the empty text.
    public var missingValues: [String]

    public var fieldsMatch: FieldsMatch

    public init(fields: [Field] = [], missingValues: [String] = [""], fieldsMatch: FieldsMatch = .subset) {
        self.fields = fields
        self.missingValues = missingValues
        self.fieldsMatch = fieldsMatch
    }
}

/// One column: its name, its type, and the rules for its values.
public struct Field: Hashable, Sendable, Codable {
    public var name: String

    /// The first thing asked of a value that is not missing. If it fails, nothing else is asked.
    public var type: ValueType

    /// Whether a missing value is a finding.
    public var isRequired: Bool

    /// Texts that mean "no value here" in this column; `nil`: the schema's.
    public var missingValues: [String]?

    /// Asked of every value of the right type, and reported in this order.
    public var rules: [Rule]

    public init(
        name: String, type: ValueType = .string, isRequired: Bool = false, missingValues: [String]? = nil,
        rules: [Rule] = []
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.missingValues = missingValues
        self.rules = rules
    }
}

/// How the fields of a schema and the columns of a file must correspond.
///
/// Source: Table Schema v2, `fieldsMatch`. The standard's default is `exact`; ours is `subset`.
public enum FieldsMatch: String, Hashable, Sendable, Codable, CaseIterable {
    /// The same fields in the same order.
    case exact
    /// The same fields in any order.
    case equal
    /// The file has all the fields and may have more.
    case subset
    /// The file has only fields of the schema and may have fewer.
    case superset
    /// At least one field is in both.
    case partial
}
