extension Requirement {
    /// The first reason against a value in declared order, or none. What comes after the first is not asked. What a limit left
    /// undecided counts only when nothing else is wrong, as in all of Assay.
    ///
    /// - Complexity: that of the requirements asked. Nothing is allocated when the value is confirmed.
    public func evaluate(_ value: Value) -> Evaluation {
        switch node {
        case .leaf(let leaf): return leaf.evaluate(value)
        case .closure(let evaluator): return evaluator(value)

        case .all(let requirements):
            var undecided: Evaluation?
            for requirement in requirements {
                let evaluation = requirement.evaluate(value)
                guard case .failed(let reason) = evaluation else { continue }
                if !reason.isUndecided { return evaluation }
                undecided = undecided ?? evaluation
            }
            return undecided ?? .confirmed

        case .any(let requirements):
            var undecided: Evaluation?
            for requirement in requirements {
                let evaluation = requirement.evaluate(value)
                guard case .failed(let reason) = evaluation else { return .confirmed }
                if reason.isUndecided { undecided = undecided ?? evaluation }
            }
            return undecided ?? .failed(reason: .anyOf)

        case .not(let requirement):
            guard case .failed(let reason) = requirement.evaluate(value) else { return .failed(reason: .not) }
            return reason.isUndecided ? .failed(reason: reason) : .confirmed

        case .when(let condition, let then):
            // In three values as in `Node`: undecided, unless what follows holds anyway.
            guard case .failed(let reason) = condition.evaluate(value) else { return then.evaluate(value) }
            if !reason.isUndecided || then.evaluate(value).isConfirmed { return .confirmed }
            return .failed(reason: reason)

        case .because(let requirement, let code, let message):
            guard case .failed(let reason) = requirement.evaluate(value) else { return .confirmed }
            return .failed(reason: reason.replaced(code: code, message: message))
        }
    }

    /// Every reason against a value, in declared order, until there are `limit`.
    ///
    ///     password.failures(in: "abc")             // all of them
    ///     password.failures(in: "abc", limit: 1)   // the one that `evaluate` gives
    ///
    /// Alternatives (`any`), negations and requirements with a ``because(_:)`` of their own count as one reason each. No value
    /// at all satisfies nothing: `nil` gives one reason.
    public func failures(in value: Value?, limit: Int = .max) -> [Reason] {
        guard limit > 0 else { return [] }
        guard let value else { return [.missing] }
        var reasons: [Reason] = []
        collect(value, limit: limit, into: &reasons)
        return reasons
    }

    func collect(_ value: Value, limit: Int, into reasons: inout [Reason]) {
        if reasons.count >= limit { return }
        switch node {
        case .leaf(let leaf):
            leaf.collect(value, limit: limit, into: &reasons)
        case .all(let requirements):
            for requirement in requirements { requirement.collect(value, limit: limit, into: &reasons) }
        case .when(let condition, let then):
            guard case .failed(let reason) = condition.evaluate(value) else {
                then.collect(value, limit: limit, into: &reasons)
                return
            }
            if reason.isUndecided && !then.evaluate(value).isConfirmed { reasons.append(reason) }
        case .closure, .any, .not, .because:
            if case .failed(let reason) = evaluate(value) { reasons.append(reason) }
        }
    }
}
