import Assay
import Synchronization
import Testing

@Suite("A requirement over many texts, as they come")
struct RequirementSpanTests {
    /// Data and closures in all combinations.
    private static let requirements: [Requirement<String>] = {
        let closure = Requirement<String> { value in
            value.contains("7") ? .failed(reason: Reason(message: "7")) : .confirmed
        }
        let unsure = Requirement<String> { value in
            value.hasPrefix("1") ? .failed(reason: .undecided(message: "?")) : .confirmed
        }
        return [
            .minLength(2), closure, unsure, .minLength(2) && closure, .minLength(2) || closure,
            !(.minLength(2) && unsure),
            .when(closure, .maxLength(3)), .always, !.always, .oneOf(["1", "22", "é"]) || unsure && closure,
        ]
    }()

    private static let values = (0..<9_000).map { $0 % 31 == 0 ? "é" : $0 % 97 == 0 ? "" : "\($0)" }

    @Test("strings, substrings and buffers have the verdicts of one value at a time", arguments: requirements.indices)
    func agreement(index: Int) throws {
        let requirement = Self.requirements[index]
        let expected = Self.values.map { requirement.evaluate($0).verdict }
        var (bytes, offsets): ([UInt8], [Int32]) = ([], [0])
        for value in Self.values {
            bytes += value.utf8
            offsets.append(Int32(bytes.count))
        }
        let wide = offsets.map(Int64.init)
        for threads in [1, 2] {
            #expect(Array(requirement.verdicts(for: Self.values, threads: threads)) == expected)
            #expect(Array(requirement.verdicts(for: Self.values.map { $0[...] }, threads: threads)) == expected)
            let mask = try requirement.verdicts(utf8: bytes.span, offsets: offsets.span, threads: threads)
            #expect(Array(mask) == expected)
            #expect(Array(try requirement.verdicts(utf8: bytes.span, offsets: wide.span)) == expected)
        }
    }

    @Test("a value that is not UTF-8 fails any requirement", arguments: requirements.indices)
    func badBytes(index: Int) throws {
        let requirement = Self.requirements[index]
        let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC3, 0xA9]
        let offsets: [Int32] = [0, 1, 2, 3, 4, 5, 5]
        let mask = try requirement.verdicts(utf8: bytes.span, offsets: offsets.span)
        let one = requirement.evaluate("a").verdict
        let other = requirement.evaluate("b").verdict
        #expect(Array(mask) == [one, .fail, other, .fail, .fail, requirement.evaluate("").verdict])
    }

    @Test("limits apply to column checks and to closures", .needsPCRE2)
    func limits() throws {
        let hard = try Requirement<String>.matches(Pattern(#"(?:a|b)*(c)\1{0}"#))
        // A requirement for another type of value, so that it has no column check.
        let byValue = Requirement<[String]>.each(hard)
        let strict = MatchLimits(baseSteps: 1, stepsPerByte: 0)
        let value = "ababab"
        #expect(Array(hard.verdicts(for: [value])) == [.fail])
        #expect(Array(hard.verdicts(for: [value], limits: strict)) == [.undecided])
        #expect(Array(byValue.verdicts(for: [[value]])) == [.fail])
        #expect(Array(byValue.verdicts(for: [[value]], threads: 1, limits: strict)) == [.undecided])
        // The thread's own limits are restored.
        #expect(hard.evaluate(value).verdict == .fail)
    }

    @Test("progress comes to the total, and can cancel")
    func progress() throws {
        let even = Requirement<Int> { $0 % 2 == 0 ? .confirmed : .failed(reason: Reason(message: "odd")) }
        let numbers = Array(0..<50_000)
        let last = Mutex(0)
        let mask = try even.verdicts(for: numbers) { progress in
            last.withLock { $0 = max($0, progress.completed) }
            return .proceed
        }
        #expect(last.withLock { $0 } == 50_000 && mask.passedCount == 25_000)
        #expect(throws: BulkError.cancelled) { try even.verdicts(for: numbers) { _ in .cancel } }
        #expect(throws: BulkError.cancelled) {
            try Requirement<String>.notEmpty().verdicts(for: Self.values) { _ in .cancel }
        }
        #expect(throws: BulkError.badOffset(index: 1)) {
            let offsets: [Int32] = [0, 9]
            return try Requirement<String>.notEmpty().verdicts(utf8: [1].span, offsets: offsets.span)
        }
    }
}
