/// A CEL expression over the parts of a value.
final class RowRuleNode<Value>: RequirementNode {
    private let program: CELProgram
    private let cell: @Sendable (Value, Int, inout CELBudget) -> CELOutcome
    private let isData: Bool
    private let failure: Reason

    /// - Parameters:
    ///   - cell: The value of a variable of the program, given by its index, or the reason why it has no value.
    ///   - isData: Whether rule files can contain it: its variables are the members of a ``RuleRecord``.
    init(
        _ program: CELProgram, isData: Bool, cell: @escaping @Sendable (Value, Int, inout CELBudget) -> CELOutcome
    ) {
        (self.program, self.isData, self.cell) = (program, isData, cell)
        failure = Reason(rule: "record.check", parameters: ["check": .text(Check.shortened(program.text))])
    }

    func evaluate(_ value: Value) -> Evaluation {
        switch program.outcome({ cell(value, $0, &$1) }) {
        // A rule that needs a missing value does not apply.
        case .value(.bool(true)), .absent: .confirmed
        case .value: .failed(reason: failure)
        case .undecided: .failed(reason: .unanswered)
        case .exhausted: .failed(reason: .limit)
        }
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: "record.check") }
    var phrase: Phrase { .plain(Check.shortened(program.text)) }
    var expression: RuleExpression? { isData ? .row(program.text) : nil }
}
