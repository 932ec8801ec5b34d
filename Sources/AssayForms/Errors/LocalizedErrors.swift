public import Assay
public import Foundation

// `Assay` does not import Foundation, for which an error is "The operation could not be completed" unless it says otherwise.

extension CompileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension BulkError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension NoMemoryError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
