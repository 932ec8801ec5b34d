public import Assay
public import Foundation

/// What is wrong with a value, in words: the error of every validator.
///
///     ValidationError(message: "Email can't be empty").localizedDescription    // "Email can't be empty"
///
/// It is a ``Reason``, so that an error of a built-in rule also knows the rule's stable name and its parameters, can be put
/// in another language, and tells what was proved wrong from what could not be decided. Name your own in an extension:
///
///     extension ValidationError {
///         static let empty = ValidationError(message: "Please enter something")
///         static func length(min: Int, max: Int) -> ValidationError {
///             ValidationError(message: "From \(min) to \(max) characters")
///         }
///     }
public typealias ValidationError = Reason

/// An error type of one's own, whose `errorDescription` is what people read.
///
///     enum NameError: ValidationErrorProtocol {
///         case empty
///         var errorDescription: String? { "Please enter a name" }
///     }
///     return .invalid(NameError.empty)
public protocol ValidationErrorProtocol: LocalizedError {
    /// For programs: which kind of failure this is. ``Reason/defaultCode`` unless you say otherwise.
    var code: String { get }
}

extension ValidationErrorProtocol {
    public var code: String { Reason.defaultCode }

    /// What people read. Foundation has it for every error; here it is for those who do not import Foundation.
    public var localizedDescription: String { errorDescription ?? "\(self)" }
}

extension Reason: ValidationErrorProtocol {
    /// The message.
    public var errorDescription: String? { message }

    /// An error of one's own: its words and its code.
    public init(_ error: some ValidationErrorProtocol) {
        self.init(code: error.code, message: error.localizedDescription)
    }
}
