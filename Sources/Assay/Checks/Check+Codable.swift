/// A check is encoded as the keys of a rule in a rule file:
///
///     {"minLength": 8, "lengthUnit": "characters"}
///     {"all": [{"pattern": "\\p{Nd}", "options": ["search"]}, {"not": {"enum": ["secret1"]}}]}
///
/// The type of the values, `as`, is left out if it is that of the case's default, such as strings for `enum`.
extension Check: Codable {
    private enum Keys: String, CodingKey {
        case type, minLength, maxLength, lengthUnit, `as`, pattern, options, `enum`
        case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, jsonType, all, any, not, when, then
    }

    /// The keys of each kind of check. A check has the keys of one kind.
    private static let kinds: [[Keys]] = [
        [.all], [.any], [.not], [.when], [.pattern], [.enum], [.multipleOf], [.jsonType], [.type],
        [.minimum, .exclusiveMinimum, .maximum, .exclusiveMaximum], [.minLength, .maxLength],
    ]

    /// - Throws: `DecodingError`, also if the keys are those of several checks, because one of them would be lost.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        let found = Self.kinds.compactMap { $0.first(where: values.contains) }
        if found.count > 1 {
            throw DecodingError.dataCorruptedError(
                forKey: found[1], in: values,
                debugDescription: "a check has '\(found[0].rawValue)' or '\(found[1].rawValue)': use 'all' for both")
        }
        func type(_ usual: ValueType) throws -> ValueType {
            try values.decodeIfPresent(ValueType.self, forKey: .as) ?? usual
        }
        if values.contains(.all) {
            self = .all(try values.decode([Check].self, forKey: .all))
        } else if values.contains(.any) {
            self = .any(try values.decode([Check].self, forKey: .any))
        } else if values.contains(.not) {
            self = .not(try values.decode(Check.self, forKey: .not))
        } else if values.contains(.when) {
            self = .when(
                try values.decode(Check.self, forKey: .when), then: try values.decode(Check.self, forKey: .then))
        } else if values.contains(.pattern) {
            let names = try values.decodeIfPresent([String].self, forKey: .options) ?? []
            self = .matches(
                pattern: try values.decode(String.self, forKey: .pattern), options: try Self.options(names, values))
        } else if values.contains(.enum) {
            self = .oneOf(try values.decode([String].self, forKey: .enum), as: try type(.string))
        } else if values.contains(.multipleOf) {
            self = .multiple(of: try values.decode(String.self, forKey: .multipleOf), as: try type(.number))
        } else if values.contains(.jsonType) {
            self = .jsonType(try values.decode([JSONType].self, forKey: .jsonType))
        } else if let (min, max) = try Self.bounds(values) {
            self = .range(min: min, max: max, as: try type(.number))
        } else if values.contains(.minLength) || values.contains(.maxLength) {
            let min = try values.decodeIfPresent(Int.self, forKey: .minLength)
            let max = try values.decodeIfPresent(Int.self, forKey: .maxLength)
            let unit = try values.decodeIfPresent(LengthUnit.self, forKey: .lengthUnit)
            self =
                values.contains(.as)
                ? .count(min: min, max: max, as: try type(.list))
                : .length(min: min, max: max, in: unit ?? .scalars)
        } else {
            self = .type(try ValueType(from: decoder))
        }
    }

    private static func options(
        _ names: [String], _ values: KeyedDecodingContainer<Keys>
    ) throws -> Pattern.Options {
        try names.reduce(into: []) { options, name in
            guard let known = Pattern.Options.names.first(where: { $0.name == name }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .options, in: values, debugDescription: "no option is called '\(name)'")
            }
            options.insert(known.option)
        }
    }

    private static func bounds(_ values: KeyedDecodingContainer<Keys>) throws -> (min: Bound?, max: Bound?)? {
        func bound(_ inclusive: Keys, _ exclusive: Keys) throws -> Bound? {
            let key = values.contains(exclusive) ? exclusive : inclusive
            if key == exclusive && values.contains(inclusive) {
                throw DecodingError.dataCorruptedError(
                    forKey: exclusive, in: values,
                    debugDescription: "a check has '\(inclusive.rawValue)' or '\(exclusive.rawValue)', not both")
            }
            return try values.decodeIfPresent(String.self, forKey: key).map {
                Bound($0, isExclusive: key == exclusive)
            }
        }
        let keys: [Keys] = [.minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum]
        guard keys.contains(where: values.contains) else { return nil }
        return (try bound(.minimum, .exclusiveMinimum), try bound(.maximum, .exclusiveMaximum))
    }

    public func encode(to encoder: any Encoder) throws {
        if case .type(let type) = self { return try type.encode(to: encoder) }
        var values = encoder.container(keyedBy: Keys.self)
        func encode(_ type: ValueType, unless usual: ValueType? = nil) throws {
            if type != usual { try values.encode(type, forKey: .as) }
        }
        // Without bounds, a null shows which case it is.
        func encode(lengths min: Int?, _ max: Int?) throws {
            if min != nil || max == nil { try values.encode(min, forKey: .minLength) }
            try values.encodeIfPresent(max, forKey: .maxLength)
        }
        switch self {
        case .type: break
        case .length(let min, let max, let unit):
            try encode(lengths: min, max)
            try values.encode(unit, forKey: .lengthUnit)
        case .count(let min, let max, let type):
            try encode(lengths: min, max)
            try encode(type)
        case .matches(let pattern, let options):
            try values.encode(pattern, forKey: .pattern)
            let names = Pattern.Options.names.filter { options.contains($0.option) }.map(\.name)
            if !names.isEmpty { try values.encode(names, forKey: .options) }
        case .oneOf(let list, let type):
            try values.encode(list, forKey: .enum)
            try encode(type, unless: .string)
        case .range(let min, let max, let type):
            if min != nil || max == nil {
                try values.encode(min?.text, forKey: min?.isExclusive == true ? .exclusiveMinimum : .minimum)
            }
            if let max { try values.encode(max.text, forKey: max.isExclusive ? .exclusiveMaximum : .maximum) }
            try encode(type, unless: .number)
        case .multiple(let divisor, let type):
            try values.encode(divisor, forKey: .multipleOf)
            try encode(type, unless: .number)
        case .jsonType(let types): try values.encode(types, forKey: .jsonType)
        case .all(let checks): try values.encode(checks, forKey: .all)
        case .any(let checks): try values.encode(checks, forKey: .any)
        case .not(let check): try values.encode(check, forKey: .not)
        case .when(let condition, let then):
            try values.encode(condition, forKey: .when)
            try values.encode(then, forKey: .then)
        }
    }
}

