import Testing

@testable import Assay

@Suite("Three-valued logic")
struct ThreeValuedLogicTests {
    /// In order of priority for `and`: the first of two verdicts wins. For `or`, the last one wins.
    private let order: [Verdict] = [.fail, .undecided, .pass]

    private func evaluation(_ verdict: Verdict) -> Evaluation {
        switch verdict {
        case .pass: .confirmed
        case .fail: .failed(reason: Reason(message: "no"))
        case .undecided: .failed(reason: .undecided(message: "?"))
        }
    }

    /// The truth table, by Kleene's definition: `and` is the minimum, `or` the maximum, with fail < undecided < pass.
    private func expected(_ operation: KleeneOperator, _ verdicts: [Verdict]) -> Verdict {
        let ranks = verdicts.map { order.firstIndex(of: $0)! }
        return order[operation == .and ? ranks.min() ?? 2 : ranks.max() ?? 0]
    }

    private var groups: [[Verdict]] {
        var groups: [[Verdict]] = [[]]
        var last = groups
        for _ in 0..<3 {
            last = last.flatMap { group in order.map { group + [$0] } }
            groups += last
        }
        return groups
    }

    @Test(
        "values, evaluations, masks, requirements and asynchronous groups agree", arguments: [KleeneOperator.and, .or])
    func agreement(operation: KleeneOperator) async throws {
        for group in groups {
            let expected = expected(operation, group)
            #expect(operation.combine(group) { $0 } == expected)

            var fold = KleeneFold(operation)
            for verdict in group { _ = fold.add(evaluation(verdict)) }
            #expect(fold.evaluation.verdict == expected)

            let members = group.map { verdict in Requirement<Int> { [answer = evaluation(verdict)] _ in answer } }
            #expect(Requirement.group(operation, members).evaluate(0).verdict == expected)
            #expect(Requirement.group(operation, members).trace(0).verdict == expected)
            let waiting = members.map { member in AsyncRequirement<Int> { value in member.evaluate(value) } }
            let asyncGroup: AsyncRequirement<Int> = operation == .and ? .all(waiting) : .any(waiting)
            #expect(try await asyncGroup.evaluate(0).verdict == expected)

            #expect(mask(operation, group, skip: 0) == expected)
            #expect(mask(operation, group, skip: 1) == .pass, "a skipped row has no bits")
        }
    }

    @Test func negation() {
        for (verdict, opposite) in zip(order, order.reversed()) {
            #expect(verdict.negated == opposite && evaluation(verdict).negated.verdict == opposite)
            for then in order {
                let expected = expected(.or, [opposite, then])
                #expect(verdict.implies { then } == expected)
                #expect(evaluation(verdict).implies { evaluation(then) }.verdict == expected)
            }
        }
    }

    /// The verdict of row 0 of a column.
    private func mask(_ operation: KleeneOperator, _ group: [Verdict], skip: UInt64) -> Verdict {
        var words: (failed: UInt64, undecided: UInt64) = (~0, ~0)
        withUnsafePointer(to: skip) { skip in
            withUnsafeMutablePointer(to: &words.failed) { failed in
                withUnsafeMutablePointer(to: &words.undecided) { undecided in
                    let bits = VerdictBits(failed: failed, undecided: undecided)
                    operation.combine(group, rows: 1, skip: skip, into: bits) { verdict, skip, bits in
                        bits.clear(rows: 1)
                        if skip.pointee & 1 == 0 { bits.set(0, verdict) }
                    }
                }
            }
        }
        #expect(words.failed & ~1 == 0 && words.undecided & ~1 == 0 && words.failed & words.undecided == 0)
        return words.failed == 1 ? .fail : words.undecided == 1 ? .undecided : .pass
    }
}
