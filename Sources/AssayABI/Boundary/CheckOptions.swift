internal import Assay
internal import AssayFiles
internal import CAssay
internal import CAssayABI

/// How to check, read from C. Everything has a default.
struct CheckOptions: @unchecked Sendable {
    // SAFETY: the pointers are the caller's, who promises that any thread may use them (assay.h, assay_allocator).
    var threads = processorCount
    var firstRecord = 0
    var allocator = Allocator()
    var progress: (@convention(c) (UnsafeMutableRawPointer?, UInt64, UInt64) -> Bool)?
    var progressContext: UnsafeMutableRawPointer?
    /// Whether it is work before the rows are judged, during which the progress stays at none of them.
    var isPreparation = false
    /// The most memory for keys, in bytes; `nil`: a quarter of the machine's.
    var keyMemory: Int?
    /// The keys of records that were checked before; `nil`: there are none.
    var seen: SeenKeys?
    /// Tables in memory that foreign keys refer to; `nil`: they refer to files.
    var references: ReferenceTables?
    /// What foreign keys refer to, where it has been read.
    var held: HeldReferences?
    /// Takes the keys of the table, if it is one that is referred to.
    var collected: ReferencedKeys?
    /// What the hashes of keys begin with where somebody else compares them; `nil`: they are compared here.
    var keySecret: assay_key_hash?

    /// The budget of the call and its account; `nil`: no budget.
    var budget: CallBudget?
    var account: BudgetAccount?

    /// Of the structure before it had members for keys.
    private static let firstSize = MemoryLayout<assay_options>.offset(of: \.key_memory)!
    /// Of the structure before it had one for references.
    private static let secondSize = MemoryLayout<assay_options>.offset(of: \.references)!
    /// Of the structure before it had members for a budget.
    private static let thirdSize = MemoryLayout<assay_options>.offset(of: \.budget_ticks)!
    /// The numbers of records have 48 bits where keys are kept: half of them for the records of the check.
    private static let mostRecords: UInt64 = 1 << 47

    init() {}

    init(_ options: UnsafePointer<assay_options>?) throws(Fault) {
        guard let options else { return }
        let size = options.pointee.size
        guard [MemoryLayout<assay_options>.size, Self.firstSize, Self.secondSize, Self.thirdSize].contains(size) else {
            throw .size("assay_options", size)
        }
        // What an older program does not know of is zero.
        var given = assay_options()
        withUnsafeMutableBytes(of: &given) { $0.copyMemory(from: UnsafeRawBufferPointer(start: options, count: size)) }
        guard given.reserved == 0 else { throw Fault(ASSAY_FAULT_ARGUMENT, "assay_options.reserved is not 0") }
        if given.threads > 0 { threads = Int(min(given.threads, 1024)) }
        // Numbers of rows are added to it.
        guard given.first_record <= Self.mostRecords else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "assay_options.first_record is \(given.first_record)",
                hint: "it is the number of records that came before, at most \(Self.mostRecords)")
        }
        firstRecord = Int(given.first_record)
        if let hooks = given.allocator {
            guard let allocate = hooks.pointee.allocate, let deallocate = hooks.pointee.deallocate else {
                throw Fault(ASSAY_FAULT_ARGUMENT, "an assay_allocator needs both of its functions")
            }
            allocator = Allocator(allocate: allocate, deallocate: deallocate, context: hooks.pointee.context)
        }
        progress = given.progress
        progressContext = given.progress_context
        if given.key_memory > 0 { keyMemory = Int(clamping: given.key_memory) }
        if given.seen != nil { seen = try SeenKeys.behind(given.seen) }
        if given.references != nil { references = try ReferenceTables.behind(given.references) }
        budget = given.budget
        account = budget.map { BudgetAccount($0, threads: threads) }
        if let secret = given.key_secret {
            if seen != nil {
                throw Fault(
                    ASSAY_FAULT_ARGUMENT, "assay_options has both seen and key_secret: keys are compared or given out")
            }
            let bytes = UnsafeRawPointer(secret)
            keySecret = assay_key_hash(
                low: bytes.loadUnaligned(as: UInt64.self),
                high: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}

extension CheckOptions {
    /// The same for work before the rows are judged.
    var preparing: CheckOptions {
        var options = self
        options.isPreparation = true
        return options
    }

    /// Tells the caller how far it is, and asks whether to go on.
    func control(_ progress: BulkProgress?) -> BulkControl {
        let rows = isPreparation ? nil : progress
        let (done, total) = (UInt64(rows?.completed ?? 0), UInt64(rows?.total ?? 0))
        return self.progress?(progressContext, done, total) == false ? .cancel : .proceed
    }
}

extension assay_options {
    /// The budget of the call; `nil`: all bounds are 0.
    fileprivate var budget: CallBudget? {
        if budget_ticks == 0 && budget_bytes == 0 && budget_nanoseconds == 0 { return nil }
        func bound(_ value: UInt64) -> Int? { value == 0 ? nil : Int(clamping: value) }
        return CallBudget(
            work: bound(budget_ticks), memory: bound(budget_bytes),
            time: bound(budget_nanoseconds).map { .nanoseconds($0) })
    }
}

extension Fault {
    static var cancelled: Fault { Fault(ASSAY_FAULT_CANCELLED, "the progress callback ended the check") }

    /// A structure of another size than ours: it was made for another version, or its size was not filled in.
    static func size(_ name: String, _ size: Int) -> Fault {
        Fault(
            ASSAY_FAULT_ARGUMENT, "\(name).size is \(size), which is no size this library knows",
            hint: "set it to sizeof(\(name)), and use the header of the library that is loaded")
    }
}
