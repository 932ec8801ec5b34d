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
///     print(password.trace("secret"))           // which part said what
///     password.describe()                       // at least 8 characters, and a digit, and an upper-case letter
///
/// The built-in requirements are data (see ``check``): over an array they run as column checks in the C core, and closures
/// are asked only about the values that passed those. A closure makes a requirement of one's own:
///
///     let even = Requirement<Int> { $0 % 2 == 0 ? .confirmed : .failed(reason: Reason(message: "Is odd")) }
///
/// Immutable; safe to use from any number of threads at once.
public struct Requirement<Value>: Sendable {
    let node: any RequirementNode<Value>
    /// What is asked for each value: the same as the node, without detours.
    let evaluator: any Evaluator<Value>

    init(_ node: any RequirementNode<Value>) {
        self.node = node
        evaluator = node.fastPath
    }

    /// A requirement of one's own. The closure must be quick and must not depend on anything that changes.
    public init(@EvaluationBuilder _ evaluator: @escaping @Sendable (Value) -> Evaluation) {
        self.init(ClosureNode(name: nil, evaluator: evaluator))
    }

    /// A requirement of one's own with a stable name, for reports and for the sentences of a ``MessageCatalog``.
    ///
    ///     Requirement<String>(named: "password.leaked") {
    ///         leaked.contains($0) ? .failed(reason: Reason(message: "This password is known")) : .confirmed
    ///     }
    public init(named name: String, @EvaluationBuilder _ evaluator: @escaping @Sendable (Value) -> Evaluation) {
        self.init(ClosureNode(name: name, evaluator: evaluator))
    }

    /// Always confirmed.
    public static var always: Self { Self(ConstantNode(.confirmed)) }

    /// Never confirmed, for this reason.
    public static func never(_ reason: Reason) -> Self { Self(ConstantNode(.failed(reason: reason))) }

    /// Never confirmed, for what was given makes no sense. It proves nothing wrong with a value.
    static func unsatisfiable(_ why: String) -> Self {
        .never(.undecided(message: "The requirement cannot be met: \(why)"))
    }
}