/// A type is encoded as the keys of a field in a rule file, such as `{"type": "number", "decimalChar": ","}`.
extension ValueType: Codable {
    private enum Keys: String, CodingKey {
        case type, format, decimalChar, groupChar, bareNumber, trueValues, falseValues, itemType, delimiter
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        func text(_ key: Keys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
        self.init(
            try values.decode(Kind.self, forKey: .type), format: try text(.format), decimalChar: try text(.decimalChar),
            groupChar: try text(.groupChar),
            isBareNumber: try values.decodeIfPresent(Bool.self, forKey: .bareNumber) ?? true,
            trueValues: try values.decodeIfPresent([String].self, forKey: .trueValues),
            falseValues: try values.decodeIfPresent([String].self, forKey: .falseValues),
            itemType: try values.decodeIfPresent(Kind.self, forKey: .itemType), delimiter: try text(.delimiter))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(kind, forKey: .type)
        try values.encodeIfPresent(format, forKey: .format)
        try values.encodeIfPresent(decimalChar, forKey: .decimalChar)
        try values.encodeIfPresent(groupChar, forKey: .groupChar)
        if !isBareNumber { try values.encode(false, forKey: .bareNumber) }
        try values.encodeIfPresent(trueValues, forKey: .trueValues)
        try values.encodeIfPresent(falseValues, forKey: .falseValues)
        try values.encodeIfPresent(itemType, forKey: .itemType)
        try values.encodeIfPresent(delimiter, forKey: .delimiter)
    }
}
