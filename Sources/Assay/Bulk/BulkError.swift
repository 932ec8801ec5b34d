/// How far a bulk call has come.
public struct BulkProgress: Hashable, Sendable {
    /// How many values are judged.
    public var completed: Int
    /// How many values there are.
    public var total: Int
}

/// What a progress callback wants.
public enum BulkControl: Hashable, Sendable {
    /// Go on.
    case proceed
    /// End soon, without a result.
    case cancel
}

/// Why a bulk call has no result.
public enum BulkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The progress callback asked for it.
    case cancelled
    /// Offsets must not descend, nor lie outside the bytes. The index is that of the first wrong one.
    case badOffset(index: Int)

    public var description: String {
        switch self {
        case .cancelled: "the progress callback has cancelled the call"
        case .badOffset(let index): "the offset at index \(index) is less than the one before, or outside the bytes"
        }
    }

    /// The ``description``, as Foundation calls what people read. The `AssayForms` library makes it a `LocalizedError`.
    public var localizedDescription: String { description }
}

/// The result of a bulk call that has no progress callback, and so cannot be cancelled.
func uncancelled(_ body: () throws(BulkError) -> VerdictMask) -> VerdictMask {
    do {
        return try body()
    } catch {
        preconditionFailure("without a progress callback nothing can cancel: \(error)")
    }
}
