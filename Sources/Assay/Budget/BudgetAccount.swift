internal import CAssay
internal import Synchronization

/// The remaining budget of a call. All threads of the call share it.
///
///     CallBudget ──► BudgetAccount ──lease──► Scratch of a worker ──► the C core charges its checks
///                         ▲                      ▲
///                  repairs, keys             row rules
package final class BudgetAccount: Sendable {
    // SAFETY: any thread may use an assay_budget (core.h); it is freed with the account.
    nonisolated(unsafe) package let handle: OpaquePointer
    /// The most bytes; `nil`: no bound.
    private let memory: Int?
    private let threads: Int
    private let held = Atomic(0)

    /// Ticks of a step of a row rule.
    package static let ticksPerStep = 64
    /// Ticks for each byte of a value that closures or repairs see.
    package static let ticksPerByte = 16
    /// Ticks for each key of a record.
    package static let ticksPerKey = 128

    /// - Parameter threads: how many work at most.
    package init(_ budget: CallBudget, threads: Int) {
        let work = budget.work.map { UInt64(clamping: $0) } ?? .max
        guard let handle = assay_budget_create(work, budget.time?.nanosecondsOrMax ?? .max) else { outOfMemory() }
        self.handle = handle
        memory = budget.memory.map { max(0, $0) }
        self.threads = max(1, threads)
    }

    deinit { assay_budget_free(handle) }

    /// Whether no more work may be done.
    package var isSpent: Bool { assay_budget_ended_by(handle) != .ASSAY_BUDGET_LEFT }

    /// The ticks that were charged so far.
    package var used: Int { Int(clamping: assay_budget_used(handle)) }

    /// Charges work that no scratch is charged for. `false`: the budget is spent, and it must not be done.
    package func spend(_ ticks: Int) -> Bool { assay_budget_spend(handle, UInt64(max(0, ticks))) }

    /// Counts memory that is held to the end of the call. `false`: it is too much, and the budget is spent.
    package func hold(_ bytes: Int) -> Bool {
        let now = held.wrappingAdd(bytes, ordering: .relaxed).newValue
        guard let memory, now > memory else { return true }
        assay_budget_end_for_memory(handle)
        return false
    }

    /// The most bytes that values of one evaluation of a row rule may take; `nil`: no bound.
    var rowBytes: Int? {
        memory.map { max(0, $0 - held.load(ordering: .relaxed)) / threads }
    }
}

extension Duration {
    fileprivate var nanosecondsOrMax: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isMore) = product.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return overflows || isMore ? .max : sum
    }
}
