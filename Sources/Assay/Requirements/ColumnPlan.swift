internal import Synchronization

/// How an array of texts is judged by a requirement: what is data as a column check, first, and closures only where that
/// leaves the answer open.
indirect enum ColumnPlan<Value>: Sendable {
    /// All of it as a column check.
    case data(Check)
    /// Value by value.
    case values
    /// The column check, and what is left of the requirement for the values that passed it.
    case all(Check, rest: Requirement<Value>)
    /// The column check, and what is left of the requirement for the values that did not pass it.
    case any(Check, rest: Requirement<Value>)

    static func all(_ requirements: [Requirement<Value>]) -> Self {
        let (checks, rest) = parts(requirements) { plan in
            if case .all(let check, let rest) = plan { (check, rest) } else { nil }
        }
        if rest.isEmpty { return .data(.all(checks)) }
        return checks.isEmpty ? .values : .all(.all(checks), rest: .all(rest))
    }

    static func any(_ requirements: [Requirement<Value>]) -> Self {
        let (checks, rest) = parts(requirements) { plan in
            if case .any(let check, let rest) = plan { (check, rest) } else { nil }
        }
        if rest.isEmpty { return .data(.any(checks)) }
        return checks.isEmpty ? .values : .any(.any(checks), rest: .any(rest))
    }

    /// The plan of the opposite, by De Morgan's laws, which hold in three values as in two.
    var negated: Self {
        switch self {
        case .data(let check): .data(.not(check))
        case .values: .values
        case .all(let check, let rest): .any(.not(check), rest: .not(rest))
        case .any(let check, let rest): .all(.not(check), rest: .not(rest))
        }
    }

    /// The data of some requirements, and the rest of them; a requirement that is both is parted if `split` can.
    private static func parts(
        _ requirements: [Requirement<Value>], split: (Self) -> (Check, Requirement<Value>)?
    ) -> (checks: [Check], rest: [Requirement<Value>]) {
        var (checks, rest): ([Check], [Requirement<Value>]) = ([], [])
        for requirement in requirements {
            let plan = requirement.node.plan
            if case .data(let check) = plan {
                checks.append(check)
            } else if let (check, open) = split(plan) {
                checks.append(check)
                rest.append(open)
            } else {
                rest.append(requirement)
            }
        }
        return (checks, rest)
    }
}

/// A ``ColumnPlan`` with its check compiled, once.
final class CompiledColumns<Value>: Sendable {
    private let made = AtomicLazyReference<CompiledPlan<Value>>()

    /// The plan of a node, which is always the same one.
    func plan(of node: any RequirementNode<Value>) -> CompiledPlan<Value> {
        // Two threads may both compile it; one of the two is kept.
        made.load() ?? made.storeIfNil(CompiledPlan(node.plan))
    }
}

/// Checks as columns are asked them.
final class CompiledPlan<Value>: Sendable {
    enum Kind: Sendable {
        case data(CompiledCheck)
        case values
        case all(CompiledCheck, rest: Requirement<Value>)
        case any(CompiledCheck, rest: Requirement<Value>)
    }

    let kind: Kind

    init(_ plan: ColumnPlan<Value>) {
        func compiled(_ check: Check) -> CompiledCheck {
            do {
                // Its patterns were compiled when it was made, under whatever limit their maker chose.
                return try CompiledCheck(check, maxPatternBytes: .max)
            } catch {
                preconditionFailure("the checks of a requirement were compiled when it was made: \(error)")
            }
        }
        kind =
            switch plan {
            case .data(let check): .data(compiled(check))
            case .values: .values
            case .all(let check, let rest): .all(compiled(check), rest: rest)
            case .any(let check, let rest): .any(compiled(check), rest: rest)
            }
    }
}
