// Kleene's strong three-valued logic: the result of several checks when some are undecided. This file alone implements
// the rules. Single values, columns, bulk calls, asynchronous groups and composite validators all use it.
//
//     and        pass       undecided  fail           or         pass  undecided  fail
//     pass       pass       undecided  fail           pass       pass  pass       pass
//     undecided  undecided  undecided  fail           undecided  pass  undecided  undecided
//     fail       fail       fail       fail           fail       pass  undecided  fail
//
// `not` swaps pass and fail, and "if A then B" is `not A or B`. Both operators are associative, and De Morgan's laws
// hold.
//
// Source: S. C. Kleene, Introduction to Metamathematics (1952), § 64.

/// The operator that combines the results of a group.
package enum KleeneOperator: Sendable {
    case and, or

    /// The verdict that settles a group, regardless of its other members.
    @inline(__always)
    var dominant: Verdict { self == .and ? .fail : .pass }

    /// The verdict of a group without members. In other groups it has no effect.
    @inline(__always)
    var identity: Verdict { self == .and ? .pass : .fail }

    /// The operator that replaces this one by De Morgan's laws.
    var dual: KleeneOperator { self == .and ? .or : .and }
}

// MARK: - Verdicts

extension Verdict {
    /// The negation. Undecided stays undecided.
    @inline(__always)
    var negated: Verdict {
        switch self {
        case .pass: .fail
        case .fail: .pass
        case .undecided: .undecided
        }
    }

    /// The implication "if this, then that". `then` runs only if this verdict is not `.fail`.
    @inline(__always)
    func implies(_ then: () -> Verdict) -> Verdict { KleeneOperator.or.combine(negated, then) }
}

extension KleeneOperator {
    /// The verdict of two members. The second runs only if the first does not settle the result.
    @inline(__always)
    func combine(_ one: Verdict, _ other: () -> Verdict) -> Verdict {
        if one == dominant { return one }
        let other = other()
        return other == dominant || one == identity ? other : one
    }

    /// The verdict of a group. Evaluation stops at the member that settles the result.
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
    /// Computes the verdicts of a group for a column. Each member checks only the rows that the previous members left
    /// open.
    ///
    /// - Parameters:
    ///   - skip: The rows to skip. Their bits become 0.
    ///   - evaluate: Checks the rows outside `skip` with one member, and sets the bits of skipped rows to 0.
    func combine<Member>(
        _ members: [Member], rows: Int, skip: UnsafePointer<UInt64>?, into bits: VerdictBits,
        evaluate: (Member, _ skip: UnsafePointer<UInt64>, VerdictBits) -> Void
    ) {
        let words = maskWords(rows)
        withMasks(words: words) { closed, part in
            for word in 0..<words {
                closed[word] = ~liveRows(word, of: rows, skip)
                bits.undecided[word] = 0
            }
            for member in members {
                evaluate(member, closed, part)
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
    /// Negates the verdicts of the rows outside `skip`.
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

/// Provides the masks of one group: the settled or skipped rows, and the bits of the current member.
private func withMasks(words: Int, _ body: (UnsafeMutablePointer<UInt64>, VerdictBits) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, 3 * words)) { buffer in
        let base = buffer.baseAddress!
        body(base, VerdictBits(failed: base + words, undecided: base + 2 * words))
    }
}

// MARK: - Evaluations, which carry reasons

/// The evaluation of a group from the evaluations of its members, added one after another.
///
/// In a conjunction, the first failure decides, and without failures the first undecided reason. A disjunction without
/// confirmation has its own reason, unless a member is undecided: then it has the reason of that member.
package struct KleeneFold: Sendable {
    package private(set) var evaluation: Evaluation
    /// Whether the result no longer depends on further members.
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
    /// The evaluation of two members: a ``KleeneFold``. The second runs only if the first does not settle the result.
    @inline(__always)
    func combine(_ one: Evaluation, _ other: () -> Evaluation) -> Evaluation {
        // Fast path: confirmed values are common and need no fold.
        if case .confirmed = one { return self == .and ? other() : one }
        var fold = KleeneFold(self)
        if !fold.add(one) { _ = fold.add(other()) }
        return fold.evaluation
    }
}

extension Evaluation {
    /// The negation. Undecided evaluations stay unchanged, with their reason.
    var negated: Evaluation {
        guard case .failed(let reason) = self else { return .failed(reason: .not) }
        return reason.isUndecided ? self : .confirmed
    }

    /// The implication "if this, then that". If this is undecided and `then` is not confirmed, the result is this
    /// evaluation.
    func implies(_ then: () -> Evaluation) -> Evaluation {
        guard case .failed(let reason) = self else { return then() }
        return !reason.isUndecided || then().isConfirmed ? .confirmed : self
    }
}
