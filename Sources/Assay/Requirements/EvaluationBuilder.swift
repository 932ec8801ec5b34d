/// Makes the last line of a closure the result of a ``Requirement``, so that closures of several lines need no
/// `return`. A closure with a `return` is compiled as usual.
///
///     Requirement<Int> { number in
///         let rest = number % 2
///         rest == 0 ? .confirmed : .failed(reason: Reason(message: "Is odd"))
///     }
@resultBuilder
public enum EvaluationBuilder {
    /// A line with a result.
    public static func buildExpression(_ evaluation: Evaluation) -> Evaluation { evaluation }
    /// A line with a statement.
    public static func buildExpression(_ nothing: Void) {}
    /// A line that does not return, such as `fatalError()`.
    @_disfavoredOverload
    public static func buildExpression(_ never: Never) -> Evaluation {}

    @available(*, unavailable, message: "say why not: … ? .confirmed : .failed(reason: Reason(message: …))")
    public static func buildExpression(_ isConfirmed: Bool) -> Evaluation { .confirmed }

    /// A closure without a result, which must throw.
    public static func buildBlock() -> Never { preconditionFailure("a closure that throws does not come to its end") }

    /// A statement before the result.
    public static func buildPartialBlock(first: Void) {}
    /// A closure of one line.
    public static func buildPartialBlock(first: Evaluation) -> Evaluation { first }
    /// A sequence of statements.
    public static func buildPartialBlock(accumulated: Void, next: Void) {}
    /// The last line is the result.
    public static func buildPartialBlock(accumulated: Void, next: Evaluation) -> Evaluation { next }

    @available(*, unavailable, message: "only the last line is the answer; write if … else, or return")
    public static func buildPartialBlock(accumulated: Evaluation, next: Evaluation) -> Evaluation { next }

    /// The result of an `if` with an `else`, or of a `switch`.
    public static func buildEither(first: Evaluation) -> Evaluation { first }
    /// The result of an `else`, or of a `switch`.
    public static func buildEither(second: Evaluation) -> Evaluation { second }
    /// An `if` without a result.
    public static func buildEither(first: Void) {}
    /// An `else` without a result.
    public static func buildEither(second: Void) {}
    /// An `if` without `else` and without a result.
    public static func buildOptional(_ nothing: Void?) {}
    /// A loop, which has no result.
    public static func buildArray(_ nothing: [Void]) {}

    @available(*, unavailable, message: "an 'if' without 'else' is no answer; write return")
    public static func buildOptional(_ evaluation: Evaluation?) {}
}
