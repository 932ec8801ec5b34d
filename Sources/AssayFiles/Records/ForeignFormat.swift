internal import Assay

/// A format that people take for CSV in UTF-8, and that ``Cleaner`` does not read.
public enum ForeignFormat: Hashable, Sendable, CaseIterable {
    /// RFC 1952.
    case gzip
    /// RFC 8878.
    case zstandard
    /// The .xz format of XZ Utils.
    case xz
    /// bzip2.
    case bzip2
    /// An archive that is neither of the spreadsheets below.
    case zip
    /// A workbook of Microsoft Excel, .xlsx or .xls.
    case excel
    /// A spreadsheet of LibreOffice, .ods.
    case openDocument
    /// Apache Parquet.
    case parquet
    /// A database of SQLite 3.
    case sqlite
    /// A list or an object of JSON, or objects line by line.
    case json
    /// PDF.
    case pdf
    /// HTML.
    case webPage
    /// XML.
    case xml
    /// UTF-16 with a byte order mark.
    case utf16
    /// UTF-16 in little-endian order, without a byte order mark.
    case utf16LittleEndian
    /// UTF-16 in big-endian order, without a byte order mark.
    case utf16BigEndian
    /// UTF-32 with a byte order mark.
    case utf32
    /// Text that is not UTF-8; mostly it is in an encoding of Windows.
    case otherEncoding

    /// The name for a message, such as "gzip data".
    public var name: String {
        switch self {
        case .gzip: "gzip data"
        case .zstandard: "Zstandard data"
        case .xz: "xz data"
        case .bzip2: "bzip2 data"
        case .zip: "a zip archive"
        case .excel: "an Excel workbook"
        case .openDocument: "an OpenDocument spreadsheet"
        case .parquet: "a Parquet file"
        case .sqlite: "an SQLite database"
        case .json: "JSON"
        case .pdf: "a PDF document"
        case .webPage: "a web page"
        case .xml: "XML"
        case .utf16, .utf16LittleEndian, .utf16BigEndian: "UTF-16 text"
        case .utf32: "UTF-32 text"
        case .otherEncoding: "text in another encoding"
        }
    }

    /// What to do with such a file, as a sentence for the user of a library.
    public var advice: String {
        switch self {
        case .gzip, .zstandard, .xz, .bzip2, .zip: "unpack it first"
        case .excel, .openDocument: "save it as CSV in UTF-8"
        case .parquet, .sqlite, .json, .pdf, .xml: "export the table as CSV"
        case .webPage: "it may be a login or an error page that was saved in place of the export"
        case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .otherEncoding: "convert it to UTF-8 first"
        }
    }

    static let zipMagic: [UInt8] = [0x50, 0x4B, 3, 4]

    /// The format that a file's first bytes show; `nil` for what may be CSV.
    ///
    /// - Parameter bytes: as many as are known; some 64 KiB tell the kinds of zip archives apart.
    init?(firstBytes bytes: [UInt8]) {
        let found = Self.compressed(bytes) ?? Self.table(bytes) ?? Self.document(bytes) ?? Self.wideText(bytes)
        guard let found else { return nil }
        self = found
    }

    private static func compressed(_ bytes: [UInt8]) -> Self? {
        if bytes.starts(with: [0x1F, 0x8B, 8]) { return .gzip }
        if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .zstandard }
        if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { return .xz }
        // "BZh", the size of its blocks, and the digits of π.
        if bytes.starts(with: "BZh".utf8), bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
            return .bzip2
        }
        guard bytes.starts(with: zipMagic) else { return nil }
        if holds(bytes, "xl/") || holds(bytes, "[Content_Types].xml") { return .excel }
        return holds(bytes, "opendocument.spreadsheet") ? .openDocument : .zip
    }

    private static func table(_ bytes: [UInt8]) -> Self? {
        // The container of Microsoft's older programs.
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) { return .excel }
        // Binary data follows the magic number of Parquet; a column may well be called PAR1.
        if bytes.starts(with: "PAR1".utf8), let next = bytes.dropFirst(4).first, next < 0x20,
            ![9, 10, 13].contains(next)
        {
            return .parquet
        }
        if bytes.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
        // A list or an object of JSON, or objects line by line. A column may be called [id].
        let content = bytes.drop { [9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }
        let inside = content.dropFirst().drop { [9, 10, 13, 32].contains($0) }
        guard let first = content.first, let second = inside.first else { return nil }
        let isObject = first == UInt8(ascii: "{") && second == UInt8(ascii: "\"")
        let isList = first == UInt8(ascii: "[") && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(second)
        return isObject || isList ? .json : nil
    }

    private static func document(_ bytes: [UInt8]) -> Self? {
        if bytes.starts(with: "%PDF-".utf8) { return .pdf }
        let start = String(decoding: bytes.prefix(200), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            .lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .webPage }
        return start.hasPrefix("<?xml") ? .xml : nil
    }

    private static func wideText(_ bytes: [UInt8]) -> Self? {
        // Before UTF-16, whose little-endian mark is the first half of this one.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return .utf32 }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
        // Without a mark: every other byte of a header in Latin letters is NUL.
        let sample = bytes.prefix(200)
        guard sample.count >= 6 else { return nil }
        let even = stride(from: 0, to: sample.count, by: 2).count { sample[$0] == 0 }
        let odd = stride(from: 1, to: sample.count, by: 2).count { sample[$0] == 0 }
        let most = sample.count / 2 * 9 / 10
        if odd > most && even == 0 { return .utf16LittleEndian }
        return even > most && odd == 0 ? .utf16BigEndian : nil
    }

    private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }
}

extension InputError {
    /// Refuses a file whose first bytes show another format.
    ///
    /// - Parameter hasHeader: whether the CSV that is made of it has to have a header.
    static func refuseForeign(_ bytes: [UInt8], name: String, hasHeader: Bool) throws(InputError) {
        if let format = ForeignFormat(firstBytes: bytes) {
            throw InputError(
                "\(printable(name)) is \(format.name), not CSV", remedy: .convert(format, hasHeader: hasHeader))
        }
        // `sep=;` on a line of its own, which Excel writes above the header and reads as the delimiter.
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard content.starts(with: "sep=".utf8), let delimiter = content.dropFirst(4).first,
            let end = content.dropFirst(5).first, end == 10 || end == 13, delimiter < 0x80
        else { return }
        throw InputError(
            "\(printable(name)):1: the first line is a note for Excel, and not the header",
            remedy: .removeFirstLine(thenDelimiter: delimiter))
    }
}
