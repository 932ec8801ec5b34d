/// Whether two values are equal, and the texts in them have equal bytes, as in a file.
///
///     "é" == "e\u{301}"                   // true: canonical equivalence
///     areByteEqual("é", "e\u{301}")       // false
///
/// Compares the elements of optionals, arrays, sets and dictionaries. Other types are compared with their `==`.
package func areByteEqual<Value: Equatable>(_ one: Value, _ other: Value) -> Bool {
    one == other && haveSameTexts(one, other)
}

/// ``areByteEqual(_:_:)`` for values of one type, which tests only once whether the type contains texts.
package func byteEquality<Value: Equatable & SendableMetatype>(
    of type: Value.Type
) -> @Sendable (Value, Value) -> Bool {
    if bearsTexts(type) { return { areByteEqual($0, $1) } }
    return { $0 == $1 }
}

/// A set in which texts are equal only if their bytes are.
struct ByteEqualSet<Element: Hashable> {
    // Values with equal bytes are equal and have the same hash, so texts must be compared only after a set has found a
    // member.
    private var members: Set<Element> = []
    /// Members that are equal to another member, but have other bytes.
    private var variants: [Element: [Element]] = [:]
    private let hasTexts = bearsTexts(Element.self)

    init() {}

    init(_ elements: some Sequence<Element>) {
        for element in elements { insert(element) }
    }

    func contains(_ element: Element) -> Bool {
        guard hasTexts else { return members.contains(element) }
        guard let place = members.firstIndex(of: element) else { return false }
        return haveSameTexts(members[place], element)
            || variants[element]?.contains { haveSameTexts($0, element) } == true
    }

    /// - Returns: Whether the element is new.
    @discardableResult
    mutating func insert(_ element: Element) -> Bool {
        let (inserted, member) = members.insert(element)
        if inserted { return true }
        if !hasTexts || haveSameTexts(member, element) { return false }
        if variants[element]?.contains(where: { haveSameTexts($0, element) }) == true { return false }
        variants[element, default: []].append(element)
        return true
    }
}

extension ByteEqualSet: Sendable where Element: Sendable {}

/// A type of texts, or of values that may contain texts.
private protocol TextBearing {
    /// Whether values of the type may contain texts.
    static var hasTexts: Bool { get }

    /// Whether the texts in two equal values have the same bytes.
    static func textsAgree(_ one: Self, _ other: Self) -> Bool
}

private func bearsTexts<Value>(_ type: Value.Type) -> Bool { (type as? any TextBearing.Type)?.hasTexts == true }

private func haveSameTexts<Value>(_ one: Value, _ other: Value) -> Bool {
    func compare<Same: TextBearing>(_ type: Same.Type) -> Bool { type.textsAgree(one as! Same, other as! Same) }
    guard let type = Value.self as? any TextBearing.Type else { return true }
    return compare(type)
}

extension StringProtocol {
    fileprivate static func haveSameBytes(_ one: Self, _ other: Self) -> Bool { one.utf8.elementsEqual(other.utf8) }
}

extension String: TextBearing {
    fileprivate static var hasTexts: Bool { true }
    fileprivate static func textsAgree(_ one: Self, _ other: Self) -> Bool { haveSameBytes(one, other) }
}

extension Substring: TextBearing {
    fileprivate static var hasTexts: Bool { true }
    fileprivate static func textsAgree(_ one: Self, _ other: Self) -> Bool { haveSameBytes(one, other) }
}

extension Character: TextBearing {
    fileprivate static var hasTexts: Bool { true }
    fileprivate static func textsAgree(_ one: Self, _ other: Self) -> Bool { one.utf8.elementsEqual(other.utf8) }
}

extension Optional: TextBearing {
    fileprivate static var hasTexts: Bool { bearsTexts(Wrapped.self) }

    fileprivate static func textsAgree(_ one: Self, _ other: Self) -> Bool {
        guard let one, let other else { return true }
        return haveSameTexts(one, other)
    }
}

extension Array: TextBearing {
    fileprivate static var hasTexts: Bool { bearsTexts(Element.self) }

    fileprivate static func textsAgree(_ one: Self, _ other: Self) -> Bool {
        !hasTexts || zip(one, other).allSatisfy { haveSameTexts($0, $1) }
    }
}

extension Set: TextBearing {
    fileprivate static var hasTexts: Bool { bearsTexts(Element.self) }

    fileprivate static func textsAgree(_ one: Self, _ other: Self) -> Bool {
        !hasTexts
            || one.allSatisfy { element in
                other.firstIndex(of: element).map { haveSameTexts(element, other[$0]) } == true
            }
    }
}

extension Dictionary: TextBearing {
    fileprivate static var hasTexts: Bool { bearsTexts(Key.self) || bearsTexts(Value.self) }

    fileprivate static func textsAgree(_ one: Self, _ other: Self) -> Bool {
        !hasTexts
            || one.allSatisfy { key, value in
                guard let place = other.index(forKey: key) else { return false }
                return haveSameTexts(key, other[place].key) && haveSameTexts(value, other[place].value)
            }
    }
}
