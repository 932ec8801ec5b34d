// The conversions int(), double(), string(), bool(), timestamp() and duration(). Nil: the conversion fails.

extension CELValue {
    /// The integer of a text of digits with an optional sign, the integer part of a number, or the seconds since 1970
    /// of a timestamp.
    package var asInt: Int64? {
        switch self {
        case .int(let value): value
        case .number(let value): Int64(exactly: value.truncated)
        case .string(let text): Int64(text)
        case .timestamp(let time): time.seconds
        case .bool, .duration, .list: nil
        }
    }

    /// The number of an int or a text.
    package var asNumber: CELNumber? {
        switch self {
        case .int(let value): CELNumber(value)
        case .number(let value): value
        case .string(let text): CELNumber(text.utf8)
        case .bool, .timestamp, .duration, .list: nil
        }
    }

    /// The text of any value except a list.
    package var asString: String? {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .number(let value): value.text
        case .string(let text): text
        case .timestamp(let time): time.timestampText
        case .duration(let time): time.durationText
        case .list: nil
        }
    }

    /// The Boolean of `true`, `True`, `TRUE`, `t`, `T` or `1`, and of the corresponding texts for false.
    package var asBool: Bool? {
        switch self {
        case .bool(let value): value
        case .string("1"), .string("t"), .string("T"), .string("true"), .string("TRUE"), .string("True"): true
        case .string("0"), .string("f"), .string("F"), .string("false"), .string("FALSE"), .string("False"): false
        default: nil
        }
    }

    /// The timestamp of a text in RFC 3339, or of seconds since 1970.
    package var asTimestamp: CELTime? {
        switch self {
        case .timestamp(let time): return time
        case .string(let text): return CELTime(timestamp: text.utf8)
        case .int(let seconds):
            let time = CELTime(seconds: seconds)
            return time.isTimestamp ? time : nil
        default: return nil
        }
    }

    /// The duration of numbers with units, such as `1h30m`.
    package var asDuration: CELTime? {
        switch self {
        case .duration(let time): time
        case .string(let text): CELTime(duration: text.utf8)
        default: nil
        }
    }

    /// The result of a conversion function.
    func converted(by function: CELFunction) -> CELValue? {
        switch function {
        case .toInt: asInt.map { .int($0) }
        case .toNumber: asNumber.map { .number($0) }
        case .toString: asString.map { .string($0) }
        case .toBool: asBool.map { .bool($0) }
        case .toTimestamp: asTimestamp.map { .timestamp($0) }
        case .toDuration: asDuration.map { .duration($0) }
        default: preconditionFailure("\(function) is no conversion")
        }
    }
}
