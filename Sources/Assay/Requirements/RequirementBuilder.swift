/// Collects the requirements of a block.
@resultBuilder
public enum RequirementBuilder<Value> {
    /// A line that is a requirement.
    public static func buildExpression(_ requirement: Requirement<Value>) -> [Requirement<Value>] { [requirement] }

    /// A line such as `\.isActive`: the part must be true.
    public static func buildExpression(_ keyPath: any KeyPath<Value, Bool> & Sendable) -> [Requirement<Value>] {
        [.require(keyPath)]
    }

    // Equatable, which a requirement is not: of one for another type the compiler says it best.
    @available(*, unavailable, message: "a block of requirements holds requirements, and key paths to Bool")
    public static func buildExpression<Other: Equatable>(_ other: Other) -> [Requirement<Value>] { [] }

    /// All lines of a block, in their order.
    public static func buildBlock(_ parts: [Requirement<Value>]...) -> [Requirement<Value>] { parts.flatMap { $0 } }
    /// An `if` without `else`; nothing where the condition does not hold.
    public static func buildOptional(_ part: [Requirement<Value>]?) -> [Requirement<Value>] { part ?? [] }
    /// The first branch of an `if`, or of a `switch`.
    public static func buildEither(first part: [Requirement<Value>]) -> [Requirement<Value>] { part }
    /// Another branch.
    public static func buildEither(second part: [Requirement<Value>]) -> [Requirement<Value>] { part }
    /// A loop: the requirements of all its rounds.
    public static func buildArray(_ parts: [[Requirement<Value>]]) -> [Requirement<Value>] { parts.flatMap { $0 } }
    /// A block under `if #available`.
    public static func buildLimitedAvailability(_ part: [Requirement<Value>]) -> [Requirement<Value>] { part }
}
