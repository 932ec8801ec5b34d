/// Every one of some requirements.
final class AllNode<Value>: RequirementNode {
    let children: [Requirement<Value>]
    private let question: any Question<Value>

    init(_ children: [Requirement<Value>]) {
        self.children = children
        question = tree(children[...], none: .confirmed) { one, other in
            guard let oneText = one as? any TextQuestion, let otherText = other as? any TextQuestion,
                let both = AllTextPair(oneText, otherText) as? any Question<Value>
            else { return AllPair(one, other) }
            return both
        }
    }

    func evaluate(_ value: Value) -> Evaluation { question.evaluate(value) }

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

    var form: RequirementForm? { children.forms().map(RequirementForm.all) }

    var plan: ColumnPlan<Value> { .all(children) }

    var direct: any Question<Value> { question }
}

/// At least one of some requirements.
final class AnyNode<Value>: RequirementNode {
    let children: [Requirement<Value>]
    private let question: any Question<Value>

    init(_ children: [Requirement<Value>]) {
        self.children = children
        question = tree(children[...], none: .failed(reason: .anyOf)) { AnyPair($0, $1) }
    }

    func evaluate(_ value: Value) -> Evaluation { question.evaluate(value) }

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

    var form: RequirementForm? { children.forms().map(RequirementForm.any) }

    var plan: ColumnPlan<Value> { .any(children) }

    var direct: any Question<Value> { question }
}

// A group is asked as a balanced tree of pairs: what stands in a `let` is lent, while the elements of an array, or what is in
// an optional, would be counted up and down for each value, on all threads. That was half of what a small group cost. Each way
// of joining is associative, so that pairs of pairs give what the whole list does.

private final class AllPair<Value>: Question {
    let one: any Question<Value>
    let other: any Question<Value>

    init(_ one: any Question<Value>, _ other: any Question<Value>) { (self.one, self.other) = (one, other) }

    func evaluate(_ value: Value) -> Evaluation {
        one.evaluate(value).and { other.evaluate(value) }
    }
}

/// The bytes of the text are found once for both.
private final class AllTextPair: TextQuestion {
    let one: any TextQuestion
    let other: any TextQuestion

    init(_ one: any TextQuestion, _ other: any TextQuestion) { (self.one, self.other) = (one, other) }

    func evaluate(_ value: String, _ utf8: UnsafeBufferPointer<UInt8>) -> Evaluation {
        one.evaluate(value, utf8).and { other.evaluate(value, utf8) }
    }
}

private final class AnyPair<Value>: Question {
    let one: any Question<Value>
    let other: any Question<Value>

    init(_ one: any Question<Value>, _ other: any Question<Value>) { (self.one, self.other) = (one, other) }

    func evaluate(_ value: Value) -> Evaluation {
        var joint = AnyJoint()
        if !joint.add(one.evaluate(value)) { _ = joint.add(other.evaluate(value)) }
        return joint.evaluation
    }
}

/// The tree of some requirements; `none` if there are none.
private func tree<Value>(
    _ children: ArraySlice<Requirement<Value>>, none: Evaluation,
    pair: (any Question<Value>, any Question<Value>) -> any Question<Value>
) -> any Question<Value> {
    switch children.count {
    case 0: return ConstantNode(none)
    case 1: return children[children.startIndex].question
    case let count:
        return pair(
            tree(children.prefix(count / 2), none: none, pair: pair),
            tree(children.dropFirst(count / 2), none: none, pair: pair))
    }
}

extension Array {
    /// All of them as data; `nil` if one is not.
    func forms<Value>() -> [RequirementForm]? where Element == Requirement<Value> {
        let forms = compactMap(\.node.form)
        return forms.count == count ? forms : nil
    }
}
