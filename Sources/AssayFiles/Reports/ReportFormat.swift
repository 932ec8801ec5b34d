/// The format of a report, which is selected by the ending of its name.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
    /// All counts, for programs: `Docs/assay-report.schema.json`.
    case json
    /// A page for people, in one file.
    case html
    /// For a pull request, or the summary of a job.
    case markdown
    /// SARIF 2.1.0, for code hosts and editors.
    case sarif
    /// JUnit's XML, for servers that show tests.
    case junit

    /// The ending of its names, such as `.html`.
    public var ending: String {
        switch self {
        case .json: ".json"
        case .html: ".html"
        case .markdown: ".md"
        case .sarif: ".sarif"
        case .junit: ".xml"
        }
    }

    /// Creates the format for an ending such as `.html`, in lower case. Returns `nil` if the ending is unknown.
    init?(ending: String) {
        guard let format = Self.allCases.first(where: { $0.ending == ending }) else { return nil }
        self = format
    }

    /// The form that a name asks for: by its ending, before that of a packed file. A name without one is JSON's; `nil`: the
    /// ending is no form's.
    public init?(path: String) {
        let ending = splitEnding(splitPath(Compression.unpackedName(path)).base).ending.lowercased()
        guard let format = ending.isEmpty ? .json : ReportFormat(ending: ending) else { return nil }
        self = format
    }

    /// How many of the first findings it shows at most, or takes its places from.
    var neededFindings: Int {
        switch self {
        case .json: 0
        case .html, .markdown, .junit: 1_000
        case .sarif: RunReport.mostResults
        }
    }
}
