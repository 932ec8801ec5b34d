extension CELTime {
    /// The timestamp of a text: `2024-02-29T12:30:00.25+01:00`. Letters must be uppercase, and leap seconds are not
    /// allowed.
    ///
    /// Source: RFC 3339, 5.6.
    package init?(timestamp text: some Sequence<UInt8>) {
        var reader = TimeReader(Array(text.prefix(64)))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T"), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), reader.skip(":"), let second = reader.number(2),
            let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd,
            (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = Moment.days(year: year, month: month, day: day)
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second - offset, nanoseconds: nanoseconds)
        if !isTimestamp { return nil }
    }

    /// The number of days in a month.
    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        month == 2 ? (Moment.isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The timestamp in UTC, with as many decimal places of the second as necessary: `2024-02-29T11:30:00.25Z`.
    package var timestampText: String {
        let (days, second) = floorDivided(seconds, by: 86_400)
        let (year, month, day) = Moment(days: days, parts: 0, perSecond: 1).civil
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let time = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        let fraction = CELNumber(coefficient: Int128(nanoseconds), scale: 9).text.dropFirst()
        return "\(date)T\(time)\(fraction)Z"
    }

    /// A number with leading zeros.
    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The duration of a text: numbers with units, such as `1h30m`, `-1.5h`, `100ms`, or `0`.
    ///
    /// Source: cel-spec, "duration(string)", in the format of Go's ParseDuration.
    package init?(duration text: some Sequence<UInt8>) {
        let bytes = Array(text.prefix(257))
        if bytes.count > 256 { return nil }
        var reader = TimeReader(bytes)
        let isNegative = reader.skip("-")
        if !isNegative { _ = reader.skip("+") }
        if reader.rest.elementsEqual("0".utf8) {
            self.init(seconds: 0)
            return
        }
        var total: Int128 = 0
        repeat {
            guard let part = reader.nanosecondsWithUnit(), part <= Int128(Int64.max) + 1 else { return nil }
            total += part
        } while !reader.isAtEnd
        guard let nanoseconds = Int64(exactly: isNegative ? -total : total) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }

    /// The duration in seconds: `5400s`, `-0.25s`.
    package var durationText: String {
        let total = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
        return CELNumber(coefficient: total, scale: 9).text + "s"
    }
}

/// Reads the parts of a timestamp or a duration.
private struct TimeReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The unread bytes.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Whether no bytes remain.
    var isAtEnd: Bool { position == bytes.count }

    /// Skips a text and returns true if it is next.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    /// Reads `count` digits.
    mutating func number(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
        position += count
        return digits.reduce(0) { 10 * $0 + Int64($1 & 15) }
    }

    /// Reads the nanoseconds after a point, one to nine digits. Returns 0 without a point.
    mutating func fraction() -> Int32? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix(while: Self.isDigit)
        guard (1...9).contains(digits.count) else { return nil }
        position += digits.count
        return (digits + repeatElement(0, count: 9 - digits.count)).reduce(0) { 10 * $0 + Int32($1 & 15) }
    }

    /// Reads `Z` or an offset such as `+01:00`, and returns it in seconds.
    mutating func offset() -> Int64? {
        if skip("Z") { return 0 }
        let isNegative = skip("-")
        guard isNegative || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24,
            minutes < 60
        else { return nil }
        return (isNegative ? -60 : 60) * (60 * hours + minutes)
    }

    /// Reads a number with a unit, such as `1.5h`, in nanoseconds. Fractions of a nanosecond are dropped.
    mutating func nanosecondsWithUnit() -> Int128? {
        let digits = rest.prefix { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard digits.count <= 40, let number = CELNumber(digits) else { return nil }
        position += digits.count
        let units: [(name: String, nanoseconds: Int128)] = [
            ("ns", 1), ("us", 1_000), ("µs", 1_000), ("μs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
            ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ]
        guard let unit = units.first(where: { skip($0.name) }) else { return nil }
        return number.multiplied(by: CELNumber(coefficient: unit.nanoseconds, scale: 0))?.truncated
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }
}
