import Dispatch
import Synchronization
import Testing

@testable import Assay

struct BulkTests {
    static let pattern = Pattern.literal(#"\d{4}-\d{2}-\d{2}"#)

    /// Values of many kinds and lengths for every bulk path: short, too long to be copied, not ASCII.
    static func values(_ count: Int) -> [String] {
        var random = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { index in
            switch random.next() % 8 {
            case 0: "not a date"
            case 1: ""
            case 2: "2024-02-2é"
            case 3 where index % 97 == 0: String(repeating: "9", count: 5000 + index % 3)
            default: "2024-0\(index % 9)-1\(index % 10)"
            }
        }
    }

    @Test(
        "the verdicts are those of one value at a time, for any number of threads and any length",
        arguments: [
            0, 1, 63, 64, 65, 4095, 4096, 4097, 20_001,
        ])
    func agreement(count: Int) throws {
        let values = Self.values(count)
        let expected = values.map(Self.pattern.verdict(of:))
        for threads in [1, 2, 3, nil] {
            let mask = Self.pattern.verdicts(for: values, threads: threads)
            #expect(Array(mask) == expected)
            #expect(mask.failedCount == expected.count { $0 == .fail })
            #expect(Array(mask.indices(of: .fail)) == expected.indices.filter { expected[$0] == .fail })
            #expect(Array(mask.indices(of: .pass)) == expected.indices.filter { expected[$0] == .pass })
        }
        #expect(Array(Self.pattern.verdicts(for: values.map { $0[...] })) == expected)

        var (bytes, offsets): ([UInt8], [Int32]) = ([], [0])
        for value in values {
            bytes += value.utf8
            offsets.append(Int32(bytes.count))
        }
        for threads in [1, 2] {
            let mask = try Self.pattern.verdicts(utf8: bytes.span, offsets: offsets.span, threads: threads)
            #expect(Array(mask) == expected)
        }
        let wide = offsets.map(Int64.init)
        #expect(Array(try Self.pattern.verdicts(utf8: bytes.span, offsets: wide.span)) == expected)
    }

    @Test("values of every length arrive unchanged: short, copied and checked in place")
    func lengths() throws {
        // Each byte depends on its position, so that missing or moved bytes are detected.
        func value(_ length: Int) -> String {
            String((0..<length).map { Character(Unicode.Scalar(UInt8(33 + $0 % 90))) })
        }
        let values = (0...80).map(value) + (4090...4100).map(value) + (0...80).map(value)
        let known = try Requirement<String>(.oneOf(Array(Set(values))))
        #expect(known.verdicts(for: values, threads: 1).passedCount == values.count)
        #expect(
            known.verdicts(for: values.map { "x\($0)y".dropFirst().dropLast() }, threads: 1).passedCount == values.count
        )
        let changed = values.map { $0.dropLast() + "é" }.map { String($0) }
        #expect(known.verdicts(for: changed, threads: 1).passedCount == 0)
    }

