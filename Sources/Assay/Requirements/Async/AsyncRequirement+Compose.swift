extension AsyncRequirement {
    /// All requirements must hold. The synchronous ones run first, then the others in order. See
    /// ``allConcurrently(_:)``.
    public static func all(_ requirements: [Self]) -> Self { Self(AsyncGroupNode(.and, requirements)) }

    /// At least one requirement must hold. The synchronous ones run first, then the others in order. With a single
    /// requirement, the result is that requirement, including its reasons.
    public static func any(_ requirements: [Self]) -> Self {
        requirements.count == 1 ? requirements[0] : Self(AsyncGroupNode(.or, requirements))
    }

    /// All requirements must hold, as for a list.
    public static func all(_ first: Self, _ rest: Self...) -> Self { all([first] + rest) }

    /// At least one requirement must hold, as for a list.
    public static func any(_ first: Self, _ rest: Self...) -> Self { any([first] + rest) }

    /// The negation of a requirement. Undecided results stay undecided.
    public static func not(_ requirement: Self) -> Self {
        if let inner = requirement.immediate { return Self(.not(inner)) }
        return Self(AsyncChangedNode(requirement) { $0.negated })
    }

    // Disfavored, so that `Requirement && .always` is a synchronous requirement.

    /// Both must hold: ``all(_:)`` of the two.
    @_disfavoredOverload
    public static func && (one: Self, other: Self) -> Self { all([one, other]) }
    /// Both must hold: ``all(_:)`` of the two. The synchronous one runs first.
    @_disfavoredOverload
    public static func && (one: Requirement<Value>, other: Self) -> Self { all([Self(one), other]) }
    /// Both must hold: ``all(_:)`` of the two. The synchronous one runs first.
    @_disfavoredOverload
    public static func && (one: Self, other: Requirement<Value>) -> Self { all([one, Self(other)]) }

    /// At least one must hold: ``any(_:)`` of the two.
    @_disfavoredOverload
    public static func || (one: Self, other: Self) -> Self { any([one, other]) }
    /// At least one must hold: ``any(_:)`` of the two.
    @_disfavoredOverload
    public static func || (one: Requirement<Value>, other: Self) -> Self { any([Self(one), other]) }
    /// At least one must hold: ``any(_:)`` of the two.
    @_disfavoredOverload
    public static func || (one: Self, other: Requirement<Value>) -> Self { any([one, Self(other)]) }

    /// The negation, ``not(_:)``. Undecided results stay undecided.
    public static prefix func ! (requirement: Self) -> Self { not(requirement) }

    /// Replaces the failure message. Undecided results keep their messages.
    public func because(_ message: String) -> Self { because(code: Reason.defaultCode, message: message) }

    /// Replaces the code and the message of failures. Undecided results keep theirs.
    public func because(code: String, message: String) -> Self {
        if let inner = immediate { return Self(inner.because(code: code, message: message)) }
        return Self(AsyncChangedNode(self) { $0.changed { $0.replaced(code: code, message: message) } })
    }

    /// Replaces the code and the message of failures by those of a reason. Undecided results keep theirs.
    public func because(_ reason: Reason) -> Self { because(code: reason.contents.code, message: reason.message) }

    /// The same requirement with a stable name, as for ``Requirement/named(_:)``.
    public func named(_ name: String) -> Self {
        if let inner = immediate { return Self(inner.named(name)) }
        return Self(AsyncNamedNode(self, name: name))
    }

    /// A part of the value meets the requirement. The reasons contain the name as their path.
    ///
    ///     AsyncRequirement<User>.at(\.name, isFree)          // name: Taken
    ///
    /// - Parameter name: The name of the part. The default is that of ``Requirement/at(_:named:_:)``.
    public static func at<Part>(
        _ keyPath: any KeyPath<Value, Part> & Sendable, named name: String? = nil, _ requirement: AsyncRequirement<Part>
    ) -> Self {
        if let inner = requirement.immediate { return Self(.at(keyPath, named: name, inner)) }
        return Self(AsyncPartNode(PartOfValue(keyPath, name: name), requirement))
    }

    /// This requirement for a part of a larger value.
    public func at<Root>(
        _ keyPath: any KeyPath<Root, Value> & Sendable, named name: String? = nil
    ) -> AsyncRequirement<Root> {
        .at(keyPath, named: name, self)
    }
}
