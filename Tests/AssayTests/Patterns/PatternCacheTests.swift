import Dispatch
import Testing

@testable import Assay

struct PatternCacheTests {
    @Test("the second request is a hit and the same pattern")
    func hit() throws {
        let cache = PatternCache()
        let first = try cache.pattern("a+")
        let second = try cache.pattern("a+")
        #expect(first === second)
        #expect(cache.statistics == PatternCache.Statistics(hits: 1, misses: 1, evictions: 0))
    }

    @Test("options and engine are part of the key")
    func key() throws {
        let cache = PatternCache()
        let plain = try cache.pattern("a")
        let caseless = try cache.pattern("a", options: .caseInsensitive)
        let interpreted = try cache.pattern("a", engine: .interpreter)
        #expect(plain !== caseless && plain !== interpreted)
        #expect(cache.count == 3)
        #expect(caseless.matches("A") && !plain.matches("A"))
    }

    @Test("texts that look alike but are spelled otherwise are other patterns")
    func spelling() throws {
        let cache = PatternCache()
        let (one, other) = (try cache.pattern("\u{e9}"), try cache.pattern("e\u{301}"))
        #expect(one != other && one.matches("\u{e9}") && other.matches("e\u{301}") && !one.matches("e\u{301}"))
    }

    @Test("the least recently used pattern is evicted, and lives on while it is in use")
    func eviction() throws {
        let cache = PatternCache(capacity: 2)
        let first = try cache.pattern("a")
        _ = try cache.pattern("b")
        _ = try cache.pattern("a")
        _ = try cache.pattern("c")
        #expect(cache.count == 2)
        #expect(cache.statistics.evictions == 1)
        #expect(try cache.pattern("a") === first)
        _ = try cache.pattern("d")
        _ = try cache.pattern("e")
        #expect(first.matches("a"))
    }

    @Test("a failure is thrown each time and not kept")
    func failure() {
        let cache = PatternCache()
        #expect(throws: CompileError.self) { try cache.pattern("(") }
        #expect(throws: CompileError.self) { try cache.pattern("(") }
        #expect(cache.count == 0)
        #expect(cache.statistics.misses == 2)
    }

    @Test("many threads that ask at once cause one compile")
    func oneCompile() throws {
        let cache = PatternCache()
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            #expect((try? cache.pattern("[a-z]+\(index % 4)")) != nil)
        }
        #expect(cache.statistics.misses == 4)
        #expect(cache.statistics.hits == 60)
    }
}
