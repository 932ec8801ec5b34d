/// A requirement for a part of a value, given by a key path.
final class PartNode<Value, Part>: RequirementNode {
    private let part: PartOfValue<Value, Part>
    let child: Requirement<Part>
    let depth: Int

    init(_ part: PartOfValue<Value, Part>, _ child: Requirement<Part>) {
        self.part = part
        self.child = child
        depth = 1 + child.node.depth
    }

    func evaluate(_ value: Value) -> Evaluation { part.placed(child.evaluator.evaluate(part.of(value))) }

    var fastPath: any Evaluator<Value> { storedPart(part, child.evaluator) ?? self }

    func collect(_ value: Value, into failures: inout Failures) {
        failures.collect(part.placed) { child.node.collect(part.of(value), into: &$0) }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let trace = child.node.trace(part.of(value), limit: limit)
        return RequirementTrace(
            name: part.name ?? "part", evaluation: trace.evaluation.changed(part.placed), children: [trace])
    }

    var traceSkeleton: RequirementTrace {
        RequirementTrace(name: part.name ?? "part", children: [child.node.traceSkeleton])
    }

    var phrase: Phrase { part.name.map { .plain("\($0): \(child.node.phrase.parenthesized)") } ?? child.node.phrase }

    var expression: RuleExpression? {
        guard let name = part.name, let record = Value.self as? any RuleRecord.Type, record.has(name, at: part.keyPath)
        else { return nil }
        return child.node.expression.map { .at(name, $0) }
    }
}

/// A part of a value, and its place in the paths of reasons.
struct PartOfValue<Value, Part>: Sendable {
    let keyPath: any KeyPath<Value, Part> & Sendable
    /// The name of the part, in traces and rule files.
    let name: String?
    /// The steps to the part in the paths of reasons; empty without a name.
    private let steps: [ValuePath.Step]

    init(_ keyPath: any KeyPath<Value, Part> & Sendable, name: String?) {
        self.keyPath = keyPath
        if let name = name ?? (Value.self as? any RuleRecord.Type)?.name(of: keyPath) {
            self.name = name
            steps = [.field(name)]
        } else {
            let names = propertyNames(of: keyPath) ?? []
            self.name = names.isEmpty ? nil : names.joined(separator: ".")
            steps = names.map(ValuePath.Step.field)
        }
    }

    func of(_ value: Value) -> Part { value[keyPath: keyPath] }

    /// Adds the steps to the part to the path of a failure. Does not make a closure for confirmed values.
    func placed(_ evaluation: Evaluation) -> Evaluation {
        guard case .failed(let reason) = evaluation else { return evaluation }
        return .failed(reason: placed(reason))
    }

    /// Adds the steps to the part to the path of a reason.
    func placed(_ reason: Reason) -> Reason { steps.reversed().reduce(reason) { $0.inside($1) } }
}

/// The names of the properties in a key path, such as `address`, `city` for `\User.address?.city`; `nil` if Swift does
/// not know them: for subscripts, without reflection metadata, and for computed properties of programs without symbols.
private func propertyNames<Root>(of keyPath: KeyPath<Root, some Any>) -> [String]? {
    let text = "\(keyPath)"
    let start = "\\\(Root.self)."
    guard text.hasPrefix(start) else { return nil }
    let names = text.dropFirst(start.count).split(separator: ".", omittingEmptySubsequences: false).map { step in
        String(step.hasSuffix("?") || step.hasSuffix("!") ? step.dropLast() : step)
    }
    // `self` in `\User.self`, and texts such as `<offset 8 (String)>` and `subscript(…)`.
    return names.contains { name in name.isEmpty || name == "self" || name.contains { "<>() ".contains($0) } }
        ? nil : names
}

/// A comparison of two parts of a value.
final class RelationNode<Value, Part>: RequirementNode {
    let one: any KeyPath<Value, Part> & Sendable
    let name: String
    let comparison: Comparison
    let other: any KeyPath<Value, Part> & Sendable
    let otherName: String
    let holds: @Sendable (Part, Part) -> Bool
    let failure: Reason

    init(
        _ one: any KeyPath<Value, Part> & Sendable, _ name: String, _ comparison: Comparison,
        _ other: any KeyPath<Value, Part> & Sendable, _ otherName: String,
        holds: @escaping @Sendable (Part, Part) -> Bool
    ) {
        (self.one, self.name, self.comparison) = (one, name, comparison)
        (self.other, self.otherName, self.holds) = (other, otherName, holds)
        failure = Reason(
            rule: comparison.rule, parameters: ["other": .text(otherName)], path: ValuePath([.field(name)]))
    }

    func evaluate(_ value: Value) -> Evaluation {
        holds(value[keyPath: one], value[keyPath: other]) ? .confirmed : .failed(reason: failure)
    }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: comparison.rule) }

    var phrase: Phrase { .plain("\(name) \(comparison.phrase) \(otherName)") }

    var expression: RuleExpression? {
        guard let record = Value.self as? any RuleRecord.Type, record.has(name, at: one),
            record.has(otherName, at: other)
        else { return nil }
        return .compare(name, comparison, otherName)
    }
}

/// A requirement for an optional value.
final class OptionalNode<Wrapped>: RequirementNode {
    let child: Requirement<Wrapped>
    let nilIsConfirmed: Bool
    let depth: Int

    init(_ child: Requirement<Wrapped>, nilIsConfirmed: Bool) {
        self.child = child
        depth = 1 + child.node.depth
        self.nilIsConfirmed = nilIsConfirmed
    }

    private var answerToNil: Evaluation { nilIsConfirmed ? .confirmed : .failed(reason: .missing) }

    func evaluate(_ value: Wrapped?) -> Evaluation { value.map(child.evaluator.evaluate) ?? answerToNil }

    func collect(_ value: Wrapped?, into failures: inout Failures) {
        if let value {
            child.node.collect(value, into: &failures)
        } else if case .failed(let reason) = answerToNil {
            failures.append(reason)
        }
    }

    func trace(_ value: Wrapped?, limit: FailurePolicy) -> RequirementTrace {
        let part = value.map { child.node.trace($0, limit: limit) } ?? child.node.traceSkeleton
        return RequirementTrace(
            name: name, evaluation: value == nil ? answerToNil : part.evaluation, children: [part])
    }

    private var name: String { nilIsConfirmed ? "ifPresent" : "notNil" }

    var traceSkeleton: RequirementTrace { RequirementTrace(name: name, children: [child.node.traceSkeleton]) }

    var phrase: Phrase {
        .compound(
            nilIsConfirmed
                ? "if there is a value, \(child.node.phrase.parenthesized)"
                : "there, and \(child.node.phrase.parenthesized)")
    }

    var expression: RuleExpression? {
        child.node.expression.map { nilIsConfirmed ? .ifPresent($0) : .notNil($0) }
    }
}

extension Evaluation {
    /// The evaluation with a transformed reason.
    func changed(_ change: (Reason) -> Reason) -> Evaluation {
        guard case .failed(let reason) = self else { return .confirmed }
        return .failed(reason: change(reason))
    }
}
