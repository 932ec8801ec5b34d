/// All or at least one of several requirements.
final class GroupNode<Value>: RequirementNode {
    let operation: KleeneOperator
    let children: [Requirement<Value>]
    private let evaluator: any Evaluator<Value>

    init(_ operation: KleeneOperator, _ children: [Requirement<Value>]) {
        self.operation = operation
        self.children = children
        evaluator = tree(operation, children[...])
    }

    func evaluate(_ value: Value) -> Evaluation { evaluator.evaluate(value) }

    func collect(_ value: Value, into failures: inout Failures) {
        switch operation {
        case .and: for child in children where !failures.isFull { child.node.collect(value, into: &failures) }
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

// A group is evaluated as a balanced tree of pairs, because a `let` property is borrowed, whereas array elements and
// optionals would be retained and released for each value, on all threads. Those reference counts were half of the cost
// of a small group. Both operators are associative, so the tree gives the same result as the list.

private final class Pair<Value>: Evaluator {
    let operation: KleeneOperator
    let one: any Evaluator<Value>
    let other: any Evaluator<Value>

    init(_ operation: KleeneOperator, _ one: any Evaluator<Value>, _ other: any Evaluator<Value>) {
        (self.operation, self.one, self.other) = (operation, one, other)
    }

    func evaluate(_ value: Value) -> Evaluation {
        operation.combine(one.evaluate(value)) { other.evaluate(value) }
    }
}

/// A pair that gets the UTF-8 bytes of the text once for both sides.
private final class UTF8Pair: UTF8Evaluator {
    let operation: KleeneOperator
    let one: any UTF8Evaluator
    let other: any UTF8Evaluator

    init(_ operation: KleeneOperator, _ one: any UTF8Evaluator, _ other: any UTF8Evaluator) {
        (self.operation, self.one, self.other) = (operation, one, other)
    }

    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation {
        operation.combine(one.evaluate(value, utf8)) { other.evaluate(value, utf8) }
    }
}

private func pair<Value>(
    _ operation: KleeneOperator, _ one: any Evaluator<Value>, _ other: any Evaluator<Value>
) -> any Evaluator<Value> {
    guard let oneText = one as? any UTF8Evaluator, let otherText = other as? any UTF8Evaluator,
        let both = UTF8Pair(operation, oneText, otherText) as? any Evaluator<Value>
    else { return Pair(operation, one, other) }
    return both
}

/// The evaluator tree of some requirements.
private func tree<Value>(
    _ operation: KleeneOperator, _ children: ArraySlice<Requirement<Value>>
) -> any Evaluator<Value> {
    switch children.count {
    case 0: return ConstantNode(KleeneFold(operation).evaluation)
    case 1: return children[children.startIndex].evaluator
    case let count:
        return pair(
            operation, tree(operation, children.prefix(count / 2)), tree(operation, children.dropFirst(count / 2)))
    }
}

extension Array {
    /// All requirements as data; `nil` if one of the requirements is not data.
    func expressions<Value>() -> [RuleExpression]? where Element == Requirement<Value> {
        let expressions = compactMap(\.node.expression)
        return expressions.count == count ? expressions : nil
    }
}
