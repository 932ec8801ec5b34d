import Assay
import AssayFiles

/// The commands of other programs that convert a format to CSV.
enum ConversionCommand {
    /// A command that writes the table to its standard output; the file name follows. `test`, if there is one, first
    /// verifies that the file is complete, as `gzip -t` does, because a truncated archive ends a pipe like a complete
    /// one.
    case filter(String, test: String? = nil, readsStandardInput: Bool = true)
    /// A command that creates the missing file `result`.
    case file(command: String, result: String)

    /// Returns `nil` if there is no single command for the format.
    init?(_ format: ForeignFormat, file name: String, hasHeader: Bool) {
        switch format {
        case .gzip: self = .filter("zcat", test: "gzip -t")
        case .zstandard: self = .filter("zstdcat", test: "zstd -tq")
        case .largeZstandard: self = .filter("zstd -dc --long=31", test: "zstd -tq --long=31")
        case .xz: self = .filter("xzcat", test: "xz -t")
        case .bzip2: self = .filter("bzcat", test: "bzip2 -t")
        case .lz4: self = .filter("lz4 -dc", test: "lz4 -tqq")
        case .zip: self = .filter("unzip -p", test: "unzip -tqq", readsStandardInput: false)
        // tar detects the compression of files, but not of pipes.
        case .tar: self = .filter("tar -xOf", test: "tar >/dev/null -tf", readsStandardInput: false)
        case .sevenZip: self = .filter("7z e -so", test: "7z >/dev/null t", readsStandardInput: false)
        case .excel, .openDocument: self = Self.libreOffice(name)
        case .parquet: self = Self.duckDB("read_parquet", name, hasHeader)
        case .json: self = .filter("jq -c 'if type == \"array\" then .[] else . end'")
        case .sqlite, .pdf, .webPage, .xml, .rar, .arrow, .orc, .avro, .hdf5, .pickle, .rData, .sas, .spss, .stata,
            .picture, .program, .ebcdic:
            return nil
        }
    }

    private static func libreOffice(_ name: String) -> Self {
        // The program names the result after the input, so only the directory can be chosen.
        let (directory, base) = splitPath(name)
        let stem = splitEnding(base).stem
        let folder = unusedPath(directory + stem + ".converted", ending: "")
        let quoted = shellPath(folder)
        return .file(
            command: "mkdir \(quoted) && libreoffice --headless --convert-to csv --outdir \(quoted) \(shellPath(name))",
            result: "\(folder)/\(stem).csv")
    }

    private static func duckDB(_ function: String, _ name: String, _ hasHeader: Bool) -> Self {
        func literal(_ text: String) -> String { "'" + text.replacingEach("'", by: "''") + "'" }
        let (directory, base) = splitPath(name)
        let result = unusedPath(directory + splitEnding(base).stem + ".converted", ending: ".csv")
        let header = hasHeader ? "HEADER" : "HEADER false"
        let query = "COPY (FROM \(function)(\(literal(name)))) TO \(literal(result)) (\(header))"
        return .file(command: "duckdb -c \(shellQuoted(query))", result: result)
    }
}
