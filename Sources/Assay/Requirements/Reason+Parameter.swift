extension Reason.Parameter {
    public static func == (one: Self, other: Self) -> Bool {
        switch (one.normalized, other.normalized) {
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.text(let one), .text(let other)): one == other
        case (.integer, _), (.number, _), (.text, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch normalized {
        case .integer(let integer): hasher.combine(integer)
        case .number(let number): hasher.combine(number)
        case .text(let text): hasher.combine(text)
        }
    }

    /// A whole number as an integer, if it fits into one.
    private var normalized: Self {
        if case .number(let number) = self, let integer = Int(exactly: number) { return .integer(integer) }
        return self
    }
}

/// A JSON number or string. JSON has no numbers for infinity and NaN, which are encoded as `{"number": "inf"}`.
extension Reason.Parameter: Codable {
    private enum Key: String, CodingKey {
        case number
    }

    public init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: Key.self) {
            let text = try values.decode(String.self, forKey: .number)
            guard let number = Double(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .number, in: values, debugDescription: "'\(text)' is not a number")
            }
            self = .number(number)
            return
        }
        let value = try decoder.singleValueContainer()
        if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if case .number(let number) = self, !number.isFinite {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode("\(number)", forKey: .number)
            return
        }
        var value = encoder.singleValueContainer()
        switch self {
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        }
    }
}
