/// A description of a requirement, and whether it needs parentheses inside a larger one.
struct Phrase {
    var text: String
    var isCompound: Bool

    static func plain(_ text: String) -> Phrase { Phrase(text: text, isCompound: false) }
    static func compound(_ text: String) -> Phrase { Phrase(text: text, isCompound: true) }

    /// The parts with a conjunction between them; `none` if there are no parts.
    static func joined(_ parts: [Phrase], by joint: String, none: String) -> Phrase {
        if parts.count < 2 { return parts.first ?? .plain(none) }
        return .compound(parts.map(\.parenthesized).joined(separator: joint))
    }

    var parenthesized: String { isCompound ? "(\(text))" : text }
}

extension Requirement: CustomStringConvertible {
    /// The requirement in English, on one line.
    ///
    ///     print(password)     // at least 8 characters, and a digit, and an upper-case letter
    public var description: String { node.phrase.text.onOneLine(limit: .max) }
}

extension Check {
    /// A description of the texts that pass this check.
    var phrase: Phrase {
        switch self {
        case .type(let type): .plain(type.phrase)
        case .length(let min, let max, let unit): .plain(Self.lengthWords(min, max, unit))
        case .count(let min, let max, let type): .plain(Self.countWords(min, max, type))
        case .matches(let source, let options):
            .plain(
                TextClass(self)?.phrase
                    ?? ((options.contains(.search) ? "something that matches " : "text that matches ") + source))
        case .oneOf(let values, _): .plain(Self.listWords(values))
        case .range(let min, let max, _): .plain(Self.rangeWords(min, max))
        case .multiple(let divisor, _): .plain("a multiple of \(divisor)")
        case .jsonType(let types): .plain(JSONType.inWords(types))
        case .all(let checks): .joined(checks.map(\.phrase), by: ", and ", none: "anything")
        case .any(let checks): .joined(checks.map(\.phrase), by: ", or ", none: "nothing")
        case .not(let check): .compound("not: \(check.phrase.parenthesized)")
        case .when(let condition, let then):
            .compound("if \(condition.phrase.parenthesized), then \(then.phrase.parenthesized)")
        }
    }

    private static func lengthWords(_ min: Int?, _ max: Int?, _ unit: LengthUnit) -> String {
        func amount(_ count: Int) -> String {
            let noun =
                switch unit {
                case .characters: "character"
                case .scalars: "Unicode scalar"
                case .utf16: "UTF-16 unit"
                case .utf8: "byte"
                }
            return "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
        switch (min, max) {
        case (1, nil): return "not empty"
        case (let min?, let max?) where min == max: return "exactly \(amount(min))"
        case (let min?, let max?): return "\(min) to \(amount(max))"
        case (let min?, nil): return "at least \(amount(min))"
        case (nil, let max?): return "at most \(amount(max))"
        case (nil, nil): return "of any length"
        }
    }

    private static func countWords(_ min: Int?, _ max: Int?, _ type: ValueType) -> String {
        switch (min, max) {
        case (let min?, let max?) where min == max: "exactly \(type.memberCount(min))"
        case (let min?, let max?): "\(min) to \(type.memberCount(max))"
        case (let min?, nil): "at least \(type.memberCount(min))"
        case (nil, let max?): "at most \(type.memberCount(max))"
        case (nil, nil): "any number of \(type.kind == .object ? "members" : "items")"
        }
    }

    private static func rangeWords(_ min: Bound?, _ max: Bound?) -> String {
        if isFiniteRange(min, max) { return "a finite number" }
        let low = min.map { ($0.isExclusive ? "more than " : "at least ") + $0.text }
        let high = max.map { ($0.isExclusive ? "less than " : "at most ") + $0.text }
        let ends = [low, high].compactMap { $0 }
        return ends.isEmpty ? "anything" : ends.joined(separator: " and ")
    }

    private static func listWords(_ values: [String]) -> String {
        // A single value may be a secret, such as a repeated password.
        if values.count == 1 { return "equal to the expected value" }
        let shown = values.prefix(6).map(\.debugDescription).joined(separator: ", ")
        return "one of \(shown)" + (values.count > 6 ? " and \(values.count - 6) more" : "")
    }
}

extension ValueType {
    fileprivate var phrase: String {
        switch (kind, format) {
        case (.any, _), (.string, nil), (.string, "default"): "any text"
        case (.string, let format?): "text of the format \(format)"
        case (_, let format?): "a \(kind.rawValue) of the form \(format)"
        case (.integer, nil): "an integer"
        case (.list, nil): "a list" + (itemType ?? .string).asItems
        case (.array, nil): "an array of JSON"
        case (.object, nil): "an object of JSON"
        case (_, nil): "a \(kind.rawValue)"
        }
    }
}
