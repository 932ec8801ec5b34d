public import Assay

extension Validated {
    /// The current errors of the value: those of all validators, in order, and then those of all relations with other
    /// fields. If all accept the value, the results of ``check(_:after:clock:)`` follow. Undecided errors are last.
    /// Empty if the value is valid.
    ///
    /// - Complexity: That of the validators. Their results are not cached between calls.
    public var errors: [ValidationError] {
        let errors = ownErrors
        return (errors.isEmpty ? checks.reasons : errors).undecidedLast
    }

    /// The errors of validators and relations, without asynchronous checks.
    var ownErrors: [ValidationError] {
        let value = wrappedValue
        if policy == .ifNotEmpty && !isEntered(value) { return [] }
        var errors: [ValidationError] = []
        for validator in validators { errors += validator.errors(for: value) }
        for relation in relations { if let error = relation(value) { errors.append(error) } }
        if value != nil { return errors }
        // A missing value is reported once, and only if no validator gave a more specific message.
        let words = errors.filter { $0 != .missing }
        return words.isEmpty ? Array(errors.prefix(1)) : words
    }

    /// Whether the value currently has no errors.
    public var isValid: Bool { errors.isEmpty }
}
