extension Requirement where Value: Collection {
    /// At least one element.
    public static func notEmpty() -> Self { Self(CountNode(min: 1, max: nil)) }

    /// From `min` to `max` elements, both inclusive; `nil` means no limit.
    public static func count(min: Int? = nil, max: Int? = nil) -> Self {
        if let min, let max, min > max {
            return .unsatisfiable("the maximum \(max) is less than the minimum \(min)")
        }
        return Self(CountNode(min: min, max: max))
    }

    /// Every element meets the requirement. Reasons contain the path of the failed element, such as `[3].price`.
    public static func each(_ requirement: Requirement<Value.Element>) -> Self where Value: SendableMetatype {
        Self(EachNode(requirement) { $0.enumerated().lazy.map { (.index($0.offset), $0.element) } })
    }

    /// At least one element meets the requirement.
    public static func contains(_ requirement: Requirement<Value.Element>) -> Self { Self(ContainsNode(requirement)) }

    /// No two elements have the same key. Texts are compared byte by byte, as in a file. The path of the reason is the
    /// second of two equal elements.
    ///
    ///     Requirement<[Item]>.unique(by: \.id)
    public static func unique<Key: Hashable & SendableMetatype>(by key: any KeyPath<Value.Element, Key> & Sendable)
        -> Self
    {
        Self(UniqueNode(key))
    }
}

extension Requirement where Value: Collection, Value.Element: Hashable & SendableMetatype {
    /// No two elements are equal. Texts are compared byte by byte, as in a file. The path of the reason is the second
    /// of two equal elements.
    public static func unique() -> Self { Self(UniqueNode(\.self)) }
}

extension Requirement {
    /// Every value of a dictionary meets the requirement. Values are evaluated in the order of their keys. Reasons
    /// contain the key as their path, such as `limits.daily`.
    public static func eachValue<Part>(_ requirement: Requirement<Part>) -> Self where Value == [String: Part] {
        Self(
            EachNode(requirement) { dictionary in
                dictionary.sorted { $0.key < $1.key }.lazy.map { (.field($0.key), $0.value) }
            })
    }
}
