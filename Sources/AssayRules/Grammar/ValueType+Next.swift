internal import Assay

extension ValueType {
    /// The smallest value above another one, where values come one by one, as whole numbers and days do; `nil`
    /// elsewhere.
    ///
    /// - Parameter text: a value of the type.
    func value(after text: String) -> String? {
        let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map { Int($0) - 48 }
        switch (kind, format) {
        case (.integer, _): return text.utf8.contains(UInt8(ascii: "-")) ? Self.less(digits) : Self.more(digits)
        case (.year, _) where digits.count == 4:
            let next = Self.number(digits) + 1
            return next > 9999 ? nil : Self.padded(next, 4)
        case (.yearmonth, _) where digits.count == 6:
            return Self.day(after: Self.number(digits[..<4]), Self.number(digits[4...]), 31).map {
                String($0.dropLast(3))
            }
        case (.date, nil) where digits.count == 8:
            return Self.day(after: Self.number(digits[..<4]), Self.number(digits[4..<6]), Self.number(digits[6...]))
        default: return nil
        }
    }

    /// A whole number and one, of any length.
    private static func more(_ digits: [Int]) -> String {
        var sum = [0] + digits
        var place = sum.count - 1
        while sum[place] == 9 {
            sum[place] = 0
            place -= 1
        }
        sum[place] += 1
        return sum.map(String.init).joined()
    }

    /// The number above one that is written with a minus.
    private static func less(_ digits: [Int]) -> String {
        if digits.allSatisfy({ $0 == 0 }) { return "1" }
        var difference = digits
        var place = difference.count - 1
        while difference[place] == 0 {
            difference[place] = 9
            place -= 1
        }
        difference[place] -= 1
        return "-" + difference.map(String.init).joined()
    }

    private static func day(after year: Int, _ month: Int, _ day: Int) -> String? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var (year, month, day) = (year, month, day + 1)
        if day > days[month - 1] { (month, day) = (month + 1, 1) }
        if month > 12 { (year, month) = (year + 1, 1) }
        return year > 9999 ? nil : "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    private static func number(_ digits: some Sequence<Int>) -> Int { digits.reduce(0) { $0 * 10 + $1 } }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
