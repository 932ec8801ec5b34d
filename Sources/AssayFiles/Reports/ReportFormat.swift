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
    /// Gauges in Prometheus' text format, for monitoring.
    case prometheus
    /// Commands that show annotations in a GitHub workflow when a step prints them.
    case annotations

    /// The ending of its names, such as `.html`.
    public var ending: String {
        switch self {
        case .json: ".json"
        case .html: ".html"
        case .markdown: ".md"
        case .sarif: ".sarif"
        case .junit: ".xml"
        case .prometheus: ".prom"
        case .annotations: ".annotations"
        }
    }

    /// Creates the format for an ending such as `.html`, in lower case. Returns `nil` if the ending is unknown.
    init?(ending: String) {
        guard let format = Self.allCases.first(where: { $0.ending == ending }) else { return nil }
        self = format
    }

    /// Creates the format for a file name according to its ending, which may precede a compression ending. A name
    /// without an ending selects JSON. Returns `nil` if the ending is unknown.
    public init?(path: String) {
        let ending = splitEnding(splitPath(Compression.unpackedName(path)).base).ending.lowercased()
        guard let format = ending.isEmpty ? .json : ReportFormat(ending: ending) else { return nil }
        self = format
    }

    /// The maximum number of first findings that the format shows, or that it takes places from.
    var neededFindings: Int {
        switch self {
        case .json, .prometheus: 0
        case .html, .markdown, .junit, .annotations: 1_000
        case .sarif: RunReport.maxResults
        }
    }
}
