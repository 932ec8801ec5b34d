/// The destinations of a run's results. Each one is optional.
public struct Outputs: Sendable {
    /// Takes the clean rows, the header among them; `nil`: they are dropped.
    public var clean: (any Sink)?
    /// Takes the rejected records, the header among them; `nil`: they are dropped.
    public var rejects: (any Sink)?
    /// Takes the findings; `nil`: they are only counted.
    public var findings: (any Sink)?
    /// Whether findings are written as CSV instead of JSON lines.
    public var findingsAsCSV: Bool
    /// Takes the changes that repairs made to clean rows, a line for each cell; `nil`: they are only counted.
    public var changes: (any Sink)?
    /// Whether changes are written as CSV instead of JSON lines.
    public var changesAsCSV = false
    /// The number of first findings that the caller needs as values, if it exceeds ``CleanerOptions/keptFindings``.
    package var keptFindings = 0
    /// Whether changes carry the text of the cell, also where findings do not.
    var changesShowValues = false

    /// These sinks.
    ///
    /// - Parameters:
    ///   - clean: takes the clean rows.
    ///   - rejects: takes the rejected records.
    ///   - findings: takes the findings.
    ///   - findingsAsCSV: whether findings are written as CSV; JSON Lines otherwise.
    public init(
        clean: (any Sink)? = nil, rejects: (any Sink)? = nil, findings: (any Sink)? = nil, findingsAsCSV: Bool = false
    ) {
        self.clean = clean
        self.rejects = rejects
        self.findings = findings
        self.findingsAsCSV = findingsAsCSV
    }
}

extension Outputs {
    /// Those of the outputs that are files which get their names at the end.
    var files: [StagedFile] { [clean, rejects, findings, changes].compactMap { $0?.stagedFile } }
}
