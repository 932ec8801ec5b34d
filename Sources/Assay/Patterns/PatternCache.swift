internal import CAssaySystem

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

    /// The text of a pattern, compared byte by byte, and its settings.
    private struct Key: Hashable {
        let source: String
        let options: Pattern.Options
        let engine: Pattern.Engine
        let maxBytes: Int

        static func == (one: Self, other: Self) -> Bool {
            one.options == other.options && one.engine == other.engine && one.maxBytes == other.maxBytes
                && withUTF8(of: one.source) { bytes in
                    withUTF8(of: other.source) {
                        bytes.count == $0.count && memcmp(bytes.cBase, $0.cBase, $0.count) == 0
                    }
                }
        }

        /// Programs rarely use one text with several settings, so the settings are not hashed.
        func hash(into hasher: inout Hasher) {
            withUTF8(of: source) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// A pattern in the cache, or one that a thread is compiling. Entries form a ring in the order of their last use.
    private final class Entry: @unchecked Sendable {
        // SAFETY: the variables are accessed only under the lock of the cache. The neighbors are in its dictionary, or
        // the root of its ring, as long as this entry is.
        let key: Key
        var pattern: Pattern?
        private(set) unowned(unsafe) var newer: Entry!
        private(set) unowned(unsafe) var older: Entry!
        /// Held during compilation, so that only requests for this pattern wait.
        let compilation = Lock<Result<Pattern, CompileError>?>(nil)
        private let forks = Forks.count

        init(_ key: Key) {
            self.key = key
            newer = self
            older = self
        }

        /// Whether the lock can be waited for. If another thread compiled the pattern when the process was forked, the
        /// lock is never released in the child process.
        var isUsable: Bool { forks == Forks.count || compilation.withLockIfAvailable { _ in true } != nil }

        func unlink() {
            newer.older = older
            older.newer = newer
            newer = self
            older = self
        }

        /// Makes this entry, which must not be in a ring, the newest one of the ring of `root`.
        func link(after root: Entry) {
            newer = root
            older = root.older
            older.newer = self
            root.older = self
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// `root.newer` is the oldest entry, and `root.older` the newest one.
        let root = Entry(Key(source: "", options: [], engine: .dfa, maxBytes: 0))
        var statistics = Statistics()

        mutating func add(_ entry: Entry) {
            entries[entry.key] = entry
            entry.link(after: root)
        }

        mutating func remove(_ entry: Entry) {
            entry.unlink()
            entries[entry.key] = nil
        }

        mutating func removeAll() {
            for entry in entries.values { entry.unlink() }
            entries = [:]
        }
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
    public var count: Int { state.withLock { $0.entries.count } }

    /// Returns the compiled pattern from the cache, or compiles it.
    ///
    /// - Throws: The errors of ``Pattern/init(_:dialect:options:engine:maxBytes:)``, which are not cached.
    /// - Complexity: O(1), and the compilation of a new pattern.
    public func pattern(
        _ source: String, options: Pattern.Options = [], engine: Pattern.Engine = .dfa, maxBytes: Int = 10_000
    ) throws(CompileError) -> Pattern {
        let key = Key(source: source, options: options, engine: engine, maxBytes: maxBytes)
        let (known, entry) = find(key)
        guard let entry else { return known! }
        var compiled = false
        let result = entry.compilation.withLock { result in
            if let result { return result }
            compiled = true
            let fresh = Result { () throws(CompileError) in
                try Pattern(source, options: options, engine: engine, maxBytes: maxBytes)
            }
            result = fresh
            return fresh
        }
        state.withLock { state in
            if compiled { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
            guard state.entries[key] === entry else { return }
            switch result {
            case .success(let pattern): entry.pattern = pattern
            case .failure: state.remove(entry)
            }
        }
        return try result.get()
    }

    /// Removes all patterns. The counters stay.
    public func removeAll() { state.withLock { $0.removeAll() } }

    /// Returns the pattern if it is compiled, otherwise its entry.
    private func find(_ key: Key) -> (Pattern?, Entry?) {
        state.withLock { state in
            if let entry = state.entries[key] {
                if state.root.older !== entry {
                    entry.unlink()
                    entry.link(after: state.root)
                }
                if let pattern = entry.pattern {
                    state.statistics.hits += 1
                    return (pattern, nil)
                }
                if entry.isUsable { return (nil, entry) }
                // Another thread may have been writing to the entry, so it must not be freed.
                _ = Unmanaged.passRetained(entry)
                state.remove(entry)
            }
            if state.entries.count >= capacity {
                state.remove(state.root.newer)
                state.statistics.evictions += 1
            }
            let entry = Entry(key)
            state.add(entry)
            return (nil, entry)
        }
    }
}
