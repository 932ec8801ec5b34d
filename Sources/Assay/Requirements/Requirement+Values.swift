extension Requirement where Value: Comparable & Sendable {
    private static func bounded(
        min: Value? = nil, max: Value? = nil, minIsExclusive: Bool = false, maxIsExclusive: Bool = false
    ) -> Self {
        Self(RangeNode(min: min, max: max, minIsExclusive: minIsExclusive, maxIsExclusive: maxIsExclusive))
    }

    /// Within the range, both bounds inclusive. NaN is in no range.
    public static func inRange(_ range: ClosedRange<Value>) -> Self {
        bounded(min: range.lowerBound, max: range.upperBound)
    }

    /// Within the range, the upper bound exclusive.
    public static func inRange(_ range: Range<Value>) -> Self {
        bounded(min: range.lowerBound, max: range.upperBound, maxIsExclusive: true)
    }

    /// At least the bound.
    public static func inRange(_ range: PartialRangeFrom<Value>) -> Self { greaterThanOrEqual(range.lowerBound) }

    /// At most the bound.
    public static func inRange(_ range: PartialRangeThrough<Value>) -> Self { lessThanOrEqual(range.upperBound) }

    /// Less than the bound.
    public static func inRange(_ range: PartialRangeUpTo<Value>) -> Self { lessThan(range.upperBound) }

    /// Greater than the bound.
    public static func greaterThan(_ bound: Value) -> Self { bounded(min: bound, minIsExclusive: true) }

    /// Greater than or equal to the bound.
    public static func greaterThanOrEqual(_ bound: Value) -> Self { bounded(min: bound) }

    /// Less than the bound.
    public static func lessThan(_ bound: Value) -> Self { bounded(max: bound, maxIsExclusive: true) }

    /// Less than or equal to the bound.
    public static func lessThanOrEqual(_ bound: Value) -> Self { bounded(max: bound) }
}

extension Requirement where Value: Hashable & Sendable {
    /// One of these values. Texts are compared byte by byte, as in a file.
    public static func oneOf(_ values: Set<Value>) -> Self {
        if let texts = values as? Set<String>, let requirement = Requirement<String>.oneOf(Array(texts)) as? Self {
            return requirement
        }
        if let texts = values as? Set<Substring>, let requirement = Requirement<Substring>.oneOf(Array(texts)) as? Self
        {
            return requirement
        }
        return Self(SetNode(values))
    }

    /// Equal to another value, such as a repeated password. Texts are compared byte by byte, as in a file.
    public static func equals(_ other: Value) -> Self { oneOf([other]) }
}

extension Requirement<Substring> {
    /// One of these texts, compared byte by byte, as in a file.
    public static func oneOf(_ values: some Sequence<Substring>) -> Self {
        do {
            return try Self(.oneOf(values.map { String($0) }.sorted()))
        } catch {
            return .unsatisfiable("\(error)")
        }
    }
}

extension Requirement {
    /// A property of the value is `true`.
    ///
    ///     Requirement<Bool>.require(\.self).because("Please accept the terms")
    public static func require(_ keyPath: any KeyPath<Value, Bool> & Sendable) -> Self { Self(PropertyNode(keyPath)) }
}
