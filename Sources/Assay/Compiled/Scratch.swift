internal import CAssay
internal import CAssaySystem

/// What one worker needs to judge values: PCRE2's match data, a JIT stack and limits.
///
/// It is handed to the work rather than looked up by thread, so that it cannot be used twice at once: that does not
/// compile.
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

    /// For calls that cannot throw: without memory the process ends.
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

    /// Charges the closures for a value of `bytes` bytes. `false`: the budget is spent.
    borrowing func spend(onClosuresOver bytes: Int) -> Bool {
        assay_scratch_spend(handle, UInt64(256 + BudgetAccount.ticksPerByte * bytes))
    }

    /// The verdict on a single value.
    borrowing func verdict(of value: UnsafeBufferPointer<UInt8>, by node: Node) -> Verdict {
        spend(onClosuresOver: value.count) ? node.verdict(of: value, scratch: handle) : .undecided
    }

    /// PCRE2's error number behind the latest undecided verdict, such as −47 for the match limit.
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

/// The scratch of the current thread, with the default limits, for the single-value calls. Made on first use, freed
/// when the thread ends.
///
/// - Precondition: the body neither suspends nor judges another value; a task that moves to another thread would take
///   the pointer along. The bodies are ours and are one C call long.
@inline(__always)
func withThreadScratch<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    let key = threadScratchKey
    if let pointer = pthread_getspecific(key) { return body(OpaquePointer(pointer)) }
    return body(makeThreadScratch(key))
}

extension Scratch {
    /// Puts this scratch in place of the thread's while `body` runs, so that its limits hold for single-value calls,
    /// too.
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
