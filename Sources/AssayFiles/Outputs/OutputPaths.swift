internal import Assay

/// Where the outputs of one input go.
public struct OutputPaths: Hashable, Sendable {
    /// The path of the clean records. `nil` omits the output; `-` is standard output. The same holds for the other
    /// paths.
    public var clean: String?
    /// Where the rejected records go.
    public var rejects: String?
    /// Where the findings go: CSV if the name ends in `.csv`, else JSON Lines.
    public var findings: String?
    /// Where the changes go that repairs made: CSV if the name ends in `.csv`, else JSON Lines.
    public var changes: String?
    /// Where the reports go, each in the form that its name asks for (``ReportFormat``).
    public var reports: [String]

    /// These paths, and no others.
    public init(
        clean: String? = nil, rejects: String? = nil, findings: String? = nil, changes: String? = nil,
        reports: [String] = []
    ) {
        self.changes = changes
        self.clean = clean
        self.rejects = rejects
        self.findings = findings
        self.reports = reports
    }

    /// Returns the output paths for an input: `users.csv` gives `users.clean.csv`, `users.rejects.csv`,
    /// `users.findings.jsonl` and `users.report.json`, beside it or in another directory. An ending such as `.gz` comes
    /// last: `users.csv.gz` gives `users.clean.csv.gz`.
    ///
    /// - Parameter compression: The compression of the records, or `nil`, regardless of the name of the input.
    public init(nextTo input: String, in directory: String? = nil, packedAs compression: Compression? = nil) {
        let (own, base) = splitPath(Compression.unpackedName(input))
        let folder = directory.map { $0.isEmpty || $0.ends(withBytesOf: "/") ? $0 : $0 + "/" } ?? own
        let (name, ending) = splitEnding(base)
        let stem = folder + name
        let packed = compression?.ending ?? ""
        self.init(
            clean: stem + ".clean" + ending + packed, rejects: stem + ".rejects" + ending + packed,
            findings: stem + ".findings.jsonl", reports: [stem + ".report.json"])
    }

    /// Returns the common name of several files that form one table: the common prefix of their names, without digits
    /// and separators at its end.
    ///
    ///     2024/part-01.csv  2024/part-02.csv    ──►  2024/part.csv
    ///
    package static func commonName(of inputs: [String]) -> String {
        let (directory, base) = splitPath(inputs[0])
        let (first, ending) = splitEnding(splitPath(Compression.unpackedName(base)).base)
        var common = Substring(first)
        for input in inputs.dropFirst() {
            let stem = splitEnding(splitPath(Compression.unpackedName(input)).base).stem
            common =
                common[
                    ..<zip(common.indices, stem).prefix { common[$0.0] == $0.1 }.reduce(common.startIndex) {
                        common.index(after: $1.0)
                    }]
        }
        while let last = common.last, last.isNumber || "-_. ".contains(last) { common.removeLast() }
        return directory + (common.isEmpty ? "all" : String(common)) + ending
    }

    /// The paths of the outputs of clean records, rejects, findings and changes, if set.
    var rows: [String] { [clean, rejects, findings, changes].compactMap { $0 } }

    /// All paths that are set, in the order of publishing.
    public var all: [String] { [clean, rejects, findings, changes].compactMap(\.self) + reports }
}
