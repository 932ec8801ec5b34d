/// The destinations of a run's results. Each one is optional.
public struct Outputs: Sendable {
    /// Receives the clean records with the header. `nil` drops them.
    public var clean: (any Sink)?
    /// Receives the rejected records with the header. `nil` drops them.
    public var rejects: (any Sink)?
    /// Receives the findings. `nil` only counts them.
    public var findings: (any Sink)?
    /// Whether findings are written as CSV instead of JSON lines.
    public var findingsAsCSV: Bool
    /// Receives the changes by repairs to clean records, one line per cell. `nil` only counts them.
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
    /// The outputs that are files and get their names at the end.
    var files: [StagedFile] { [clean, rejects, findings, changes].compactMap { $0?.stagedFile } }
}
