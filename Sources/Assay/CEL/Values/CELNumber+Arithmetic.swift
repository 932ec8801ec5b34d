// Arithmetic is exact, except for quotients that do not end within 34 digits, and results computed from them. These are
// rounded to 34 digits, as in IEEE 754's decimal128. Equal numbers, such as 1 and 1.00, must give equal results,
// whatever their scale (digits after the point). So if a first attempt overflows, it is retried without their trailing
// zeros.

extension CELNumber {
    /// The maximum number of digits after the point.
    static let maxScale = 1_000
    /// The maximum length of the text of a number: a sign, a zero, the point and the digits after it.
    static let maxTextBytes = maxScale + 3
    /// The maximum number of significant digits of a rounded number.
    private static let roundedDigits = 34

    /// 10^0 to 10^38, the maximum power of ten that fits.
    private static let powers: [Int128] = (0..<38).reduce(into: [1]) { powers, _ in powers.append(10 * powers.last!) }

    /// An integer.
    package init(_ integer: Int64) { self.init(coefficient: Int128(integer), scale: 0) }

    /// The same number with the minimum number of digits after the point.
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

    /// The sum; `nil` if it does not fit, as for all operations below.
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

    /// The negated number.
    package var negated: CELNumber? {
        coefficient == .min ? nil : CELNumber(coefficient: -coefficient, scale: scale, isRounded: isRounded)
    }

    /// The integer part.
    package var truncated: Int128 { scale < Self.powers.count ? coefficient / Self.powers[scale] : 0 }

    /// Whether the part after the point is at least one half.
    package var isHalfOrMoreAfterPoint: Bool {
        // All coefficients are less than half of 10^39.
        guard scale > 0, scale < Self.powers.count else { return false }
        let unit = Self.powers[scale].magnitude
        return coefficient.magnitude % unit * 2 >= unit
    }

    /// The exact sum, without removal of zeros.
    private func sum(_ other: CELNumber) -> CELNumber? {
        let scale = max(scale, other.scale)
        guard let first = aligned(to: scale), let second = other.aligned(to: scale) else { return nil }
        let (sum, overflow) = first.addingReportingOverflow(second)
        return overflow ? nil : CELNumber(coefficient: sum, scale: scale)
    }

