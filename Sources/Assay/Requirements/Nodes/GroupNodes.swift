/// All or at least one of several requirements.
final class GroupNode<Value>: RequirementNode {
    let operation: KleeneOperator
    let members: GroupMembers<Value>
    let depth: Int
    private let evaluator: any Evaluator<Value>

    init(_ operation: KleeneOperator, _ members: GroupMembers<Value>) {
        self.operation = operation
        self.members = members
        depth = 1 + members.depth
        evaluator = members.evaluator ?? ConstantNode(KleeneFold(operation).evaluation)
    }

    convenience init(_ operation: KleeneOperator, _ children: [Requirement<Value>]) {
        self.init(operation, GroupMembers(operation, children))
    }

    private var children: [Requirement<Value>] { members.requirements }

    func evaluate(_ value: Value) -> Evaluation { evaluator.evaluate(value) }

    func collect(_ value: Value, into failures: inout Failures) {
        switch operation {
        case .and: members.collect(value, into: &failures)
        // Alternatives have one common reason.
        case .or: failures.append(evaluate(value))
        }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        var fold = KleeneFold(operation)
        var failed = 0
        let parts = children.map { child in
            let isDone =
                switch operation {
                case .and: failed >= limit.limit
                case .or: fold.isSettled
                }
            if isDone { return child.node.traceSkeleton }
            let part = child.node.trace(value, limit: limit)
            _ = fold.add(part.evaluation)
            if part.verdict == .fail { failed += 1 }
            return part
        }
        return RequirementTrace(name: operation.name, evaluation: fold.evaluation, children: parts)
    }

    var traceSkeleton: RequirementTrace {
        RequirementTrace(name: operation.name, children: children.map(\.node.traceSkeleton))
    }

    var phrase: Phrase {
        switch operation {
        case .and: .joined(children.map(\.node.phrase), by: ", and ", none: "anything")
        case .or: .joined(children.map(\.node.phrase), by: ", or ", none: "nothing")
        }
    }

    var expression: RuleExpression? {
        children.expressions().map(operation == .and ? RuleExpression.all : RuleExpression.any)
    }

    var plan: ColumnPlan<Value> { ColumnPlan(operation, children) }

    var fastPath: any Evaluator<Value> { evaluator }
}

extension KleeneOperator {
    /// The name of the group in traces and in rule files.
    var name: String { self == .and ? "all" : "any" }
}

extension Array {
    /// All requirements as data; `nil` if one of the requirements is not data.
    func expressions<Value>() -> [RuleExpression]? where Element == Requirement<Value> {
        let expressions = compactMap(\.node.expression)
        return expressions.count == count ? expressions : nil
    }
}
