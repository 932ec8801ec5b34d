import Assay
import CAssay
import Testing

@testable import AssayFiles

/// The types that a profile tries.
struct TypeCandidateTests {
    @Test("a type accepts only digits of the lengths for which it is tried")
    func digits() throws {
        let count = 64
        var random = SeededGenerator(seed: 61)
        let scratch = try #require(assay_scratch_create(nil))
        defer { assay_scratch_free(scratch) }
        let none = [UInt64](repeating: 0, count: 1)
        let types = try TypeCandidate.all.map { ($0, try #require(ProbedType($0.type))) }
        for length in 1...140 {
            let bytes = (0..<count * length).map { _ in UInt8.random(in: 0x30...0x39, using: &random) }
            let cells = (0..<count).map { assay_cell(start: UInt32($0 * length), length: UInt32(length)) }
            for (candidate, type) in types where !candidate.mayAccept(length...length) {
                var (failed, undecided) = (none, none)
                type.evaluate(
                    bytes, cells, count, skip: none, scratch: scratch, failed: &failed, undecided: &undecided)
                #expect(failed == [.max], "\(candidate.type), \(length) digits")
            }
        }
    }

    @Test("other values are tried for each type")
    func others() {
        #expect(TypeCandidate.all.allSatisfy { $0.mayAccept(nil) })
        let cells = [assay_cell(start: 0, length: 3), assay_cell(start: 3, length: 1)]
        #expect(lengthsOfDigits(Array("0179".utf8), cells[...]) == 1...3)
        #expect(lengthsOfDigits(Array("01-9".utf8), cells[...]) == nil)
        #expect(lengthsOfDigits(Array("01:9".utf8), cells[...]) == nil)
        #expect(lengthsOfDigits([], []) == nil)
    }
}
