/// The rules of a table: its fields, row rules and keys. A superset of a Table Schema.
///
/// A description: plain data. ``CompiledSchema`` runs it.
public struct Schema: Hashable, Sendable, Codable {
    /// The columns that have rules, in the order of the rule file.
    public var fields: [Field]

    /// Texts that mean "no value". The default is only the empty text.
    public var missingValues: [String]

    /// The required correspondence of fields and columns. By default, a file may have additional columns.
    public var fieldsMatch: FieldsMatch

    /// The rules across columns, in reporting order. They run after the rules of the fields.
    public var rows: [RowRule]

    /// The keys, in reporting order. No two records may share the values of a key.
    public var keys: [Key] = []

    /// The foreign keys, in reporting order.
    public var foreignKeys: [ForeignKey] = []

    /// The records that are kept among records with the same key.
    public var keep = DuplicatePolicy.first

    /// A schema.
    ///
    /// - Parameters:
    ///   - fields: The columns that have rules.
    ///   - missingValues: Texts that mean "no value".
    ///   - fieldsMatch: The required correspondence of fields and columns.
    ///   - rows: The rules across columns.
    public init(
        fields: [Field] = [], missingValues: [String] = [""], fieldsMatch: FieldsMatch = .subset, rows: [RowRule] = []
    ) {
        self.rows = rows
        self.fields = fields
        self.missingValues = missingValues
        self.fieldsMatch = fieldsMatch
    }
}

/// One column: its name, its type, and the rules for its values.
public struct Field: Hashable, Sendable, Codable {
    /// The name of the column in the header, compared byte by byte.
    public var name: String

    /// The type, which is checked first if the value is not missing. If it fails, no other rules run.
    public var type: ValueType

    /// The repairs, in order. They run before all checks.
    public var repair: [Repair] = []

    /// Whether a missing value is a finding.
    public var isRequired: Bool

    /// Whether null is a value of the field. With JSON Schema types, null in any other field has the wrong type. In
    /// text, a missing value of a nullable field satisfies ``isRequired``.
    public var isNullable = false

    /// Whether the field may be absent from all records of JSON Lines, which is otherwise an error.
    public var isOptional = false

    /// Texts that mean "no value" in this column; `nil` for those of the schema.
    public var missingValues: [String]?

    /// The order that the values must have, in the order of the records; `nil` allows any order.
    public var sorted: SortOrder?

    /// The rules for values of the right type, in reporting order.
    public var rules: [Rule]

    /// A field.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The type, which is checked first if the value is not missing.
    ///   - isRequired: Whether a missing value is a finding.
    ///   - missingValues: Texts that mean "no value"; `nil` for those of the schema.
    ///   - repair: The repairs, in order. They run before all checks.
    ///   - rules: The rules for values of the right type, in order.
    public init(
        name: String, type: ValueType = .string, isRequired: Bool = false, missingValues: [String]? = nil,
        repair: [Repair] = [], rules: [Rule] = []
    ) {
        self.repair = repair
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.missingValues = missingValues
        self.rules = rules
    }
}

/// The required correspondence of a schema's fields and a file's columns.
///
/// Source: Table Schema v2, `fieldsMatch`. The standard's default is `exact`; Assay's default is `subset`.
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
