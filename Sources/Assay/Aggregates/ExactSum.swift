/// The exact sum of decimal numbers, independent of their order. One integer of 192 bits for each number of decimal
/// places.
///
///     1.5 + 2.25 + 3      places 0: 3    places 1: 15    places 2: 225    total 6.75
///
/// A coefficient has at most 127 bits, and there are fewer than 2^63 of them, so no integer overflows.
struct ExactSum: Sendable {
    /// An integer of 192 bits in two's complement.
    private struct Wide {
        var low: UInt128 = 0
        var high: Int64 = 0

        mutating func add(_ low: UInt128, _ high: Int64) {
            let (sum, carry) = self.low.addingReportingOverflow(low)
            self.low = sum
            self.high &+= high &+ (carry ? 1 : 0)
        }
    }

    /// By number of decimal places.
    private var sums: [Wide] = []

    mutating func add(_ coefficient: Int128, scale: Int) {
        grow(to: scale + 1)
        sums[scale].add(UInt128(truncatingIfNeeded: coefficient), coefficient < 0 ? -1 : 0)
    }

    mutating func add(_ other: ExactSum) {
        grow(to: other.sums.count)
        for (scale, sum) in other.sums.enumerated() { sums[scale].add(sum.low, sum.high) }
    }

    private mutating func grow(to count: Int) {
        while sums.count < count { sums.append(Wide()) }
    }

    /// The sum; `nil` if it does not fit.
    ///
    /// - Complexity: O(*p*) for the maximum of decimal places, at most 38.
    var total: CELNumber? {
        var digits = Digits()
        var scale = max(0, sums.count - 1)
        // Horner's method. The result has less than 38 × log2(10) + 192 bits, so it fits in 384.
        for sum in sums { digits.multiplyByTenAndAdd(sum.low, sum.high) }
        let isNegative = digits.isNegative
        if isNegative { digits.negate() }
        while scale > 0, let quotient = digits.dividedByTen {
            digits = quotient
            scale -= 1
        }
        guard let magnitude = digits.small else { return nil }
        return CELNumber(coefficient: isNegative ? -magnitude : magnitude, scale: scale)
    }

    /// An integer of 384 bits in two's complement, the lowest word first.
    private struct Digits {
        private var words: [UInt64] = [0, 0, 0, 0, 0, 0]

        var isNegative: Bool { words[5] >> 63 != 0 }

        mutating func multiplyByTenAndAdd(_ low: UInt128, _ high: Int64) {
            let sign: UInt64 = high < 0 ? .max : 0
            let added = [
                UInt64(truncatingIfNeeded: low), UInt64(truncatingIfNeeded: low >> 64), UInt64(bitPattern: high), sign,
                sign, sign,
            ]
            var carry: UInt128 = 0
            for index in words.indices {
                carry += UInt128(words[index]) * 10 + UInt128(added[index])
                words[index] = UInt64(truncatingIfNeeded: carry)
                carry >>= 64
            }
        }

        mutating func negate() {
            var carry = true
            for index in words.indices {
                (words[index], carry) = (~words[index]).addingReportingOverflow(carry ? 1 : 0)
            }
        }

        /// The quotient; `nil` if there is a remainder. The number must not be negative.
        var dividedByTen: Digits? {
            var (quotient, rest) = (self, UInt64(0))
            for index in words.indices.reversed() {
                (quotient.words[index], rest) = UInt64(10).dividingFullWidth((rest, words[index]))
            }
            return rest == 0 ? quotient : nil
        }

        /// The number, if it fits. It must not be negative.
        var small: Int128? {
            if words[2...].contains(where: { $0 != 0 }) { return nil }
            return Int128(exactly: UInt128(words[1]) << 64 | UInt128(words[0]))
        }
    }
}
