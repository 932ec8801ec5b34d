/// What a value must be: the same for a form field, a request, or ten million strings.
///
///     let password = Requirement<String>.all([
///         .minLength(8).because("At least 8 characters"),
///         .containsDigit,
///         .containsUppercase,
///     ])
///     password.evaluate("secret")               // .failed(reason: [requirement_failed] At least 8 characters)
///     password.failures(in: "secret")           // all three reasons
///     password.verdicts(for: millionPasswords)  // a bit mask, on all processors
///
/// The built-in requirements are data (see ``check``): over an array they run as column checks in the C core, and closures
/// are asked only about the values that passed those. A closure makes a requirement of one's own:
///
///     let even = Requirement<Int> { $0 % 2 == 0 ? .confirmed : .failed(reason: Reason(message: "Is odd")) }
///
/// Immutable; safe to use from any number of threads at once.
public struct Requirement<Value>: Sendable {
    let node: RequirementNode<Value>

    init(_ node: RequirementNode<Value>) { self.node = node }

    /// A requirement of one's own. The closure must be quick and must not depend on anything that changes.
    public init(_ evaluator: @escaping @Sendable (Value) -> Evaluation) {
        node = .closure(evaluator)
    }

    /// Always confirmed.
    public static var always: Self { Self(.all([])) }

    /// Never confirmed, for this reason.
    public static func never(_ reason: Reason) -> Self { Self { _ in .failed(reason: reason) } }
}

/// The tree of a requirement.
indirect enum RequirementNode<Value>: Sendable {
    case leaf(any RequirementLeaf<Value>)
    case closure(@Sendable (Value) -> Evaluation)
    case all([Requirement<Value>])
    case any([Requirement<Value>])
    case not(Requirement<Value>)
    case when(Requirement<Value>, then: Requirement<Value>)
    case because(Requirement<Value>, code: String, message: String)
}

/// A built-in question about a value.
protocol RequirementLeaf<Value>: Sendable {
    associatedtype Value

    /// The first reason against a value.
    func evaluate(_ value: Value) -> Evaluation

    /// Adds the reasons against a value, in declared order, until there are `limit`.
    func collect(_ value: Value, limit: Int, into reasons: inout [Reason])

    /// The same question as data for columns of text; `nil` where it cannot be put so.
    var check: Check? { get }

    /// The same, ready to run over columns.
    var compiled: CompiledCheck? { get }
}

extension RequirementLeaf {
    func collect(_ value: Value, limit: Int, into reasons: inout [Reason]) {
        if reasons.count < limit, case .failed(let reason) = evaluate(value) { reasons.append(reason) }
    }

    var check: Check? { nil }
    var compiled: CompiledCheck? { nil }
}
