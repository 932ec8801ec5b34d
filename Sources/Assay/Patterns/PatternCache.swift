/// A cache of compiled patterns by text and options, so that each is compiled once.
///
///     let pattern = try PatternCache.shared.pattern(#"\d+"#)
///
/// The capacity is limited: a new pattern replaces the least recently requested one. If several threads request the
/// same new pattern, one thread compiles it and the others wait for the result; other patterns do not wait. Evicted
/// patterns stay valid while they are in use. Thread-safe.
public final class PatternCache: Sendable {
    /// The cache of the library's convenience functions, with a capacity of 1,024 patterns.
    public static let shared = PatternCache(state: Lock(ofProcess: State()))

    /// The counters of a cache.
    public struct Statistics: Hashable, Sendable {
        /// The number of requests without compilation, including those that waited for another thread.
        public var hits = 0
        /// The number of requests that compiled a pattern.
        public var misses = 0
        /// The number of patterns that were replaced by others.
        public var evictions = 0
    }

    private struct Key: Hashable {
        let source: ByteEqualString
        let options: Pattern.Options
        let engine: Pattern.Engine
        let maxBytes: Int
    }

    /// The entry of one pattern. Its lock is held during compilation, so that only requests for this pattern wait.
    private final class Slot: Sendable {
        let pattern = Lock<Result<Pattern, CompileError>?>(nil)
        private let forks = Forks.count

        /// Whether the lock can be waited for. If another thread compiled the pattern when the process was forked, the
        /// lock is never released in the child process.
        var isUsable: Bool { forks == Forks.count || pattern.withLockIfAvailable { _ in true } != nil }
    }

    private struct State {
        var slots: [Key: (slot: Slot, lastUse: Int)] = [:]
        var clock = 0
        var statistics = Statistics()
    }

    /// The maximum number of patterns.
    public let capacity: Int
    private let state: Lock<State>

    /// - Precondition: `capacity` is at least 1.
    public init(capacity: Int = 1024) {
        checkPrecondition(capacity >= 1, "a cache holds at least one pattern, not \(capacity)")
        self.capacity = capacity
        state = Lock(State())
    }

    private init(state: consuming sending Lock<State>) {
        capacity = 1024
        self.state = state
    }

    /// The current counters. Other threads may change them at the same time.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// The current number of patterns.
    public var count: Int { state.withLock { $0.slots.count } }

    /// Returns the compiled pattern from the cache, or compiles it.
    ///
    /// - Throws: The errors of ``Pattern/init(_:dialect:options:engine:maxBytes:)``, which are not cached.
    /// - Complexity: O(1) for a hit; O(capacity) if a pattern is evicted.
    public func pattern(
        _ source: String, options: Pattern.Options = [], engine: Pattern.Engine = .dfa, maxBytes: Int = 10_000
    ) throws(CompileError) -> Pattern {
        let key = Key(source: ByteEqualString(source), options: options, engine: engine, maxBytes: maxBytes)
        let slot = slot(for: key)
        var compiled = false
        let result = slot.pattern.withLock { known in
            if let known { return known }
            compiled = true
            let fresh = Result { () throws(CompileError) in
                try Pattern(source, options: options, engine: engine, maxBytes: maxBytes)
            }
            known = fresh
            return fresh
        }
        state.withLock { state in
            if compiled { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
            if case .failure = result, state.slots[key]?.slot === slot { state.slots[key] = nil }
        }
        return try result.get()
    }

    /// Removes all patterns. The counters stay.
    public func removeAll() { state.withLock { $0.slots = [:] } }

    private func slot(for key: Key) -> Slot {
        state.withLock { state in
            state.clock += 1
            if let slot = state.slots[key]?.slot {
                state.slots[key]?.lastUse = state.clock
                if slot.isUsable { return slot }
                // Another thread may have been writing to the slot, so it must not be freed.
                _ = Unmanaged.passRetained(slot)
                state.slots[key] = nil
            }
            if state.slots.count >= capacity,
                let oldest = state.slots.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.slots[oldest.key] = nil
                state.statistics.evictions += 1
            }
            let slot = Slot()
            state.slots[key] = (slot, state.clock)
            return slot
        }
    }
}
