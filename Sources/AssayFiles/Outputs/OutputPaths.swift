/// Where the outputs of one input go.
public struct OutputPaths: Hashable, Sendable {
    /// Where the clean rows go; `nil`: nowhere; `-`: standard output. The same holds for the others.
    public var clean: String?
    /// Where the rejected records go.
    public var rejects: String?
    /// Where the findings go: CSV if the name ends in `.csv`, else JSON Lines.
    public var findings: String?
    /// Where the report goes, as JSON.
    public var report: String?

    /// These paths, and no others.
    public init(clean: String? = nil, rejects: String? = nil, findings: String? = nil, report: String? = nil) {
        self.clean = clean
        self.rejects = rejects
        self.findings = findings
        self.report = report
    }

    /// The names that go with an input: `users.csv` gives `users.clean.csv`, `users.rejects.csv`, `users.findings.jsonl` and
    /// `users.report.json`, beside it or in another directory.
    public init(besides input: String, in directory: String? = nil) {
        let (own, base) = splitPath(input)
        let folder = directory.map { $0.isEmpty || $0.hasSuffix("/") ? $0 : $0 + "/" } ?? own
        let (name, ending) = splitEnding(base)
        let stem = folder + name
        self.init(
            clean: stem + ".clean" + ending, rejects: stem + ".rejects" + ending,
            findings: stem + ".findings.jsonl", report: stem + ".report.json")
    }

    /// Those that are there, in the order in which they are published.
    public var all: [String] { [clean, rejects, findings, report].compactMap { $0 } }
}