    /// The exact product, without removal of zeros.
    private func product(_ other: CELNumber) -> CELNumber? {
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: other.coefficient)
        let scale = scale + other.scale
        return overflow || scale > Self.maxScale ? nil : CELNumber(coefficient: product, scale: scale)
    }

    /// The sum, if one of the numbers is rounded.
    private func roundedSum(_ other: CELNumber) -> CELNumber? {
        if coefficient == 0 || other.coefficient == 0 {
            var sum = coefficient == 0 ? other : self
            sum.isRounded = true
            return sum
        }
        let isNegative = (coefficient < 0, other.coefficient < 0)
        // Keep as many digits of the larger number as fit, and those of the other number in the same places.
        let integerDigits = max(
            Self.digits(of: coefficient.magnitude) - scale, Self.digits(of: other.coefficient.magnitude) - other.scale)
        let scale = min(max(scale, other.scale), max(Self.powers.count - 1 - integerDigits, 0))
        guard let first = magnitude(at: scale), let second = other.magnitude(at: scale) else { return nil }
        let (isMore, isFirst) = (first.isMore || second.isMore, first.digits >= second.digits)
        var sum: UInt128
        if isNegative.0 == isNegative.1 {
            let (digits, overflow) = first.digits.addingReportingOverflow(second.digits)
            if overflow { return nil }
            sum = digits
        } else {
            sum = isFirst ? first.digits - second.digits : second.digits - first.digits
            // The subtrahend has further digits that were dropped, so the exact difference is smaller.
            if sum > 0 && (isFirst ? second.isMore : first.isMore) { sum -= 1 }
        }
        return CELNumber(
            magnitude: sum, isMore: isMore, isNegative: isFirst ? isNegative.0 : isNegative.1, scale: scale,
            isRounded: true)
    }

    /// The product, if one of the numbers is rounded.
    private func roundedProduct(_ other: CELNumber) -> CELNumber? {
        var product = coefficient.magnitude.multipliedFullWidth(by: other.coefficient.magnitude)
        var scale = scale + other.scale
        var isMore = false
        // Divide by 10^4 until the product fits, which leaves the kept digits and some more for rounding.
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

    /// The coefficient at a scale, which must not be less than that of the number.
    private func aligned(to scale: Int) -> Int128? {
        let shift = scale - self.scale
        if shift == 0 || coefficient == 0 { return coefficient }
        guard shift < Self.powers.count else { return nil }
        let (result, overflow) = coefficient.multipliedReportingOverflow(by: Self.powers[shift])
        return overflow ? nil : result
    }

    /// The magnitude of the coefficient at a scale, and whether it omits further digits.
    private func magnitude(at scale: Int) -> (digits: UInt128, isMore: Bool)? {
        let dropped = self.scale - scale
        if dropped <= 0 { return aligned(to: scale).map { ($0.magnitude, false) } }
        guard dropped < Self.powers.count else { return (0, coefficient != 0) }
        let (kept, rest) = coefficient.magnitude.quotientAndRemainder(dividingBy: UInt128(Self.powers[dropped]))
        return (kept, rest != 0)
    }

    /// The quotient. It is exact if it ends within 34 digits and both numbers are exact; otherwise it is rounded to 34
    /// digits, half to even; `nil` for a division by zero.
    package func divided(by other: CELNumber) -> CELNumber? {
        let (dividend, divisor) = (stripped, other.stripped)
        if divisor.coefficient == 0 { return nil }
        let denominator = divisor.coefficient.magnitude
        var (quotient, rest) = dividend.coefficient.magnitude.quotientAndRemainder(dividingBy: denominator)
        var scale = dividend.scale - divisor.scale
        // Compute one digit more than are kept; the remainder determines the rounding.
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
    ///   - isMore: Whether the exact magnitude exceeds `magnitude` by less than one. This affects rounding only if
    ///     `magnitude` has more than 34 digits.
    ///   - scale: May be negative.
    ///   - isRounded: Whether the number is rounded in any case.
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

    /// Rounds `kept` half to even. The dropped part is `rest`/`unit`, or slightly larger if `isMore`.
    private static func rounded(_ kept: UInt128, _ rest: UInt128, of unit: UInt128, isMore: Bool) -> UInt128 {
        let half = rest.multipliedReportingOverflow(by: 2)
        let isAbove = half.overflow || half.partialValue > unit || (half.partialValue == unit && isMore)
        return kept + (isAbove || (half.partialValue == unit && kept % 2 == 1) ? 1 : 0)
    }

    /// The number of decimal digits; 0 for the number 0.
    private static func digits(of magnitude: UInt128) -> Int {
        powers.firstIndex { UInt128($0) > magnitude } ?? powers.count
    }
}

extension CELNumber: Comparable {
    /// Compares values: 1.0 equals 1.
    package static func == (first: CELNumber, second: CELNumber) -> Bool { first.order(second) == 0 }

    package static func < (first: CELNumber, second: CELNumber) -> Bool { first.order(second) < 0 }

    package func hash(into hasher: inout Hasher) {
        let number = stripped
        hasher.combine(number.coefficient)
        hasher.combine(number.scale)
    }

    /// A negative number, zero or a positive number if this number is less than, equal to or greater than the other.
    private func order(_ other: CELNumber) -> Int {
        if scale > other.scale { return -other.order(self) }
        let shift = other.scale - scale
        if shift >= Self.powers.count && coefficient != 0 { return coefficient < 0 ? -1 : 1 }
        // The product has up to 254 bits. If the high half differs from that of the other coefficient (its sign
        // extension), it decides the order; otherwise the low half does.
        let product = coefficient.multipliedFullWidth(by: coefficient == 0 ? 1 : Self.powers[shift])
        let high: Int128 = other.coefficient < 0 ? -1 : 0
        let low = UInt128(truncatingIfNeeded: other.coefficient)
        if product.high != high { return product.high < high ? -1 : 1 }
        return product.low == low ? 0 : product.low < low ? -1 : 1
    }
}
