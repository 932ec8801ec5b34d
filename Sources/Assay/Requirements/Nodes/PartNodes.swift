/// A part of a value, reached by a key path.
final class PartNode<Value, Part>: RequirementNode {
    let keyPath: any KeyPath<Value, Part> & Sendable
    let name: String?
    let child: Requirement<Part>

    init(_ keyPath: any KeyPath<Value, Part> & Sendable, name: String?, _ child: Requirement<Part>) {
        self.keyPath = keyPath
        self.name = name
        self.child = child
    }

    func evaluate(_ value: Value) -> Evaluation { child.question.evaluate(value[keyPath: keyPath]).changed(placed) }

    func collect(_ value: Value, into failures: inout Failures) {
        failures.collect(placed) { child.node.collect(value[keyPath: keyPath], into: &$0) }
    }

    func trace(_ value: Value, limit: FailurePolicy) -> RequirementTrace {
        let part = child.node.trace(value[keyPath: keyPath], limit: limit)
        return RequirementTrace(name: name ?? "part", evaluation: part.evaluation.changed(placed), children: [part])
    }

    private func placed(_ reason: Reason) -> Reason { name.map { reason.inside(.field($0)) } ?? reason }

    var outline: RequirementTrace { RequirementTrace(name: name ?? "part", children: [child.node.outline]) }

    var words: Words { name.map { .plain("\($0): \(child.node.words.inner)") } ?? child.node.words }
}

/// Two parts of a value, compared.
final class RelationNode<Value, Part>: RequirementNode {
    let one: any KeyPath<Value, Part> & Sendable
    let other: any KeyPath<Value, Part> & Sendable
    let holds: @Sendable (Part, Part) -> Bool
    let failure: Reason
    let words: Words

    init(
        _ one: any KeyPath<Value, Part> & Sendable, _ name: String, _ rule: String, _ words: String,
        _ other: any KeyPath<Value, Part> & Sendable, _ otherName: String,
        holds: @escaping @Sendable (Part, Part) -> Bool
    ) {
        self.one = one
        self.other = other
        self.holds = holds
        self.words = .plain("\(name) \(words) \(otherName)")
        failure = Reason(
            rule: rule, parameters: ["other": .text(otherName)], path: ValuePath([.field(name)]))
    }

    func evaluate(_ value: Value) -> Evaluation {
        holds(value[keyPath: one], value[keyPath: other]) ? .confirmed : .failed(reason: failure)
    }

    var outline: RequirementTrace { RequirementTrace(name: failure.rule ?? "fields") }
}

/// A value that may be missing.
final class OptionalNode<Wrapped>: RequirementNode {
    let child: Requirement<Wrapped>
    let nilIsConfirmed: Bool

    init(_ child: Requirement<Wrapped>, nilIsConfirmed: Bool) {
        self.child = child
        self.nilIsConfirmed = nilIsConfirmed
    }

    private var answerToNil: Evaluation { nilIsConfirmed ? .confirmed : .failed(reason: .missing) }

    func evaluate(_ value: Wrapped?) -> Evaluation { value.map(child.question.evaluate) ?? answerToNil }

    func collect(_ value: Wrapped?, into failures: inout Failures) {
        if let value {
            child.node.collect(value, into: &failures)
        } else if case .failed(let reason) = answerToNil {
            failures.append(reason)
        }
    }

    func trace(_ value: Wrapped?, limit: FailurePolicy) -> RequirementTrace {
        let part = value.map { child.node.trace($0, limit: limit) } ?? child.node.outline
        return RequirementTrace(
            name: name, evaluation: value == nil ? answerToNil : part.evaluation, children: [part])
    }

    private var name: String { nilIsConfirmed ? "ifPresent" : "notNil" }

    var outline: RequirementTrace { RequirementTrace(name: name, children: [child.node.outline]) }

    var words: Words {
        .compound(
            nilIsConfirmed ? "if there is a value, \(child.node.words.inner)" : "there, and \(child.node.words.inner)")
    }
}

extension Evaluation {
    /// With its reason changed.
    func changed(_ change: (Reason) -> Reason) -> Evaluation {
        guard case .failed(let reason) = self else { return .confirmed }
        return .failed(reason: change(reason))
    }
}
