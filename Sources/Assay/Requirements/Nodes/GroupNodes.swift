/// Every one of some requirements.
final class AllNode<Value>: RequirementNode {
    let children: [Requirement<Value>]

    init(_ children: [Requirement<Value>]) { self.children = children }

    func evaluate(_ value: Value) -> Evaluation {
        var joint = AllJoint()
        // A span lends its elements; an array would count a reference up and down for each.
        let list = children
        let span = list.span
        for index in span.indices where joint.add(span[index].node.evaluate(value)) { break }
        return joint.evaluation
    }

    func collect(_ value: Value, into failures: inout Failures) {
        for child in children where !failures.isFull { child.node.collect(value, into: &failures) }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        var joint = AllJoint()
        var failed = 0
        let parts = children.map { child in
            if failed >= limit.limit { return child.node.outline }
            let part = child.node.trace(value, limit: limit)
            _ = joint.add(part.evaluation)
            if part.verdict == .fail { failed += 1 }
            return part
        }
        return RequirementTrace(name: "all", evaluation: joint.evaluation, children: parts)
    }

    var outline: RequirementTrace { RequirementTrace(name: "all", children: children.map(\.node.outline)) }

    var words: Words { .joined(children.map(\.node.words), by: ", and ", none: "anything") }

    var check: Check? { children.checks().map(Check.all) }

    var rules: [RequirementRule]? {
        let rules = children.compactMap(\.node.rules)
        return rules.count == children.count ? rules.flatMap { $0 } : nil
    }

    var plan: ColumnPlan<Value> { .all(children) }
}

/// At least one of some requirements.
final class AnyNode<Value>: RequirementNode {
    let children: [Requirement<Value>]

    init(_ children: [Requirement<Value>]) { self.children = children }

    func evaluate(_ value: Value) -> Evaluation {
        var joint = AnyJoint()
        let list = children
        let span = list.span
        for index in span.indices where joint.add(span[index].node.evaluate(value)) { break }
        return joint.evaluation
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        var joint = AnyJoint()
        var isDecided = false
        let parts = children.map { child in
            if isDecided { return child.node.outline }
            let part = child.node.trace(value, limit: limit)
            isDecided = joint.add(part.evaluation)
            return part
        }
        return RequirementTrace(name: "any", evaluation: joint.evaluation, children: parts)
    }

    var outline: RequirementTrace { RequirementTrace(name: "any", children: children.map(\.node.outline)) }

    var words: Words { .joined(children.map(\.node.words), by: ", or ", none: "nothing") }

    var check: Check? { children.checks().map(Check.any) }

    var plan: ColumnPlan<Value> { .any(children) }
}

extension Array {
    /// All of them as data; `nil` if one is not.
    func checks<Value>() -> [Check]? where Element == Requirement<Value> {
        let checks = compactMap(\.check)
        return checks.count == count ? checks : nil
    }
}
