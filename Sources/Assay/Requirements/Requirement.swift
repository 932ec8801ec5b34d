/// A validation rule for values of type `Value`, for one value or for arrays.
///
///     let password = Requirement<String>.all(
///         .minLength(8).because("At least 8 characters"),
///         .containsDigit,
///         .containsUppercase)
///     password.evaluate("secret")               // .failed(reason: [string.minLength] At least 8 characters)
///     password.failures(in: "secret")           // all three reasons
///     password.verdicts(for: millionPasswords)  // a bit mask, on all processors
///     print(password.trace("secret"))           // the result of each part
///     print(password)                           // at least 8 characters, and a digit, and an upper-case letter
///
/// The built-in requirements are data (see ``check``): over an array they run as column checks in the C core, and
/// closures run only for the values that pass those. You can also make a requirement from a closure:
///
///     let even = Requirement<Int> { $0 % 2 == 0 ? .confirmed : .failed(reason: Reason(message: "Is odd")) }
///
/// A requirement can have any number of members in lists and chains, but at most 500 levels of nesting: a further level
/// ends the process. Immutable; any number of threads may use one value at the same time.
public struct Requirement<Value>: Sendable {
    let node: any RequirementNode<Value>
    /// The evaluator for single values: same results as the node, with fewer calls.
    let evaluator: any Evaluator<Value>

    init(_ node: any RequirementNode<Value>) {
        checkPrecondition(
            node.depth <= maxRequirementDepth,
            "the requirement has more than \(maxRequirementDepth) levels; write a list or a chain of && or ||")
        self.node = node
        evaluator = node.fastPath
    }

    /// A requirement from a closure. The closure must be quick and must not depend on mutable state.
    public init(@EvaluationBuilder _ evaluator: @escaping @Sendable (Value) -> Evaluation) {
        self.init(ClosureNode(name: nil, evaluator: evaluator))
    }

    /// A requirement from a closure with a stable name, for reports and for messages of a ``MessageCatalog``.
    ///
    ///     Requirement<String>(named: "password.leaked") {
    ///         leaked.contains($0) ? .failed(reason: Reason(message: "This password is known")) : .confirmed
    ///     }
    public init(named name: String, @EvaluationBuilder _ evaluator: @escaping @Sendable (Value) -> Evaluation) {
        self.init(ClosureNode(name: name, evaluator: evaluator))
    }

    /// A requirement that accepts every value.
    public static var always: Self { Self(ConstantNode(.confirmed)) }

    /// A requirement that rejects every value with the given reason.
    public static func never(_ reason: Reason) -> Self { Self(ConstantNode(.failed(reason: reason))) }

    /// A requirement from contradictory arguments, which is undecided for every value.
    static func unsatisfiable(_ why: String) -> Self {
        .never(.undecided(message: "The requirement cannot be met: \(why)"))
    }
}
