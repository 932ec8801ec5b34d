internal import Assay
internal import AssayRules
internal import CAssay

/// What makes one doubt that a table is read as it is meant, where no rules name its columns. It holds no text of the table.
package enum HeadDoubt: Hashable, Sendable, CustomStringConvertible {
    /// The header has values such as stand below it.
    case headerIsData
    /// There is one column, and the lines below have a delimiter. Behind so many lines all records have as many fields.
    case oneColumn(delimiter: UInt8, linesAbove: Int?)

    /// With the options that would read it in another way.
    package var description: String {
        switch self {
        case .headerIsData: return "the first line is read as the header, and looks like data: --no-header?"
        case .oneColumn(let byte, let lines):
            let delimiter = byte == UInt8(ascii: "\t") ? "tab" : "'\(Unicode.Scalar(byte))'"
            let skip = lines.map { "--skip \($0), or " } ?? ""
            return "it is read as one column, and its lines contain \(delimiter): \(skip)--delimiter \(delimiter)?"
        }
    }
}

extension TableHead {
    /// What the first records give reason to doubt.
    ///
    /// - Parameter given: the dialect that was asked for.
    func doubt(given: Dialect, limits: Limits) -> HeadDoubt? {
        guard format == .csv, let header, dialect.headerRows.count <= 1, let batch = assay_batch_create() else {
            return nil
        }
        defer { assay_batch_free(batch) }
        if header.count == 1 && given.delimiter == nil { return columnDoubt(header[0], limits, batch) }
        let sample = sample(rest, dialect, limits, batch)
        return Self.isData(header, above: (0..<sample.fieldCounts.count).map { sample.texts(of: $0) })
            ? .headerIsData : nil
    }

    private func sample(
        _ bytes: [UInt8], _ dialect: Dialect, _ limits: Limits, _ batch: UnsafeMutablePointer<assay_batch>
    ) -> SampleRecords {
        SampleRecords(
            bytes.prefix(Self.firstRead), batch, dialect.cValue(endsAtCR: endsAtCR), limits: limits,
            isAll: sourceEnded && bytes.count <= Self.firstRead, most: 100)
    }

    /// Whether the lines of a table with one column have a delimiter, most often below some that have it not, or fewer of it.
    private func columnDoubt(
        _ name: String, _ limits: Limits, _ batch: UnsafeMutablePointer<assay_batch>
    ) -> HeadDoubt? {
        if name.utf8.contains(where: { $0 == 10 || $0 == 13 }) { return nil }
        let bytes = Array(name.utf8) + [endsAtCR ? 13 : 10] + rest
        for delimiter in DelimiterChoice.usual where delimiter != dialect.separator {
            var other = dialect
            other.delimiter = delimiter
            if other.conflict != nil { continue }
            let sample = sample(bytes, other, limits, batch)
            let counts = sample.fieldCounts
            guard let last = counts.last, last > 1 else { continue }
            let table = counts.reversed().prefix(while: { $0 == last }).count
            // A header and two records, at least, and more of it than stands above.
            if table >= 3 && 2 * table > counts.count {
                let above = sample.line(ofRecord: counts.count - table, endsAtCR)
                return .oneColumn(delimiter: delimiter, linesAbove: lines - 1 + above)
            }
            if counts.count(where: { $0 > 1 }) * 10 >= counts.count * 9 {
                return .oneColumn(delimiter: delimiter, linesAbove: nil)
            }
        }
        return nil
    }

    /// Whether a header is a record like those below: in each column whose values are all numbers, dates, e-mail addresses or UUIDs it
    /// has one, too.
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

    /// Whether numbers may be names of columns: years, or one after the other.
    private static func areNames(_ numbers: [Double]) -> Bool {
        if numbers.allSatisfy({ (1800...2100).contains($0) }) { return true }
        let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
        return steps.count == 1 ? steps[0] == 1 : steps.count > 1 && steps.allSatisfy { $0 > 0 }
    }

    private static func isMissing(_ text: String) -> Bool { ["", "\\N", "NULL", "null"].contains(text) }
}

extension SampleRecords {
    /// How many lines stand above a well-formed record.
    fileprivate func line(ofRecord index: Int, _ endsAtCR: Bool) -> Int {
        countLines(bytes[..<Int(batch.pointee.records[entries[index]].start)], endsAtCR: endsAtCR)
    }
}

/// What a cell is that no name of a column is, but for numbers.
private enum CellKind {
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
