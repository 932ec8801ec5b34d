extension Requirement {
    /// Every one of these. Of nothing: always confirmed.
    public static func all(_ requirements: [Self]) -> Self { Self(.all(requirements)) }

    /// At least one of these. Of nothing: never confirmed.
    public static func any(_ requirements: [Self]) -> Self { Self(.any(requirements)) }

    /// The opposite. What a limit left undecided stays undecided.
    public static func not(_ requirement: Self) -> Self { Self(.not(requirement)) }

    /// If the first is confirmed, the second must be, too.
    public static func when(_ condition: Self, _ then: Self) -> Self { Self(.when(condition, then: then)) }

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
    public static func && (one: Self, other: Self) -> Self { all([one, other]) }

    /// Either. The second is not asked about what the first confirms.
    public static func || (one: Self, other: Self) -> Self { any([one, other]) }

    public static prefix func ! (requirement: Self) -> Self { not(requirement) }

    /// Both, as `&&`.
    public func and(_ other: Self) -> Self { self && other }

    /// Either, as `||`.
    public func or(_ other: Self) -> Self { self || other }

    /// The same requirement with words of one's own for whatever fails in it. The stable name of the rule stays.
    public func because(_ message: String) -> Self { because(code: Reason.defaultCode, message: message) }

    /// The same requirement with a code and words of one's own.
    public func because(code: String, message: String) -> Self {
        Self(.because(self, code: code, message: message))
    }

    /// The same requirement with a reason of one's own.
    public func because(_ reason: Reason) -> Self { because(code: reason.code, message: reason.message) }
}

/// Collects the requirements of a block.
@resultBuilder
public enum RequirementBuilder<Value> {
    public static func buildExpression(_ requirement: Requirement<Value>) -> [Requirement<Value>] { [requirement] }

    public static func buildExpression(_ keyPath: any KeyPath<Value, Bool> & Sendable) -> [Requirement<Value>] {
        [.require(keyPath)]
    }

    // Equatable, which a requirement is not: of one for another type the compiler says it best.
    @available(*, unavailable, message: "a block of requirements holds requirements, and key paths to Bool")
    public static func buildExpression<Other: Equatable>(_ other: Other) -> [Requirement<Value>] { [] }

    public static func buildBlock(_ parts: [Requirement<Value>]...) -> [Requirement<Value>] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [Requirement<Value>]?) -> [Requirement<Value>] { part ?? [] }
    public static func buildEither(first part: [Requirement<Value>]) -> [Requirement<Value>] { part }
    public static func buildEither(second part: [Requirement<Value>]) -> [Requirement<Value>] { part }
    public static func buildArray(_ parts: [[Requirement<Value>]]) -> [Requirement<Value>] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [Requirement<Value>]) -> [Requirement<Value>] { part }
}

extension Requirement {
    /// A property of the value is true.
    ///
    ///     Requirement<Bool>.require(\.self).because("Please accept the terms")
    public static func require(_ keyPath: any KeyPath<Value, Bool> & Sendable) -> Self {
        let reason = Reason(rule: "value.require")
        return Self { $0[keyPath: keyPath] ? .confirmed : .failed(reason: reason) }
    }

    /// A part of the value is what the requirement asks. Its reasons carry the name as their path.
    ///
    ///     Requirement<User>.at(\.email, named: "email", .format("email"))
    public static func at<Part>(
        _ keyPath: any KeyPath<Value, Part> & Sendable, named name: String? = nil, _ requirement: Requirement<Part>
    ) -> Self {
        Self(.leaf(PartLeaf(keyPath: keyPath, name: name, requirement: requirement)))
    }

    /// The same requirement for a part of something larger.
    public func at<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable, named name: String? = nil) -> Requirement<Root>
    {
        .at(keyPath, named: name, self)
    }
}

private struct PartLeaf<Value, Part>: RequirementLeaf {
    let keyPath: any KeyPath<Value, Part> & Sendable
    let name: String?
    let requirement: Requirement<Part>

    func evaluate(_ value: Value) -> Evaluation {
        guard case .failed(let reason) = requirement.evaluate(value[keyPath: keyPath]) else { return .confirmed }
        return .failed(reason: named(reason))
    }

    func collect(_ value: Value, limit: Int, into reasons: inout [Reason]) {
        var inner: [Reason] = []
        requirement.collect(value[keyPath: keyPath], limit: limit - reasons.count, into: &inner)
        reasons += inner.map(named)
    }

    private func named(_ reason: Reason) -> Reason { name.map { reason.inside(.field($0)) } ?? reason }
}
