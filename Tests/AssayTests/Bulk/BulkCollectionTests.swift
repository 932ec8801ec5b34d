import Assay
import Foundation
import Testing

@Suite("Values in other collections") struct BulkCollectionTests {
    private let pattern = Pattern.literal("[a-zä]+")
    private let texts = ["a", "B", "ä", "", "abc"]
    private let expected: [Verdict] = [.pass, .fail, .pass, .fail, .pass]

    private func list(_ mask: VerdictMask) -> [Verdict] { (0..<mask.count).map { mask[$0] } }

    @Test func collections() {
        let requirement = Requirement<String>.matches(pattern)
        #expect(list(pattern.verdicts(for: ContiguousArray(texts))) == expected)
        #expect(list(pattern.verdicts(for: texts[1...])) == Array(expected[1...]))
        #expect(list(pattern.verdicts(for: texts.lazy.map { $0.dropFirst(0) })) == expected)
        #expect(list(requirement.verdicts(for: ContiguousArray(texts))) == expected)
        let set = Set(texts)
        #expect(list(requirement.verdicts(for: set)) == set.map { requirement.evaluate($0).verdict })
        let numbers = Requirement<Int>.inRange(2...3)
        #expect(list(numbers.verdicts(for: ContiguousArray(1...4))) == [.fail, .pass, .pass, .fail])
        #expect(list(numbers.verdicts(for: 1...4)) == [.fail, .pass, .pass, .fail])
    }

    @Test func bytes() throws {
        for (text, verdict) in zip(texts, expected) {
            let bytes = Array(text.utf8)
            #expect(pattern.verdict(of: bytes.span) == verdict)
            #expect(pattern.matches(bytes.span) == (verdict == .pass))
            #expect(pattern.matches(bytes) == (verdict == .pass))
            #expect(pattern.matches(Data(bytes)) == (verdict == .pass))
            #expect(pattern.verdict(of: text.utf8) == verdict)
            #expect(pattern.matches(try UTF8Span(validating: bytes.span)) == (verdict == .pass))
        }
        #expect(pattern.verdict(of: [0x61, 0xFF]) == .fail)
        #expect(Pattern.literal("(?s).*").matches([0xFF]) == false)
    }

    @Test func offsetsOfInt() throws {
        let utf8 = Array(texts.joined().utf8)
        let offsets = texts.reduce(into: [0]) { $0.append($0.last! + $1.utf8.count) }
        #expect(list(try pattern.verdicts(utf8: utf8.span, offsets: offsets.span)) == expected)
    }
}
