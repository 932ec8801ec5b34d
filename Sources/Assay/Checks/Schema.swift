/// What every record of a table must be: the fields with their rules. A superset of a Table Schema.
///
/// A description: plain data. ``CompiledSchema`` runs it.
public struct Schema: Hashable, Sendable, Codable {
    /// The columns that have rules, in the order of the rule file.
    public var fields: [Field]

    /// Texts that mean "no value here". By default only the empty text.
    public var missingValues: [String]

    /// How the fields and the columns of a file must correspond. By default the file may have further columns.
    public var fieldsMatch: FieldsMatch

    /// What must hold between the columns of a record, asked after the fields' own rules, and reported in this order.
    public var rows: [RowRule]

    /// What no two records may have in common, in reported order.
    public var keys: [Key] = []

    /// What must stand in other tables, or elsewhere in this one, in reported order.
    public var foreignKeys: [ForeignKey] = []

    /// Which of the records stay that have a key in common.
    public var keep = KeptRecords.first

    /// A schema.
    ///
    /// - Parameters:
    ///   - fields: the columns that have rules.
    ///   - missingValues: texts that mean "no value here".
    ///   - fieldsMatch: how the fields and the columns of a file must correspond.
    ///   - rows: what must hold between the columns of a record.
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
    /// The name of the column, as the header has it: compared byte by byte.
    public var name: String

    /// The first thing asked of a value that is not missing. If it fails, nothing else is asked.
    public var type: ValueType

    /// What is repaired before anything is asked, in this order.
    public var repair: [Repair] = []

    /// Whether a missing value is a finding.
    public var isRequired: Bool

    /// Whether null is a value of the field. With the types of JSON Schema, null in another field has the wrong type. In text, a missing value
    /// of the field then satisfies ``isRequired``.
    public var isNullable = false

    /// Whether the field may be absent from all records of JSON Lines. For other fields that is an error.
    public var isOptional = false

    /// Texts that mean "no value here" in this column; `nil`: the schema's.
    public var missingValues: [String]?

    /// Asked of every value of the right type, and reported in this order.
    public var rules: [Rule]

    /// A field.
    ///
    /// - Parameters:
    ///   - name: the name of the column.
    ///   - type: asked first of every value that is not missing.
    ///   - isRequired: whether a missing value is a finding.
    ///   - missingValues: texts that mean "no value here"; `nil`: the schema's.
    ///   - repair: what is repaired before anything is asked, in this order.
    ///   - rules: asked of every value of the right type, in this order.
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
