internal import Assay
internal import AssayRules
internal import CAssay

/// A reason to doubt the settings with which a table is read.
package enum HeadDoubt: Hashable, Sendable, CustomStringConvertible {
    /// The header has values like those of the records below it.
    case headerIsData
    /// There is a single column, and nine in ten lines contain a delimiter, but the table has many widths with it.
    case oneColumn(delimiter: UInt8)
    /// The first records fit their header only with other settings.
    case otherReading(Reading)
    /// The header has this number of names, and the first records have one field more.
    case shortHeader(names: Int, records: Int)
    /// The format was guessed to be JSON Lines, and none of the first lines, of this number, is an object.
    case noObjects(lines: Int)

    /// The first records, read with the present settings and with other ones.
    package struct Reading: Hashable, Sendable {
        /// The settings to read the table with; several lists fit equally.
        package let settings: [[DialectSetting]]
        let present: ReadingSearch.Reading
        let best: ReadingSearch.Reading
    }

    /// Whether the doubt is that the table has only one column.
    package var isOneColumn: Bool {
        switch self {
        case .headerIsData, .shortHeader, .noObjects: false
        case .oneColumn: true
        case .otherReading(let reading): reading.present.columns == 1
        }
    }

    /// The doubt as a sentence without a subject, with the options that settle it.
    package var description: String {
        switch self {
        case .headerIsData: return "the first line is read as the header, and looks like data: --no-header?"
        case .oneColumn(let byte):
            let delimiter = byte == UInt8(ascii: "\t") ? "tab" : "'\(Unicode.Scalar(byte))'"
            return "it is read as one column, and its lines contain \(delimiter)"
        case .shortHeader(let names, let records):
            return "the header has \(plural(names, "name")), and the first "
                + (records == 1 ? "record has" : "\(records) records have")
                + " \(names + 1) fields: if the first column "
                + "has no name, as in files that R writes, add a name and a delimiter to the start of the header"
        case .noObjects(let lines):
            return "it is read as JSON Lines, and "
                + (lines == 1 ? "its first line is not an object" : "its first \(lines) lines are not objects")
        case .otherReading(let reading):
            let options = reading.settings.map(\.inOptions).joined(separator: ", or ")
            let (present, best) = (reading.present, reading.best)
            if present.columns == 1 {
                return "it is read as one column; with \(options) it has \(best.columns) columns"
            }
            if present.fitting * 2 >= present.records {
                return "the header has columns without names; with \(options) all columns have names"
            }
            return "\(present.fitting) of the first \(present.records) records have the field count of the header; "
                + "with \(options), \(best.fitting) of \(best.records) do"
        }
    }
}

extension TableHead {
    /// A reason to doubt the settings with which the first records are read; `nil` if there is no such reason.
    var doubt: HeadDoubt? {
        if format == .jsonLines {
            return formatIsGiven ? nil : objectlessLines.map(HeadDoubt.noObjects)
        }
        guard let header, dialect.headerRows == [1] else { return nil }
        return search(fields: fields) { doubt(header, $0) }
    }

    private func doubt(_ header: [String], _ search: ReadingSearch) -> HeadDoubt? {
        guard let present = search.present, present.records > 0 else { return nil }
        let isOneColumn = header.count == 1 && fields.isEmpty
        if isOneColumn && hasGivenDelimiter { return nil }
        let isUnnamed = fields.isEmpty && header.count { $0.isEmpty } > 1
        if isOneColumn || isUnnamed || present.fitting * 2 < present.records {
            let otherReadings = search.otherReadings.filter(\.isTable)
            if let best = otherReadings.first, case .read(let settings)? = search.remedy {
                return .otherReading(HeadDoubt.Reading(settings: settings, present: present, best: best))
            }
            if isOneColumn { return search.frequentDelimiter.map { .oneColumn(delimiter: $0) } }
            let records = search.firstRecords
            if records.count(where: { $0.count == header.count + 1 }) * 10 >= records.count * 9 {
                return .shortHeader(names: header.count, records: records.count)
            }
        }
        return fields.isEmpty && Self.isData(header, above: search.firstRecords) ? .headerIsData : nil
    }

    /// Whether a header is a record like those below: in each column in which all values are numbers, dates, e-mail
    /// addresses or UUIDs, the header has such a value.
    private static func isData(_ header: [String], above records: [[String]]) -> Bool {
        guard records.count >= fewRecords else { return false }
        var numbers: [Double] = []
        var isSure = false
        for (column, name) in header.enumerated() where !isMissing(name) {
            let values = records.compactMap { $0.indices.contains(column) && !isMissing($0[column]) ? $0[column] : nil }
            guard values.count >= fewRecords, let kind = CellKind(values[0]),
                values.count(where: { CellKind($0) == kind }) * 10 >= values.count * 9
            else { continue }
            guard CellKind(name) == kind else { return false }
            if kind == .number {
                numbers.append(Double(String(name.map { $0 == "," ? "." : $0 })) ?? 0)
            } else {
                isSure = true
            }
        }
        return isSure || !numbers.isEmpty && !areNames(numbers)
    }

    private static let fewRecords = 5

    /// Whether numbers may be names of columns: years, or an ascending sequence.
    private static func areNames(_ numbers: [Double]) -> Bool {
        if numbers.allSatisfy({ (1800...2100).contains($0) }) { return true }
        let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
        return steps.count == 1 ? steps[0] == 1 : steps.count > 1 && steps.allSatisfy { $0 > 0 }
    }

    private static func isMissing(_ text: String) -> Bool { ["", "\\N", "NULL", "null"].contains(text) }
}

/// A kind of cell that is rarely the name of a column.
enum CellKind {
    case number, date, email, uuid

    init?(_ text: String) {
        let shape = text.unicodeScalars.map { ("0"..."9").contains($0) ? "9" : $0 }
        func isDate(_ form: String) -> Bool { shape.starts(with: form.unicodeScalars) }
        if ["9999-99-99", "9999/99/99", "99.99.9999", "99/99/9999"].contains(where: isDate) && shape.count <= 35 {
            self = .date
        } else if text.utf8.count == 36 && text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || isHex($0) }) {
            self = .uuid
        } else if shape.first.map({ "9+-.".unicodeScalars.contains($0) }) == true, shape.contains("9"),
            shape.dropFirst().allSatisfy({ "9.,".unicodeScalars.contains($0) }),
            shape.count(where: { $0 == "." || $0 == "," }) <= 1
        {
            self = .number
        } else {
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), !text.contains(" ") else { return nil }
            self = .email
        }
    }
}

private func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
