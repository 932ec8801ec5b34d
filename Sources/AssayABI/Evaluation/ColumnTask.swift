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

    /// Whether the texts of all kept values are needed.
    private let keepsTexts: Bool

    /// - Parameters:
    ///   - hasBudget: whether a budget is charged for the texts, which are then checked.
    ///   - isKey: whether keys read the texts of the values.
    init(
        column: SourceColumn, plan: FieldPlan, firstRule: Int, dictionary: DictionaryVerdicts? = nil,
        isKept: Bool = false, isKey: Bool = false, hasBudget: Bool = false
    ) {
        self.column = column
        self.plan = plan
        self.firstRule = firstRule
        self.dictionary = dictionary
        self.isKept = isKept
        keepsTexts = isKey
        if let numbers = column.numbers, !hasBudget,
            let numberPlan = plan.numberPlan(for: numbers, rows: column.count)
        {
            self.numbers = (numbers, numberPlan)
        } else {
            numbers = nil
        }
    }

    /// The numbers for row rules, if they need no texts.
    func sliceNumbers() -> SliceNumbers? {
        numbers.flatMap { isKept && !keepsTexts ? SliceNumbers($0.column, column.values, of: plan.type) : nil }
    }
}
