internal import CAssayABI

/// The type of the values of an Arrow array, read from the format string of its schema.
///
/// Source: https://arrow.apache.org/docs/format/CDataInterface.html#data-type-description-format-strings
enum ArrowFormat: Hashable {
    case null
    case boolean
    case integer(ArrowInteger)
    case float(bits: Int)
    case decimal(scale: Int, bits: Int)
    case text32, text64, textView
    /// Days since 1970.
    case date32
    /// Milliseconds since 1970.
    case date64
    case time(ArrowUnit, bits: Int)
    case timestamp(ArrowUnit, zone: String)
    case structure
    /// Values, each with the row at which its run ends.
    case runs
    /// A type that rules cannot check, by its name in Arrow's libraries.
    case other(String)

    init(_ format: String) {
        switch format {
        case "n": self = .null
        case "b": self = .boolean
        case "e": self = .float(bits: 16)
        case "f": self = .float(bits: 32)
        case "g": self = .float(bits: 64)
        case "u", "z": self = .text32
        case "U", "Z": self = .text64
        case "vu", "vz": self = .textView
        case "tdD": self = .date32
        case "tdm": self = .date64
        case "+s": self = .structure
        case "+r": self = .runs
        default:
            if let integer = ArrowInteger(rawValue: format) {
                self = .integer(integer)
            } else if format.hasPrefix("d:"), let decimal = Self.decimal(format.dropFirst(2)) {
                self = decimal
            } else if format.hasPrefix("tt"), let unit = ArrowUnit(rawValue: String(format.dropFirst(2))) {
                self = .time(unit, bits: unit == .seconds || unit == .milliseconds ? 32 : 64)
            } else if format.hasPrefix("ts"), format.utf8.count >= 4, format.dropFirst(3).first == ":",
                let unit = ArrowUnit(rawValue: String(format.dropFirst(2).prefix(1)))
            {
                self = .timestamp(unit, zone: String(format.dropFirst(4)))
            } else {
                self = .other(Self.name(format))
            }
        }
    }

    /// The name of a type that rules cannot check, or its format if it is not an Arrow type.
    private static func name(_ format: String) -> String {
        let names = [
            "+l": "list", "+L": "large_list", "+vl": "list_view", "+vL": "large_list_view", "+m": "map",
            "tiM": "month_interval", "tiD": "day_time_interval", "tin": "month_day_nano_interval",
            "tDs": "duration[s]", "tDm": "duration[ms]", "tDu": "duration[us]", "tDn": "duration[ns]",
        ]
        if let name = names[format] { return name }
        let parts = format.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return format }
        switch parts[0] {
        case "w" where Int(parts[1]).map { $0 >= 0 } == true: return "fixed_size_binary[\(parts[1])]"
        case "+w" where Int(parts[1]).map { $0 >= 0 } == true: return "fixed_size_list[\(parts[1])]"
        case "+ud": return "dense_union"
        case "+us": return "sparse_union"
        default: return format
        }
    }

    /// `precision,scale` or `precision,scale,bits`.
    private static func decimal(_ text: Substring) -> ArrowFormat? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2 || numbers.count == 3, let scale = numbers[1] else { return nil }
        let bits = numbers.count == 3 ? numbers[2] : 128
        // 256 bits hold at most 76 digits. A larger scale is a mistake.
        guard let bits, [32, 64, 128, 256].contains(bits), (-100...100).contains(scale) else { return nil }
        return .decimal(scale: scale, bits: bits)
    }

    /// The number of buffers of an array of this type. Views may have more.
    var bufferCount: Int {
        switch self {
        case .null, .runs: 0
        case .structure: 1
        case .text32, .text64, .textView: 3
        default: 2
        }
    }
}

enum ArrowInteger: String {
    case int8 = "c"
    case uint8 = "C"
    case int16 = "s"
    case uint16 = "S"
    case int32 = "i"
    case uint32 = "I"
    case int64 = "l"
    case uint64 = "L"
}

enum ArrowUnit: String {
    case seconds = "s"
    case milliseconds = "m"
    case microseconds = "u"
    case nanoseconds = "n"

    var perSecond: Int64 {
        switch self {
        case .seconds: 1
        case .milliseconds: 1_000
        case .microseconds: 1_000_000
        case .nanoseconds: 1_000_000_000
        }
    }
}
