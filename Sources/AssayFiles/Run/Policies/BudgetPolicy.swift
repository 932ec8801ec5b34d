internal import Assay

/// Charges the work of all evaluators to the budget of the run (``CleanerOptions/budget``).
final class BudgetPolicy: RunPolicy {
    private let account: BudgetAccount

    init(_ budget: CallBudget, _ plan: RunPlan) { account = BudgetAccount(budget, threads: plan.threads) }

    func equip(_ parts: inout EvaluationParts) { parts.account = account }

    func complete(_ result: inout RunResult, positions: [Int]) { result.budgetTicks = account.used }
}
