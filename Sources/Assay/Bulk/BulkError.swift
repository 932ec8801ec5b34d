/// The progress of a bulk call.
public struct BulkProgress: Hashable, Sendable {
    /// The number of checked values.
    public var completed: Int
    /// The number of values.
    public var total: Int
}

/// The decision of a progress callback.
public enum BulkControl: Hashable, Sendable {
    /// Continue.
    case proceed
    /// Stop soon, without a result.
    case cancel
}

/// The reason why a bulk call has no result.
public enum BulkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The progress callback cancelled the call.
    case cancelled
    /// An offset is less than the previous one or outside the bytes. `index` is that of the first invalid offset.
    case badOffset(index: Int)

    public var description: String {
        switch self {
        case .cancelled: "the progress callback has cancelled the call"
        case .badOffset(let index): "the offset at index \(index) is less than the one before, or outside the bytes"
        }
    }

    /// The ``description``, under Foundation's name. `AssayForms` and `AssayFiles` add the conformance to
    /// `LocalizedError`.
    public var localizedDescription: String { description }
}

/// The result of a bulk call without a progress callback, which cannot be cancelled.
func uncancelled(_ body: () throws(BulkError) -> VerdictMask) -> VerdictMask {
    do {
        return try body()
    } catch {
        preconditionFailure("a call without a progress callback cannot be cancelled: \(error)")
    }
}
