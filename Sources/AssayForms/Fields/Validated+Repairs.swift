public import Assay

/// Text fields that repair the entered text, so that a space after an address is not an error.
extension Validated where Value == String {
    /// A field with repairs. The entered text stays in ``text``, and the form reads and validates the repaired value.
    ///
    ///     @Validated(repair: [.trim, .lower], .format("email")) var email: String?
    ///
    ///     $email.text = " Anna@Example.org "
    ///     email                           // "anna@example.org"
    ///     $email.text                     // " Anna@Example.org "
    ///
    /// - Parameters:
    ///   - repairs: The repairs, in order.
    ///   - requirement: The requirement of the repaired value.
    ///   - policy: The condition for validation.
    /// - Precondition: The repairs compile. `canonical` needs a type, so write
    ///   `repair: try CompiledRepairs([.canonical()], of: ValueType(.string, format: "iban"))`.
    public convenience init(
        wrappedValue value: String? = nil, repair repairs: [Repair], _ requirement: Requirement<String>,
        policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, repair: Self.compiled(repairs), [requirement], policy: policy)
    }

    /// A field with repairs and several validators, which run in order.
    public convenience init(
        wrappedValue value: String? = nil, repair repairs: [Repair], _ validators: [any Validator<String>],
        policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, repair: Self.compiled(repairs), validators, policy: policy)
    }

    /// A field with compiled repairs, such as those of a field of a rule file.
    public convenience init(
        wrappedValue value: String? = nil, repair repairs: CompiledRepairs, _ validators: [any Validator<String>],
        policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, validators, policy: policy)
        self.repairs = repairs
    }

    private static func compiled(_ repairs: [Repair]) -> CompiledRepairs {
        do {
            return try CompiledRepairs(repairs)
        } catch {
            // fatalError, because a precondition failure prints no message in release builds.
            fatalError("the repairs of a field do not compile: \(error.description)")
        }
    }
}
