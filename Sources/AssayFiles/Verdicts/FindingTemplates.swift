internal import Assay
internal import AssayRules
internal import CAssay

/// The templates of a run, by rule.
struct FindingTemplates: Sendable {
    let failed: [FindingTemplate]
    private let plainUndecided: [FindingTemplate]
    /// For row rules, by their index: one template for each ``CELResource``.
    private let exhausted: [[FindingTemplate]]
    private let firstRowRule: Int
    /// The templates of rules that report failure reasons.
    let reasonTemplates: [FailureReasonTemplates?]
    /// The template without the bytes of a record.
    let encoding: FindingTemplate
    /// The original encoding of decoded records; `nil` if the records were not decoded.
    private let decodedFrom: String?
    /// The Windows code page that such text is probably in, with its characters, if there is one.
    private let windows: WindowsPage?
    /// The names of the columns of CSV.
    private let header: [String]?
    private let isJSON: Bool
    let tooLongRecord: FindingTemplate
    let tooLongField: FindingTemplate
    /// The maximum size of a record in bytes.
    let recordBytes: Int
    let quoteUnclosed: FindingTemplate
    let quoteText: FindingTemplate
    /// The template for a record that the budget of the run left undecided.
    let budget: FindingTemplate
    /// The template for a blank line of a table with several columns.
    let blank: FindingTemplate
    /// The templates by the code of a JSON syntax error.
    private let mistakes: [FindingTemplate]
    let style: FindingStyle
    private let columnCount: Int

    /// - Parameters:
    ///   - header: The names of the columns, if they have names.
    ///   - json: The fields as paths, for JSON Lines.
    init(
        _ schema: BoundSchema, style: FindingStyle, columnCount: Int, header: [String]? = nil, limits: Limits,
        decodedFrom: String?, json: JSONPaths? = nil
    ) {
        func record(_ code: String, _ message: String) -> FindingTemplate {
            FindingTemplate(
                style: style, column: nil, position: 0, rule: code, code: code, severity: .reject, message: message)
        }
        /// Returns the templates of column rules, followed by those of row rules, which concern the record.
        func rules(_ make: (CompiledRule) -> (code: String, message: String)) -> [FindingTemplate] {
            let places = schema.columns.flatMap { column in column.rules.map { _ in (column.name, column.position + 1) }
            }
            let rows: [(String?, Int)] = schema.rowRuleRange.map { _ in (nil, 0) }
            return zip(schema.rules, places + rows).map { rule, place in
                let (code, message) = make(rule)
                return FindingTemplate(
                    style: style, column: place.0, position: place.1, rule: rule.id, code: code,
                    severity: rule.severity, message: message)
            }
        }
        failed = rules { ($0.code, $0.message) }
        plainUndecided = rules { rule in
            ("undecided", rule.expression.map { FindingText.undecided(row: $0) } ?? FindingText.undecided)
        }
        firstRowRule = schema.rowRuleRange.lowerBound
        exhausted = schema.rowRuleRange.map { [plainUndecided] rule in
            let check = schema.rules[rule].expression ?? ""
            return FindingText.exhausted(row: check, maxBytes: limits.match.rowRuleBytes).map {
                plainUndecided[rule].saying($0, style: style)
            }
        }
        let types = Set(schema.columns.compactMap(\.typeRule))
        reasonTemplates = failed.indices.map { [failed] rule in
            FailureReasonTemplates(
                rule, of: schema, plain: failed[rule], style: style, json: types.contains(rule) ? json : nil)
        }
        encoding = record("encoding", FindingText.invalidUTF8)
        tooLongRecord = record(
            "structure.too-long", FindingText.tooLong(over: limits.recordBytes, limit: "record-bytes"))
        tooLongField = record(
            "structure.too-long", FindingText.tooLong(over: limits.fieldBytes, limit: "field-bytes", inField: true))
        recordBytes = limits.recordBytes
        quoteUnclosed = record("structure.quote", FindingText.unclosedQuote)
        quoteText = record("structure.quote", FindingText.textAfterQuote)
        budget = FindingTemplate(
            style: style, column: nil, position: 0, rule: FindingText.budgetRule, code: "undecided", severity: .reject,
            message: FindingText.overBudget)
        blank = record("structure.blank", FindingText.blankLine)
        mistakes = (0...Int(assay_json_mistake_code.ASSAY_JSON_DUPLICATE_NAME.rawValue)).map { code in
            let code = assay_json_mistake_code(rawValue: numericCast(code))!
            return record(
                code == .ASSAY_JSON_BLANK ? "structure.blank" : "structure.json",
                String(cString: assay_json_mistake_text(code)))
        }
        self.decodedFrom = decodedFrom
        windows = decodedFrom.flatMap(WindowsPage.init(of:))
        self.header = header
        isJSON = json != nil
        self.style = style
        self.columnCount = columnCount
    }

    /// Returns the template for a row that a rule left undecided.
    ///
    /// - Parameter resource: The exhausted limit on row rules.
    func undecided(_ rule: Int, _ resource: CELResource? = nil) -> FindingTemplate {
        resource.map { exhausted[rule - firstRowRule][$0.rawValue] } ?? plainUndecided[rule]
    }

    /// The maximum field count that has a kept template; larger counts are unusual.
    var fewFields: Int { min(2 * columnCount, 64) }

    /// Whether a record that could not be decoded has a byte from 80 to 9F in an ISO 8859 encoding.
    func hasControls(_ chunk: Chunk, _ record: assay_record) -> Bool {
        guard let decodedFrom, decodedFrom.hasPrefix("ISO-8859-") else { return false }
        let bytes = UnsafeBufferPointer(start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
        return !escapedBytes(bytes) { !(0x80...0x9F).contains($0) }
    }

    /// Returns the template for a record that is not UTF-8, with the first invalid byte, its offset in the file and its
    /// column; for decoded input, with the undecodable bytes.
    func garbled(_ chunk: Chunk, _ entry: Int, delimiterBytes: Int) -> FindingTemplate {
        let record = chunk.record(entry)
        let bytes = UnsafeBufferPointer(
            start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
        if let decodedFrom {
            let escaped = escapedBytes(bytes, isUTF16: decodedFrom.hasPrefix("UTF-16"))
            let page = windows.map {
                $0.hasCharacters(forEscapedIn: bytes) ? ", which \($0.name) has characters for" : ""
            }
            return encoding.saying("is not valid \(decodedFrom): \(escaped)\(page ?? "")", style: style)
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
        if isJSON { return nil }
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
            style: style, column: nil, position: 0, rule: "structure.fields", code: "structure.fields",
            severity: .reject, message: FindingText.fields(count, expected: columnCount))
    }
}
