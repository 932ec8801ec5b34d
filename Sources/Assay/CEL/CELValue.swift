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

/// What comes of an expression, or a part of one.
///
/// As in CEL an error is no value, and `&&` and `||` need none if the other side decides: `false && error` is false.
package enum CELOutcome: Hashable, Sendable {
    case value(CELValue)
    /// It needs a cell that is missing, or that has failed its own checks: the rule does not apply.
    case absent
    /// Division by zero, overflow, a conversion that fails.
    case undecided
    /// A limit stopped it (``CELBudget``).
    case exhausted(CELResource)
}

/// A decimal number: `coefficient` × 10^−`scale`. Equal by value: 1.0 is 1. What does not fit is undecided; only quotients
/// that do not end, and what is computed with them, are rounded.
package struct CELNumber: Hashable, Sendable {
    package var coefficient: Int128
    /// Digits after the point, from 0.
    package var scale: Int
    /// Whether it comes of a quotient that did not end, so that what is computed with it is rounded, too. Numbers that differ in this
    /// alone are equal.
    package var isRounded: Bool

    package init(coefficient: Int128, scale: Int, isRounded: Bool = false) {
        (self.coefficient, self.scale, self.isRounded) = (coefficient, scale, isRounded)
    }
}

/// Seconds and nanoseconds: since 1970-01-01T00:00:00Z, or of a duration.
package struct CELTime: Hashable, Sendable {
    package var seconds: Int64
    /// From 0 to 999,999,999, also before 1970: they count forward.
    package var nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) { (self.seconds, self.nanoseconds) = (seconds, nanoseconds) }
}
