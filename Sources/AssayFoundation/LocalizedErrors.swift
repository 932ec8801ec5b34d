public import Assay
public import Foundation

// `Assay` does not import Foundation. Without these conformances, Foundation describes its errors as "The operation
// could not be completed".

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
