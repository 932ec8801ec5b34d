extension Requirement {
    /// A part of the value meets the requirement. The reasons contain the name as their path.
    ///
    ///     Requirement<User>.at(\.email, .email)                          // email: Is not in the format email
    ///     Requirement<User>.at(\.address.zip, named: "zip", .count(5...5))
    ///
    /// - Parameter name: The name of the part. The default is the name of the member if the value is a ``RuleRecord``,
    ///   and otherwise the names in the key path, such as `address.zip`. Swift does not know the names of subscripts,
    ///   and those of computed properties only in programs with symbols: such a part needs a name to appear in paths.
    public static func at<Part>(
        _ keyPath: any KeyPath<Value, Part> & Sendable, named name: String? = nil, _ requirement: Requirement<Part>
    ) -> Self {
        Self(PartNode(PartOfValue(keyPath, name: name), requirement))
    }

    /// This requirement for a part of a larger value.
    public func at<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable, named name: String? = nil) -> Requirement<Root>
    {
        .at(keyPath, named: name, self)
    }

    /// The value is not `nil` and meets the requirement.
    public static func notNil<Wrapped>(_ requirement: Requirement<Wrapped> = .always) -> Self where Value == Wrapped? {
        Self(OptionalNode(requirement, nilIsConfirmed: false))
    }

    /// The value is `nil` or meets the requirement.
    public static func ifPresent<Wrapped>(_ requirement: Requirement<Wrapped>) -> Self where Value == Wrapped? {
        Self(OptionalNode(requirement, nilIsConfirmed: true))
    }
}

// Rules across fields. The path of the reason is the first field, and its message names the other:
//
//     .require(\.repeated, equals: \.password, named: "repeated", "password")     // repeated: Must equal password
extension Requirement {
    /// Two parts of the value are equal. Texts are compared byte by byte, as in a file.
    public static func require<Part: Equatable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, equals other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .equals, other, otherName, holds: byteEquality(of: Part.self)))
    }

    /// Two parts of the value differ. Texts are compared byte by byte, as in a file.
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
    ///   - name, otherName: The names of the parts in messages and rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, lessThan other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .lessThan, other, otherName) { $0 < $1 })
    }

    /// The first part is less than or equal to the second.
    ///
    /// - Parameters:
    ///   - name, otherName: The names of the parts in messages and rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, lessThanOrEqual other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .lessThanOrEqual, other, otherName) { $0 <= $1 })
    }

    /// The first part is greater than the second.
    ///
    /// - Parameters:
    ///   - name, otherName: The names of the parts in messages and rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, greaterThan other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .greaterThan, other, otherName) { $0 > $1 })
    }

    /// The first part is greater than or equal to the second.
    ///
    /// - Parameters:
    ///   - name, otherName: The names of the parts in messages and rule files.
    public static func require<Part: Comparable & SendableMetatype>(
        _ one: any KeyPath<Value, Part> & Sendable, greaterThanOrEqual other: any KeyPath<Value, Part> & Sendable,
        named name: String, _ otherName: String
    ) -> Self {
        Self(RelationNode(one, name, .greaterThanOrEqual, other, otherName) { $0 >= $1 })
    }
}
