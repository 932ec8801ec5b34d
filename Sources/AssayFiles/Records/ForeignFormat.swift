internal import Assay

/// A format that people take for CSV in UTF-8, and that ``Cleaner`` does not read.
public enum ForeignFormat: Hashable, Sendable, CaseIterable {
    /// RFC 1952.
    case gzip
    /// RFC 8878.
    case zstandard
    /// Zstandard with a larger window than any reader has to support (RFC 8878, section 3.1.1.1.2): with `--long=28` or
    /// more.
    case largeZstandard
    /// The .xz format of XZ Utils.
    case xz
    /// bzip2.
    case bzip2
    /// An archive that is not one of the spreadsheets below.
    case zip
    /// A workbook of Microsoft Excel, .xlsx or .xls.
    case excel
    /// A spreadsheet of LibreOffice, .ods.
    case openDocument
    /// Apache Parquet.
    case parquet
    /// A database of SQLite 3.
    case sqlite
    /// JSON that is not JSON Lines: an array, or an object over several lines.
    case json
    /// PDF.
    case pdf
    /// HTML.
    case webPage
    /// XML.
    case xml
    /// An archive of 7-Zip.
    case sevenZip
    /// An archive of RAR.
    case rar
    /// A tar archive, also one that was compressed as a whole.
    case tar
    /// LZ4 frames.
    case lz4
    /// Apache Arrow's IPC formats, for files (also called Feather) and for streams.
    case arrow
    /// Apache ORC.
    case orc
    /// Apache Avro.
    case avro
    /// HDF5.
    case hdf5
    /// Objects of Python, from protocol 2 on.
    case pickle
    /// Objects of R: .RData or .rds.
    case rData
    /// A data set of SAS: .sas7bdat, or a transport file.
    case sas
    /// A data file of SPSS, .sav.
    case spss
    /// A data set of Stata, .dta, from Stata 13 on.
    case stata
    /// A picture: PNG, JPEG or GIF.
    case picture
    /// A program or a library: ELF, or Windows' format.
    case program
    /// Text in an encoding of IBM's mainframes.
    case ebcdic

    /// The name for a message, such as "gzip data".
    public var name: String {
        switch self {
        case .gzip: "gzip data"
        case .zstandard: "Zstandard data"
        case .largeZstandard: "Zstandard data with a window of more than 128 MiB"
        case .xz: "xz data"
        case .bzip2: "bzip2 data"
        case .zip: "a zip archive"
        case .excel: "an Excel workbook"
        case .openDocument: "an OpenDocument spreadsheet"
        case .parquet: "a Parquet file"
        case .sqlite: "an SQLite database"
        case .json: "a JSON array"
        case .pdf: "a PDF document"
        case .webPage: "a web page"
        case .xml: "XML"
        case .sevenZip: "a 7z archive"
        case .rar: "a RAR archive"
        case .tar: "a tar archive"
        case .lz4: "LZ4 data"
        case .arrow: "an Arrow file"
        case .orc: "an ORC file"
        case .avro: "an Avro file"
        case .hdf5: "an HDF5 file"
        case .pickle: "a pickle of Python"
        case .rData: "data of R"
        case .sas: "a SAS data set"
        case .spss: "an SPSS data file"
        case .stata: "a Stata data set"
        case .picture: "a picture"
        case .program: "a program"
        case .ebcdic: "text in EBCDIC"
        }
    }

    /// Advice for such a file, as a sentence for the user of a library.
    public var advice: String {
        switch self {
        case .gzip, .zstandard, .largeZstandard, .xz, .bzip2, .zip, .sevenZip, .rar, .tar, .lz4:
            "unpack it first"
        case .excel, .openDocument: "save it as CSV in UTF-8"
        case .parquet:
            "export the table as CSV, or clean it in Python: assay.clean(\"users.parquet\", rules)"
        case .json: "write each object on a line of its own (JSON Lines), such as with jq -c '.[]'"
        case .arrow: "export the table as CSV, or check it in Python as pyarrow.feather.read_table(…)"
        case .orc: "export the table as CSV, or check it in Python as pyarrow.orc.read_table(…)"
        case .avro: "export the table as CSV, or check it in Python as polars.read_avro(…)"
        case .rData: "export the table as CSV in R: write.csv(table, \"users.csv\", row.names = FALSE)"
        case .pickle, .hdf5, .spss: "export the table as CSV with the program that wrote it"
        case .sas: "export the table as CSV, such as in Python: pandas.read_sas(…).to_csv(\"users.csv\", index=False)"
        case .stata:
            "export the table as CSV, such as in Python: pandas.read_stata(…).to_csv(\"users.csv\", index=False)"
        case .sqlite, .pdf, .xml: "export the table as CSV"
        case .picture, .program: "this is not a table"
        case .ebcdic:
            "convert it to UTF-8 from its code page, such as IBM1047, IBM037 or IBM273, and its line ends (15) to line "
                + "feeds (25): "
                + "tr '\\025' '\\045' < FILE | iconv -f CODEPAGE -t UTF-8"
        case .webPage: "it may be a login or an error page that was saved in place of the export"
        }
    }

