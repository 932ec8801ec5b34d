public import Assay

/// Fields of text that repair what is entered: a blank behind an address is no mistake of the person.
extension Validated where Value == String {
    /// A field whose value is repaired: what is entered stays in ``text`` while somebody types, and the form reads and validates
    /// the repaired value.
    ///
    ///     @Validated(repair: [.trim, .lower], .format("email")) var email: String?
    ///
    ///     $email.text = " Anna@Example.org "
    ///     email                           // "anna@example.org"
    ///     $email.text                     // " Anna@Example.org "
    ///
    /// - Parameters:
    ///   - repairs: applied in order.
    ///   - requirement: must hold for the repaired value.
    ///   - policy: when errors are shown.
    /// - Precondition: the repairs compile. `canonical` needs a type, so write
    ///   `repair: try CompiledRepairs([.canonical()], of: ValueType(.string, format: "iban"))`.
    public convenience init(
        wrappedValue value: String? = nil, repair repairs: [Repair], _ requirement: Requirement<String>,
        policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, repair: Self.compiled(repairs), [requirement], policy: policy)
    }

    /// The same with several validators, which are asked in this order.
    public convenience init(
        wrappedValue value: String? = nil, repair repairs: [Repair], _ validators: [any Validator<String>],
        policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, repair: Self.compiled(repairs), validators, policy: policy)
    }

    /// The same with repairs that are compiled, perhaps those of a field of a rule file.
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
            // Not a precondition failure: those are silent in release builds.
            fatalError("the repairs of a field do not compile: \(error.description)")
        }
    }
}
