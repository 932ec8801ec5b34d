/// Lets the closure of a ``Requirement`` that has several lines end in its answer, as one of a single line does. With a `return`
/// in it, a closure is what it always was.
///
///     Requirement<Int> { number in
///         let rest = number % 2
///         rest == 0 ? .confirmed : .failed(reason: Reason(message: "Is odd"))
///     }
@resultBuilder
public enum EvaluationBuilder {
    /// A line that is an answer.
    public static func buildExpression(_ evaluation: Evaluation) -> Evaluation { evaluation }
    /// A line that is a statement.
    public static func buildExpression(_ nothing: Void) {}
    /// A line that does not return, such as `fatalError()`.
    @_disfavoredOverload
    public static func buildExpression(_ never: Never) -> Evaluation {}

    @available(*, unavailable, message: "say why not: … ? .confirmed : .failed(reason: Reason(message: …))")
    public static func buildExpression(_ isConfirmed: Bool) -> Evaluation { .confirmed }

    /// A closure without an answer: it throws, or it is none.
    public static func buildBlock() -> Never { preconditionFailure("a closure that throws does not come to its end") }

    /// Statements may come before the answer.
    public static func buildPartialBlock(first: Void) {}
    /// A closure of one line.
    public static func buildPartialBlock(first: Evaluation) -> Evaluation { first }
    /// Statements follow one another.
    public static func buildPartialBlock(accumulated: Void, next: Void) {}
    /// The last line is the answer.
    public static func buildPartialBlock(accumulated: Void, next: Evaluation) -> Evaluation { next }

    @available(*, unavailable, message: "only the last line is the answer; write if … else, or return")
    public static func buildPartialBlock(accumulated: Evaluation, next: Evaluation) -> Evaluation { next }

    /// The answer of an `if` with an `else`, or of a `switch`.
    public static func buildEither(first: Evaluation) -> Evaluation { first }
    /// The answer of an `else`, or of a `switch`.
    public static func buildEither(second: Evaluation) -> Evaluation { second }
    /// An `if` that gives no answer.
    public static func buildEither(first: Void) {}
    /// An `else` that gives no answer.
    public static func buildEither(second: Void) {}
    /// An `if` without `else` that gives no answer.
    public static func buildOptional(_ nothing: Void?) {}
    /// A loop, which gives no answer.
    public static func buildArray(_ nothing: [Void]) {}

    @available(*, unavailable, message: "an 'if' without 'else' is no answer; write return")
    public static func buildOptional(_ evaluation: Evaluation?) {}
}
