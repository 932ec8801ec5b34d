/// Compiled patterns by their text and options, so that each is compiled once.
///
///     let pattern = try PatternCache.shared.pattern(#"\d+"#)
///
/// Bounded: the pattern that was asked for longest ago makes room. When many threads ask for the same new pattern at
/// once, one compiles and the others wait for it; other patterns do not wait. A pattern still in use lives on after its
/// eviction. Thread-safe.
public final class PatternCache: Sendable {
    /// The cache that the library's own conveniences use: 1,024 patterns.
    public static let shared = PatternCache()

    /// What the cache has done so far.
    public struct Statistics: Hashable, Sendable {
        /// Requests answered without compiling, those that waited for another thread's compile included.
        public var hits = 0
        /// Requests that compiled.
        public var misses = 0
        /// Patterns that made room for others.
        public var evictions = 0
    }

    private struct Key: Hashable {
        let source: ByteEqualString
        let options: Pattern.Options
        let engine: Pattern.Engine
        let maxBytes: Int
    }

    /// The place of one pattern. Its lock is held while it is being compiled, so that only those wait who want it.
    private final class Slot: Sendable {
        let pattern = Lock<Result<Pattern, CompileError>?>(nil)
    }

    private struct State {
        var slots: [Key: (slot: Slot, lastUse: Int)] = [:]
        var clock = 0
        var statistics = Statistics()
    }

    /// The most patterns that are kept.
    public let capacity: Int
    private let state = Lock(State())

    /// - Precondition: `capacity` is at least 1.
    public init(capacity: Int = 1024) {
        checkPrecondition(capacity >= 1, "a cache holds at least one pattern, not \(capacity)")
        self.capacity = capacity
    }

    /// Hits, misses and evictions so far. A snapshot: other threads may use the cache meanwhile.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// The number of patterns held now.
    public var count: Int { state.withLock { $0.slots.count } }

    /// The compiled pattern, from the cache or fresh.
    ///
    /// - Throws: what ``Pattern/init(_:dialect:options:engine:maxBytes:)`` throws; a failure is not kept.
    /// - Complexity: O(1) for a hit; O(capacity) when something must make room.
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

    /// Forgets everything but the statistics.
    public func removeAll() { state.withLock { $0.slots = [:] } }

    private func slot(for key: Key) -> Slot {
        state.withLock { state in
            state.clock += 1
            if let slot = state.slots[key]?.slot {
                state.slots[key]?.lastUse = state.clock
                return slot
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
