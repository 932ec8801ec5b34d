internal import Assay
internal import AssayRules

extension PreparedTable {
    /// Refuses a preparation of the same files under rules that produce different records, because these cannot be
    /// compared.
    ///
    /// - Parameter names: The names of the two rule sets in messages.
    package func expectSameRecords(_ other: PreparedTable, names: (String, String)) throws(InputError) {
        let (one, two) = (head, other.head)
        func refuse(_ what: String, _ first: String, _ second: String, _ hint: String) throws(InputError) {
            throw InputError(
                "\(printable(names.0)) and \(printable(names.1)) read \(printable(parts[0].source.name)) differently: "
                    + "\(what) \(first) by one and \(second) by the other",
                hint: hint)
        }
        if one.format != two.format {
            try refuse(
                "the format is", one.format.rawValue, two.format.rawValue,
                "say which it is: --format csv or --format jsonl")
        }
        for (part, another) in zip(parts, other.parts) where part.encoding.name != another.encoding.name {
            try refuse(
                "the encoding is", part.encoding.name, another.encoding.name, "say which it is: --encoding NAME")
        }
        func spelled(_ byte: UInt8?) -> String {
            byte.map { "'\(printable(String(UnicodeScalar($0))))'" } ?? "none"
        }
        let (first, second) = (one.dialect, two.dialect)
        let (limits, others) = (cleaner.rules.limits, other.cleaner.rules.limits)
        let differences: [(what: String, String, String, hint: String)] = [
            (
                "the delimiter is", "'\(printable(first.spelledSeparator))'", "'\(printable(second.spelledSeparator))'",
                "say which it is: --delimiter"
            ),
            ("the quote is", spelled(first.quoteChar), spelled(second.quoteChar), "say which it is: --quote"),
            ("the escape is", spelled(first.escapeChar), spelled(second.escapeChar), "say which it is: --escape"),
            (
                "comments begin with", spelled(first.commentChar), spelled(second.commentChar),
                "say which it is: --comment"
            ),
            ("'skip' is", "\(first.skip)", "\(second.skip)", "say which it is: --skip"),
            ("'header' is", "\(first.header)", "\(second.header)", "make it the same in both"),
            (
                "the last header row is", "\(first.headerRows.last ?? 1)", "\(second.headerRows.last ?? 1)",
                "make 'headerRows' the same in both"
            ),
            (
                "'skipInitialSpace' is", "\(first.skipInitialSpace)", "\(second.skipInitialSpace)",
                "make it the same in both"
            ),
            (
                "'blankLines' is", first.blankLines.rawValue, second.blankLines.rawValue,
                "make it the same in both"
            ),
            (
                "'blankLines: reject' is", first.rejectsLastBlankLines ? "said" : "the default",
                second.rejectsLastBlankLines ? "said" : "the default", "make it the same in both"
            ),
            (
                "the limit field-bytes is", "\(limits.fieldBytes)", "\(others.fieldBytes)",
                "say which it is: --limit field-bytes=\(max(limits.fieldBytes, others.fieldBytes))"
            ),
            (
                "the limit record-bytes is", "\(limits.recordBytes)", "\(others.recordBytes)",
                "say which it is: --limit record-bytes=\(max(limits.recordBytes, others.recordBytes))"
            ),
        ]
        for part in differences where part.1 != part.2 { try refuse(part.what, part.1, part.2, part.hint) }
    }

    /// Whether cells may be repaired.
    var hasRepairs: Bool { ([bound] + (json?.lists ?? [])).contains(where: \.hasRepairs) }
}
