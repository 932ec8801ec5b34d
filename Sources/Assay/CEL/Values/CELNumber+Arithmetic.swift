// Exact, but for division. Each function gives equal results for equal numbers, whatever their scales: where the first try
// overflows, the numbers are stripped of their zeros.

extension CELNumber {
    /// The most digits after the point.
    static let maxScale = 1_000
    /// The most significant digits of a quotient that does not end, as in IEEE 754's decimal128.
    private static let quotientDigits = 34

    /// 10^0 to 10^38, which is the last that fits.
    private static let powers: [Int128] = (0..<38).reduce(into: [1]) { powers, _ in powers.append(10 * powers.last!) }

    /// An integer.
    package init(_ integer: Int64) { self.init(coefficient: Int128(integer), scale: 0) }

    /// The same number with the fewest digits after the point.
    package var stripped: CELNumber {
        if coefficient == 0 { return CELNumber(coefficient: 0, scale: 0) }
        var number = self
        while number.scale > 0 {
            let (quotient, rest) = number.coefficient.quotientAndRemainder(dividingBy: 10)
            if rest != 0 { break }
            number = CELNumber(coefficient: quotient, scale: number.scale - 1)
        }
        return number
    }

    /// The sum; `nil` if it does not fit, here and below.
    package func adding(_ other: CELNumber) -> CELNumber? {
        sum(other) ?? stripped.sum(other.stripped)
    }

    /// The difference.
    package func subtracting(_ other: CELNumber) -> CELNumber? {
        other.negated.flatMap { adding($0) }
    }

    /// The product.
    package func multiplied(by other: CELNumber) -> CELNumber? {
        product(other) ?? stripped.product(other.stripped)
    }

    /// The number with the other sign.
    package var negated: CELNumber? {
        coefficient == .min ? nil : CELNumber(coefficient: -coefficient, scale: scale)
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

    /// The coefficient with so many digits after the point, not fewer than there are.
    private func aligned(to scale: Int) -> Int128? {
        let shift = scale - self.scale
        if shift == 0 || coefficient == 0 { return coefficient }
        guard shift < Self.powers.count else { return nil }
        let (result, overflow) = coefficient.multipliedReportingOverflow(by: Self.powers[shift])
        return overflow ? nil : result
    }

    /// The quotient, exact if it ends within 34 digits, otherwise rounded to the nearest of 34 digits, and to an even one of
    /// two; `nil` for a division by zero.
    package func divided(by other: CELNumber) -> CELNumber? {
        let (dividend, divisor) = (stripped, other.stripped)
        if divisor.coefficient == 0 { return nil }
        let denominator = divisor.coefficient.magnitude
        var (quotient, rest) = dividend.coefficient.magnitude.quotientAndRemainder(dividingBy: denominator)
        var scale = dividend.scale - divisor.scale
        var digits = Self.digits(of: quotient)
        while rest != 0 && digits < Self.quotientDigits {
            let next = denominator.dividingFullWidth(rest.multipliedFullWidth(by: 10))
            (quotient, rest) = (10 * quotient + next.quotient, next.remainder)
            scale += 1
            if quotient != 0 { digits += 1 }
        }
        if digits > Self.quotientDigits {
            let unit = UInt128(Self.powers[digits - Self.quotientDigits])
            let (kept, dropped) = quotient.quotientAndRemainder(dividingBy: unit)
            quotient = unit * Self.rounded(kept, dropped, of: unit, isMore: rest != 0)
        } else if rest != 0 {
            quotient = Self.rounded(quotient, rest, of: denominator, isMore: false)
        }
        return CELNumber(
            quotient, isNegative: (dividend.coefficient < 0) != (divisor.coefficient < 0), scale: scale)
    }

    /// A number of a coefficient and a scale that may be negative; `nil` if it does not fit.
    private init?(_ magnitude: UInt128, isNegative: Bool, scale: Int) {
        guard var coefficient = Int128(exactly: magnitude) else { return nil }
        if isNegative { coefficient.negate() }
        if scale < 0 && coefficient != 0 {
            guard -scale < Self.powers.count else { return nil }
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: Self.powers[-scale])
            if overflow { return nil }
            coefficient = product
        }
        self = CELNumber(coefficient: coefficient, scale: max(scale, 0)).stripped
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
