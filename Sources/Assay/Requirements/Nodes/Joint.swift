// How the answers of several requirements become one, in Kleene's three values: the one place that says so.

/// Every one must be confirmed: the first definite reason wins, and what is undecided counts only without one.
struct AllJoint {
    private(set) var evaluation = Evaluation.confirmed
    private var isDecided = false

    /// - Returns: whether nothing that follows can change the answer.
    @inline(__always)
    mutating func add(_ next: Evaluation) -> Bool {
        guard !isDecided, case .failed(let reason) = next else { return isDecided }
        if !reason.isUndecided {
            isDecided = true
            evaluation = next
        } else if case .confirmed = evaluation {
            evaluation = next
        }
        return isDecided
    }
}

/// One must be confirmed.
struct AnyJoint {
    private var isConfirmed = false
    private var undecided: Reason?

    /// - Returns: whether nothing that follows can change the answer.
    @inline(__always)
    mutating func add(_ next: Evaluation) -> Bool {
        guard case .failed(let reason) = next else {
            isConfirmed = true
            return true
        }
        if reason.isUndecided && undecided == nil { undecided = reason }
        return isConfirmed
    }

    var evaluation: Evaluation { isConfirmed ? .confirmed : .failed(reason: undecided ?? .anyOf) }
}

extension Evaluation {
    /// Both must be confirmed: an ``AllJoint`` of two.
    @inline(__always)
    func and(_ other: () -> Evaluation) -> Evaluation {
        guard case .failed = self else { return other() }
        var joint = AllJoint()
        if !joint.add(self) { _ = joint.add(other()) }
        return joint.evaluation
    }

    /// The opposite; what is undecided stays so.
    var negated: Evaluation {
        guard case .failed(let reason) = self else { return .failed(reason: .not) }
        return reason.isUndecided ? self : .confirmed
    }

    /// "If this, then that": undecided where this is, unless that holds anyway.
    func implies(_ then: () -> Evaluation) -> Evaluation {
        guard case .failed(let reason) = self else { return then() }
        return !reason.isUndecided || then().isConfirmed ? .confirmed : self
    }
}
