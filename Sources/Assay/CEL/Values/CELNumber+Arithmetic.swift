// Exact, but for quotients that do not end and what is computed with them, which have 34 digits as in IEEE 754's decimal128. Each
// function gives equal results for equal numbers, whatever their scales: where the first try overflows, the numbers are stripped of
// their zeros.

extension CELNumber {
    /// The most digits after the point.
    static let maxScale = 1_000
    /// The longest text of a number: a sign, a zero, the point and the digits behind it.
    static let maxTextBytes = maxScale + 3
    /// The most significant digits of a number that is rounded.
    private static let roundedDigits = 34

    /// 10^0 to 10^38, which is the last that fits.
    private static let powers: [Int128] = (0..<38).reduce(into: [1]) { powers, _ in powers.append(10 * powers.last!) }

    /// An integer.
    package init(_ integer: Int64) { self.init(coefficient: Int128(integer), scale: 0) }

    /// The same number with the fewest digits after the point.
    package var stripped: CELNumber {
        if coefficient == 0 { return CELNumber(coefficient: 0, scale: 0, isRounded: isRounded) }
        var number = self
        while number.scale > 0 {
            let (quotient, rest) = number.coefficient.quotientAndRemainder(dividingBy: 10)
            if rest != 0 { break }
            (number.coefficient, number.scale) = (quotient, number.scale - 1)
        }
        return number
    }

    /// The sum; `nil` if it does not fit, here and below.
    package func adding(_ other: CELNumber) -> CELNumber? {
        if isRounded || other.isRounded { return stripped.roundedSum(other.stripped) }
        return sum(other) ?? stripped.sum(other.stripped)
    }

    /// The difference.
    package func subtracting(_ other: CELNumber) -> CELNumber? {
        other.negated.flatMap { adding($0) }
    }

    /// The product.
    package func multiplied(by other: CELNumber) -> CELNumber? {
        if isRounded || other.isRounded { return stripped.roundedProduct(other.stripped) }
        return product(other) ?? stripped.product(other.stripped)
    }

    /// The number with the other sign.
    package var negated: CELNumber? {
        coefficient == .min ? nil : CELNumber(coefficient: -coefficient, scale: scale, isRounded: isRounded)
    }

    /// The digits before the point.
    package var truncated: Int128 { scale < Self.powers.count ? coefficient / Self.powers[scale] : 0 }

    /// The sum with the digits that there are.
    private func sum(_ other: CELNumber) -> CELNumber? {
        let scale = max(scale, other.scale)
        guard let first = aligned(to: scale), let second = other.aligned(to: scale) else { return nil }
        let (sum, overflow) = first.addingReportingOverflow(second)
        return overflow ? nil : CELNumber(coefficient: sum, scale: scale)
    }

