public import Assay

/// A validator that is asked only when something was entered: for what need not be filled in.
///
///     let website = RegexValidator(regex: "https?://.+", errorMessage: "Is no web address").ifNotEmpty
///     website.isValid(value: nil)         // true
///     website.isValid(value: "")          // true
///     website.isValid(value: "assay")     // false
///
/// For a whole field there is ``ValidationPolicy/ifNotEmpty``.
public struct IfNotEmptyValidator<Base: Validator>: Validator {
    private let base: Base

    init(_ base: Base) { self.base = base }

    public var errorMessage: String { base.errorMessage }

    public func isValid(value: Base.ValueType?) -> Bool { !isEntered(value) || base.isValid(value: value) }

    public func validate(_ value: Base.ValueType) -> ValidationResult {
        isEntered(value) ? base.validate(value) : .valid
    }

    public func errors(for value: Base.ValueType?) -> [ValidationError] {
        isEntered(value) ? base.errors(for: value) : []
    }

    public var requirement: Requirement<Base.ValueType> {
        let entered = base.requirement
        // For texts there is a built-in requirement, which is data as the validator's own may be.
        if let text = entered as? Requirement<String>,
            let optional = Requirement<String>.emptyOr(text) as? Requirement<Base.ValueType>
        {
            return optional
        }
        return Requirement { isEntered($0) ? entered.evaluate($0) : .confirmed }
    }
}

extension Validator {
    /// The same validator, asked only when something was entered: there is a value, and it is no empty text or collection.
    public var ifNotEmpty: IfNotEmptyValidator<Self> { IfNotEmptyValidator(self) }
}

/// Whether there is a value, other than an empty text or collection.
func isEntered<Value>(_ value: Value?) -> Bool {
    guard let value else { return false }
    return (value as? any Collection)?.isEmpty != true
}