    @Test("a requirement gives the same verdicts in bulk and one by one", .needsPCRE2)
    func checks() throws {
        let requirement = try Requirement<String>(
            .any([
                .all([.length(min: 1, max: 10, in: .characters), .matches(pattern: #"[\d-]*"#)]),
                .not(.length(min: nil, max: 4999, in: .characters)), .matches(pattern: #"(a+)+b\1{0}"#),
            ]))
        var values = Self.values(9000)
        values[4321] = String(repeating: "a", count: 64)
        let mask = requirement.verdicts(for: values)
        #expect(Array(mask) == values.map { requirement.evaluate($0).verdict })
        #expect(mask.undecidedCount == 1)
        #expect(Array(mask.indices(of: .undecided)) == [4321])
    }

    @Test("partition keeps all values, in order")
    func partition() {
        let values = Self.values(5000)
        let (passed, rejected) = Self.pattern.verdicts(for: values).partition(values)
        #expect(passed == values.filter(Self.pattern.matches))
        #expect(rejected == values.filter { !Self.pattern.matches($0) })
    }

    @Test("bytes are not trusted: invalid UTF-8 fails, also a character that an offset cuts in two")
    func badBytes() throws {
        let any = Pattern.literal("(?s).*")
        let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC3, 0xA9]
        let offsets: [Int32] = [0, 1, 2, 3, 4, 5]
        let mask = try any.verdicts(utf8: bytes.span, offsets: offsets.span)
        #expect(Array(mask) == [.pass, .fail, .pass, .fail, .fail])
        let valid: [Int32] = [0, 1, 3, 5]
        #expect(Array(try any.verdicts(utf8: bytes.span, offsets: valid.span)) == [.pass, .fail, .pass])
    }

    @Test("offsets are not trusted", arguments: [([0, 5, 3], 2), ([0, 9], 1), ([-1, 2], 0)] as [([Int32], Int)])
    func badOffsets(offsets: [Int32], index: Int) {
        let bytes = [UInt8]("abcdef".utf8)
        #expect(throws: BulkError.badOffset(index: index)) {
            try Self.pattern.verdicts(utf8: bytes.span, offsets: offsets.span)
        }
    }

    @Test("progress comes to the total, and can cancel")
    func progress() throws {
        let values = Self.values(50_000)
        let last = Mutex(0)
        _ = try Self.pattern.verdicts(for: values) { progress in
            last.withLock { $0 = max($0, progress.completed) }
            return progress.total == 50_000 ? .proceed : .cancel
        }
        #expect(last.withLock { $0 } == 50_000)

        let calls = Mutex(0)
        #expect(throws: BulkError.cancelled) {
            try Self.pattern.verdicts(for: values) { _ in
                calls.withLock { $0 += 1 }
                return .cancel
            }
        }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("a call in a task has the verdicts of a call that blocks")
    func tasks() async throws {
        // Functions that are not asynchronous, because an asynchronous one calls the asynchronous form.
        func blocking(_ values: [String]) -> VerdictMask { Self.pattern.verdicts(for: values) }
        func blocking(_ values: [Int]) -> VerdictMask { Requirement.inRange(1...7).verdicts(for: values) }
        let texts = Self.values(50_000)
        let numbers = texts.map(\.utf8.count)
        for threads in [1, 3] {
            #expect(try await Self.pattern.verdicts(for: texts, threads: threads) == blocking(texts))
            #expect(try await Requirement.inRange(1...7).verdicts(for: numbers, threads: threads) == blocking(numbers))
        }
    }

    @Test("a call ends with its task")
    func cancelledTask() async throws {
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = DispatchSemaphore(value: 0)
        let calls = Mutex(0)
        let requirement = Requirement<Int> { _ in
            if calls.withLock({
                $0 += 1; return $0
            }) == 1 {
                starting.finish()
                isCancelled.wait()
            }
            return .confirmed
        }
        let task = Task { try await requirement.verdicts(for: Array(0..<1_000_000), threads: 1) }
        for await _ in started {}
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(calls.withLock { $0 } == bulkChunk)
    }

    @Test("a call in a cancelled task does not start")
    func startInCancelledTask() async throws {
        let calls = Mutex(0)
        let requirement = Requirement<Int> { _ in
            calls.withLock { $0 += 1 }
            return .confirmed
        }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await requirement.verdicts(for: [1, 2])
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("limits make a value undecided, and no more than that value", .needsPCRE2)
    func limits() throws {
        let pattern = try Pattern(#"(a+)+b\1{0}"#)
        let mask = pattern.verdicts(for: ["ab", String(repeating: "a", count: 50), "b"])
        #expect(Array(mask) == [.pass, .undecided, .fail])
        let strict = MatchLimits(baseSteps: 1, stepsPerByte: 0)
        #expect(Array(try Pattern(#"(?:a|b)*(c)\1{0}"#).verdicts(for: ["ababab"], limits: strict)) == [.undecided])
    }
}

/// SplitMix64, so that the numbers are reproducible.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