    /// The product with the digits that there are.
    private func product(_ other: CELNumber) -> CELNumber? {
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: other.coefficient)
        let scale = scale + other.scale
        return overflow || scale > Self.maxScale ? nil : CELNumber(coefficient: product, scale: scale)
    }

    /// The sum of numbers of which one is rounded.
    private func roundedSum(_ other: CELNumber) -> CELNumber? {
        if coefficient == 0 || other.coefficient == 0 {
            var sum = coefficient == 0 ? other : self
            sum.isRounded = true
            return sum
        }
        let isNegative = (coefficient < 0, other.coefficient < 0)
        // As many digits of the larger number as there are; of the other number those in the same places.
        let whole = max(
            Self.digits(of: coefficient.magnitude) - scale, Self.digits(of: other.coefficient.magnitude) - other.scale)
        let scale = min(max(scale, other.scale), max(Self.powers.count - 1 - whole, 0))
        guard let first = magnitude(at: scale), let second = other.magnitude(at: scale) else { return nil }
        let (isMore, isFirst) = (first.isMore || second.isMore, first.digits >= second.digits)
        var sum: UInt128
        if isNegative.0 == isNegative.1 {
            let (digits, overflow) = first.digits.addingReportingOverflow(second.digits)
            if overflow { return nil }
            sum = digits
        } else {
            sum = isFirst ? first.digits - second.digits : second.digits - first.digits
            // What is taken away is more than its digits.
            if sum > 0 && (isFirst ? second.isMore : first.isMore) { sum -= 1 }
        }
        return CELNumber(
            magnitude: sum, isMore: isMore, isNegative: isFirst ? isNegative.0 : isNegative.1, scale: scale,
            isRounded: true)
    }

    /// The product of numbers of which one is rounded.
    private func roundedProduct(_ other: CELNumber) -> CELNumber? {
        var product = coefficient.magnitude.multipliedFullWidth(by: other.coefficient.magnitude)
        var scale = scale + other.scale
        var isMore = false
        // By as much as leaves the digits that are kept, and some that tell how to round.
        while product.high != 0 {
            let unit = UInt128(Self.powers[4])
            let high = product.high.quotientAndRemainder(dividingBy: unit)
            let low = unit.dividingFullWidth((high.remainder, product.low))
            product = (high.quotient, low.quotient)
            isMore = isMore || low.remainder != 0
            scale -= 4
        }
        return CELNumber(
            magnitude: product.low, isMore: isMore, isNegative: (coefficient < 0) != (other.coefficient < 0),
            scale: scale,
            isRounded: true)
    }

    /// The coefficient with so many digits after the point, not fewer than there are.
    private func aligned(to scale: Int) -> Int128? {
        let shift = scale - self.scale
        if shift == 0 || coefficient == 0 { return coefficient }
        guard shift < Self.powers.count else { return nil }
        let (result, overflow) = coefficient.multipliedReportingOverflow(by: Self.powers[shift])
        return overflow ? nil : result
    }

    /// The magnitude of the coefficient with so many digits after the point, and whether digits behind them are left out.
    private func magnitude(at scale: Int) -> (digits: UInt128, isMore: Bool)? {
        let dropped = self.scale - scale
        if dropped <= 0 { return aligned(to: scale).map { ($0.magnitude, false) } }
        guard dropped < Self.powers.count else { return (0, coefficient != 0) }
        let (kept, rest) = coefficient.magnitude.quotientAndRemainder(dividingBy: UInt128(Self.powers[dropped]))
        return (kept, rest != 0)
    }

    /// The quotient, exact if it ends within 34 digits and both are exact, otherwise rounded to the nearest of 34 digits, and to an
    /// even one of two; `nil` for a division by zero.
    package func divided(by other: CELNumber) -> CELNumber? {
        let (dividend, divisor) = (stripped, other.stripped)
        if divisor.coefficient == 0 { return nil }
        let denominator = divisor.coefficient.magnitude
        var (quotient, rest) = dividend.coefficient.magnitude.quotientAndRemainder(dividingBy: denominator)
        var scale = dividend.scale - divisor.scale
        // One more than are kept, of which the rest tells how to round.
        while rest != 0 && Self.digits(of: quotient) <= Self.roundedDigits {
            let next = denominator.dividingFullWidth(rest.multipliedFullWidth(by: 10))
            (quotient, rest) = (10 * quotient + next.quotient, next.remainder)
            scale += 1
        }
        return CELNumber(
            magnitude: quotient, isMore: rest != 0, isNegative: (dividend.coefficient < 0) != (divisor.coefficient < 0),
            scale: scale, isRounded: dividend.isRounded || divisor.isRounded)
    }

    /// A number rounded to 34 digits; `nil` if it does not fit.
    ///
    /// - Parameters:
    ///   - isMore: whether its magnitude is larger than said, by less than one, which counts where it has more than 34 digits.
    ///   - scale: may be negative.
    ///   - isRounded: whether it is so anyway.
    private init?(magnitude: UInt128, isMore: Bool = false, isNegative: Bool, scale: Int, isRounded: Bool) {
        var (magnitude, scale, isRounded) = (magnitude, scale, isRounded)
        let excess = Self.digits(of: magnitude) - Self.roundedDigits
        if excess > 0 {
            let unit = UInt128(Self.powers[excess])
            let (kept, rest) = magnitude.quotientAndRemainder(dividingBy: unit)
            magnitude = Self.rounded(kept, rest, of: unit, isMore: isMore)
            scale -= excess
            isRounded = isRounded || isMore || rest != 0
        }
        guard var coefficient = Int128(exactly: magnitude) else { return nil }
        if isNegative { coefficient.negate() }
        if scale < 0 && coefficient != 0 {
            guard -scale < Self.powers.count else { return nil }
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: Self.powers[-scale])
            if overflow { return nil }
            coefficient = product
        }
        self = CELNumber(coefficient: coefficient, scale: max(scale, 0), isRounded: isRounded).stripped
        if self.scale > Self.maxScale { return nil }
    }

    /// Half to even: `rest` of `unit` have been dropped, and perhaps more.
    private static func rounded(_ kept: UInt128, _ rest: UInt128, of unit: UInt128, isMore: Bool) -> UInt128 {
        let half = rest.multipliedReportingOverflow(by: 2)
        let isAbove = half.overflow || half.partialValue > unit || (half.partialValue == unit && isMore)
        return kept + (isAbove || (half.partialValue == unit && kept % 2 == 1) ? 1 : 0)
    }

    /// How many digits it has; 0 has none.
    private static func digits(of magnitude: UInt128) -> Int {
        powers.firstIndex { UInt128($0) > magnitude } ?? powers.count
    }
}

extension CELNumber: Comparable {
    /// By value: 1.0 equals 1.
    package static func == (first: CELNumber, second: CELNumber) -> Bool { first.order(second) == 0 }

    package static func < (first: CELNumber, second: CELNumber) -> Bool { first.order(second) < 0 }

    package func hash(into hasher: inout Hasher) {
        let number = stripped
        hasher.combine(number.coefficient)
        hasher.combine(number.scale)
    }

    /// Negative, zero or positive as this number is less than, equal to or greater than the other.
    private func order(_ other: CELNumber) -> Int {
        if scale > other.scale { return -other.order(self) }
        let shift = other.scale - scale
        if shift >= Self.powers.count && coefficient != 0 { return coefficient < 0 ? -1 : 1 }
        // The product has up to 254 bits, the upper of which decide unless they are only the sign.
        let product = coefficient.multipliedFullWidth(by: coefficient == 0 ? 1 : Self.powers[shift])
        let high: Int128 = other.coefficient < 0 ? -1 : 0
        let low = UInt128(truncatingIfNeeded: other.coefficient)
        if product.high != high { return product.high < high ? -1 : 1 }
        return product.low == low ? 0 : product.low < low ? -1 : 1
    }
}
