public import Assay
public import Observation

#if canImport(Combine)
    internal import Combine
#else
    internal import OpenCombineShim
#endif

/// A form field: a value that a person enters, with its validators and errors.
///
///     final class SignUp {
///         @Validated([
///             NotEmptyValidator(errorMessage: "Email can't be empty").validator,
///             RegexValidator(regex: "[^@ ]+@[^@ ]+", errorMessage: "Email has wrong format").validator,
///         ]) var email: String? = nil
///
///         @Validated(.length(min: 3, max: 20)) var name: String?
///         @Validated(.format("uri"), policy: .ifNotEmpty) var website: String?
///     }
///     signUp.$email.errors            // the current errors, in order
///     signUp.$email.publisher         // the errors after each change
///     signUp.$email.updates           // the same, for `for await`
///
/// To use a field in several forms, write a subclass (see <doc:AssayForms>), or keep its ``Requirement`` in a `static
/// let`. Creating a field does not validate its value. Changing the value validates it only if the errors have
/// listeners.
///
/// This is a class, so copies of a form share the field. It is observable: a SwiftUI view that reads ``errors`` is
/// updated when they may have changed. Not `Sendable`: a field belongs to the actor of its form.
@propertyWrapper
open class Validated<Value>: Observable {
    /// The validators, in evaluation order.
    public let validators: [any Validator<Value>]

    /// The condition for validation.
    public let policy: ValidationPolicy

    private var value: Value?
    /// The repairs of a text field; `nil` if it has no repairs.
    var repairs: CompiledRepairs?
    private var wasSet = false
    private let observed = Observed()

    /// The number of changes for which listeners have not received the errors yet.
    private var unpublished = 0

    /// The subject of ``publisher``.
    let subject = PassthroughSubject<[ValidationError], Never>()
    let listeners = Listeners()

    /// The relations with other fields. Each returns its error, or `nil` if it holds.
    var relations: [(Value?) -> ValidationError?] = []
    /// The fields with relations to this field.
    var dependents: [Dependent] = []

    /// The asynchronous checks.
    private(set) var checks = Checks()

    /// A field with an array of validators, which may have different types and include requirements.
    public init(wrappedValue value: Value?, _ validators: [any Validator<Value>], policy: ValidationPolicy = .always) {
        self.value = value
        self.validators = validators
        self.policy = policy
    }

    /// A field with several validators, which run in order.
    ///
    /// - Parameters:
    ///   - validators: The validators, which must all accept the value.
    ///   - policy: The condition for validation.
    public convenience init(_ validators: [any Validator<Value>], policy: ValidationPolicy = .always) {
        self.init(wrappedValue: nil, validators, policy: policy)
    }

    /// A field with an array of requirements, which allows their short names: `@Validated([.notEmpty(),
    /// .maxLength(8)])`.
    @_disfavoredOverload
    public convenience init(
        wrappedValue value: Value?, _ requirements: [Requirement<Value>], policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, requirements as [any Validator<Value>], policy: policy)
    }

    /// A field with several requirements, which run in order.
    ///
    /// - Parameters:
    ///   - requirements: The requirements, which must all hold.
    ///   - policy: The condition for validation.
    @_disfavoredOverload
    public convenience init(_ requirements: [Requirement<Value>], policy: ValidationPolicy = .always) {
        self.init(wrappedValue: nil, requirements as [any Validator<Value>], policy: policy)
    }

    /// A field with one requirement: `@Validated(Rules.email)`.
    public convenience init(
        wrappedValue value: Value?, _ requirement: Requirement<Value>, policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, [requirement], policy: policy)
    }

    /// A field with one requirement.
    ///
    /// - Parameters:
    ///   - requirement: The requirement of the value.
    ///   - policy: The condition for validation.
    public convenience init(_ requirement: Requirement<Value>, policy: ValidationPolicy = .always) {
        self.init(wrappedValue: nil, [requirement], policy: policy)
    }

    deinit {
        subject.send(completion: .finished)
        for stream in listeners.streams { stream.finish() }
    }

    /// The value, after repairs. Setting it sends the current errors to listeners, even if there are no errors or the
    /// value stays the same.
    open var wrappedValue: Value? {
        get {
            guard let repairs, let text = entered as? String else { return entered }
            return repairs.repaired(text) as? Value
        }
        set {
            observed.willChange {
                (value, wasSet) = (newValue, true)
                checks.forget()
            }
            reportChange()
            for dependent in dependents { dependent.field?.reportChange() }
        }
    }

    /// The value as entered. ``wrappedValue`` is the repaired one, if the field has repairs.
    public var entered: Value? {
        observed.wasRead()
        return value
    }

    /// Whether the value was set since the field was created. Forms can use it to show errors only after an entry.
    public var hasChanged: Bool {
        observed.wasRead()
        return wasSet
    }

    /// Changes the results of asynchronous checks and notifies observers.
    func changeChecks(_ change: (inout Checks) -> Void) { observed.willChange { change(&checks) } }

    /// Tells listeners and the asynchronous checks that the value, or a value that it is compared with, has changed.
    func reportChange() {
        publish()
        checks.reportChange()
    }

    /// The field itself: `$email`.
    open var projectedValue: Validated<Value> { self }

    /// Sends the current errors to all listeners, with one validation for all.
    ///
    /// A listener may change the value. The errors of the new value are sent after all listeners got those of the
    /// previous one, so that the last errors are those of the current value. A listener may unsubscribe during this
    /// call, even as the last one, so each round checks whether any are left.
    func publish() {
        unpublished += 1
        if unpublished > 1 { return }
        while unpublished > 0 {
            if !listeners.isEmpty {
                let errors = errors
                for stream in listeners.streams { stream.yield(errors) }
                subject.send(errors)
            }
            unpublished -= 1
        }
    }
}
