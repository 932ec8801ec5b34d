/// The functions of CEL's math extension that decimals have.
///
/// Source: cel-go, "ext/math.go", and the conformance cases of cel-spec.
package enum CELMathFunction: String, Hashable, Sendable, CaseIterable {
    case abs, ceil, floor, greatest, least, round, sign, trunc

    /// Whether the function takes several numbers or a list of numbers. All others take one number.
    var takesList: Bool { self == .greatest || self == .least }

    /// Whether the result is a decimal also for ints.
    var isRounding: Bool {
        switch self {
        case .ceil, .floor, .round, .trunc: true
        case .abs, .greatest, .least, .sign: false
        }
    }

    /// The result; `nil` if it does not fit, and for an empty list.
    func value(_ value: CELValue) -> CELValue? {
        switch (self, value) {
        case (.greatest, .list(let numbers)): numbers.max(by: CELValue.isLess)
        case (.least, .list(let numbers)): numbers.min(by: CELValue.isLess)
        case (.abs, .int(let number)): number == .min ? nil : .int(Swift.abs(number))
        case (.abs, .number(let number)): number.coefficient < 0 ? number.negated.map { .number($0) } : value
        case (.sign, .int(let number)): .int(number.signum())
        case (.sign, .number(let number)): .number(CELNumber(Int64(number.coefficient.signum())))
        case (_, .number(let number)): number.rounded(self).map { .number($0) }
        default: preconditionFailure("math.\(rawValue) of \(value)")
        }
    }
}

extension CELNumber {
    /// The integer next to the number in the direction of the function. `round` rounds half away from zero.
    fileprivate func rounded(_ function: CELMathFunction) -> CELNumber? {
        let integer = truncated
        // `integer` has fewer digits than fit unless the number is an integer itself, so that no result overflows.
        let isWhole = self == CELNumber(coefficient: integer, scale: 0)
        let isNegative = coefficient < 0
        let isAway =
            switch function {
            case .ceil: !isWhole && !isNegative
            case .floor: !isWhole && isNegative
            case .round: isHalfOrMoreAfterPoint
            default: false
            }
        let rounded = integer + (isAway ? isNegative ? -1 : 1 : 0)
        return CELNumber(coefficient: rounded, scale: 0, isRounded: isRounded)
    }
}
