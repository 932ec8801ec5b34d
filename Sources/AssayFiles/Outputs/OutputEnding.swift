internal import Assay

/// Endings of names that promise another format than the one an output is written in.
enum OutputEnding {
    /// Refuses paths with such an ending.
    ///
    /// - Parameter format: The format of the input's records. `nil` if it is not known yet.
    static func check(_ paths: OutputPaths, input: String, format: InputFormat?) throws(InputError) {
        let own = ending(of: input)
        // The last ending names the compression; this check concerns the ending before it.
        let tables: Set = [".csv", ".tsv"]
        let lines: Set = [".jsonl", ".ndjson", ".json"]
        let records = format.map { $0 == .csv ? tables : lines } ?? tables.union(lines)
        let isUsual = records.contains(own) || !(own.isEmpty || binary.contains(own) || texts.contains(own))
        for path in [paths.clean, paths.rejects].compactMap({ $0 }) where ending(of: path) != own {
            try refuse(
                path, unless: records, written: "records are written unchanged",
                instead: isUsual ? own : format == .jsonLines ? ".jsonl" : ".csv")
        }
        for (name, path) in [("findings", paths.findings), ("changes", paths.changes)] {
            guard let path else { continue }
            try refuse(
                path, unless: [".csv", ".json", ".jsonl", ".ndjson"],
                written: "\(name) are written as JSON lines or as CSV", instead: ".jsonl or .csv")
        }
        for path in paths.reports { try checkReport(path) }
    }

    /// Refuses a report path with an ending that names no report format, because the ending selects the format.
    private static func checkReport(_ path: String) throws(InputError) {
        let ending = ending(of: path)
        // A pipe or a device may be called anything.
        if ending.isEmpty || ReportFormat(ending: ending) != nil || OutputTarget(path).kind == .other { return }
        let known = ReportFormat.allCases.map { $0.ending }.joined(separator: ", ")
        throw InputError(
            "no report is written as '\(printable(ending))', the ending of \(printable(path))",
            hint: "use a name that ends in one of \(known); .md is Markdown, .xml is JUnit's XML")
    }

    private static func refuse(
        _ path: String, unless allowed: Set<String>, written: String, instead: String
    ) throws(InputError) {
        let ending = ending(of: path)
        guard binary.contains(ending) || texts.contains(ending), !allowed.contains(ending) else { return }
        // A program that reads from a pipe may convert the records.
        if OutputTarget(path).kind == .other { return }
        throw InputError(
            "\(written), and \(printable(path)) has the ending of another format",
            hint: "use a name that ends in \(instead), and convert the file to \(ending.dropFirst()) afterwards")
    }

    private static func ending(of path: String) -> String {
        splitEnding(splitPath(Compression.unpackedName(path)).base).ending.lowercased()
    }

    private static let binary: Set<String> = [
        ".7z", ".arrow", ".avro", ".br", ".bz2", ".db", ".duckdb", ".feather", ".lz4", ".lzma", ".ods", ".orc",
        ".parquet", ".pdf", ".sqlite", ".tar", ".tgz", ".xls", ".xlsb", ".xlsm", ".xlsx", ".xz", ".z", ".zip",
    ]
    private static let texts: Set<String> = [
        ".csv", ".html", ".json", ".jsonl", ".ndjson", ".tsv", ".xml", ".yaml", ".yml",
    ]
}
