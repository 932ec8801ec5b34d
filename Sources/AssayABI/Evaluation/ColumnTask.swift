/// A column of a table and its field: the data that every worker needs for any slice.
final class ColumnTask: Sendable {
    let column: SourceColumn
    let plan: FieldPlan
    /// The index of its first rule in the reported rules.
    let firstRule: Int
    /// The verdicts on the values of its dictionary, if it has one.
    let dictionary: DictionaryVerdicts?
    /// The numbers of the column with the plan to check them, or `nil` if texts are checked.
    let numbers: (column: NumberColumn, plan: NumberPlan)?
    /// Whether its values are kept for row rules and keys.
    let isKept: Bool

    /// - Parameter needsTexts: whether the texts of all values are read: by keys, or because a budget is charged for
    ///   them.
    init(
        column: SourceColumn, plan: FieldPlan, firstRule: Int, dictionary: DictionaryVerdicts? = nil,
        isKept: Bool = false, needsTexts: Bool = false
    ) {
        self.column = column
        self.plan = plan
        self.firstRule = firstRule
        self.dictionary = dictionary
        self.isKept = isKept
        if let numbers = column.numbers, !needsTexts, !isKept || numbers.unit(of: plan.type) != nil,
            let numberPlan = plan.numberPlan(for: numbers, rows: column.count)
        {
            self.numbers = (numbers, numberPlan)
        } else {
            numbers = nil
        }
    }

    /// The numbers for row rules, if they need no texts.
    func sliceNumbers() -> SliceNumbers? {
        numbers.flatMap { isKept ? SliceNumbers($0.column, column.values, of: plan.type) : nil }
    }
}
