public import Assay
public import Observation

#if canImport(Combine)
    internal import Combine
#else
    internal import OpenCombineShim
#endif

/// A value that people enter, and what is wrong with it.
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
///     signUp.$email.errors            // all of them, in order, at this moment
///     signUp.$email.publisher         // the errors after each change
///     signUp.$email.updates           // the same, for `for await`
///
/// For a field that several forms have, write a class on top (see <doc:AssayForms>), or keep its ``Requirement`` in a
/// `static let`. Nothing is validated when the field is made, and nothing when it changes unless somebody listens.
///
/// A reference, which copies of a form share, and observable: a SwiftUI view that shows ``errors`` is shown anew when they
/// may have changed. Not `Sendable`: a field belongs to the actor of its form.
@propertyWrapper
open class Validated<Value>: Observable {
    /// What is asked, in this order.
    public let validators: [any Validator<Value>]

    /// When it is asked.
    public let policy: ValidationPolicy

    private var value: Value?
    /// What is repaired in a text before the form sees it.
    var repairs: CompiledRepairs?
    private var wasSet = false
    private let observed = Observed()

    /// Changes whose errors were not sent yet.
    private var unpublished = 0

    /// Tells the subscribers of ``publisher``.
    let subject = PassthroughSubject<[ValidationError], Never>()
    let listeners = Listeners()

    /// What must hold between this field and others: what is wrong with a value, if anything.
    var relations: [(Value?) -> ValidationError?] = []
    /// The fields whose relations look at this one.
    var dependents: [Dependent] = []

    /// The questions that take time.
    private(set) var checks = Checks()

    /// A field with an array of validators. Those of different types may stand in it, requirements too.
    public init(wrappedValue value: Value?, _ validators: [any Validator<Value>], policy: ValidationPolicy = .always) {
        self.value = value
        self.validators = validators
        self.policy = policy
    }

    /// A field with several validators, which are asked in this order.
    ///
    /// - Parameters:
    ///   - validators: must all hold.
    ///   - policy: when errors are shown.
    public convenience init(_ validators: [any Validator<Value>], policy: ValidationPolicy = .always) {
        self.init(wrappedValue: nil, validators, policy: policy)
    }

    /// A field with an array of requirements, so that their short names stand in it: `@Validated([.notEmpty(), .maxLength(8)])`.
    @_disfavoredOverload
    public convenience init(
        wrappedValue value: Value?, _ requirements: [Requirement<Value>], policy: ValidationPolicy = .always
    ) {
        self.init(wrappedValue: value, requirements as [any Validator<Value>], policy: policy)
    }

    /// A field with several requirements, which are asked in this order.
    ///
    /// - Parameters:
    ///   - requirements: must all hold.
    ///   - policy: when errors are shown.
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
    ///   - requirement: must hold.
    ///   - policy: when errors are shown.
    public convenience init(_ requirement: Requirement<Value>, policy: ValidationPolicy = .always) {
        self.init(wrappedValue: nil, [requirement], policy: policy)
    }

    deinit {
        subject.send(completion: .finished)
        for stream in listeners.streams { stream.finish() }
    }

    /// The value. To set it tells those who listen of the errors it has, also when there are none and when it is the same
    /// value again.
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
            tellChange()
            for dependent in dependents { dependent.field?.tellChange() }
        }
    }

    /// The value as it was entered; ``wrappedValue`` is the repaired one, if the field repairs any.
    public var entered: Value? {
        observed.wasRead()
        return value
    }

    /// Whether the value was set since the field was made: the time to show errors, if not before.
    public var hasChanged: Bool {
        observed.wasRead()
        return wasSet
    }

    /// Changes what is known of questions that take time; those who show it are told.
    func changeChecks(_ change: (inout Checks) -> Void) { observed.willChange { change(&checks) } }

    /// Tells those who listen, and those who ask, that the value changed, or what it is compared with.
    func tellChange() {
        publish()
        checks.tellChange()
    }

    /// The field itself: `$email`.
    open var projectedValue: Validated<Value> { self }

    /// Validates for those who listen: once, however many there are.
    ///
    /// A listener may change the value. What it causes is sent after the others heard of the change before, so that the last
    /// errors everybody hears are those of the present value. A listener may also be the last to leave.
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