    static let zipMagic: [UInt8] = [0x50, 0x4B, 3, 4]

    /// The number of first bytes by which most formats are known; zip archives need 64 KiB.
    static let magicBytes = 512

    /// The format that a file's first bytes show; `nil` for bytes that may be CSV.
    ///
    /// - Parameter bytes: All known bytes; about 64 KiB suffice to distinguish the kinds of zip archives.
    init?(firstBytes bytes: [UInt8]) {
        guard let found = Self(magicOf: bytes) ?? Self.textual(bytes) else { return nil }
        self = found
    }

    /// The binary format with the magic number at the start of a file; `nil` for bytes that may be text in some
    /// encoding. No text has these bytes, so a format that is found is certain, also if an encoding was named.
    init?(magicOf bytes: [UInt8]) {
        guard let found = Self.compressed(bytes) ?? Self.table(bytes) ?? Self.binary(bytes) else { return nil }
        self = found
    }

    private static func compressed(_ bytes: [UInt8]) -> Self? {
        if bytes.starts(with: [0x1F, 0x8B, 8]) { return .gzip }
        if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .zstandard }
        if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { return .xz }
        // "BZh", the size of its blocks, and the digits of π.
        if bytes.starts(with: "BZh".utf8), bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]),
            bytes.count <= 10 || bytes.prefix(64).contains(where: { $0 >= 0x80 || $0 < 9 })
        {
            return .bzip2
        }
        if bytes.starts(with: [0x04, 0x22, 0x4D, 0x18]) { return .lz4 }
        // An empty archive has only its end record.
        if bytes.starts(with: [0x50, 0x4B, 5, 6]) { return .zip }
        guard bytes.starts(with: zipMagic) else { return nil }
        let parts = ["xl/workbook.", "xl/worksheets/", "xl/_rels/workbook.", "spreadsheetml.sheet"]
        if parts.contains(where: { holds(bytes, $0) }) { return .excel }
        return holds(bytes, "opendocument.spreadsheet") ? .openDocument : .zip
    }

    /// The formats of tables.
    private static func table(_ bytes: [UInt8]) -> Self? {
        let magic: [([UInt8], Self)] = [
            // The container of Microsoft's older programs.
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .excel), (Array("SQLite format 3\0".utf8), .sqlite),
            (Array("ARROW1\0\0".utf8), .arrow), ([0x4F, 0x62, 0x6A, 1], .avro),
            ([0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10], .hdf5), (Array("<stata_dta><header>".utf8), .stata),
            ([UInt8](repeating: 0, count: 12) + [0xC2, 0xEA, 0x81, 0x60, 0xB3, 0x14, 0x11, 0xCF], .sas),
            (Array("X\n\0\0\0\u{2}".utf8), .rData),
            (Array("X\n\0\0\0\u{3}".utf8), .rData),
        ]
        if let known = magic.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
        // The first record of a transport file has the name of a library and of its header.
        let record = String(decoding: bytes.prefix(80), as: UTF8.self)
        if record.hasPrefix("HEADER RECORD*******LIB"), record.contains("HEADER RECORD!!!!!!!") { return .sas }
        // The mark of a pickle, and the number of its protocol.
        if bytes.first == 0x80, let version = bytes.dropFirst().first, (2...5).contains(version) { return .pickle }
        // The mark of a message in Arrow's stream format, and the length of its metadata.
        if bytes.starts(with: [0xFF, 0xFF, 0xFF, 0xFF]), bytes.dropFirst(6).starts(with: [0, 0]) { return .arrow }
        // Binary data follows the magic number of Parquet and of Feather's first version; a column may be called PAR1.
        if let next = bytes.dropFirst(4).first, next < 0x20, ![9, 10, 13].contains(next) {
            if bytes.starts(with: "PAR1".utf8) { return .parquet }
            if bytes.starts(with: "FEA1".utf8) { return .arrow }
        }
        let followed: [(String, Self)] = [
            ("ORC", .orc), ("RDX2\nX\n", .rData), ("RDX3\nX\n", .rData), ("$FL2@(#)", .spss), ("$FL3@(#)", .spss),
        ]
        return isBinary(bytes) ? followed.first { bytes.starts(with: $0.0.utf8) }?.1 : nil
    }

    /// Formats that are not tables.
    private static func binary(_ bytes: [UInt8]) -> Self? {
        let magic: [([UInt8], Self)] = [
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip), (Array("Rar!\u{1A}\u{7}".utf8), .rar),
            ([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], .picture), ([0xFF, 0xD8, 0xFF], .picture),
            ([0x7F, 0x45, 0x4C, 0x46], .program), (Array("%PDF-1.".utf8), .pdf), (Array("%PDF-2.".utf8), .pdf),
        ]
        if let known = magic.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
        // The name of the first file of a tar archive is padded with NULs.
        if bytes.dropFirst(257).starts(with: "ustar".utf8), bytes.prefix(100).last == 0 { return .tar }
        if !isBinary(bytes) { return nil }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .picture }
        return bytes.starts(with: "MZ".utf8) ? .program : nil
    }

    /// Whether binary data follows a magic number: a column may be called ORC or MZ.
    private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.prefix(80).contains { $0 < 9 } }

    /// Whether text may have the bytes that show this format, so that a named format overrules it.
    func mayBeTable(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .json, .webPage, .xml, .pdf, .stata, .ebcdic: true
        case .sas: bytes.first == UInt8(ascii: "H")
        // Such as (µ/ý and ÿØÿ in windows-1252.
        default: Self.isText(bytes)
        }
    }

    /// Whether the first bytes, with the magic number, may be text in some encoding.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(80).allSatisfy { $0 >= 0x20 || [9, 10, 13].contains($0) }
    }

    /// Whether text with the bytes that show this format is not in UTF-8.
    var isInOtherEncoding: Bool {
        switch self {
        case .json, .webPage, .xml, .pdf, .stata, .sas: false
        default: true
        }
    }

    /// Formats that are text themselves.
    private static func textual(_ bytes: [UInt8]) -> Self? {
        // A list of JSON; objects line by line are read. A column may be called [id].
        let content = bytes.drop { [9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }
        let inside = content.dropFirst().drop { [9, 10, 13, 32].contains($0) }
        if content.first == UInt8(ascii: "["), let second = inside.first {
            // An empty list is the whole file.
            let isEmptyList =
                second == UInt8(ascii: "]") && inside.dropFirst().allSatisfy { [9, 10, 13, 32].contains($0) }
            if isEmptyList || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(second) { return .json }
        }
        let start = String(decoding: bytes.prefix(200), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            .lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html"), isMarkup(start) { return .webPage }
        if start.hasPrefix("<?xml version"), isMarkup(start) { return .xml }
        return isEBCDIC(bytes.prefix(400)) ? .ebcdic : nil
    }

    /// Whether the next tag follows the first one: a column may be called `<html>`.
    private static func isMarkup(_ start: String) -> Bool {
        guard let end = start.firstIndex(of: ">") else { return start.utf8.count >= 150 }
        return start[start.index(after: end)...].first { !$0.isWhitespace }.map { $0 == "<" } ?? true
    }

    /// Whether these bytes are well-formed UTF-8 but for a last character that is cut off.
    private static func isUTF8(_ sample: ArraySlice<UInt8>) -> Bool {
        (0...3).contains { String(validating: sample.dropLast($0), as: UTF8.self) != nil }
    }

    /// Whether nearly all bytes are letters, digits, blanks and commas of IBM's code pages, without line feeds.
    private static func isEBCDIC(_ sample: ArraySlice<UInt8>) -> Bool {
        // Letters and digits are above ASCII.
        guard sample.count >= 8, !sample.contains(10), sample.count(where: { $0 >= 0x80 }) * 2 >= sample.count,
            !isUTF8(sample)
        else { return false }
        let usual = sample.count { byte in
            let digit = byte & 0x0F
            switch byte >> 4 {
            case 0x8, 0x9, 0xC, 0xD: return (1...9).contains(digit)
            case 0xA, 0xE: return (2...9).contains(digit)
            case 0xF: return digit <= 9
            default: return [0x40, 0x4B, 0x6B, 0x5E, 0x15, 0x25, 0x60, 0x7F, 0x6D].contains(byte)
            }
        }
        return usual * 10 >= sample.count * 9
    }

    private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }
}
