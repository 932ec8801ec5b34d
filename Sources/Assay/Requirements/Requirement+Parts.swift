extension Requirement {
    /// A part of the value is what the requirement asks. Its reasons carry the name as their path.
    ///
    ///     Requirement<User>.at(\.email, named: "email", .format("email"))
    ///
    /// - Parameter name: `nil`: that of the member, where the value is a ``RuleRecord``.
    public static func at<Part>(
        _ keyPath: any KeyPath<Value, Part> & Sendable, named name: String? = nil, _ requirement: Requirement<Part>
    ) -> Self {
        Self(PartNode(keyPath, name: name, requirement))
    }

    /// The same requirement for a part of something larger.
    public func at<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable, named name: String? = nil) -> Requirement<Root>
    {
        .at(keyPath, named: name, self)
    }

    /// There is a value, and it is what the requirement asks.
    public static func notNil<Wrapped>(_ requirement: Requirement<Wrapped> = .always) -> Self where Value == Wrapped? {
        Self(OptionalNode(requirement, nilIsConfirmed: false))
    }

    /// There is no value, or it is what the requirement asks.
    public static func ifPresent<Wrapped>(_ requirement: Requirement<Wrapped>) -> Self where Value == Wrapped? {
        Self(OptionalNode(requirement, nilIsConfirmed: true))
    }
}

// Rules across fields. The reason stands at the first field and names the other:
//
//     .require(\.repeated, equals: \.password, named: "repeated", "password")     // repeated: Must equal password
extension Requirement {
    /// Two parts of the value are equal; texts are compared byte for byte, as in a file.
    public static func require<Part: Equatable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, equals other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .equals, other, otherName, holds: byteEquality(of: Part.self)))
    }

    /// Two parts of the value differ; texts are compared byte for byte, as in a file.
    public static func require<Part: Equatable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, notEquals other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        let areEqual = byteEquality(of: Part.self)
        return Self(RelationNode(one, name, .notEquals, other, otherName) { !areEqual($0, $1) })
    }

    /// The first part is less than the second.
    ///
    /// - Parameters:
    ///   - name, otherName: the parts in messages and in rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, lessThan other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .lessThan, other, otherName) { $0 < $1 })
    }

    /// The first part is less than the second, or equal.
    ///
    /// - Parameters:
    ///   - name, otherName: the parts in messages and in rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, lessThanOrEqual other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .lessThanOrEqual, other, otherName) { $0 <= $1 })
    }

    /// The first part is greater than the second.
    ///
    /// - Parameters:
    ///   - name, otherName: the parts in messages and in rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, greaterThan other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .greaterThan, other, otherName) { $0 > $1 })
    }

    /// The first part is greater than the second, or equal.
    ///
    /// - Parameters:
    ///   - name, otherName: the parts in messages and in rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, greaterThanOrEqual other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .greaterThanOrEqual, other, otherName) { $0 >= $1 })
    }
}
