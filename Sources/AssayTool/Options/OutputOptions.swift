import ArgumentParser
import AssayFiles

/// The files of rows that `clean` writes, and their form.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The file of the clean rows; - is standard output, none discards them.", valueName: "path"),
        completion: .file())
    var clean: String?

    @Option(help: ArgumentHelp("The file of the rejects; none discards them.", valueName: "path"), completion: .file())
    var rejects: String?

    @Option(
        help: ArgumentHelp("Write the outputs into it, not beside the input.", valueName: "directory"),
        completion: .directory)
    var outputDir: String?

    @Flag(help: "Add the columns _line and _reasons to the rejects.")
    var annotate = false

    @Option(
        help: ArgumentHelp(
            "Write the changes that repairs made: JSON Lines, or CSV if the name ends in .csv.", valueName: "path"),
        completion: .file())
    var changes: String?

    @Option(
        help: ArgumentHelp(
            "How outputs are packed: gzip, zstd or none. Default: as the input; the ending of a named path has "
                + "precedence.",
            valueName: "how"),
        completion: OutputPackingOption.completion)
    var compress: String?

    @Option(
        help: ArgumentHelp(
            "Write clean rows and rejects in utf-8, or in the same encoding as the input. Default: utf-8.",
            valueName: "encoding"),
        completion: OutputEncodingOption.completion)
    var outputEncoding: String?

    @Flag(help: "For outputs that are opened in Excel: an apostrophe before cells that it would compute.")
    var guardFormulas = false

    func validate() throws {
        try OutputPackingOption.check(compress, of: "--compress")
        try OutputEncodingOption.check(outputEncoding, of: "--output-encoding")
    }
}

/// The findings and reports of `clean` and `check`.
struct FindingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file of the findings: JSON Lines, or CSV if the name ends in .csv; none discards them.",
            valueName: "path"),
        completion: .file())
    var findings: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The file of the report, in the form of its ending: .json, .html, .md, .sarif, .xml (JUnit), .prom "
                + "(Prometheus) or .annotations (GitHub). May be repeated; none discards it.",
            valueName: "path"),
        completion: .file())
    var report: [String] = []

    @Flag(help: "Replace outputs that exist.")
    var force = false

    @Flag(help: "Show the values of failing cells. Without it no value is shown.")
    var showValues = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write at most this many findings; all are counted. Default: \(Self.usualFindings).", valueName: "n"))
    var maxFindings: Int?

    static let usualFindings = 1_000_000

    func validate() throws {
        if let maxFindings, maxFindings < 0 {
            throw ValidationError("--max-findings takes 0 or a positive number.")
        }
    }

    /// Refuses `none` together with other reports, because they contradict each other.
    func refuseNoneAmongReports() throws {
        guard report.count > 1, report.contains("none") else { return }
        throw ValidationError("--report none cannot be combined with another --report.")
    }
}

enum OutputEncodingOption: String, OptionWord {
    case utf8 = "utf-8"
    case same
}

enum OutputPackingOption: String, OptionWord {
    case gzip, zstd, none

    var packing: OutputPacking {
        switch self {
        case .gzip: .packed(.gzip)
        case .zstd: .packed(.zstd)
        case .none: .none
        }
    }
}
