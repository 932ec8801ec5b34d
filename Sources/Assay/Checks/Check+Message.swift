extension Check {
    /// The message for a value that fails this check: a sentence without its subject, such as `is not a date`.
    public var failureMessage: String {
        switch self {
        case .type(let type): type.failureMessage
        case .length(let min, let max, let unit): Self.lengthMessage(min: min, max: max, unit: unit)
        case .count(let min, let max, let type): Self.countMessage(min, max, of: type)
        case .matches(let source, let options):
            (options.contains(.search) ? "contains no match for " : "does not match ") + Self.shortened(source)
        case .oneOf(let values, _): "is not one of \(Self.listed(values))"
        case .range(let min, let max, _): Self.rangeMessage(min: min, max: max)
        case .multiple(let divisor, _): "is not a multiple of \(Self.shortened(divisor))"
        case .jsonType(let types): "is not " + JSONType.inWords(types)
        case .all(let checks): Self.joined(checks, by: " or ", "fails one of")
        case .any(let checks):
            valuesOfTypes.map { "is not one of \(Self.listed($0))" } ?? Self.joined(checks, by: " and ", "fails")
        case .not(.matches(let source, _)): "matches \(Self.shortened(source)), and must not"
        case .not(.oneOf(let values, _)): "must not be one of \(Self.listed(values))"
        case .not: "is forbidden by the rule"
        case .when(.jsonType, let then): then.failureMessage
        case .when(_, let then): then.failureMessage + ", as its condition requires"
        }
    }

    /// `fails` is the message for checks whose messages are too long.
    private static func joined(_ checks: [Check], by word: String, _ fails: String) -> String {
        if checks.isEmpty { return "can never pass" }
        let shown = checks.prefix(4).map(\.failureMessage)
        let others = checks.count - shown.count
        return (others == 0 ? shown : shown + ["\(fails) \(others) more"]).joined(separator: word)
    }

    private static func lengthMessage(min: Int?, max: Int?, unit: LengthUnit) -> String {
        func amount(_ count: Int) -> String {
            let noun =
                switch unit {
                case .characters, .scalars: "character"
                case .utf16: "UTF-16 unit"
                case .utf8: "byte"
                }
            return "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
        switch (min, max) {
        case (let min?, let max?) where min == max: return "is not \(amount(min)) long"
        case (let min?, let max?): return "is not \(min) to \(amount(max)) long"
        case (let min?, nil): return "is shorter than \(amount(min))"
        case (nil, let max?): return "is longer than \(amount(max))"
        case (nil, nil): return "has no length"
        }
    }

    private static func countMessage(_ min: Int?, _ max: Int?, of type: ValueType) -> String {
        func amount(_ count: Int) -> String { type.memberCount(count) }
        return switch (min, max) {
        case (let min?, let max?) where min == max: "does not have \(amount(min))"
        case (let min?, let max?): "does not have \(min) to \(amount(max))"
        case (let min?, nil): "has fewer than \(amount(min))"
        case (nil, let max?): "has more than \(amount(max))"
        case (nil, nil): "has no number of \(type.kind == .object ? "members" : "items")"
        }
    }

    private static func rangeMessage(min: Bound?, max: Bound?) -> String {
        func low(_ bound: Bound) -> String { (bound.isExclusive ? "is not above " : "is below ") + bound.text }
        func high(_ bound: Bound) -> String { (bound.isExclusive ? "is not below " : "is above ") + bound.text }
        switch (min, max) {
        case (let min?, let max?): return "\(low(min)) or \(high(max))"
        case (let min?, nil): return low(min)
        case (nil, let max?): return high(max)
        case (nil, nil): return "is not in any range"
        }
    }

    /// The values of several types of JSON, as the `enum` of a JSON Schema lists them, with quotes around strings.
    /// `nil` for other checks.
    package var valuesOfTypes: [String]? {
        guard case .any(let checks) = self, checks.count > 1 else { return nil }
        var values: [String] = []
        for check in checks {
            switch check {
            case .jsonType([.null]): values.append("null")
            case .all(let parts):
                guard parts.count == 2, case .jsonType(let types) = parts[0], types.count == 1,
                    case .oneOf(let texts, _) = parts[1]
                else { return nil }
                values += texts.map { types[0] == .string ? "\"\($0)\"" : $0 }
            default: return nil
            }
        }
        return values
    }

    private static func listed(_ values: [String]) -> String {
        let shown = values.prefix(6).map(shortened).joined(separator: ", ")
        return values.count > 6 ? "\(shown) and \(values.count - 6) more" : shown
    }

    static func shortened(_ text: String) -> String {
        text.isEmpty ? "''" : text.count > 60 ? text.prefix(59) + "…" : text
    }
}

extension JSONType {
    /// `a string, an integer or null`
    static func inWords(_ types: [JSONType]) -> String {
        let names = types.map(\.inWords)
        guard let last = names.last else { return "a value" }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or " + last
    }

    private var inWords: String {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .integer: "an integer"
        case .boolean: "true or false"
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension ValueType {
    /// The message for a value that is not of this type.
    var failureMessage: String {
        let form = format.map { $0 == "default" ? "" : " of the form \($0)" } ?? ""
        switch kind {
        case .any: return "is not a value"
        case .string:
            return "is not \(format.flatMap(BuiltInType.named)?.displayName ?? "text")"
        case .integer: return "is not an integer"
        case .number: return "is not a number"
        case .boolean: return "is not true or false"
        case .date: return form.isEmpty ? "is not a date (YYYY-MM-DD)" : "is not a date\(form)"
        case .time: return form.isEmpty ? "is not a time (hh:mm:ss)" : "is not a time\(form)"
        case .datetime:
            return form.isEmpty ? "is not a date and time (YYYY-MM-DDThh:mm:ss)" : "is not a date and time\(form)"
        case .year: return "is not a year (YYYY)"
        case .yearmonth: return "is not a month (YYYY-MM)"
        case .duration: return "is not a duration (PnYnMnDTnHnMnS)"
        case .list: return "is not a list" + (itemType ?? .string).asItems
        case .array: return "is not an array of JSON"
        case .object: return "is not an object of JSON"
        }
    }

    /// A number of the units that its values consist of.
    func memberCount(_ count: Int) -> String {
        "\(count) \(kind == .object ? "member" : "item")\(count == 1 ? "" : "s")"
    }
}

extension Field {
    /// The message for a value that is not of the type and that ``Repair/canonical(_:)`` cannot convert to it.
    var typeMessage: String {
        var message = type.failureMessage
        for case .canonical(let options) in repair {
            if !options.from.isEmpty {
                let shown = options.from.prefix(4).map(Check.shortened).joined(separator: " or ")
                let others = options.from.count - 4
                message += ", nor made one by \(shown)" + (others > 0 ? " or \(others) more" : "")
            }
            if let region = options.region { message += ", nor one as it is dialled in \(region)" }
        }
        return message
    }
}

extension Field {
    /// Whether ``Repair/canonical(_:)`` may know the reason why a value is not of the type.
    var hasRepairReasons: Bool {
        repair.contains { if case .canonical = $0 { true } else { false } }
    }
}

extension ValueType.Kind {
    /// As in "a list of integers". Empty for strings, because every text is a string.
    var asItems: String {
        switch self {
        case .any, .string: ""
        case .boolean: " of true and false"
        case .datetime: " of dates and times"
        case .yearmonth: " of months"
        default: " of \(rawValue)s"
        }
    }
}
