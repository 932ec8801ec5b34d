import Dispatch
import Testing

@testable import Assay

@Suite struct LockTests {
    @Test func onlyOneThreadAtATime() {
        let sum = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { sum.withLock { $0 += 1 } }
        }
        #expect(sum.withLock { $0 } == 80_000)
    }

    @Test func isNotWaitedForIfItIsHeld() {
        let value = Lock("one")
        #expect(value.withLockIfAvailable { $0 } == "one")
        value.withLock { _ in
            #expect(value.withLockIfAvailable { $0 } == nil)
        }
        #expect(value.withLockIfAvailable { $0 } == "one")
    }

    @Test func isFreeAgainAfterAnError() {
        struct Stop: Error {}
        let value = Lock(1)
        #expect(throws: Stop.self) {
            try value.withLock { number throws(Stop) in
                number = 2
                throw Stop()
            }
        }
        #expect(value.withLockIfAvailable { $0 } == 2)
    }

    @Test func valueIsGivenUpWithIt() {
        final class Count: Sendable { let number = Lock(0) }
        final class Thing: Sendable {
            let gone: Count
            init(_ gone: Count) { self.gone = gone }
            deinit { gone.number.withLock { $0 += 1 } }
        }
        let gone = Count()
        do {
            let value = Lock(Thing(gone))
            value.withLock { $0 = Thing(gone) }
            #expect(gone.number.withLock { $0 } == 1)
        }
        #expect(gone.number.withLock { $0 } == 2)
    }
}
