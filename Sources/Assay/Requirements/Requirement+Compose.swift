extension Requirement {
    /// Every one of these. Of nothing: always confirmed.
    public static func all(_ requirements: [Self]) -> Self { Self(GroupNode(.and, requirements)) }

    /// At least one of these. Of nothing: never confirmed; of one it is that one, with its reasons.
    public static func any(_ requirements: [Self]) -> Self {
        requirements.count == 1 ? requirements[0] : Self(GroupNode(.or, requirements))
    }

    static func group(_ operation: KleeneOperator, _ requirements: [Self]) -> Self {
        operation == .and ? all(requirements) : any(requirements)
    }

    /// The opposite. What a limit left undecided stays undecided.
    public static func not(_ requirement: Self) -> Self { Self(NotNode(requirement)) }

    /// If the first is confirmed, the second must be, too.
    public static func when(_ condition: Self, _ then: Self) -> Self { Self(WhenNode(condition, then: then)) }

    /// Every requirement of the block.
    public static func all(@RequirementBuilder<Value> _ content: () -> [Self]) -> Self { all(content()) }

    /// At least one requirement of the block.
    public static func any(@RequirementBuilder<Value> _ content: () -> [Self]) -> Self { any(content()) }

    /// Not all of the block at once.
    public static func not(@RequirementBuilder<Value> _ content: () -> [Self]) -> Self { not(all(content())) }

    /// If the condition is confirmed, every requirement of the block.
    public static func when(_ condition: Self, @RequirementBuilder<Value> _ content: () -> [Self]) -> Self {
        when(condition, all(content()))
    }

    /// Both. The second is not asked about what the first refuses.
    public static func && (one: Self, other: Self) -> Self {
        // A chain is one group, however long.
        all(one.members(of: .and) + [other])
    }

    /// Either. The second is not asked about what the first confirms.
    public static func || (one: Self, other: Self) -> Self {
        any(one.members(of: .or) + [other])
    }

    /// The members of a group of this kind, or the requirement itself.
    private func members(of operation: KleeneOperator) -> [Self] {
        guard let group = node as? GroupNode<Value>, group.operation == operation else { return [self] }
        return group.children
    }

    /// The requirement must fail: ``not(_:)``. Undecided stays undecided.
    public static prefix func ! (requirement: Self) -> Self { not(requirement) }

    /// Both, as `&&`.
    public func and(_ other: Self) -> Self { self && other }

    /// Either, as `||`.
    public func or(_ other: Self) -> Self { self || other }

    /// The same requirement with words of one's own for whatever fails in it. The stable name of the rule stays.
    public func because(_ message: String) -> Self { because(code: Reason.defaultCode, message: message) }

    /// The same requirement with a code and words of one's own.
    public func because(code: String, message: String) -> Self {
        Self(BecauseNode(self, code: code, message: message))
    }

    /// The same requirement with a reason of one's own.
    public func because(_ reason: Reason) -> Self { because(code: reason.code, message: reason.message) }

    /// The same requirement under a stable name: reasons and traces carry it, and a ``MessageCatalog`` may hold a sentence
    /// under it.
    public func named(_ name: String) -> Self { Self(NamedNode(self, name: name)) }
}
