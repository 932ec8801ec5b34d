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
    /// Makes the requirement of a form that suits the outline and is neither joined of others nor in words of its own.
    let make: @Sendable (RequirementForm) throws(CompileError) -> Requirement<Value>
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
    /// The requirement that a form describes.
    ///
    /// - Precondition: the form suits the shape of the value, as the reader of rule files sees to.
    package init(_ form: RequirementForm) throws(CompileError) {
        switch form {
        case .all(let forms): self = .all(try Self.list(forms))
        case .any(let forms): self = .any(try Self.list(forms))
        // What nothing can meet has no other form.
        case .because(.not(.all([])), let code, let message): self = .never(Reason(code: code, message: message))
        case .not(.all([])), .check(.any([])): self = .any([])
        case .not(let form): self = .not(try Self(form))
        case .when(let condition, let then): self = .when(try Self(condition), try Self(then))
        case .because(let form, let code, let message): self = try Self(form).because(code: code, message: message)
        case .named(let form, let name): self = try Self(form).named(name)
        case .check(.all([])): self = .always
        default: self = try Value.ruleShape.make(form)
        }
    }

    private static func list(_ forms: [RequirementForm]) throws(CompileError) -> [Self] {
        var list: [Self] = []
        for form in forms { list.append(try Self(form)) }
        return list
    }
}

private func mismatch(_ form: RequirementForm, _ type: Any.Type) -> Never {
    preconditionFailure("a rule that was read without mistakes suits \(type): \(form)")
}

extension CellValue {
    public static var ruleShape: RuleShape<Self> {
        RuleShape(outline: .cell(cellType)) { form throws(CompileError) in
            if case .present(let missing) = form {
                let text = Requirement<String>(try MissingNode(missing))
                if let requirement = text as? Requirement<Self> { return requirement }
            }
            guard let check = form.check else { mismatch(form, Self.self) }
            return try Requirement(check)
        }
    }
}

extension Optional: RuleValue where Wrapped: RuleValue {
    public static var ruleShape: RuleShape<Self> {
        RuleShape(outline: .optional(Wrapped.self)) { form throws(CompileError) in
            switch form {
            case .ifPresent(let form): .ifPresent(try Requirement<Wrapped>(form))
            case .notNil(let form): .notNil(try Requirement<Wrapped>(form))
            default: mismatch(form, Self.self)
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
        RuleShape(outline: .list(Element.self)) { form throws(CompileError) in
            switch form {
            case .count(let min, let max): .count(min: min, max: max)
            case .each(let form): .each(try Requirement<Element>(form))
            case .contains(let form): .contains(try Requirement<Element>(form))
            case .unique(let name):
                if let unique = uniqueElements(by: name) { unique } else { mismatch(form, Self.self) }
            default: mismatch(form, Self.self)
            }
        }
    }
}

extension Dictionary: RuleValue where Key == String, Value: RuleValue {
    public static var ruleShape: RuleShape<Self> {
        RuleShape(outline: .dictionary(Value.self)) { form throws(CompileError) in
            switch form {
            case .count(let min, let max): .count(min: min, max: max)
            case .each(let form): .eachValue(try Requirement<Value>(form))
            default: mismatch(form, Self.self)
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
