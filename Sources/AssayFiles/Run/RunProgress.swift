/// The progress of a run.
public struct RunProgress: Hashable, Sendable {
    /// The current stage of a run.
    public enum Stage: Hashable, Sendable {
        /// Reads a table that a foreign key refers to, with this name in the rules. The counts are for that table.
        case references(String)
        /// Checks records and writes each one as soon as its verdict is final.
        case records
        /// Checks records that wait in a file, because their keys can be decided only at the end. The counts include
        /// waiting records.
        case waiting
        /// All records are checked; the keys are being decided.
        case keys
        /// Writes the records that waited.
        case writing
    }

    /// The current stage.
    public var stage = Stage.records
    /// The bytes of the input that are checked and, unless they wait, written.
    public var bytes: Int
    /// The total size of the input in bytes, if known.
    public var totalBytes: Int?
    /// The number of records in these bytes.
    public var records: Int
    /// The number of rejected records.
    public var rejected: Int
    /// The bytes and records of an earlier run that this run resumes.
    package var resumed = Resumed()

    package struct Resumed: Hashable, Sendable {
        package var bytes = 0
        package var records = 0
    }
}

/// The error of a run that its progress callback ended.
public struct RunCancelled: Error, Hashable, Sendable {
    /// Creates the error. A run throws it if its progress callback returns ``BulkControl/cancel``.
    public init() {}
}
