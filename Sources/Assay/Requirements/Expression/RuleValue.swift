/// A value whose requirements can stand in a rule file and be read back.
///
/// Texts, numbers and truth values are (``CellValue``), and so are optionals, arrays, sets and dictionaries of what is. For
/// types of one's own there is ``RuleRecord``; nothing else needs to conform.
public protocol RuleValue: SendableMetatype {
    /// What the rules of such a value can be about.
    static var ruleShape: RuleShape<Self> { get }
}

/// What the rules of a type can be about. Made by the conformances of this library.
public struct RuleShape<Value>: Sendable {
    package let outline: RuleOutline
    /// Makes the requirement of an expression that suits the outline and is neither joined of others nor in words of its own.
    let make: @Sendable (RuleExpression) throws(CompileError) -> Requirement<Value>
}

/// The same without the type.
package enum RuleOutline: Sendable {
    case cell(ValueType)
    case optional(any RuleValue.Type)
    case list(any RuleValue.Type)
    /// With names as keys; its values.
    case dictionary(any RuleValue.Type)
    case record([(name: String, type: any RuleValue.Type)])
}

extension RuleValue {
    package static var ruleOutline: RuleOutline { ruleShape.outline }
}

extension Requirement where Value: RuleValue {
    /// The requirement that an expression describes.
    ///
    /// - Precondition: the expression suits the shape of the value, as the reader of rule files sees to.
    package init(_ expression: RuleExpression) throws(CompileError) {
        switch expression {
        case .all(let expressions): self = .all(try Self.list(expressions))
        case .any(let expressions): self = .any(try Self.list(expressions))
        // What nothing can meet has no other expression.
        case .because(.not(.all([])), let code, let message): self = .never(Reason(code: code, message: message))
        case .not(.all([])), .check(.any([])): self = .any([])
        case .not(let expression): self = .not(try Self(expression))
        case .when(let condition, let then): self = .when(try Self(condition), try Self(then))
        case .because(let expression, let code, let message): self = try Self(expression).because(code: code, message: message)
        case .named(let expression, let name): self = try Self(expression).named(name)
        case .check(.all([])): self = .always
        default: self = try Value.ruleShape.make(expression)
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

extension CellValue {
    public static var ruleShape: RuleShape<Self> {
        RuleShape(outline: .cell(cellType)) { expression throws(CompileError) in
            if case .present(let missing) = expression {
                let text = Requirement<String>(try MissingNode(missing))
                if let requirement = text as? Requirement<Self> { return requirement }
            }
            guard let check = expression.check else { mismatch(expression, Self.self) }
            return try Requirement(check)
        }
    }
}

extension Optional: RuleValue where Wrapped: RuleValue {
    public static var ruleShape: RuleShape<Self> {
        RuleShape(outline: .optional(Wrapped.self)) { expression throws(CompileError) in
            switch expression {
            case .ifPresent(let expression): .ifPresent(try Requirement<Wrapped>(expression))
            case .notNil(let expression): .notNil(try Requirement<Wrapped>(expression))
            default: mismatch(expression, Self.self)
            }
        }
    }
}

extension Array: RuleValue where Element: RuleValue {
    public static var ruleShape: RuleShape<Self> { listShape() }
}

extension Set: RuleValue where Element: RuleValue {
    public static var ruleShape: RuleShape<Self> { listShape() }
}

extension Collection where Self: RuleValue, Element: RuleValue {
    fileprivate static func listShape() -> RuleShape<Self> {
        RuleShape(outline: .list(Element.self)) { expression throws(CompileError) in
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

extension Dictionary: RuleValue where Key == String, Value: RuleValue {
    public static var ruleShape: RuleShape<Self> {
        RuleShape(outline: .dictionary(Value.self)) { expression throws(CompileError) in
            switch expression {
            case .count(let min, let max): .count(min: min, max: max)
            case .each(let expression): .eachValue(try Requirement<Value>(expression))
            default: mismatch(expression, Self.self)
            }
        }
    }
}

/// Whether a rule file knows values of a type as lists, or dictionaries. A text is a collection, too, but not there.
func isListInRules(_ type: Any.Type) -> Bool {
    guard let type = type as? any RuleValue.Type else { return false }
    switch type.ruleOutline {
    case .list, .dictionary: return true
    case .cell, .optional, .record: return false
    }
}
