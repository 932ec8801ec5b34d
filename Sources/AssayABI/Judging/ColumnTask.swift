internal import Assay

/// One column of a table together with the rules of its field: what every worker needs to judge any slice of it.
struct ColumnTask: Sendable {
    let column: SourceColumn
    let schema: BoundSchema
    let limits: MatchLimits
    /// The most bytes of a value that is judged.
    let longest: Int
    /// Where its rules start among the reported ones.
    let firstRule: Int
    /// The place of the rule that a null breaks, among those of the field.
    let required: Int?
    /// What came of the values of its dictionary, if it has one.
    let dictionary: DictionaryVerdicts?

    init(
        _ column: SourceColumn, schema: BoundSchema, limits: MatchLimits, longest: Int, firstRule: Int,
        dictionary: DictionaryVerdicts?
    ) {
        self.column = column
        self.schema = schema
        self.limits = limits
        self.longest = longest
        self.firstRule = firstRule
        self.dictionary = dictionary
        required = schema.rules.firstIndex { $0.code == "required" }
    }
}
