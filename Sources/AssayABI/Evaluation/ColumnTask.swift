/// A column of a table and its field: the data that every worker needs for any slice.
final class ColumnTask: Sendable {
    let column: SourceColumn
    let plan: FieldPlan
    /// The index of its first rule in the reported rules.
    let firstRule: Int
    /// The verdicts on the values of its dictionary, if it has one.
    let dictionary: DictionaryVerdicts?
    /// Whether its values are kept for row rules and keys.
    let isKept: Bool

    init(
        column: SourceColumn, plan: FieldPlan, firstRule: Int, dictionary: DictionaryVerdicts? = nil,
        isKept: Bool = false
    ) {
        self.column = column
        self.plan = plan
        self.firstRule = firstRule
        self.dictionary = dictionary
        self.isKept = isKept
    }
}
