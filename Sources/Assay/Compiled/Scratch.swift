internal import CAssay
internal import CAssaySystem

/// The resources of a worker that evaluates values: PCRE2's match data, a JIT stack and limits.
///
/// It is a parameter and not a property of the thread, so that the compiler refuses to use it twice at the same time.
package struct Scratch: ~Copyable {
    let handle: OpaquePointer

    package init(limits: MatchLimits = MatchLimits()) throws(NoMemoryError) {
        var limits = limits.cValue
        guard let handle = assay_scratch_create(&limits) else { throw NoMemoryError(for: "matching patterns") }
        if !assay_scratch_reserve(handle) {
            assay_scratch_free(handle)
            throw NoMemoryError(for: "matching patterns")
        }
        self.handle = handle
    }

    /// For calls that cannot throw: the process ends if memory runs out.
    init(orEndWith limits: MatchLimits) {
        var limits = limits.cValue
        guard let handle = assay_scratch_create(&limits) else { outOfMemory() }
        self.handle = handle
    }

    /// - Parameter account: the account of the call, which outlives the scratch; `nil`: no budget.
    init(orEndWith limits: MatchLimits, charging account: BudgetAccount?) {
        self.init(orEndWith: limits)
        assay_scratch_set_budget(handle, account?.handle)
    }

    deinit {
        assay_scratch_set_budget(handle, nil)
        assay_scratch_free(handle)
    }

    /// Charges the closures for a value of `bytes` bytes. Returns `false` if the budget is spent.
    borrowing func spend(onClosuresOver bytes: Int) -> Bool {
        assay_scratch_spend(handle, UInt64(256 + BudgetAccount.ticksPerByte * bytes))
    }

    /// The verdict on a single value.
    borrowing func verdict(of value: UnsafeBufferPointer<UInt8>, by node: Node) -> Verdict {
        spend(onClosuresOver: value.count) ? node.verdict(of: value, scratch: handle) : .undecided
    }

    /// PCRE2's error number for the latest undecided verdict, such as −47 for the match limit.
    package var engineCode: Int { Int(assay_scratch_engine_code(handle)) }
}

extension MatchLimits {
    var cValue: assay_match_limits {
        assay_match_limits(
            match_base: UInt32(clamping: baseSteps), match_per_byte: UInt32(clamping: stepsPerByte),
            heap_kib: UInt32(clamping: heapKiB),
            jit_stack_bytes: UInt32(clamping: min(jitStackBytes, Self.maxJitStackBytes)))
    }
}

/// Calls `body` with the scratch of the current thread, which has the default limits, for single values. It is created
/// on first use and freed when the thread ends.
///
/// - Precondition: `body` does not suspend, because a task that moves to another thread would keep the pointer, and
///   does not evaluate another value. All bodies are a single C call.
@inline(__always)
func withThreadScratch<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    let key = threadScratchKey
    if let pointer = pthread_getspecific(key) { return body(OpaquePointer(pointer)) }
    return body(makeThreadScratch(key))
}

extension Scratch {
    /// Uses this scratch instead of the thread's own while `body` runs, so that its limits apply to calls for single
    /// values.
    @inline(__always)
    borrowing func withThreadUsingThis(_ body: () -> Void) {
        let key = threadScratchKey
        let own = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(handle))
        defer { pthread_setspecific(key, own) }
        body()
    }
}

@inline(never)
private func makeThreadScratch(_ key: pthread_key_t) -> OpaquePointer {
    guard let handle = assay_scratch_create(nil) else { outOfMemory() }
    pthread_setspecific(key, UnsafeRawPointer(handle))
    return handle
}

private let threadScratchKey: pthread_key_t = {
    var key = pthread_key_t()
    #if canImport(Darwin)
        let status = pthread_key_create(&key) { assay_scratch_free(OpaquePointer($0)) }
    #else
        let status = pthread_key_create(&key) { assay_scratch_free($0.map { OpaquePointer($0) }) }
    #endif
    precondition(status == 0, "the process has used up its thread-specific keys")
    return key
}()
