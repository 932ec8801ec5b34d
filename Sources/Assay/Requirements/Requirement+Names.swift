// Shorter spellings, as in other libraries (Assay.docc/FromVapor.md).

/// The least and the greatest integer in a range; `nil` means no limit.
private func bounds(_ range: some RangeExpression<Int>) -> (min: Int?, max: Int?) {
    switch range {
    case let range as ClosedRange<Int>: return (range.lowerBound, range.upperBound)
    case let range as PartialRangeFrom<Int>: return (range.lowerBound, nil)
    case let range as PartialRangeThrough<Int>: return (nil, range.upperBound)
    default:
        let range = range.relative(to: 0..<Int.max)
        return (range.lowerBound, range.upperBound - 1)
    }
}

extension Requirement where Value == String {
    /// A length in this range: `.length(3...20)`, `.length(3...)`, `.length(...20)`. The default unit, `.characters`,
    /// counts grapheme clusters.
    public static func length(_ range: some RangeExpression<Int>, in unit: LengthUnit = .characters) -> Self {
        let (min, max) = bounds(range)
        return text(.length(min: min, max: max, in: unit))
    }

    /// A number of characters in this range, as ``length(_:in:)``.
    public static func count(_ range: some RangeExpression<Int>) -> Self { length(range) }

    /// An e-mail address (RFC 5321), as ``email(_:)`` without options.
    public static var email: Self { email() }

    /// A public web address, as ``url(schemes:credentials:localhost:ip:privateIP:unicode:port:)`` without options.
    public static var url: Self { url() }

    /// Only letters, marks and digits of any script (`\p{L}`, `\p{M}`, `\p{N}`). The empty text is accepted.
    ///
    ///     .alphanumeric && .ascii     // only A–Z, a–z, 0–9
    public static var alphanumeric: Self { text(TextClass.alphanumeric.check) }

    /// Only ASCII characters (0–127), including control characters. The empty text is accepted.
    public static var ascii: Self { text(TextClass.ascii.check) }

    /// The text begins with this one, compared byte by byte.
    public static func hasPrefix(_ prefix: String) -> Self { text(TextClass.prefix(prefix).check) }

    /// The text ends with this one, compared byte by byte.
    public static func hasSuffix(_ suffix: String) -> Self { text(TextClass.suffix(suffix).check) }

    /// The text contains this one, compared byte by byte.
    public static func contains(_ part: String) -> Self { text(TextClass.part(part).check) }

    /// The whole text matches a pattern, as ``matches(pattern:dialect:options:)``.
    public static func pattern(_ pattern: String, options: Pattern.Options = []) -> Self {
        matches(pattern: pattern, options: options)
    }
}

extension Requirement where Value: Collection {
    /// A number of elements in this range: `.count(1...3)`, `.count(1...)`.
    public static func count(_ range: some RangeExpression<Int>) -> Self {
        let (min, max) = bounds(range)
        return count(min: min, max: max)
    }
}

extension Requirement where Value: Comparable & Sendable {
    /// Within the range, both bounds inclusive, as ``inRange(_:)-(ClosedRange<Value>)``. NaN is in no range.
    public static func range(_ range: ClosedRange<Value>) -> Self { inRange(range) }

    /// Within the range, the upper bound exclusive.
    public static func range(_ range: Range<Value>) -> Self { inRange(range) }

    /// At least the bound.
    public static func range(_ range: PartialRangeFrom<Value>) -> Self { inRange(range) }

    /// At most the bound.
    public static func range(_ range: PartialRangeThrough<Value>) -> Self { inRange(range) }

    /// Less than the bound.
    public static func range(_ range: PartialRangeUpTo<Value>) -> Self { inRange(range) }
}

extension Requirement where Value: Hashable & Sendable {
    /// One of these values, as ``oneOf(_:)-(Set<Value>)``: `.in(["free", "team"])`. Texts are compared byte by byte.
    public static func `in`(_ values: some Sequence<Value>) -> Self {
        let values = Array(values)
        // Not a set of texts, because a set has only one of several equivalent spellings.
        if let texts = values as? [String], let requirement = Requirement<String>.oneOf(texts) as? Self {
            return requirement
        }
        if let texts = values as? [Substring], let requirement = Requirement<Substring>.oneOf(texts) as? Self {
            return requirement
        }
        return oneOf(Set(values))
    }
}

extension Requirement where Value: BinaryInteger & Sendable {
    /// A multiple of this integer, which must not be 0.
    public static func multiple(of divisor: Value) -> Self {
        if divisor == 0 { return .unsatisfiable("0 has no multiples but itself") }
        // A negative divisor has the same multiples. The magnitude of the minimum is not a value of the type.
        if divisor < 0, let positive = Value(exactly: divisor.magnitude) { return Self(MultipleNode(positive)) }
        return Self(MultipleNode(divisor))
    }
}

extension Requirement where Value: BinaryFloatingPoint & Sendable {
    /// A finite number: neither an infinity nor NaN.
    public static var isFinite: Self { inRange(-Value.greatestFiniteMagnitude...Value.greatestFiniteMagnitude) }
}

extension Requirement {
    /// A requirement for an optional value that accepts `nil`, as ``ifPresent(_:)``.
    ///
    ///     let nickname = Requirement<String?>(.length(3...20))
    public init<Wrapped>(_ requirement: Requirement<Wrapped>) where Value == Wrapped? {
        self = .ifPresent(requirement)
    }
}
