import Assay
import AssayFiles

/// The commands of other programs that make CSV of another format.
enum ConversionCommand {
    /// A program that writes the table to its standard output; the file's name follows. `test`, where there is one, says first
    /// whether the file is whole, as `gzip -t` does: an archive that was cut off ends a pipe like any other.
    case filter(String, test: String? = nil, readsStandardInput: Bool = true)
    /// A program that writes a file, where none is yet.
    case file(command: String, result: String)

    /// `nil` where no program can do it alone.
    init?(_ format: ForeignFormat, file name: String, hasHeader: Bool) {
        switch format {
        case .gzip: self = .filter("zcat", test: "gzip -t")
        case .zstandard: self = .filter("zstdcat", test: "zstd -tq")
        case .largeZstandard: self = .filter("zstd -dc --long=31", test: "zstd -tq --long=31")
        case .xz: self = .filter("xzcat", test: "xz -t")
        case .bzip2: self = .filter("bzcat", test: "bzip2 -t")
        case .lz4: self = .filter("lz4 -dc", test: "lz4 -tqq")
        case .zip: self = .filter("unzip -p", test: "unzip -tqq", readsStandardInput: false)
        // tar detects the compression of a file, and not that of a pipe.
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
        // It calls the result after the input, so that only the directory can be chosen.
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
