public import AssayFiles
public import AssayRules
public import Foundation

// The errors of AssayRules and AssayFiles, which do not import Foundation, because the command is smaller and starts
// faster without it. See AssayFoundation.

extension InputError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension PublishError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ConservationError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension RunCancelled: LocalizedError {
    /// A sentence.
    public var errorDescription: String? { "The run was cancelled" }
}

extension RuleFileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension NotSerializableError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension LimitError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
