import Assay
import Dispatch
import Testing

@testable import AssayMacros

@Suite("The patterns of literals")
struct LiteralPatternsTests {
    // All options of a literal share one bucket.
    private let options = (0..<64).map { Pattern.Options(rawValue: $0) }

    @Test("each literal and options have one pattern, made once")
    func once() {
        let patterns = LiteralPatterns()
        var compiled = 0
        func pattern(_ literal: StaticString, _ options: Pattern.Options) -> Pattern {
            patterns.pattern(literal, options: options) {
                compiled += 1
                return .literal(literal, options: options)
            }
        }
        for round in 1...3 {
            for option in options {
                #expect(pattern("one", option).options == option)
                #expect(pattern("other", option).source == "other")
                #expect(pattern("", option).source == "")
            }
            #expect(compiled == 3 * options.count, "round \(round)")
        }
        #expect(pattern("one", []) === pattern("one", []))
        #expect(pattern("one", []) !== pattern("one", .search))
    }

    @Test("threads that come at once get the same")
    func threads() {
        let patterns = LiteralPatterns()
        let options = options
        // Not a Mutex, because the thread sanitizer does not support it.
        let seen = Lock<[UInt32: Set<ObjectIdentifier>]>([:])
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            for index in options.indices {
                // Half of the workers start at the other end, so that they add to the list at different places.
                let option = options[worker.isMultiple(of: 2) ? index : options.count - 1 - index]
                let pattern = patterns.pattern("literal", options: option) { .literal("literal", options: option) }
                seen.withLock { _ = $0[option.rawValue, default: []].insert(ObjectIdentifier(pattern)) }
            }
        }
        let counts = seen.withLock { $0.mapValues(\.count) }
        #expect(counts.count == options.count)
        #expect(counts.values.allSatisfy { $0 == 1 })
    }
}
