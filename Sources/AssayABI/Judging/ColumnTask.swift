/// One column of a table together with the field that it is judged by: what every worker needs for any slice of it.
final class ColumnTask: Sendable {
    let column: SourceColumn
    let plan: FieldPlan
    /// Where its rules start among the reported ones.
    let firstRule: Int
    /// What came of the values of its dictionary, if it has one.
    let dictionary: DictionaryVerdicts?
    /// Whether its values are kept, for what is asked of whole rows.
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
