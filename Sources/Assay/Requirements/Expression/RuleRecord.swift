/// A value with named parts that rule files can refer to.
///
///     struct Order: Sendable {
///         var items: [Item]
///         var note: String?
///     }
///     extension Order: RuleRecord {
///         static let members: [Member] = [Member("items", \.items), Member("note", \.note)]
///     }
///
///     let order = Requirement<Order>.at(\.items, .each(.at(\.price, .greaterThan(0))))
///     let text = try order.yaml()                         // with AssayRules
///     let same = try Requirement<Order>(yaml: text)
///
/// The names also appear in findings: if a call of `at` has no name, the part gets the name of its member.
public protocol RuleRecord: RuleCodable {
    /// One named part of this type.
    typealias Member = RuleMember<Self>

    /// The parts by name. Nested parts are allowed: `Member("city", \.address.city)`.
    static var members: [RuleMember<Self>] { get }
}

/// A part of a ``RuleRecord`` with its name in rule files.
public struct RuleMember<Record>: Sendable {
    /// The name in rule files.
    public let name: String
    let part: any RulePart<Record>

    /// A part of a record that rules can refer to.
    ///
    /// - Parameters:
    ///   - name: The name in rule files.
    ///   - keyPath: The key path of the part.
    public init<Part: RuleCodable>(_ name: String, _ keyPath: any KeyPath<Record, Part> & Sendable) {
        self.name = name
        part = TypedPart(keyPath: keyPath)
    }
}

/// A part of a record, as a protocol with associated types, so that an existential of it can be opened.
protocol RulePart<Record>: Sendable {
    associatedtype Record
    associatedtype Part: RuleCodable

    var keyPath: any KeyPath<Record, Part> & Sendable { get }
}

struct TypedPart<Record, Part>: Sendable {
    let keyPath: any KeyPath<Record, Part> & Sendable

    init(keyPath: any KeyPath<Record, Part> & Sendable) { self.keyPath = keyPath }

    /// The part as one with these types; `nil` if its types differ.
    init?(_ part: any RulePart) {
        guard let part = part as Any as? Self else { return nil }
        self = part
    }
}

extension TypedPart: RulePart where Part: RuleCodable {}

extension RulePart {
    static var type: any RuleCodable.Type { Part.self }

    func isAt(_ other: AnyKeyPath) -> Bool { keyPath as AnyKeyPath == other }
}

extension RuleRecord {
    static var recordCoding: RuleCoding<Self> {
        let vocabulary = RuleVocabulary.record(members.map { ($0.name, type(of: $0.part).type) })
        return RuleCoding(vocabulary: vocabulary) { expression throws(CompileError) in
            switch expression {
            case .at(let name, let inner):
                guard let part = part(name) else { break }
                return try Requirement<Self>(at: part, name, inner)
            case .require(let name):
                guard let part = part(name).flatMap({ TypedPart<Self, Bool>($0) }) else { break }
                return .require(part.keyPath)
            case .compare(let name, let comparison, let other):
                guard let one = part(name), let two = part(other),
                    let requirement = Requirement<Self>(one, name, comparison, two, other)
                else { break }
                return requirement
            case .row(let text): return try Requirement<Self>(cel: text)
            default: break
            }
            preconditionFailure("a rule that was read without mistakes suits \(Self.self): \(expression)")
        }
    }

    private static func part(_ name: String) -> (any RulePart<Self>)? {
        members.first { areByteEqual($0.name, name) }?.part
    }

    fileprivate static func anyPart(_ name: String) -> (any RulePart)? { part(name) }

    /// The name of a part; `nil` if it is not a member.
    static func name(of keyPath: AnyKeyPath) -> String? { members.first { $0.part.isAt(keyPath) }?.name }

    /// Whether the member with that name is this part.
    static func has(_ name: String, at keyPath: AnyKeyPath) -> Bool { part(name)?.isAt(keyPath) == true }
}

extension Requirement {
    fileprivate init<Part: RulePart>(
        at part: Part, _ name: String, _ expression: RuleExpression
    ) throws(CompileError) where Part.Record == Value {
        self = .at(part.keyPath, named: name, try Requirement<Part.Part>(expression))
    }

    /// A comparison of two parts; `nil` if their types differ, or if the type does not support the comparison.
    fileprivate init?<Part: RulePart>(
        _ one: Part, _ name: String, _ comparison: Comparison, _ other: any RulePart<Value>, _ otherName: String
    ) where Part.Record == Value {
        func relation<Compared>(_: Compared.Type, _ holds: @escaping @Sendable (Compared, Compared) -> Bool) -> Self? {
            guard let one = TypedPart<Value, Compared>(one), let other = TypedPart<Value, Compared>(other) else {
                return nil
            }
            return Self(RelationNode(one.keyPath, name, comparison, other.keyPath, otherName, holds: holds))
        }
        func equal<Compared: Equatable & SendableMetatype>(_ type: Compared.Type) -> Self? {
            let areEqual = byteEquality(of: type)
            return comparison == .equals ? relation(type, areEqual) : relation(type) { !areEqual($0, $1) }
        }
        func ordered<Compared: Comparable & SendableMetatype>(_ type: Compared.Type) -> Self? {
            switch comparison {
            case .lessThan: relation(type) { $0 < $1 }
            case .lessThanOrEqual: relation(type) { $0 <= $1 }
            case .greaterThan: relation(type) { $0 > $1 }
            case .greaterThanOrEqual: relation(type) { $0 >= $1 }
            case .equals, .notEquals: nil
            }
        }
        let type: Any.Type = Part.Part.self
        let found: Self? =
            if comparison.isOrder {
                (type as? any (Comparable & SendableMetatype).Type).flatMap { ordered($0) }
            } else {
                (type as? any (Equatable & SendableMetatype).Type).flatMap { equal($0) }
            }
        guard let found else { return nil }
        self = found
    }
}

extension Collection where Element: RuleCodable {
    /// No two elements have the same value of a member or, without a name, are equal; `nil` if the compared type is not
    /// hashable.
    static func uniqueElements(by name: String?) -> Requirement<Self>? {
        let part: any RulePart
        if let name {
            guard let member = (Element.self as? any RuleRecord.Type)?.anyPart(name) else { return nil }
            part = member
        } else {
            part = TypedPart<Element, Element>(keyPath: \.self)
        }
        func unique<Key: Hashable & SendableMetatype>(_: Key.Type) -> Requirement<Self>? {
            TypedPart<Element, Key>(part).map { Requirement(UniqueNode($0.keyPath)) }
        }
        return (type(of: part).type as? any (Hashable & SendableMetatype).Type).flatMap { unique($0) }
    }
}
