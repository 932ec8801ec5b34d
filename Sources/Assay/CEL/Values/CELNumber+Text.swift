extension CELNumber {
    /// The number of a text such as `-12.50`, `.5` or `1.38e-23`; `nil` for other texts, and for numbers that do not
    /// fit.
    ///
    /// - Complexity: O(*n*).
    package init?(_ text: some Sequence<UInt8>) {
        var reader = DecimalReader()
        for byte in text {
            guard reader.read(byte) else { return nil }
        }
        guard let number = reader.number else { return nil }
        self = number
    }

    /// The number in plain digits, without trailing zeros: `-0.0045`.
    package var text: String {
        let number = stripped
        var digits = Array(String(number.coefficient.magnitude).utf8)
        if number.scale > 0 {
            let zero = UInt8(ascii: "0")
            if digits.count <= number.scale {
                digits.insert(contentsOf: repeatElement(zero, count: number.scale + 1 - digits.count), at: 0)
            }
            digits.insert(UInt8(ascii: "."), at: digits.count - number.scale)
        }
        return (number.coefficient < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }
}

/// Reads a number byte by byte.
private struct DecimalReader {
    /// The current part of the number.
    private enum Part { case start, integer, fraction, exponentSign, exponent }

    private var part = Part.start
    private var coefficient: Int128 = 0
    private var isNegative = false
    /// Zeros that count only if another digit follows.
    private var zeros = 0
    private var digits = 0
    private var fractionDigits = 0
    private var exponent = 0
    private var exponentDigits = 0
    private var exponentIsNegative = false

    /// Reads a byte. Returns false if the byte is not allowed here, or if there are too many digits.
    mutating func read(_ byte: UInt8) -> Bool {
        switch (part, byte) {
        case (.start, UInt8(ascii: "+")), (.start, UInt8(ascii: "-")):
            isNegative = byte == UInt8(ascii: "-")
            part = .integer
        case (.start, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): part = .fraction
        case (.integer, UInt8(ascii: "e")), (.integer, UInt8(ascii: "E")), (.fraction, UInt8(ascii: "e")),
            (.fraction, UInt8(ascii: "E")):
            part = .exponentSign
        case (.exponentSign, UInt8(ascii: "+")), (.exponentSign, UInt8(ascii: "-")):
            exponentIsNegative = byte == UInt8(ascii: "-")
            part = .exponent
        case (.exponentSign, UInt8(ascii: "0")...UInt8(ascii: "9")), (.exponent, UInt8(ascii: "0")...UInt8(ascii: "9")):
            part = .exponent
            exponentDigits += 1
            // Cap the exponent at a value beyond all numbers.
            exponent = min(10 * exponent + Int(byte & 15), 1_000_000)
        case (_, UInt8(ascii: "0")...UInt8(ascii: "9")):
            if part == .start { part = .integer }
            return readDigit(Int128(byte & 15))
        default: return false
        }
        return true
    }

    /// A digit before the exponent.
    private mutating func readDigit(_ digit: Int128) -> Bool {
        digits += 1
        if part == .fraction { fractionDigits += 1 }
        if digit == 0 {
            if coefficient != 0 { zeros += 1 }
            return true
        }
        for _ in 0...zeros {
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
            if overflow { return false }
            coefficient = product
        }
        zeros = 0
        let (sum, overflow) = coefficient.addingReportingOverflow(digit)
        coefficient = sum
        return !overflow
    }

    /// The number; `nil` if the bytes are not a number, or if it does not fit.
    var number: CELNumber? {
        if digits == 0 || part == .exponentSign || (part == .exponent && exponentDigits == 0) { return nil }
        if coefficient == 0 { return CELNumber(coefficient: 0, scale: 0) }
        var power = zeros - fractionDigits + (exponentIsNegative ? -exponent : exponent)
        var magnitude = coefficient
        while power > 0 {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (magnitude, power) = (product, power - 1)
        }
        return -power > CELNumber.maxScale
            ? nil : CELNumber(coefficient: isNegative ? -magnitude : magnitude, scale: -power)
    }
}
