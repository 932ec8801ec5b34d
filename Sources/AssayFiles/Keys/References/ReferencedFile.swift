internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The file that a foreign key refers to: its summary, and the keys that do not fit in memory.
final class ReferencedFile: KeyOverflow {
    /// The directory of the keys; `nil` selects the default.
    private let directory: String?
    private let key: ForeignKey
    // SAFETY: Changed only while keys are added, by one caller at a time, and by `end`. Lookups begin after that.
    fileprivate nonisolated(unsafe) var partitions: KeyPartitions?
    fileprivate nonisolated(unsafe) var summary: RunResult.Reference?

    init(_ key: ForeignKey, in directory: String?) { (self.key, self.directory) = (key, directory) }

    func append(_ key: assay_key) throws {
        if partitions == nil { partitions = KeyPartitions(try ScratchFile(in: directory)) }
        try partitions?.append(key)
    }

    /// Ends the filling. Moves the remaining partitions to the file, if there is one.
    ///
    /// - Parameter result: The result of reading the table with these keys.
    func end(_ result: RunResult) throws(FileError) {
        summary = RunResult.Reference(
            id: key.id, resource: key.reference.resource, records: result.records, structure: result.structure,
            encodingGuess: result.encodingGuess)
        try partitions?.spill()
    }
}

extension ReferencedKeys {
    /// The keys on disk, if they do not fit in memory.
    var partitions: KeyPartitions? { (overflow as? ReferencedFile)?.partitions }
    /// The summary of the table, if it was a file.
    var summary: RunResult.Reference? { (overflow as? ReferencedFile)?.summary }
}
