internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import CAssay
internal import CAssayABI

/// The options of a check, read from C. Each has a default.
struct CheckOptions: @unchecked Sendable {
    // SAFETY: the pointers belong to the caller, who guarantees that any thread may use them (assay.h,
    // assay_allocator).
    var threads = processorCount
    var firstRecord = 0
    var allocator = Allocator()
    var progress: (@convention(c) (UnsafeMutableRawPointer?, UInt64, UInt64) -> Bool)?
    var progressContext: UnsafeMutableRawPointer?
    /// Whether the work precedes the checks of rows, during which the reported progress is 0.
    var isPreparation = false
    var keys = KeyOptions()
    /// The budget of the call and its account; `nil` without a budget.
    var budget: CallBudget?
    var account: BudgetAccount?
    /// The value of `now()` for all records of the call.
    var now = Timestamp.now()

    /// Record numbers have 48 bits if keys are kept. Half of the range is reserved for the records of the check.
    private static let maxRecords: UInt64 = 1 << 47

    init() {}

    init(_ options: UnsafePointer<assay_options>?) throws(Fault) {
        guard let options else { return }
        let given = try assay_options(reading: options)
        guard given.reserved == 0 else { throw Fault(ASSAY_FAULT_ARGUMENT, "assay_options.reserved is not 0") }
        if given.threads > 0 { threads = Int(min(given.threads, 1024)) }
        // Row numbers are added to this number.
        guard given.first_record <= Self.maxRecords else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "assay_options.first_record is \(given.first_record)",
                hint: "it is the number of records that came before, at most \(Self.maxRecords)")
        }
        firstRecord = Int(given.first_record)
        if let hooks = given.allocator { allocator = try Allocator(assay_allocator(reading: hooks)) }
        progress = given.progress
        progressContext = given.progress_context
        budget = given.budget
        account = budget.map { BudgetAccount($0, threads: threads) }
        if let given = try given.now { now = given }
        keys = try KeyOptions(given)
    }
}

/// The options of a check about keys.
struct KeyOptions {
    /// The maximum memory for keys, in bytes; `nil`: a quarter of the machine's.
    var memory: Int?
    /// The keys of records in earlier checks, or `nil`.
    var seen: SeenKeys?
    /// The tables in memory that foreign keys refer to; `nil` if they refer to files.
    var references: ReferenceTables?
    /// The referenced keys that have been read.
    var held: HeldReferences?
    /// Collects the keys of the table, if foreign keys refer to it.
    var collected: ReferencedKeys?
    /// The seed of the key hashes if another program compares them; `nil` if they are compared here.
    var secret: assay_key_hash?

    init() {}

    init(_ given: assay_options) throws(Fault) {
        if given.key_memory > 0 { memory = Int(clamping: given.key_memory) }
        if given.seen != nil { seen = try SeenKeys.behind(given.seen) }
        if given.references != nil { references = try ReferenceTables.behind(given.references) }
        guard let secret = given.key_secret else { return }
        if seen != nil {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "assay_options has both seen and key_secret: keys are compared or given out")
        }
        let bytes = UnsafeRawPointer(secret)
        self.secret = assay_key_hash(
            low: bytes.loadUnaligned(as: UInt64.self), high: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}

extension CheckOptions {
    /// The same options for work before rows are checked.
    var preparing: CheckOptions {
        var options = self
        options.isPreparation = true
        return options
    }

    /// Reports the progress to the caller, who decides whether to continue.
    func control(_ progress: BulkProgress?) -> BulkControl {
        let rows = isPreparation ? nil : progress
        let (done, total) = (UInt64(rows?.completed ?? 0), UInt64(rows?.total ?? 0))
        return self.progress?(progressContext, done, total) == false ? .cancel : .proceed
    }
}

extension assay_options {
    /// The budget of the call; `nil` if all limits are 0.
    fileprivate var budget: CallBudget? {
        if budget_ticks == 0 && budget_bytes == 0 && budget_nanoseconds == 0 { return nil }
        func bound(_ value: UInt64) -> Int? { value == 0 ? nil : Int(clamping: value) }
        return CallBudget(
            work: bound(budget_ticks), memory: bound(budget_bytes),
            time: bound(budget_nanoseconds).map { .nanoseconds($0) })
    }
}

extension assay_options {
    /// The time of the run; `nil`: the clock's.
    fileprivate var now: Timestamp? {
        get throws(Fault) {
            switch has_now {
            case 0:
                if now_seconds == 0 && now_nanoseconds == 0 { return nil }
                throw Fault(
                    ASSAY_FAULT_ARGUMENT,
                    "assay_options has a time in now_seconds or now_nanoseconds, and has_now is 0",
                    hint: "set has_now to 1")
            case 1: break
            default: throw Fault(ASSAY_FAULT_ARGUMENT, "assay_options.has_now is \(has_now)", hint: "it is 0 or 1")
            }
            let nanoseconds = Int32(exactly: now_nanoseconds)
            if let nanoseconds, let now = Timestamp(secondsSince1970: now_seconds, nanoseconds: nanoseconds) {
                return now
            }
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "assay_options.now_seconds is \(now_seconds), and now_nanoseconds is \(now_nanoseconds)",
                hint: "the time is in the years 1 to 9999, and has less than 1000000000 nanoseconds")
        }
    }
}

extension Fault {
    static var cancelled: Fault { Fault(ASSAY_FAULT_CANCELLED, "the progress callback ended the check") }
}
