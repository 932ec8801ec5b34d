extension AsyncRequirement {
    /// Every one of these: what need not wait first, then one after the other. See ``allConcurrently(_:)``.
    public static func all(_ requirements: [Self]) -> Self { Self(AsyncGroupNode(.and, requirements)) }

    /// At least one of these: what need not wait first, then one after the other. Of one it is that one, with its reasons.
    public static func any(_ requirements: [Self]) -> Self {
        requirements.count == 1 ? requirements[0] : Self(AsyncGroupNode(.or, requirements))
    }

    /// The opposite. What is undecided stays so.
    public static func not(_ requirement: Self) -> Self {
        if let inner = requirement.immediate { return Self(.not(inner)) }
        return Self(AsyncChangedNode(requirement) { $0.negated })
    }

    /// Both must be confirmed: ``all(_:)`` of the two.
    public static func && (one: Self, other: Self) -> Self { all([one, other]) }
    /// Both must be confirmed: ``all(_:)`` of the two. The synchronous one is asked first.
    public static func && (one: Requirement<Value>, other: Self) -> Self { all([Self(one), other]) }
    /// Both must be confirmed: ``all(_:)`` of the two, in this order.
    public static func && (one: Self, other: Requirement<Value>) -> Self { all([one, Self(other)]) }

    /// One must be confirmed: ``any(_:)`` of the two.
    public static func || (one: Self, other: Self) -> Self { any([one, other]) }
    /// One must be confirmed: ``any(_:)`` of the two.
    public static func || (one: Requirement<Value>, other: Self) -> Self { any([Self(one), other]) }
    /// One must be confirmed: ``any(_:)`` of the two.
    public static func || (one: Self, other: Requirement<Value>) -> Self { any([one, Self(other)]) }

    /// The requirement must fail: ``not(_:)``. Undecided stays undecided.
    public static prefix func ! (requirement: Self) -> Self { not(requirement) }

    /// The same requirement with words of one's own for whatever fails in it. What is undecided keeps its words.
    public func because(_ message: String) -> Self { because(code: Reason.defaultCode, message: message) }

    /// The same requirement with a code and words of one's own.
    public func because(code: String, message: String) -> Self {
        if let inner = immediate { return Self(inner.because(code: code, message: message)) }
        return Self(AsyncChangedNode(self) { $0.changed { $0.replaced(code: code, message: message) } })
    }

    /// The same requirement with a reason of one's own.
    public func because(_ reason: Reason) -> Self { because(code: reason.code, message: reason.message) }

    /// The same requirement under a stable name, as ``Requirement/named(_:)``.
    public func named(_ name: String) -> Self {
        if let inner = immediate { return Self(inner.named(name)) }
        return Self(AsyncNamedNode(self, name: name))
    }
}
