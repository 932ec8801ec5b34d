/// A question about where a value lies among others. NaN lies nowhere.
struct RangeLeaf<Value: Comparable & Sendable>: RequirementLeaf {
    let min: Value?
    let max: Value?
    let minIsExclusive: Bool
    let maxIsExclusive: Bool
    let failure: Reason

    func evaluate(_ value: Value) -> Evaluation {
        // NaN is the one value that is not itself.
        guard value == value else { return .failed(reason: failure) }
        if let min, minIsExclusive ? !(value > min) : !(value >= min) { return .failed(reason: failure) }
        if let max, maxIsExclusive ? !(value < max) : !(value <= max) { return .failed(reason: failure) }
        return .confirmed
    }

    var check: Check? {
        let type: ValueType
        if Value.self is any BinaryInteger.Type {
            type = .integer
        } else if Value.self is any BinaryFloatingPoint.Type {
            type = .number
        } else {
            return nil
        }
        return .range(
            min: min.map { Bound("\($0)", isExclusive: minIsExclusive) },
            max: max.map { Bound("\($0)", isExclusive: maxIsExclusive) }, as: type)
    }
}

extension Reason.Parameter {
    init(_ value: some Any) {
        switch value {
        case let value as Int: self = .integer(value)
        case let value as Double: self = .number(value)
        default: self = .text("\(value)")
        }
    }
}

extension Requirement where Value: Comparable & Sendable {
    private static func range(
        _ rule: String, min: Value? = nil, max: Value? = nil, minIsExclusive: Bool = false, maxIsExclusive: Bool = false
    ) -> Self {
        var parameters: [String: Reason.Parameter] = [:]
        if let min { parameters["min"] = Reason.Parameter(min) }
        if let max { parameters["max"] = Reason.Parameter(max) }
        return Self(
            .leaf(
                RangeLeaf(
                    min: min, max: max, minIsExclusive: minIsExclusive, maxIsExclusive: maxIsExclusive,
                    failure: Reason(rule: rule, parameters: parameters))))
    }

    /// Within the range, both ends included. NaN is in no range.
    public static func inRange(_ range: ClosedRange<Value>) -> Self {
        self.range("number.range", min: range.lowerBound, max: range.upperBound)
    }

    /// Within the range, the upper end excluded.
    public static func inRange(_ range: Range<Value>) -> Self {
        self.range("number.range", min: range.lowerBound, max: range.upperBound, maxIsExclusive: true)
    }

    /// At least the bound.
    public static func inRange(_ range: PartialRangeFrom<Value>) -> Self { greaterThanOrEqual(range.lowerBound) }

    /// At most the bound.
    public static func inRange(_ range: PartialRangeThrough<Value>) -> Self { lessThanOrEqual(range.upperBound) }

    /// Below the bound.
    public static func inRange(_ range: PartialRangeUpTo<Value>) -> Self { lessThan(range.upperBound) }

    public static func greaterThan(_ bound: Value) -> Self {
        range("number.greaterThan", min: bound, minIsExclusive: true)
    }

    public static func greaterThanOrEqual(_ bound: Value) -> Self { range("number.min", min: bound) }

    public static func lessThan(_ bound: Value) -> Self {
        range("number.lessThan", max: bound, maxIsExclusive: true)
    }

    public static func lessThanOrEqual(_ bound: Value) -> Self { range("number.max", max: bound) }
}

extension Requirement where Value: Hashable & Sendable {
    /// One of these.
    public static func oneOf(_ values: Set<Value>) -> Self {
        if let texts = values as? Set<String>,
            let requirement = Requirement<String>(
                .leaf(TextLeaf(.oneOf(texts.sorted()), Reason(rule: "value.oneOf")))) as? Self
        {
            return requirement
        }
        let reason = Reason(rule: "value.oneOf")
        return Self { values.contains($0) ? .confirmed : .failed(reason: reason) }
    }

    /// Equal to another value, such as the password typed before.
    public static func equals(_ other: Value) -> Self {
        let reason = Reason(rule: "value.equals")
        return Self { $0 == other ? .confirmed : .failed(reason: reason) }
    }
}

extension Requirement where Value: Collection {
    /// At least one element.
    public static func notEmpty() -> Self {
        Self(.leaf(CountLeaf(min: 1, max: nil, failure: Reason(rule: "collection.notEmpty"))))
    }

    /// From so many elements to so many, both included; `nil` is open.
    public static func count(min: Int? = nil, max: Int? = nil) -> Self {
        let rule = min == nil ? "collection.maxCount" : max == nil ? "collection.minCount" : "collection.count"
        var parameters: [String: Reason.Parameter] = [:]
        if let min { parameters["min"] = .integer(min) }
        if let max { parameters["max"] = .integer(max) }
        return Self(.leaf(CountLeaf(min: min, max: max, failure: Reason(rule: rule, parameters: parameters))))
    }

    /// Every element is what the requirement asks. Reasons say which one is not: `[3].price`.
    public static func each(_ requirement: Requirement<Value.Element>) -> Self {
        Self(.leaf(EachLeaf(requirement: requirement)))
    }
}

private struct CountLeaf<Value: Collection>: RequirementLeaf {
    let min: Int?
    let max: Int?
    let failure: Reason

    func evaluate(_ value: Value) -> Evaluation {
        let count = value.count
        return count < min ?? 0 || count > max ?? .max ? .failed(reason: failure) : .confirmed
    }
}

private struct EachLeaf<Value: Collection>: RequirementLeaf {
    let requirement: Requirement<Value.Element>

    func evaluate(_ value: Value) -> Evaluation {
        for (index, element) in value.enumerated() {
            if case .failed(let reason) = requirement.evaluate(element) {
                return .failed(reason: reason.inside(.index(index)))
            }
        }
        return .confirmed
    }

    func collect(_ value: Value, limit: Int, into reasons: inout [Reason]) {
        for (index, element) in value.enumerated() where reasons.count < limit {
            var inner: [Reason] = []
            requirement.collect(element, limit: limit - reasons.count, into: &inner)
            reasons += inner.map { $0.inside(.index(index)) }
        }
    }
}

extension Requirement {
    /// There is a value, and it is what the requirement asks.
    public static func notNil<Wrapped>(_ requirement: Requirement<Wrapped> = .always) -> Self where Value == Wrapped? {
        Self(.leaf(OptionalLeaf(requirement: requirement, nilIsConfirmed: false)))
    }

    /// There is no value, or it is what the requirement asks.
    public static func ifPresent<Wrapped>(_ requirement: Requirement<Wrapped>) -> Self where Value == Wrapped? {
        Self(.leaf(OptionalLeaf(requirement: requirement, nilIsConfirmed: true)))
    }
}

private struct OptionalLeaf<Wrapped>: RequirementLeaf {
    let requirement: Requirement<Wrapped>
    let nilIsConfirmed: Bool

    func evaluate(_ value: Wrapped?) -> Evaluation {
        guard let value else { return nilIsConfirmed ? .confirmed : .failed(reason: .missing) }
        return requirement.evaluate(value)
    }

    func collect(_ value: Wrapped?, limit: Int, into reasons: inout [Reason]) {
        if let value {
            requirement.collect(value, limit: limit, into: &reasons)
        } else if !nilIsConfirmed && reasons.count < limit {
            reasons.append(.missing)
        }
    }
}
