internal import Assay
internal import CAssay

/// The rules of a field as ranges of a column's own numbers. The verdicts on the text of each number define it.
///
///     {type: number, constraints: {minimum: 0.1, enum: [0.5, 1]}}     as float64
///     known      all finite numbers
///     tests      minimum 0.1 … greatest,  enum 0.5 … 0.5 and 1 … 1
///
/// Compiled once per field and type of column, by searching the bounds of each rule with its verdicts on texts.
struct NumberPlan: Sendable {
    /// A rule that exactly the numbers in some ranges pass.
    struct Test: Sendable {
        /// The index among the rules of the field.
        let rule: Int
        /// Ascending, without overlaps.
        let ranges: [NumberRange]
    }

    /// The numbers with a known verdict: they are of the type and not missing. The texts of other numbers are checked.
    let known: [NumberRange]
    /// Whether the known numbers are all numbers of the form, so that no number needs to be looked up.
    let knowsAll: Bool
    /// Whether a number with a fraction has no known verdict.
    let mustBeWhole: Bool
    let tests: [Test]
}

/// SAFETY: plain numbers; the C structure contains no pointers.
extension assay_number_range: @unchecked @retroactive Sendable {}

typealias NumberRange = assay_number_range

extension FieldPlan {
    /// The plan for numbers of this form, or `nil` if their texts must be checked.
    ///
    /// Texts are checked for few rows, because a plan costs more than the check of a small batch.
    func numberPlan(for column: NumberColumn, rows: Int) -> NumberPlan? {
        // As in EvaluatorPool, a process that was forked must not wait for the lock.
        if let known = numberPlans.withLockIfAvailable({ $0[column.format] }).flatMap(\.self) { return known.plan }
        guard rows >= Self.minRowsOfNumbers else { return nil }
        let plan = NumberPlanCompiler(self, column)?.plan()
        _ = numberPlans.withLockIfAvailable { $0[column.format] = KnownNumberPlan(plan: plan) }
        return plan
    }

    private static let minRowsOfNumbers = 256
}

/// The result of a compilation.
struct KnownNumberPlan: Sendable {
    /// `nil` if the texts of the numbers must be checked.
    let plan: NumberPlan?
}
