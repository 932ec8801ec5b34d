extension Requirement {
    /// A part of the value is what the requirement asks. Its reasons carry the name as their path.
    ///
    ///     Requirement<User>.at(\.email, named: "email", .format("email"))
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
    /// Two parts of the value are equal.
    public static func require<Part: Equatable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, equals other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, "fields.equal", "equals", other, otherName) { $0 == $1 })
    }

    /// Two parts of the value differ.
    public static func require<Part: Equatable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, notEquals other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, "fields.notEqual", "differs from", other, otherName) { $0 != $1 })
    }

    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, lessThan other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, "fields.lessThan", "is less than", other, otherName) { $0 < $1 })
    }

    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, lessThanOrEqual other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, "fields.lessThanOrEqual", "is at most", other, otherName) { $0 <= $1 })
    }

    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, greaterThan other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, "fields.greaterThan", "is greater than", other, otherName) { $0 > $1 })
    }

    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, greaterThanOrEqual other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, "fields.greaterThanOrEqual", "is at least", other, otherName) { $0 >= $1 })
    }
}
