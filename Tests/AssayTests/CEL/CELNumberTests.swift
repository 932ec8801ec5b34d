import Assay
import Testing

@Suite("CEL: numbers are exact decimals")
struct CELNumberTests {
    private func number(_ text: String) throws -> CELNumber { try #require(CELNumber(text.utf8), "\(text)") }

    @Test(
        "texts",
        arguments: [
            ("0", "0"), ("-0.0", "0"), ("1.50", "1.5"), ("+7", "7"), (".5", "0.5"), ("5.", "5"), ("1e3", "1000"),
            ("-4.5e-3", "-0.0045"), ("1.38E-23", "0.0000000000000000000000138"), ("0.10000", "0.1"),
            ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
            (
                "0.00000000000000000000000000000000000000000000000001",
                "0.00000000000000000000000000000000000000000000000001"
            ),
            ("100000000000000000000000000000000000000e-38", "1"),
            ("1e-1000", "0." + String(repeating: "0", count: 999) + "1"),
        ])
    func texts(text: String, expected: String) throws {
        #expect(try number(text).text == expected)
    }

    @Test(
        "texts that are not numbers, or do not fit",
        arguments: [
            "", ".", "-", "e5", "1e", "1e+", "1 ", " 1", "1_000", "0x10", "NaN", "Infinity", "1.2.3", "--1", "1e5.5",
            "170141183460469231731687303715884105728", "1e39", "1e-1001", "1e99999999999999999999", "١",
        ])
    func noNumbers(text: String) { #expect(CELNumber(text.utf8) == nil) }

    @Test(
        "equal by value, in order, and with one hash",
        arguments: [
            ("1", "1.0", 0), ("1.10", "1.1", 0), ("0", "-0.000", 0), ("1", "2", -1), ("-1", "-1.5", 1), ("-1", "1", -1),
            ("1e38", "1e-38", 1), ("-1e38", "1e-38", -1), ("0", "1e-1000", -1), ("0", "-1e-1000", 1),
            ("170141183460469231731687303715884105727", "0.1", 1),
            ("1.0000000000000000000000000000000000001", "1", 1),
            ("99999999999999999999.5", "99999999999999999999.50", 0),
        ])
    func order(first: String, second: String, expected: Int) throws {
        let (first, second) = (try number(first), try number(second))
        #expect((first == second) == (expected == 0))
        #expect((first < second) == (expected < 0))
        #expect((second < first) == (expected > 0))
        if expected == 0 { #expect(first.hashValue == second.hashValue) }
    }

    @Test(
        "sums, differences and products",
        arguments: [
            ("0.1", "0.2", "0.3", "-0.1", "0.02"), ("1e20", "1e-10", nil, nil, "10000000000"),
            ("-2.5", "2.5", "0", "-5", "-6.25"), ("0", "1e-1000", nil, nil, "0"),
            (
                "170141183460469231731687303715884105727", "1", nil, "170141183460469231731687303715884105726",
                "170141183460469231731687303715884105727"
            ),
            ("1e20", "1e20", "200000000000000000000", "0", nil), ("1e-600", "1e-600", nil, "0", nil),
        ] as [(String, String, String?, String?, String?)])
    func arithmetic(first: String, second: String, sum: String?, difference: String?, product: String?) throws {
        let (first, second) = (try number(first), try number(second))
        if let sum { #expect(first.adding(second)?.text == sum) }
        if let difference { #expect(first.subtracting(second)?.text == difference) }
        #expect(first.multiplied(by: second)?.text == product)
    }

    @Test("overflow has no value, for any number of trailing zeros")
    func overflow() throws {
        let largest = try number("170141183460469231731687303715884105727")
        #expect(largest.adding(try number("1")) == nil)
        #expect(largest.adding(try number("0.1")) == nil)
        let one = CELNumber(coefficient: 10_000_000_000, scale: 10)
        #expect(largest.multiplied(by: one) == largest)
        #expect(largest.subtracting(one)?.text == "170141183460469231731687303715884105726")
        #expect(CELNumber(coefficient: .min, scale: 0).negated == nil)
    }

    @Test(
        "quotients: exact within 34 digits, then rounded half to even",
        arguments: [
            ("1", "4", "0.25"), ("-8.875", "-0.0625", "142"), ("0.0625", "0.002", "31.25"), ("0", "7", "0"),
            ("1", "3", "0.3333333333333333333333333333333333"), ("2", "3", "0.6666666666666666666666666666666667"),
            ("-2", "3", "-0.6666666666666666666666666666666667"), ("200", "3", "66.66666666666666666666666666666667"),
            ("1", "3e10", "0.00000000003333333333333333333333333333333333"),
            ("1e30", "1e-8", "100000000000000000000000000000000000000"),
            // 35 digits; the last digit is half of one unit.
            ("10000000000000000000000000000000005", "10", "1000000000000000000000000000000000"),
            ("10000000000000000000000000000000015", "10", "1000000000000000000000000000000002"),
            ("10000000000000000000000000000000015", "1", "10000000000000000000000000000000020"),
            ("10000000000000000000000000000000005", "1", "10000000000000000000000000000000000"),
            ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727", "1"),
            (
                "1", "170141183460469231731687303715884105727",
                "0." + String(repeating: "0", count: 38) + "5877471754111437539843682686111228"
            ),
        ])
    func quotients(first: String, second: String, expected: String) throws {
        #expect(try number(first).divided(by: try number(second))?.text == expected)
    }

    @Test(
        "infinite quotients are rounded to 34 digits, half to even",
        arguments: [
            ("1", "3", "12345.67", "4115.223333333333333333333333333333", "12346.00333333333333333333333333333"),
            ("2", "3", "20000", "13333.33333333333333333333333333333", "20000.66666666666666666666666666667"),
            (
                "1", "7", "0.000000000000000000000000000000001",
                "0.0000000000000000000000000000000001428571428571428571428571428571429",
                "0.1428571428571428571428571428571439"
            ),
            (
                "1", "3", "1e-500", "0." + String(repeating: "0", count: 500) + String(repeating: "3", count: 34),
                "0.3333333333333333333333333333333333"
            ),
            ("1", "3", "0", "0", "0.3333333333333333333333333333333333"),
            (
                "-2", "3", "99999999999999999999999999999999999999", "-66666666666666666666666666666666670000",
                "100000000000000000000000000000000000000"
            ),
            // Rounding twice, to 37 digits and to 34, would end in 429.
            (
                "752618.04", "-4467949343735543.4", "2230.30273", "-0.0000003756904879892485703853086283958907",
                "2230.302729999831551796562949743425"
            ),
            // Exact, because the quotient terminates.
            ("1", "4", "99999999999999999999999999999999999999", nil, nil),
        ] as [(String, String, String, String?, String?)])
    func rounded(dividend: String, divisor: String, other: String, product: String?, sum: String?) throws {
        let (quotient, other) = (try #require(try number(dividend).divided(by: number(divisor))), try number(other))
        #expect(quotient.multiplied(by: other)?.text == product)
        #expect(quotient.adding(other)?.text == sum)
        #expect(other.adding(quotient) == quotient.adding(other))
        #expect(other.multiplied(by: quotient) == quotient.multiplied(by: other))
        #expect(quotient.subtracting(quotient) == CELNumber(0))
        #expect(quotient.multiplied(by: quotient) != nil)
    }

    @Test("no division by zero, and no quotient that does not fit")
    func noQuotient() throws {
        #expect(try number("1").divided(by: try number("0.00")) == nil)
        #expect(try number("1e38").divided(by: try number("1e-1")) == nil)
        #expect(try number("1e-999").divided(by: try number("1e2")) == nil)
    }

    @Test(
        "without the digits after the point",
        arguments: [
            ("1.9", 1), ("-7.9", -7), ("0.99", 0), ("9223372036854775808.9", 9_223_372_036_854_775_808), ("1e-500", 0),
        ] as [(String, Int128)])
    func truncated(text: String, expected: Int128) throws {
        #expect(try number(text).truncated == expected)
    }
}
