/// How an array of texts is judged by a requirement: what is data as a column check, first, and the rest value by value, only
/// where the column check leaves the answer open.
enum ColumnPlan<Value>: Sendable {
    /// All of it as a column check.
    case data(Check)
    /// Value by value.
    case values
    /// The column check, and the rest of the requirement for the values that the check does not settle.
    case both(KleeneOperator, Check, rest: Requirement<Value>)

    /// The plan of a group. Members that are themselves groups of this kind are split into their data and their rest.
    init(_ operation: KleeneOperator, _ requirements: [Requirement<Value>]) {
        var (checks, rest): ([Check], [Requirement<Value>]) = ([], [])
        for requirement in requirements {
            switch requirement.node.plan {
            case .data(let check):
                checks.append(check)
            case .both(operation, let check, let open):
                checks.append(check)
                rest.append(open)
            case .both, .values:
                rest.append(requirement)
            }
        }
        let check = operation == .and ? Check.all(checks) : .any(checks)
        if rest.isEmpty {
            self = .data(check)
        } else {
            self = checks.isEmpty ? .values : .both(operation, check, rest: .group(operation, rest))
        }
    }

    /// The plan of the opposite, by De Morgan's laws.
    var negated: Self {
        switch self {
        case .data(let check): .data(.not(check))
        case .values: .values
        case .both(let operation, let check, let rest): .both(operation.dual, .not(check), rest: .not(rest))
        }
    }
}
