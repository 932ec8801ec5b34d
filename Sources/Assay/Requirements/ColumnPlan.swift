/// How a requirement evaluates an array of texts. The parts that are data run first, as a column check. The other parts
/// run value by value, only for values that the column check leaves open.
enum ColumnPlan<Value>: Sendable {
    /// The whole requirement is a column check.
    case data(Node)
    /// The whole requirement runs value by value.
    case values
    /// A column check, and the rest of the requirement for the values that the check does not settle.
    case both(KleeneOperator, Node, rest: Requirement<Value>)

    /// The plan of a group. Nested groups with the same operator are split into their data and their rest.
    init(_ operation: KleeneOperator, _ requirements: [Requirement<Value>]) {
        var (nodes, rest): ([Node], [Requirement<Value>]) = ([], [])
        for requirement in requirements {
            switch requirement.node.plan {
            case .data(let node):
                nodes.append(node)
            case .both(operation, let node, let open):
                nodes.append(node)
                rest.append(open)
            case .both, .values:
                rest.append(requirement)
            }
        }
        let node = operation == .and ? Node.all(nodes) : .any(nodes)
        if rest.isEmpty {
            self = .data(node)
        } else {
            self = nodes.isEmpty ? .values : .both(operation, node, rest: .group(operation, rest))
        }
    }

    /// The plan of the negation, by De Morgan's laws.
    var negated: Self {
        switch self {
        case .data(let node): .data(.not(node))
        case .values: .values
        case .both(let operation, let node, let rest): .both(operation.dual, .not(node), rest: .not(rest))
        }
    }
}
