/// A value that has requirements in rule files, which can be written and read back.
///
/// Texts, numbers and Booleans conform (``CellConvertible``), and so do optionals, arrays, sets and dictionaries of
/// conforming values. Your own types conform to ``CellConvertible`` or ``RuleRecord``, never to this protocol alone.
public protocol RuleCodable: SendableMetatype {}

/// The conversion of a type's requirements to and from expressions of rule files.
package struct RuleCoding<Value>: Sendable {
    package let vocabulary: RuleVocabulary
    /// Makes a requirement from an expression that suits the vocabulary and is not a group, a message or a name.
    let make: @Sendable (RuleExpression) throws(CompileError) -> Requirement<Value>
}

/// The kind of a type, which determines the rules that it can have.
package enum RuleVocabulary: Sendable {
    case cell(ValueType)
    case optional(any RuleCodable.Type)
    case list(any RuleCodable.Type)
    /// String keys; the associated type is that of the values.
    case dictionary(any RuleCodable.Type)
    case record([(name: String, type: any RuleCodable.Type)])
}

/// A type of the standard library that holds values of other types.
protocol RuleContainer: RuleCodable {
    static var containerCoding: RuleCoding<Self> { get }
}

extension RuleCodable {
    package static var ruleVocabulary: RuleVocabulary { ruleCoding.vocabulary }

    // A cast finds the coding, so that the public protocol has no requirements that expose it.
    package static var ruleCoding: RuleCoding<Self> {
        func ofCell<Cell: CellConvertible>(_: Cell.Type) -> Any { Cell.cellCoding }
        func ofRecord<Record: RuleRecord>(_: Record.Type) -> Any { Record.recordCoding }
        func ofContainer<Container: RuleContainer>(_: Container.Type) -> Any { Container.containerCoding }
        let coding: Any? =
            if let type = Self.self as? any CellConvertible.Type {
                ofCell(type)
            } else if let type = Self.self as? any RuleRecord.Type {
                ofRecord(type)
            } else if let type = Self.self as? any RuleContainer.Type {
                ofContainer(type)
            } else {
                nil
            }
        guard let coding = coding as? RuleCoding<Self> else {
            fatalError("\(Self.self) must conform to CellConvertible or RuleRecord, not to RuleCodable alone")
        }
        return coding
    }
}

extension Requirement where Value: RuleCodable {
    /// A requirement from an expression.
    ///
    /// - Precondition: The expression suits the type of the value. The reader of rule files checks this.
    package init(_ expression: RuleExpression) throws(CompileError) {
        switch expression {
        case .all(let expressions): self = .all(try Self.list(expressions))
        // The ways in which a rule file expresses a group without alternatives.
        case .any([.not(.all([]))]), .check(.any([])): self = .any([])
        case .any(let expressions): self = .any(try Self.list(expressions))
        // The only expression of a requirement that rejects every value.
        case .because(.not(.all([])), let code, let message): self = .never(Reason(code: code, message: message))
        case .not(let expression): self = .not(try Self(expression))
        case .when(let condition, let then): self = .when(try Self(condition), try Self(then))
        case .because(let expression, let code, let message):
            self = try Self(expression).because(code: code, message: message)
        case .named(let expression, let name): self = try Self(expression).named(name)
        case .check(.all([])): self = .always
        default: self = try Value.ruleCoding.make(expression)
        }
    }

    private static func list(_ expressions: [RuleExpression]) throws(CompileError) -> [Self] {
        var list: [Self] = []
        for expression in expressions { list.append(try Self(expression)) }
        return list
    }
}

private func mismatch(_ expression: RuleExpression, _ type: Any.Type) -> Never {
    preconditionFailure("a rule that was read without mistakes suits \(type): \(expression)")
}

extension CellConvertible {
    fileprivate static var cellCoding: RuleCoding<Self> {
        RuleCoding(vocabulary: .cell(cellType)) { expression throws(CompileError) in
            if case .present(let missing) = expression {
                let text = Requirement<String>(try MissingNode(missing))
                if let requirement = text as? Requirement<Self> { return requirement }
            }
            guard let check = expression.check else { mismatch(expression, Self.self) }
            return try Requirement(check)
        }
    }
}

extension Optional: RuleCodable where Wrapped: RuleCodable {}

extension Optional: RuleContainer where Wrapped: RuleCodable {
    static var containerCoding: RuleCoding<Self> {
        RuleCoding(vocabulary: .optional(Wrapped.self)) { expression throws(CompileError) in
            switch expression {
            case .ifPresent(let expression): .ifPresent(try Requirement<Wrapped>(expression))
            case .notNil(let expression): .notNil(try Requirement<Wrapped>(expression))
            default: mismatch(expression, Self.self)
            }
        }
    }
}

extension Array: RuleCodable where Element: RuleCodable {}

extension Array: RuleContainer where Element: RuleCodable {
    static var containerCoding: RuleCoding<Self> { listCoding() }
}

extension Set: RuleCodable where Element: RuleCodable {}

extension Set: RuleContainer where Element: RuleCodable {
    static var containerCoding: RuleCoding<Self> { listCoding() }
}

extension Collection where Self: RuleCodable, Element: RuleCodable {
    fileprivate static func listCoding() -> RuleCoding<Self> {
        RuleCoding(vocabulary: .list(Element.self)) { expression throws(CompileError) in
            switch expression {
            case .count(let min, let max): .count(min: min, max: max)
            case .each(let expression): .each(try Requirement<Element>(expression))
            case .contains(let expression): .contains(try Requirement<Element>(expression))
            case .unique(let name):
                if let unique = uniqueElements(by: name) { unique } else { mismatch(expression, Self.self) }
            default: mismatch(expression, Self.self)
            }
        }
    }
}

extension Dictionary: RuleCodable where Key == String, Value: RuleCodable {}

extension Dictionary: RuleContainer where Key == String, Value: RuleCodable {
    static var containerCoding: RuleCoding<Self> {
        RuleCoding(vocabulary: .dictionary(Value.self)) { expression throws(CompileError) in
            switch expression {
            case .count(let min, let max): .count(min: min, max: max)
            case .each(let expression): .eachValue(try Requirement<Value>(expression))
            default: mismatch(expression, Self.self)
            }
        }
    }
}

/// Whether rule files represent values of a type as lists or dictionaries. Strings are collections, but not lists.
func isListInRules(_ type: Any.Type) -> Bool {
    guard let type = type as? any RuleCodable.Type else { return false }
    switch type.ruleVocabulary {
    case .list, .dictionary: return true
    case .cell, .optional, .record: return false
    }
}
