internal import Assay
internal import AssayEvaluation
internal import CAssay
public import CAssayABI

/// The result of a check as an object of the C interface.
final class CheckResult: Handle, Sendable {
    static let argument = "result"

    enum Body: Sendable {
        /// A table or a column; the findings are in the masks.
        case table(TableVerdicts, isOneColumn: Bool)
        /// CSV; the findings are listed.
        case list([ListedFinding], counts: [RuleCount], rejected: [ByteEqualString: UInt64])
    }

    let body: Body
    let totals: assay_totals
    let firstRecord: Int
    let allocator: Allocator
    /// The number of records that the budget left undecided.
    let overBudget: Int
    /// The work that the call used, in ticks of its budget (`assay_options.budget_ticks`).
    let ticks: Int

    init(_ body: Body, totals: assay_totals, overBudget: Int, ticks: Int? = nil, options: CheckOptions) {
        self.overBudget = overBudget
        self.ticks = ticks ?? options.account?.used ?? 0
        self.body = body
        self.totals = totals
        firstRecord = options.firstRecord
        allocator = options.allocator
    }

    convenience init(_ verdicts: TableVerdicts, isOneColumn: Bool, options: CheckOptions) {
        var totals = assay_totals()
        totals.records = UInt64(verdicts.rows)
        totals.rejected = UInt64(assay_mask_count(verdicts.rejected.words(), maskWords(verdicts.rows)))
        totals.undecided = UInt64(assay_mask_count(verdicts.undecided.words(), maskWords(verdicts.rows)))
        totals.clean = totals.records - totals.rejected
        totals.findings = verdicts.counts.reduce(0) { $0 + $1.failed + $1.undecided }
        self.init(
            .table(verdicts, isOneColumn: isOneColumn), totals: totals, overBudget: verdicts.overCount, options: options
        )
    }

    /// The verdicts of a table.
    ///
    /// - Throws: a fault for the result of a CSV check.
    func table() throws(Fault) -> TableVerdicts {
        guard case .table(let verdicts, _) = body else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "a result of assay_rules_check_csv cannot be exported as Arrow",
                hint: "read its findings with assay_result_findings")
        }
        return verdicts
    }

    var ruleCounts: [RuleCount] {
        switch body {
        case .table(let verdicts, _): verdicts.counts
        case .list(_, let counts, _): counts
        }
    }
}

/// A finding in CSV.
struct ListedFinding: Sendable {
    let rule: RuleTexts
    let isUndecided: Bool
    let record: Int
    let line: Int
    let offset: Int
}

/// The number of findings of one rule.
struct RuleCount: Sendable {
    let rule: RuleTexts
    var failed: UInt64 = 0
    var undecided: UInt64 = 0

    mutating func add(_ other: RuleCount) {
        failed += other.failed
        undecided += other.undecided
    }

    mutating func add(_ found: SliceVerdicts.Found) {
        failed += UInt64(assay_mask_count(found.failed, found.failed.count))
        undecided += UInt64(assay_mask_count(found.undecided, found.undecided.count))
    }
}

@c @implementation
public func assay_result_totals(
    _ result: OpaquePointer?, _ totals: UnsafeMutablePointer<assay_totals>?, _ size: Int
) {
    write((try? CheckResult.behind(result))?.totals ?? assay_totals(), to: totals, size: size)
}

@c @implementation
public func assay_result_over_budget(_ result: OpaquePointer?) -> UInt64 {
    UInt64((try? CheckResult.behind(result))?.overBudget ?? 0)
}

@c @implementation
public func assay_result_ticks(_ result: OpaquePointer?) -> UInt64 {
    UInt64((try? CheckResult.behind(result))?.ticks ?? 0)
}

@c @implementation
public func assay_result_rejected_by(_ result: OpaquePointer?, _ column: UnsafePointer<CChar>?) -> UInt64 {
    guard let result = try? CheckResult.behind(result), let column, let name = String(validatingCString: column) else {
        return 0
    }
    switch result.body {
    case .table(let verdicts, _): return verdicts.rejected(by: name)
    case .list(_, _, let rejected): return rejected[ByteEqualString(name)] ?? 0
    }
}

@c @implementation
public func assay_result_rows(_ result: OpaquePointer?, _ rows: assay_rows) -> UnsafePointer<UInt64>? {
    guard let result = try? CheckResult.behind(result), case .table(let verdicts, let isOneColumn) = result.body else {
        return nil
    }
    switch rows {
    case ASSAY_ROWS_REJECTED: return UnsafePointer(verdicts.rejected.words())
    case ASSAY_ROWS_UNDECIDED: return UnsafePointer(verdicts.undecided.words())
    case ASSAY_ROWS_MISSING: return isOneColumn ? UnsafePointer(verdicts.missing.words()) : nil
    case ASSAY_ROWS_OVER_BUDGET: return verdicts.over.map { UnsafePointer($0.words()) }
    default: return nil
    }
}

@c @implementation
public func assay_result_retain(_ result: OpaquePointer?) -> OpaquePointer? {
    (try? CheckResult.behind(result))?.retained()
}

@c @implementation
public func assay_result_free(_ result: OpaquePointer?) { CheckResult.release(result) }
