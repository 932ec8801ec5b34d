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
public enum BulkError: Error, Hashable, Sendable {
    /// The progress callback asked for it.
    case cancelled
    /// Offsets must not descend, nor lie outside the bytes. The index is that of the first wrong one.
    case badOffset(index: Int)
}

/// The result of a bulk call that has no progress callback, and so cannot be cancelled.
func uncancelled(_ body: () throws(BulkError) -> VerdictMask) -> VerdictMask {
    do {
        return try body()
    } catch {
        preconditionFailure("without a progress callback nothing can cancel: \(error)")
    }
}
