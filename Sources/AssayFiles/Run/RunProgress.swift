/// How far a run has come.
public struct RunProgress: Hashable, Sendable {
    /// Bytes of the input that are judged and written.
    public var bytes: Int
    /// Bytes of the input in all, where that is known.
    public var totalBytes: Int?
    public var records: Int
    public var rejected: Int
}

/// The progress callback ended a run.
public struct RunCancelled: Error, Hashable, Sendable {
    public init() {}
}
