/// A value of an expression.
package enum CELValue: Hashable, Sendable {
    case bool(Bool)
    case int(Int64)
    case number(CELNumber)
    case string(String)
    case timestamp(CELTime)
    case duration(CELTime)
    case list([CELValue])
}

/// The outcome of an expression or a part.
///
/// As in CEL, an error is not a value, and `&&` and `||` do not need a value if the other side decides: `false &&
/// error` is false.
package enum CELOutcome: Hashable, Sendable {
    case value(CELValue)
    /// A required cell is missing or failed its own checks: the rule does not apply.
    case absent
    /// Division by zero, overflow, or a failed conversion.
    case undecided
    /// A limit stopped the evaluation (``CELBudget``).
    case exhausted(CELResource)
}

/// A decimal number: `coefficient` × 10^−`scale`. Equality compares values: 1.0 equals 1. Results that do not fit are
/// undecided. Only quotients without an end, and results computed from them, are rounded.
package struct CELNumber: Hashable, Sendable {
    package var coefficient: Int128
    /// The number of digits after the point, at least 0.
    package var scale: Int
    /// Whether the number depends on a quotient without an end, so that results computed from it are rounded. Equality
    /// ignores this property.
    package var isRounded: Bool

    package init(coefficient: Int128, scale: Int, isRounded: Bool = false) {
        (self.coefficient, self.scale, self.isRounded) = (coefficient, scale, isRounded)
    }
}

/// A timestamp, in seconds and nanoseconds since 1970-01-01T00:00:00Z, or a duration.
package struct CELTime: Hashable, Sendable {
    package var seconds: Int64
    /// From 0 to 999,999,999. Always added to `seconds`, including times before 1970.
    package var nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) { (self.seconds, self.nanoseconds) = (seconds, nanoseconds) }
}
