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
