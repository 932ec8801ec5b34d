/// The files that people take for CSV, known by their first bytes.
enum OtherFormat {
    /// - Parameter hasHeader: whether the CSV that is made of it has to have a header.
    /// - Throws: ``InputError`` that names the format, and the command that makes CSV of it where there is one.
    static func refuse(_ bytes: [UInt8], name: String, hasHeader: Bool) throws(InputError) {
        try refuseCompressed(bytes, name)
        try refuseTables(bytes, name, hasHeader)
        try refuseDocuments(bytes, name)
        try refuseWideText(bytes, name)
        try refuseNoteForExcel(bytes, name)
    }

    static let zipMagic: [UInt8] = [0x50, 0x4B, 3, 4]

    private static func refuseCompressed(_ bytes: [UInt8], _ name: String) throws(InputError) {
        if bytes.starts(with: [0x1F, 0x8B, 8]) { try refuse("gzip data", name, .filter(["zcat"], test: "gzip -t")) }
        if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            try refuse("Zstandard data", name, .filter(["zstdcat"], test: "zstd -tq"))
        }
        if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) {
            try refuse("xz data", name, .filter(["xzcat"], test: "xz -t"))
        }
        // "BZh", the size of its blocks, and the digits of π.
        if bytes.starts(with: "BZh".utf8), bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
            try refuse("bzip2 data", name, .filter(["bzcat"], test: "bzip2 -t"))
        }
        if bytes.starts(with: zipMagic) {
            if holds(bytes, "xl/") || holds(bytes, "[Content_Types].xml") {
                try refuse("an Excel workbook", name, libreOffice(name))
            }
            if holds(bytes, "opendocument.spreadsheet") {
                try refuse("an OpenDocument spreadsheet", name, libreOffice(name))
            }
            try refuse("a zip archive", name, .filter(["unzip", "-p"], test: "unzip -tqq"))
        }
    }

    private static func refuseTables(_ bytes: [UInt8], _ name: String, _ hasHeader: Bool) throws(InputError) {
        // The container of Microsoft's older programs.
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            try refuse("an Excel workbook", name, libreOffice(name))
        }
        // What follows the magic of Parquet is binary; a column may well be called PAR1.
        if bytes.starts(with: "PAR1".utf8), let next = bytes.dropFirst(4).first, next < 0x20,
            ![9, 10, 13].contains(next)
        {
            try refuse("a Parquet file", name, duckDB("read_parquet", name, hasHeader))
        }
        if bytes.starts(with: "SQLite format 3\0".utf8) {
            try refuse(
                "an SQLite database", name,
                hint: "export a table of it: sqlite3 -header -csv \(shellPath(name)) 'SELECT …'")
        }
        // A list or an object of JSON, or objects line by line. A column may be called [id].
        let content = bytes.drop { [9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }
        let inside = content.dropFirst().drop { [9, 10, 13, 32].contains($0) }
        if let first = content.first, let second = inside.first,
            first == UInt8(ascii: "{") && second == UInt8(ascii: "\"")
                || first == UInt8(ascii: "[") && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(second)
        {
            try refuse("JSON", name, duckDB("read_json", name, hasHeader))
        }
    }

    private static func refuseDocuments(_ bytes: [UInt8], _ name: String) throws(InputError) {
        if bytes.starts(with: "%PDF-".utf8) {
            try refuse("a PDF document", name, hint: "export the table itself as CSV")
        }
        let start = String(decoding: bytes.prefix(200), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            .lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            try refuse(
                "a web page", name, hint: "it may be a login or an error page that was saved in place of the export")
        }
        if start.hasPrefix("<?xml") { try refuse("XML", name, hint: "export the table as CSV") }
    }

    private static func refuseWideText(_ bytes: [UInt8], _ name: String) throws(InputError) {
        // Before UTF-16, whose little-endian mark is the first half of this one.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            try refuse("UTF-32 text", name, .filter(["iconv", "-f", "UTF-32", "-t", "UTF-8"]))
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            try refuse("UTF-16 text", name, .filter(["iconv", "-f", "UTF-16", "-t", "UTF-8"]))
        }
        // Without a mark: every other byte of a header in Latin letters is NUL.
        let sample = bytes.prefix(200)
        guard sample.count >= 6 else { return }
        let even = stride(from: 0, to: sample.count, by: 2).count { sample[$0] == 0 }
        let odd = stride(from: 1, to: sample.count, by: 2).count { sample[$0] == 0 }
        let most = sample.count / 2 * 9 / 10
        if odd > most && even == 0 {
            try refuse("UTF-16 text", name, .filter(["iconv", "-f", "UTF-16LE", "-t", "UTF-8"]))
        }
        if even > most && odd == 0 {
            try refuse("UTF-16 text", name, .filter(["iconv", "-f", "UTF-16BE", "-t", "UTF-8"]))
        }
    }

    /// `sep=;` on a line of its own, which Excel writes above the header and reads as the delimiter.
    private static func refuseNoteForExcel(_ bytes: [UInt8], _ name: String) throws(InputError) {
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard content.starts(with: "sep=".utf8), let delimiter = content.dropFirst(4).first,
            let end = content.dropFirst(5).first, end == 10 || end == 13, delimiter < 0x80
        else { return }
        throw InputError(
            "\(printable(name)):1: the first line is a note for Excel, and not the header",
            remedy: .filter(["tail", "-n", "+2"], delimiter: delimiter))
    }

    private static func refuse(
        _ what: String, _ name: String, _ remedy: InputError.Remedy? = nil, hint: String? = nil
    ) throws(InputError) {
        throw InputError("\(printable(name)) is \(what), not CSV", hint: hint, remedy: remedy)
    }

    private static func libreOffice(_ name: String) -> InputError.Remedy {
        // It calls the result after the input, so that only the directory can be chosen.
        let (directory, base) = splitPath(name)
        let stem = splitEnding(base).stem
        let folder = unusedPath(directory + stem + ".converted", ending: "")
        let quoted = shellPath(folder)
        return .convert(
            command: "mkdir \(quoted) && libreoffice --headless --convert-to csv --outdir \(quoted) \(shellPath(name))",
            result: "\(folder)/\(stem).csv")
    }

    private static func duckDB(_ function: String, _ name: String, _ hasHeader: Bool) -> InputError.Remedy {
        func literal(_ text: String) -> String {
            "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        }
        let (directory, base) = splitPath(name)
        let result = unusedPath(directory + splitEnding(base).stem + ".converted", ending: ".csv")
        let header = hasHeader ? "HEADER" : "HEADER false"
        let query = "COPY (FROM \(function)(\(literal(name)))) TO \(literal(result)) (\(header))"
        return .convert(command: "duckdb -c \(shellQuoted(query))", result: result)
    }

    private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }
}
