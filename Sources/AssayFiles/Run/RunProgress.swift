/// How far a run has come.
public struct RunProgress: Hashable, Sendable {
    /// Bytes of the input that are judged and written.
    public var bytes: Int
    /// Bytes of the input in all, where that is known.
    public var totalBytes: Int?
    /// Records that were written so far.
    public var records: Int
    /// Those of them that were rejected.
    public var rejected: Int
}

/// The progress callback ended a run.
public struct RunCancelled: Error, Hashable, Sendable {
    /// The error of a run whose progress callback returned ``BulkControl/cancel``.
    public init() {}
}
