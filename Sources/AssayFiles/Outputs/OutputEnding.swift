internal import Assay

/// Endings of names that promise another format than the one an output is written in.
enum OutputEnding {
    /// Refuses paths with such an ending.
    ///
    /// - Parameter input: a file may be called `.gz` and hold plain records: then its outputs may be as well.
    static func check(_ paths: OutputPaths, input: String) throws(InputError) {
        let own = ending(of: input)
        for path in [paths.clean, paths.rejects].compactMap({ $0 })
        where packed.contains(ending(of: path)) && ending(of: path) != own {
            let isPlain = own != "" && !packed.contains(own)
            throw refusal(path, written: "records are written as they came", instead: isPlain ? own : ".csv")
        }
        if let path = paths.findings, packed.contains(ending(of: path)) || otherTexts.contains(ending(of: path)) {
            throw refusal(path, written: "findings are written as JSON lines or as CSV", instead: ".jsonl or .csv")
        }
        if let path = paths.report, packed.contains(ending(of: path)) || otherTexts.contains(ending(of: path)) {
            throw refusal(path, written: "the report is written as JSON", instead: ".json")
        }
    }

    private static func ending(of path: String) -> String { splitEnding(splitPath(path).base).ending.lowercased() }

    private static func refusal(_ path: String, written: String, instead: String) -> InputError {
        let ending = ending(of: path)
        return InputError(
            "\(written), and \(printable(path)) has the ending of another format",
            hint: "end it in \(instead), and have another program make \(ending.dropFirst()) of that")
    }

    private static let packed: Set<String> = [
        ".7z", ".arrow", ".avro", ".bz2", ".db", ".duckdb", ".feather", ".gz", ".lz4", ".ods", ".orc", ".parquet",
        ".pdf",
        ".sqlite", ".tgz", ".xls", ".xlsx", ".xz", ".zip", ".zst",
    ]
    private static let otherTexts: Set<String> = [".html", ".tsv", ".xml", ".yaml", ".yml"]
}
