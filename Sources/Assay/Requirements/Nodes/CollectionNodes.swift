/// The number of elements.
final class CountNode<Value: Collection>: RequirementNode {
    let min: Int?
    let max: Int?
    let failure: Reason

    init(min: Int?, max: Int?) {
        self.min = min
        self.max = max
        let rule =
            switch (min, max) {
            case (1, nil): "collection.notEmpty"
            case (_, nil): "collection.minCount"
            case (nil, _): "collection.maxCount"
            default: "collection.count"
            }
        var parameters: [String: Reason.Parameter] = [:]
        if let min { parameters["min"] = .integer(min) }
        if let max { parameters["max"] = .integer(max) }
        failure = Reason(rule: rule, parameters: parameters)
    }

    func evaluate(_ value: Value) -> Evaluation {
        if max == nil && min == 1 { return value.isEmpty ? .failed(reason: failure) : .confirmed }
        let count = value.count
        return count < min ?? 0 || count > max ?? .max ? .failed(reason: failure) : .confirmed
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: failure.rule ?? "count") }

    var phrase: Phrase {
        switch (min, max) {
        case (1, nil): .plain("not empty")
        case (let min?, let max?) where min == max: .plain("exactly \(min) elements")
        case (let min?, let max?): .plain("\(min) to \(max) elements")
        case (let min?, nil): .plain("at least \(min) elements")
        case (nil, let max?): .plain("at most \(max) elements")
        case (nil, nil): .plain("any number of elements")
        }
    }

    var expression: RuleExpression? { isListInRules(Value.self) ? .count(min: min, max: max) : nil }
}

/// A requirement for every element of a collection, with the path to the element.
final class EachNode<Value: Collection, Part>: RequirementNode {
    let child: Requirement<Part>
    /// The elements with their path steps, in evaluation order.
    let parts: @Sendable (Value) -> any Sequence<(step: ValuePath.Step, part: Part)>
    let depth: Int

    init(
        _ child: Requirement<Part>,
        parts: @escaping @Sendable (Value) -> any Sequence<(step: ValuePath.Step, part: Part)>
    ) {
        self.child = child
        self.parts = parts
        depth = 1 + child.node.depth
    }

    func evaluate(_ value: Value) -> Evaluation {
        var fold = KleeneFold(.and)
        for (step, part) in parts(value)
        where fold.add(child.evaluator.evaluate(part).changed { $0.inside(step) }) { break }
        return fold.evaluation
    }

    func collect(_ value: Value, into failures: inout Failures) {
        for (step, part) in parts(value) {
            if failures.isFull { return }
            failures.collect({ $0.inside(step) }) { child.node.collect(part, into: &$0) }
        }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        var fold = KleeneFold(.and)
        var failed = 0
        var children: [RequirementTrace] = []
        for (step, part) in parts(value) {
            let name = ValuePath([step]).description
            if failed >= limit.limit {
                children.append(RequirementTrace(name: name, children: [child.node.traceSkeleton]))
                continue
            }
            let inner = child.node.trace(part, limit: limit)
            let evaluation = inner.evaluation.changed { $0.inside(step) }
            _ = fold.add(evaluation)
            if inner.verdict == .fail { failed += 1 }
            children.append(RequirementTrace(name: name, evaluation: evaluation, children: [inner]))
        }
        return RequirementTrace(name: "each", evaluation: fold.evaluation, children: children)
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: "each", children: [child.node.traceSkeleton]) }

    var phrase: Phrase { .plain("each element: \(child.node.phrase.parenthesized)") }

    var expression: RuleExpression? { isListInRules(Value.self) ? child.node.expression.map(RuleExpression.each) : nil }
}

/// A requirement that at least one element must meet.
final class ContainsNode<Value: Collection>: RequirementNode {
    let child: Requirement<Value.Element>
    let failure = Reason(rule: "collection.contains")
    let depth: Int

    init(_ child: Requirement<Value.Element>) {
        self.child = child
        depth = 1 + child.node.depth
    }

    func evaluate(_ value: Value) -> Evaluation {
        var fold = KleeneFold(.or)
        for element in value where fold.add(child.evaluator.evaluate(element)) { break }
        return fold.evaluation.verdict == .fail ? .failed(reason: failure) : fold.evaluation
    }

    var traceSkeleton: RequirementTrace {
        RequirementTrace(name: "collection.contains", children: [child.node.traceSkeleton])
    }

    var phrase: Phrase { .plain("an element that is: \(child.node.phrase.parenthesized)") }

    var expression: RuleExpression? {
        isListInRules(Value.self) ? child.node.expression.map(RuleExpression.contains) : nil
    }
}

/// A requirement that no two elements have the same key.
final class UniqueNode<Value: Collection, Key: Hashable>: RequirementNode {
    let key: any KeyPath<Value.Element, Key> & Sendable
    let failure = Reason(rule: "collection.unique")

    init(_ key: any KeyPath<Value.Element, Key> & Sendable) { self.key = key }

    func evaluate(_ value: Value) -> Evaluation {
        var seen = ByteEqualSet<Key>()
        for (index, element) in value.enumerated() where !seen.insert(element[keyPath: key]) {
            return .failed(reason: failure.inside(.index(index)))
        }
        return .confirmed
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: "collection.unique") }

    var phrase: Phrase { .plain("without repetitions") }

    var expression: RuleExpression? {
        guard isListInRules(Value.self) else { return nil }
        if key as AnyKeyPath == \Value.Element.self as AnyKeyPath { return .unique(by: nil) }
        return (Value.Element.self as? any RuleRecord.Type)?.name(of: key).map { .unique(by: $0) }
    }
}
