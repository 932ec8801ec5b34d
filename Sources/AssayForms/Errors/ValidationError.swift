public import Assay
public import Foundation

/// The error of every validator: the reason why a value is not valid.
///
///     ValidationError(message: "Email can't be empty").localizedDescription    // "Email can't be empty"
///
/// It is a ``Reason``. An error of a built-in rule therefore has the rule's stable name and its parameters, can be
/// shown in another language, and distinguishes failed values from undecided ones. Define your own errors in an
/// extension:
///
///     extension ValidationError {
///         static let empty = ValidationError(message: "Please enter something")
///         static func length(min: Int, max: Int) -> ValidationError {
///             ValidationError(message: "From \(min) to \(max) characters")
///         }
///     }
public typealias ValidationError = Reason

/// A custom error type with an `errorDescription` for people.
///
///     enum NameError: ValidationErrorProtocol {
///         case empty
///         var errorDescription: String? { "Please enter a name" }
///     }
///     return .invalid(NameError.empty)
public protocol ValidationErrorProtocol: LocalizedError {
    /// The kind of failure, for programs. The default is ``Reason/defaultCode``.
    var code: String { get }
}

extension ValidationErrorProtocol {
    public var code: String { Reason.defaultCode }

    /// The text for people. Foundation adds it to every error; this one is for code that does not import Foundation.
    public var localizedDescription: String { errorDescription ?? "\(self)" }
}

extension Reason: ValidationErrorProtocol {
    /// The message.
    public var errorDescription: String? { message }

    /// An error with the text and the code of a custom error type.
    public init(_ error: some ValidationErrorProtocol) {
        self.init(code: error.code, message: error.localizedDescription)
    }
}
