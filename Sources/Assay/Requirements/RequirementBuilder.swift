/// Collects the requirements of a block.
@resultBuilder
public enum RequirementBuilder<Value> {
    /// A line with a requirement.
    public static func buildExpression(_ requirement: Requirement<Value>) -> [Requirement<Value>] { [requirement] }

    /// A line such as `\.isActive`, which requires the property to be true.
    public static func buildExpression(_ keyPath: any KeyPath<Value, Bool> & Sendable) -> [Requirement<Value>] {
        [.require(keyPath)]
    }

    // Only for Equatable types, which requirements are not: for a requirement of another type, the compiler's own
    // message is better.
    @available(*, unavailable, message: "a block of requirements holds requirements, and key paths to Bool")
    public static func buildExpression<Other: Equatable>(_ other: Other) -> [Requirement<Value>] { [] }

    /// All lines of a block, in order.
    public static func buildBlock(_ parts: [Requirement<Value>]...) -> [Requirement<Value>] { parts.flatMap { $0 } }
    /// An `if` without `else`; empty if the condition is false.
    public static func buildOptional(_ part: [Requirement<Value>]?) -> [Requirement<Value>] { part ?? [] }
    /// The first branch of an `if` or `switch`.
    public static func buildEither(first part: [Requirement<Value>]) -> [Requirement<Value>] { part }
    /// Another branch of an `if` or `switch`.
    public static func buildEither(second part: [Requirement<Value>]) -> [Requirement<Value>] { part }
    /// A loop: the requirements of all iterations.
    public static func buildArray(_ parts: [[Requirement<Value>]]) -> [Requirement<Value>] { parts.flatMap { $0 } }
    /// A block under `if #available`.
    public static func buildLimitedAvailability(_ part: [Requirement<Value>]) -> [Requirement<Value>] { part }
}
