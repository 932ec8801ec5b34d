/// The requirements of a group, in order, as perfect binary trees whose sizes decrease.
///
///     a && b && c && d && e && f && g     (((a b) (c d)), (e f), g)
///
/// A longer chain shares the trees of a shorter one. A chain of n requirements is therefore built in O(n log n) steps,
/// and released with O(log n) nested calls.
///
/// Each tree has its evaluator. A group is evaluated as a tree of pairs, because a `let` property is borrowed, whereas
/// array elements and optionals would be retained and released for each value, on all threads. Those reference counts
/// were half of the cost of a small group. Both operators are associative, so the tree gives the same result as the
/// list.
struct GroupMembers<Value>: Sendable {
    private let operation: KleeneOperator
    private var trees: [GroupTree<Value>] = []

    init(_ operation: KleeneOperator, _ requirements: [Requirement<Value>]) {
        self.operation = operation
        for requirement in requirements { append(requirement) }
    }

    /// - Complexity: Amortized O(1) for one chain, O(log n) for each further chain that shares its beginning.
    mutating func append(_ requirement: Requirement<Value>) {
        var tree = GroupTree(requirement)
        while let last = trees.last, last.height == tree.height {
            trees.removeLast()
            tree = GroupTree(operation, last, tree)
        }
        trees.append(tree)
    }

    /// The evaluator of all members; `nil` if the group is empty.
    var evaluator: (any Evaluator<Value>)? {
        guard let last = trees.last?.evaluator else { return nil }
        return trees.dropLast().reversed().reduce(last) { pair(operation, $1.evaluator, $0) }
    }

    var requirements: [Requirement<Value>] {
        var requirements: [Requirement<Value>] = []
        for tree in trees { tree.append(to: &requirements) }
        return requirements
    }

    /// The maximum depth of the members.
    var depth: Int { trees.reduce(0) { max($0, $1.depth) } }

    /// Appends the reasons of all members.
    func collect(_ value: Value, into failures: inout Failures) {
        for tree in trees { tree.collect(value, into: &failures) }
    }
}

/// Two to the power of `height` members of a group.
private final class GroupTree<Value>: Sendable {
    private enum Content {
        case member(Requirement<Value>)
        case pair(GroupTree, GroupTree)
    }

    private let content: Content
    let height: Int
    let depth: Int
    let evaluator: any Evaluator<Value>

    init(_ requirement: Requirement<Value>) {
        content = .member(requirement)
        height = 0
        depth = requirement.node.depth
        evaluator = requirement.evaluator
    }

    init(_ operation: KleeneOperator, _ one: GroupTree, _ other: GroupTree) {
        content = .pair(one, other)
        height = one.height + 1
        depth = max(one.depth, other.depth)
        evaluator = pair(operation, one.evaluator, other.evaluator)
    }

    func append(to requirements: inout [Requirement<Value>]) {
        switch content {
        case .member(let requirement): requirements.append(requirement)
        case .pair(let one, let other):
            one.append(to: &requirements)
            other.append(to: &requirements)
        }
    }

    func collect(_ value: Value, into failures: inout Failures) {
        if failures.isFull { return }
        switch content {
        case .member(let requirement): requirement.node.collect(value, into: &failures)
        case .pair(let one, let other):
            one.collect(value, into: &failures)
            other.collect(value, into: &failures)
        }
    }
}

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

/// The evaluator of two members of a group.
private func pair<Value>(
    _ operation: KleeneOperator, _ one: any Evaluator<Value>, _ other: any Evaluator<Value>
) -> any Evaluator<Value> {
    guard let oneText = one as? any UTF8Evaluator, let otherText = other as? any UTF8Evaluator,
        let both = UTF8Pair(operation, oneText, otherText) as? any Evaluator<Value>
    else { return Pair(operation, one, other) }
    return both
}
