public import Assay

extension Validated {
    /// Everything that is wrong with the value at this moment: of every validator, in their order, and then of every relation
    /// with other fields; when these accept the value, what ``check(_:after:clock:)`` was answered about it. What could not be
    /// decided comes last. Empty when the value is valid.
    ///
    /// - Complexity: that of the validators; of them nothing is remembered between two calls.
    public var errors: [ValidationError] {
        let errors = ownErrors
        return (errors.isEmpty ? checks.reasons : errors).undecidedLast
    }

    /// What validators and relations find, without waiting.
    var ownErrors: [ValidationError] {
        let value = wrappedValue
        if policy == .ifNotEmpty && !isEntered(value) { return [] }
        var errors: [ValidationError] = []
        for validator in validators { errors += validator.errors(for: value) }
        for relation in relations { if let error = relation(value) { errors.append(error) } }
        if value != nil { return errors }
        // That a value is missing is said once, and not beside better words.
        let words = errors.filter { $0 != .missing }
        return words.isEmpty ? Array(errors.prefix(1)) : words
    }

    /// Whether nothing is wrong with the value at this moment.
    public var isValid: Bool { errors.isEmpty }
}
