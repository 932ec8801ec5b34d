// Kleene's strong three-valued logic: what the answers of several checks come to when some of them are undecided. This file
// alone states the rules. Single values, columns, bulk calls, asynchronous groups and composite validators all use it.
//
//     and        pass       undecided  fail           or         pass  undecided  fail
//     pass       pass       undecided  fail           pass       pass  pass       pass
//     undecided  undecided  undecided  fail           undecided  pass  undecided  undecided
//     fail       fail       fail       fail           fail       pass  undecided  fail
//
// `not` swaps pass and fail, and "if A then B" is `not A or B`. Both operators are associative, and De Morgan's laws hold.
//
// Source: S. C. Kleene, Introduction to Metamathematics (1952), § 64.

/// How the answers of a group become one.
package enum KleeneOperator: Sendable {
    case and, or

    /// The verdict that settles a group, whatever its other members say.
    @inline(__always)
    var dominant: Verdict { self == .and ? .fail : .pass }

    /// The verdict of a group without members. In a group with members it changes nothing.
    @inline(__always)
    var identity: Verdict { self == .and ? .pass : .fail }

    /// The operator that De Morgan's laws put in place of this one.
    var dual: KleeneOperator { self == .and ? .or : .and }
}

// MARK: - Verdicts

extension Verdict {
    /// The opposite. Undecided stays undecided.
    @inline(__always)
    var negated: Verdict {
        switch self {
        case .pass: .fail
        case .fail: .pass
        case .undecided: .undecided
        }
    }

    /// "If this, then that". That is asked only where this did not fail.
    @inline(__always)
    func implies(_ then: () -> Verdict) -> Verdict { KleeneOperator.or.combine(negated, then) }
}

extension KleeneOperator {
    /// The verdict of two. The second is asked only where the first does not settle it.
    @inline(__always)
    func combine(_ one: Verdict, _ other: () -> Verdict) -> Verdict {
        if one == dominant { return one }
        let other = other()
        return other == dominant || one == identity ? other : one
    }

    /// The verdict of a group. The members behind the one that settles it are not asked.
    @inline(__always)
    func combine<Member>(_ members: [Member], verdict: (Member) -> Verdict) -> Verdict {
        var result = identity
        for member in members {
            result = combine(result) { verdict(member) }
            if result == dominant { break }
        }
        return result
    }
}

// MARK: - Masks

extension KleeneOperator {
    /// The verdicts of a group about a whole column. Each member judges only the rows that those before it left open.
    ///
    /// - Parameters:
    ///   - skip: the rows to leave alone. Their bits come out 0.
    ///   - judge: has one member judge the rows that `skip` does not name, under the same rule about bits.
    func combine<Member>(
        _ members: [Member], rows: Int, skip: UnsafePointer<UInt64>?, into bits: VerdictBits,
        judge: (Member, _ skip: UnsafePointer<UInt64>, VerdictBits) -> Void
    ) {
        let words = maskWords(rows)
        withMasks(words: words) { closed, part in
            for word in 0..<words {
                closed[word] = ~liveRows(word, of: rows, skip)
                bits.undecided[word] = 0
            }
            for member in members {
                judge(member, closed, part)
                for word in 0..<words {
                    let (failed, undecided) = (part.failed[word], part.undecided[word])
                    bits.undecided[word] |= undecided
                    closed[word] |= self == .and ? failed : ~failed & ~undecided
                }
            }
            for word in 0..<words {
                let live = liveRows(word, of: rows, skip)
                let settled = closed[word] & live
                bits.undecided[word] &= ~settled
                bits.failed[word] = self == .and ? settled : live & ~settled & ~bits.undecided[word]
            }
        }
    }
}

extension VerdictBits {
    /// Turns the verdicts of the rows that `skip` does not name into their opposites.
    func negate(rows: Int, skip: UnsafePointer<UInt64>?) {
        for word in 0..<maskWords(rows) {
            failed[word] = liveRows(word, of: rows, skip) & ~failed[word] & ~undecided[word]
        }
    }
}

/// The rows of a word that exist and are not skipped.
@inline(__always)
func liveRows(_ word: Int, of rows: Int, _ skip: UnsafePointer<UInt64>?) -> UInt64 {
    lowBits(rows - word * 64) & ~(skip?[word] ?? 0)
}

/// Lends the masks of one group: the rows that are settled or skipped, and the bits of the member being asked.
private func withMasks(words: Int, _ body: (UnsafeMutablePointer<UInt64>, VerdictBits) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, 3 * words)) { buffer in
        let base = buffer.baseAddress!
        body(base, VerdictBits(failed: base + words, undecided: base + 2 * words))
    }
}

// MARK: - Evaluations, which carry reasons

/// The evaluation of a group whose members answer one after the other.
///
/// Of a conjunction the first definite reason counts, and an undecided one only without such. A disjunction that nobody
/// confirms has one reason of its own, unless a member is undecided: then it is that member's.
package struct KleeneFold: Sendable {
    package private(set) var evaluation: Evaluation
    /// Whether no further member can change the answer.
    private(set) var isSettled = false
    private let operation: KleeneOperator

    @inline(__always)
    package init(_ operation: KleeneOperator) {
        self.operation = operation
        evaluation = operation == .and ? .confirmed : .failed(reason: .anyOf)
    }

    /// - Returns: ``isSettled``.
    @inline(__always)
    package mutating func add(_ next: Evaluation) -> Bool {
        if isSettled { return true }
        let verdict = next.verdict
        if verdict == operation.dominant {
            evaluation = next
            isSettled = true
        } else if verdict == .undecided && evaluation.verdict != .undecided {
            evaluation = next
        }
        return isSettled
    }
}

extension KleeneOperator {
    /// The evaluation of two: a ``KleeneFold`` of both. The second is asked only where the first does not settle it.
    @inline(__always)
    func combine(_ one: Evaluation, _ other: () -> Evaluation) -> Evaluation {
        // A confirmed value is the common case, and needs no fold.
        if case .confirmed = one { return self == .and ? other() : one }
        var fold = KleeneFold(self)
        if !fold.add(one) { _ = fold.add(other()) }
        return fold.evaluation
    }
}

extension Evaluation {
    /// The opposite. What is undecided stays so, with its reason.
    var negated: Evaluation {
        guard case .failed(let reason) = self else { return .failed(reason: .not) }
        return reason.isUndecided ? self : .confirmed
    }

    /// "If this, then that": undecided, for this reason, where this is undecided and that does not hold anyway.
    func implies(_ then: () -> Evaluation) -> Evaluation {
        guard case .failed(let reason) = self else { return then() }
        return !reason.isUndecided || then().isConfirmed ? .confirmed : self
    }
}
