extension Requirement {
    /// All requirements of an array must hold. An empty array is always confirmed.
    public static func all(of requirements: some Sequence<Self>) -> Self { all(Array(requirements)) }

    /// At least one requirement of an array must hold. An empty array is never confirmed; with a single requirement,
    /// the result is that requirement, including its reasons.
    public static func any(of requirements: some Sequence<Self>) -> Self { any(Array(requirements)) }

    package static func all(_ requirements: [Self]) -> Self { Self(GroupNode(.and, requirements)) }

    package static func any(_ requirements: [Self]) -> Self {
        requirements.count == 1 ? requirements[0] : Self(GroupNode(.or, requirements))
    }

    /// A list of requirements in brackets, for ``all(_:)-(List)`` and ``any(_:)-(List)``.
    public struct List: ExpressibleByArrayLiteral, Sendable {
        fileprivate let requirements: [Requirement]

        /// A list.
        public init(arrayLiteral requirements: Requirement...) { self.requirements = requirements }
    }

    // The compiler needs up to a minute for a mistake in an array literal, and then cannot report its line. Arguments
    // have no such problem. An error instead of a warning would take as long, without this message. The parameter is
    // no array, because the compiler would also be slow without mistakes (Swift 6.3).

    /// All requirements must hold.
    @_disfavoredOverload
    @available(*, deprecated, message: "leave out the brackets, so that the compiler finds the line of a mistake")
    public static func all(_ list: List) -> Self { all(list.requirements) }

    /// At least one requirement must hold.
    @_disfavoredOverload
    @available(*, deprecated, message: "leave out the brackets, so that the compiler finds the line of a mistake")
    public static func any(_ list: List) -> Self { any(list.requirements) }

    static func group(_ operation: KleeneOperator, _ requirements: [Self]) -> Self {
        operation == .and ? all(requirements) : any(requirements)
    }

    /// The negation of a requirement. Undecided results stay undecided.
    public static func not(_ requirement: Self) -> Self { Self(NotNode(requirement)) }

    /// If the condition holds, the second requirement must hold.
    public static func when(_ condition: Self, _ then: Self) -> Self { Self(WhenNode(condition, then: then)) }

    /// All requirements must hold. In a list as arguments, the compiler reports a mistake at its line.
    ///
    ///     Requirement<User>.all(
    ///         .at(\.name, .notEmpty()),
    ///         .at(\.age, .range(18...120)))
    public static func all(_ first: Self, _ rest: Self...) -> Self { all([first] + rest) }

    /// At least one requirement must hold. With a single requirement, the result is that requirement.
    public static func any(_ first: Self, _ rest: Self...) -> Self { any([first] + rest) }

    /// All requirements of the block must hold.
    public static func all(@RequirementBuilder<Value> _ content: () -> [Self]) -> Self { all(content()) }

    /// At least one requirement of the block must hold.
    public static func any(@RequirementBuilder<Value> _ content: () -> [Self]) -> Self { any(content()) }

    /// At least one requirement of the block must not hold.
    public static func not(@RequirementBuilder<Value> _ content: () -> [Self]) -> Self { not(all(content())) }

    /// If the condition holds, all requirements of the block must hold.
    public static func when(_ condition: Self, @RequirementBuilder<Value> _ content: () -> [Self]) -> Self {
        when(condition, all(content()))
    }

    /// Both must hold. The right side runs only if the left does not fail.
    public static func && (one: Self, other: Self) -> Self {
        one.chained(.and, other)
    }

    /// At least one must hold. The right side runs only if the left is not confirmed.
    public static func || (one: Self, other: Self) -> Self {
        one.chained(.or, other)
    }

    /// A chain of any length becomes one group.
    private func chained(_ operation: KleeneOperator, _ other: Self) -> Self {
        let group = node as? GroupNode<Value>
        var members =
            group?.operation == operation ? group!.members : GroupMembers(operation, [self])
        members.append(other)
        return Self(GroupNode(operation, members))
    }

    /// The negation, ``not(_:)``. Undecided results stay undecided.
    public static prefix func ! (requirement: Self) -> Self { not(requirement) }

    /// Replaces the failure message. The stable name of the rule stays, and undecided results keep their messages.
    public func because(_ message: String) -> Self { because(code: Reason.defaultCode, message: message) }

    /// Replaces the code and the message of failures.
    public func because(code: String, message: String) -> Self {
        Self(BecauseNode(self, code: code, message: message))
    }

    /// Replaces the code and the message of failures by those of a reason.
    public func because(_ reason: Reason) -> Self { because(code: reason.contents.code, message: reason.message) }

    /// The same requirement with a stable name, which appears in reasons and traces. A ``MessageCatalog`` may contain a
    /// message for the name.
    public func named(_ name: String) -> Self { Self(NamedNode(self, name: name)) }
}
