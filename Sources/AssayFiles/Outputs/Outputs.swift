/// Where the results of a run go; each of them may be missing.
public struct Outputs: Sendable {
    public var clean: (any Sink)?
    public var rejects: (any Sink)?
    public var findings: (any Sink)?
    /// Whether findings are written as CSV instead of JSON lines.
    public var findingsAsCSV: Bool

    public init(
        clean: (any Sink)? = nil, rejects: (any Sink)? = nil, findings: (any Sink)? = nil, findingsAsCSV: Bool = false
    ) {
        self.clean = clean
        self.rejects = rejects
        self.findings = findings
        self.findingsAsCSV = findingsAsCSV
    }
}
