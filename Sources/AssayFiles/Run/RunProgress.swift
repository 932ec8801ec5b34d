/// How far a run has come.
public struct RunProgress: Hashable, Sendable {
    /// What a run is doing.
    public enum Stage: Hashable, Sendable {
        /// It reads a table that a foreign key refers to, the one with this name in the rules. The counts are of that table.
        case references(String)
        /// It judges records, and writes them as soon as it is known what becomes of them.
        case records
        /// It judges records, which wait in a file, because something about their keys is known only at the end. The counts are
        /// of records that are judged.
        case waiting
        /// All records are judged, and it is decided about their keys.
        case keys
        /// It writes the records that waited.
        case writing
    }

    /// What it is doing.
    public var stage = Stage.records
    /// Bytes of the input that are judged and, but where they wait, written.
    public var bytes: Int
    /// Bytes of the input in all, where that is known.
    public var totalBytes: Int?
    /// Records of them.
    public var records: Int
    /// Those of them that were rejected.
    public var rejected: Int
    /// Those bytes and records that an earlier run has done, with which this one goes on.
    package var resumed = Resumed()

    package struct Resumed: Hashable, Sendable {
        package var bytes = 0
        package var records = 0
    }
}

/// The progress callback ended a run.
public struct RunCancelled: Error, Hashable, Sendable {
    /// The error of a run whose progress callback returned ``BulkControl/cancel``.
    public init() {}
}
