public import Assay

extension Requirement: Validator {
    public func isValid(value: Value?) -> Bool { value.map { evaluate($0).isConfirmed } ?? false }

    public func validate(_ value: Value) -> ValidationResult { ValidationResult(evaluate(value)) }

    /// Returns all reasons against the value. For `nil`, the reasons are those against an empty text if values are
    /// texts and the empty text fails, and otherwise that the value is missing.
    public func errors(for value: Value?) -> [ValidationError] {
        if let value { return failures(in: value) }
        let reasons = emptyText(as: Value.self).map { failures(in: $0) } ?? []
        return reasons.isEmpty ? failures(in: nil) : reasons
    }

    public var requirement: Requirement<Value> { self }

    /// A validator as a requirement, for combinations and bulk calls.
    ///
    ///     Requirement(NameValidator()).verdicts(for: millionNames)
    public init(_ validator: some Validator<Value>) { self = validator.requirement }
}
