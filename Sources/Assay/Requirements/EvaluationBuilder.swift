/// Lets the closure of a ``Requirement`` that has several lines end in its answer, as one of a single line does. With a `return`
/// in it, a closure is what it always was.
///
///     Requirement<Int> { number in
///         let rest = number % 2
///         rest == 0 ? .confirmed : .failed(reason: Reason(message: "Is odd"))
///     }
@resultBuilder
public enum EvaluationBuilder {
    public static func buildExpression(_ evaluation: Evaluation) -> Evaluation { evaluation }
    public static func buildExpression(_ nothing: Void) {}
    @_disfavoredOverload
    public static func buildExpression(_ never: Never) -> Evaluation {}

    @available(*, unavailable, message: "say why not: … ? .confirmed : .failed(reason: Reason(message: …))")
    public static func buildExpression(_ isConfirmed: Bool) -> Evaluation { .confirmed }

    /// A closure without an answer: it throws, or it is none.
    public static func buildBlock() -> Never { preconditionFailure("a closure that throws does not come to its end") }

    public static func buildPartialBlock(first: Void) {}
    public static func buildPartialBlock(first: Evaluation) -> Evaluation { first }
    public static func buildPartialBlock(accumulated: Void, next: Void) {}
    public static func buildPartialBlock(accumulated: Void, next: Evaluation) -> Evaluation { next }

    @available(*, unavailable, message: "only the last line is the answer; write if … else, or return")
    public static func buildPartialBlock(accumulated: Evaluation, next: Evaluation) -> Evaluation { next }

    public static func buildEither(first: Evaluation) -> Evaluation { first }
    public static func buildEither(second: Evaluation) -> Evaluation { second }
    public static func buildEither(first: Void) {}
    public static func buildEither(second: Void) {}
    public static func buildOptional(_ nothing: Void?) {}
    public static func buildArray(_ nothing: [Void]) {}

    @available(*, unavailable, message: "an 'if' without 'else' is no answer; write return")
    public static func buildOptional(_ evaluation: Evaluation?) {}
}
