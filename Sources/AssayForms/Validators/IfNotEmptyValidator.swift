public import Assay

/// A validator that runs only if a value was entered, for optional fields.
///
///     let website = RegexValidator(regex: "https?://.+", errorMessage: "Enter a web address").ifNotEmpty
///     website.isValid(value: nil)         // true
///     website.isValid(value: "")          // true
///     website.isValid(value: "assay")     // false
///
/// For a whole field, use ``ValidationPolicy/ifNotEmpty``.
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
        // Texts have a built-in requirement for this. It is data, which can run in bulk, if the validator's requirement
        // is data.
        if let text = entered as? Requirement<String>,
            let optional = Requirement<String>.emptyOr(text) as? Requirement<Base.ValueType>
        {
            return optional
        }
        return Requirement { isEntered($0) ? entered.evaluate($0) : .confirmed }
    }
}

extension Validator {
    /// A validator that accepts `nil`, empty texts and empty collections, and checks all other values as this one does.
    public var ifNotEmpty: IfNotEmptyValidator<Self> { IfNotEmptyValidator(self) }
}

/// Whether there is a value other than an empty text or an empty collection.
func isEntered<Value>(_ value: Value?) -> Bool {
    guard let value else { return false }
    return (value as? any Collection)?.isEmpty != true
}
