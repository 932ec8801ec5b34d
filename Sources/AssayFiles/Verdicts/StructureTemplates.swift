internal import Assay
internal import AssayEvaluation
internal import AssayRules
internal import CAssay

/// The templates of malformed records.
struct StructureTemplates: Sendable {
    /// The template without the bytes of a record.
    let encoding: FindingTemplate
    let tooLongRecord: FindingTemplate
    let tooLongField: FindingTemplate
    let quoteUnclosed: FindingTemplate
    let quoteText: FindingTemplate
    /// The template for a blank line of a table with several columns.
    let blank: FindingTemplate
    /// The templates by the code of a JSON syntax error.
    private let mistakes: [FindingTemplate]
    private let encodings: DecodedText?
    /// The names of the columns of CSV.
    private let header: [String]?
    private let columnCount: Int
    let limits: Limits
    private let style: FindingStyle

    /// The original encoding of decoded records.
    private struct DecodedText: Sendable {
        let name: String
        /// The Windows code page that such text is probably in, with its characters, if there is one.
        let windows: WindowsPage?
    }

    /// - Parameters:
    ///   - header: The names of the columns of CSV, if they have names.
    ///   - decodedFrom: The original encoding of the records; `nil` if they were not decoded.
    init(
        style: FindingStyle, columnCount: Int, header: [String]? = nil, limits: Limits, decodedFrom: String? = nil
    ) {
        func template(_ rule: ReportedRule) -> FindingTemplate { FindingTemplate(rule, style: style) }
        encoding = template(.encoding())
        tooLongRecord = template(.tooLong(over: limits.recordBytes, limit: "record-bytes"))
        tooLongField = template(.tooLong(over: limits.fieldBytes, limit: "field-bytes", inField: true))
        quoteUnclosed = template(ReportedRule(structure: "structure.quote", FindingText.unclosedQuote))
        quoteText = template(ReportedRule(structure: "structure.quote", FindingText.textAfterQuote))
        blank = template(ReportedRule(structure: "structure.blank", FindingText.blankLine))
        mistakes = (0...Int(assay_json_mistake_code.ASSAY_JSON_DUPLICATE_NAME.rawValue)).map { code in
            let code = assay_json_mistake_code(rawValue: numericCast(code))!
            let kind = code == .ASSAY_JSON_BLANK ? "structure.blank" : "structure.json"
            return template(ReportedRule(structure: kind, String(cString: assay_json_mistake_text(code))))
        }
        encodings = decodedFrom.map { DecodedText(name: $0, windows: WindowsPage(of: $0)) }
        (self.style, self.columnCount, self.header, self.limits) = (style, columnCount, header, limits)
    }

    /// The maximum field count that has a kept template; larger counts are unusual.
    var fewFields: Int { min(2 * columnCount, 64) }

    /// Whether a record that could not be decoded has a byte from 80 to 9F in an ISO 8859 encoding.
    func hasControls(_ chunk: Chunk, _ record: assay_record) -> Bool {
        guard let encodings, encodings.name.hasPrefix("ISO-8859-") else { return false }
        let bytes = UnsafeBufferPointer(start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
        return !escapedBytes(bytes) { !(0x80...0x9F).contains($0) }
    }

    /// Returns the template for a record that is not UTF-8, with the first invalid byte, its offset in the file and its
    /// column; for decoded input, with the undecodable bytes.
    func misencoded(_ chunk: Chunk, _ entry: Int, delimiterBytes: Int) -> FindingTemplate {
        let record = chunk.record(entry)
        let bytes = UnsafeBufferPointer(
            start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
        if let encodings {
            let escaped = escapedBytes(bytes, isUTF16: encodings.name.hasPrefix("UTF-16"))
            let page = encodings.windows.map {
                $0.hasCharacters(forEscapedIn: bytes) ? ", which \($0.name) has characters for" : ""
            }
            return encoding.saying("is not valid \(encodings.name): \(escaped)\(page ?? "")", style: style)
        }
        let place = assay_utf8_valid_prefix(bytes.baseAddress!, bytes.count)
        // The end of the record may cut a character off.
        guard place < bytes.count else { return encoding }
        let offset = chunk.firstOffset + Int(record.start) + place
        let column = column(of: Int(record.start) + place, chunk, entry, delimiterBytes).map { " in \($0)" } ?? ""
        return encoding.saying(
            "\(FindingText.invalidUTF8): byte \(hexadecimal(bytes[place])) at offset \(offset)\(column)", style: style)
    }

    /// Returns the column of a byte of the chunk, for a message.
    private func column(of place: Int, _ chunk: Chunk, _ entry: Int, _ delimiterBytes: Int) -> String? {
        if style.isJSON { return nil }
        let position = (0..<chunk.fieldCount(entry)).first {
            place < chunk.fieldRange(entry, $0, delimiterBytes: delimiterBytes).upperBound
        }
        guard let position else { return nil }
        guard let header, header.indices.contains(position) else { return "column \(position + 1)" }
        return "column '\(printable(header[position]))'"
    }

    /// Returns the template for a line that is not a JSON object.
    func mistake(_ code: assay_json_mistake_code) -> FindingTemplate { mistakes[Int(code.rawValue)] }

    /// Creates the template for a record with `count` fields.
    func fields(_ count: Int) -> FindingTemplate {
        FindingTemplate(
            ReportedRule(structure: "structure.fields", FindingText.fields(count, expected: columnCount)), style: style)
    }
}
