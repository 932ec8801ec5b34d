extension Reason {
    /// The reason of a value that fails a check. It is the same for a requirement and for the rule file written from
    /// it.
    init(failing check: Check) {
        switch check {
        case .type(let type):
            self =
                type.kind == .string && type.format != nil
                ? Reason(rule: "string.format", parameters: ["format": .text(type.format ?? "")])
                : Reason(rule: "value.type", parameters: ["type": .text(type.kind.rawValue)])
        case .length(let min, let max, let unit): self.init(length: min, max, unit)
        case .count(let min, let max, _): self.init(count: min, max)
        case .matches(let source, _):
            self =
                TextClass(check)?.reason ?? Reason(rule: "string.matches", parameters: ["pattern": .text(source)])
        case .isTrue: self.init(rule: "value.require")
        case .oneOf(let values, _): self.init(oneOf: values)
        case .range(let min, let max, let type): self.init(range: min, max, type)
        case .multiple(let divisor, _):
            self.init(rule: "number.multipleOf", parameters: ["divisor": .text(divisor)])
        case .jsonType(let types):
            self.init(rule: "value.type", parameters: ["type": .text(types.map(\.rawValue).joined(separator: ", "))])
        case .any: self = .anyOf
        case .not: self = .not
        case .all(let checks): self = checks.first.map(Reason.init(failing:)) ?? .not
        case .when(_, let then): self.init(failing: then)
        }
    }

    /// - Parameter values: The allowed values as texts.
    init(oneOf values: [String]) {
        // A single value may be a secret, such as a repeated password.
        self.init(
            rule: values.count == 1 ? "value.equals" : "value.oneOf",
            parameters: values.count < 2 ? [:] : ["values": .text(Self.listed(values))])
    }

    /// The values, separated by commas, as far as there is room in a message.
    private static func listed(_ values: [String]) -> String {
        var (text, count) = ("", 0)
        for value in values where count == 0 || text.utf8.count + value.utf8.count < 1_000 {
            text += (count == 0 ? "" : ", ") + value
            count += 1
        }
        return count == values.count ? text : text + ", …"
    }

    /// This reason with the failure reason of a built-in type.
    func explained(by failureReason: FailureReason) -> Reason {
        var reason = self
        reason.parameters["failureReason"] = .text(failureReason.name)
        return reason
    }

    private init(length min: Int?, _ max: Int?, _ unit: LengthUnit) {
        if min == 1 && max == nil && unit == .utf8 {
            self.init(rule: "string.notEmpty")
            return
        }
        let rule = max == nil ? "string.minLength" : min == nil ? "string.maxLength" : "string.length"
        var parameters: [String: Parameter] = [:]
        if let min { parameters["min"] = .integer(min) }
        if let max { parameters["max"] = .integer(max) }
        // Messages call scalars characters.
        let text = unit == .utf8 || unit == .utf16 ? "\(rule).\(unit.rawValue)" : rule
        self.init(rule: rule, parameters: parameters, text: text)
    }

    private init(count min: Int?, _ max: Int?) {
        let rule = max == nil ? "collection.minCount" : min == nil ? "collection.maxCount" : "collection.count"
        var parameters: [String: Parameter] = [:]
        if let min { parameters["min"] = .integer(min) }
        if let max { parameters["max"] = .integer(max) }
        self.init(rule: rule, parameters: parameters)
    }

    private init(range min: Bound?, _ max: Bound?, _ type: ValueType) {
        func parameter(_ bound: Bound) -> Parameter {
            if let integer = Int(bound.text) { return .integer(integer) }
            if type.kind == .number, let number = Double(bound.text) { return .number(number) }
            return .text(bound.text)
        }
        let rule =
            switch (min, max) {
            case (let min?, nil): min.isExclusive ? "number.greaterThan" : "number.min"
            case (nil, let max?): max.isExclusive ? "number.lessThan" : "number.max"
            default: "number.range"
            }
        var parameters: [String: Parameter] = [:]
        if let min { parameters["min"] = parameter(min) }
        if let max { parameters["max"] = parameter(max) }
        if isFiniteRange(min, max) {
            self.init(rule: "number.finite")
        } else {
            self.init(rule: rule, parameters: parameters, text: rule == "number.range" ? Self.rangeText(min, max) : nil)
        }
    }

    /// The message key of a range, depending on which bounds are exclusive.
    private static func rangeText(_ min: Bound?, _ max: Bound?) -> String {
        switch (min?.isExclusive ?? false, max?.isExclusive ?? false) {
        case (false, false): "number.range"
        case (false, true): "number.range.exclusiveMax"
        case (true, false): "number.range.exclusiveMin"
        case (true, true): "number.range.exclusive"
        }
    }
}

/// Whether a range has exactly the finite numbers of a type.
func isFiniteRange(_ min: Bound?, _ max: Bound?) -> Bool {
    guard let min, let max, !min.isExclusive, !max.isExclusive else { return false }
    let greatest = [Double.greatestFiniteMagnitude.cellText, Float.greatestFiniteMagnitude.cellText]
    return greatest.contains(max.text) && min.text == "-" + max.text
}

extension Check {
    /// The check that a Boolean is true.
    static let isTrue = Check.oneOf(["true"], as: .boolean)
}
