internal import Assay
internal import AssayRules
internal import CAssay

/// The templates of a run, by rule.
struct FindingTemplates: Sendable {
    let failed: [FindingTemplate]
    private let plainUndecided: [FindingTemplate]
    /// Of row rules, by place among them: one for each ``CELResource``.
    private let exhausted: [[FindingTemplate]]
    private let firstRowRule: Int
    /// Of rules that can say what is wrong with a value.
    let reasonTemplates: [FailureReasonTemplates?]
    /// Without the bytes of a record.
    let encoding: FindingTemplate
    /// What the records were decoded from; `nil`: they were read as they are.
    private let decodedFrom: String?
    /// The Windows code page that such text is likely to be in, with its characters, if it has one.
    private let windows: WindowsPage?
    /// The names of the columns of CSV.
    private let header: [String]?
    private let isJSON: Bool
    let tooLongRecord: FindingTemplate
    let tooLongField: FindingTemplate
    /// What a record is too long beyond.
    let recordBytes: Int
    let quoteUnclosed: FindingTemplate
    let quoteText: FindingTemplate
    /// For a record that the budget of the run left undecided.
    let budget: FindingTemplate
    /// For a blank line of a table with several columns.
    let blank: FindingTemplate
    /// By the code of a mistake in JSON.
    private let mistakes: [FindingTemplate]
    let style: FindingStyle
    private let columnCount: Int

    /// - Parameters:
    ///   - header: the names of the columns, if they have names.
    ///   - json: of JSON Lines, the fields as paths.
    init(
        _ schema: BoundSchema, style: FindingStyle, columnCount: Int, header: [String]? = nil, limits: Limits,
        decodedFrom: String?, json: JSONPaths? = nil
    ) {
        func record(_ code: String, _ message: String) -> FindingTemplate {
            FindingTemplate(
                style: style, column: nil, position: 0, rule: code, code: code, severity: .reject, message: message)
        }
        /// Those of the columns, and behind them those between columns, which are the record's.
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

    /// For a row that a rule left undecided.
    ///
    /// - Parameter resource: the limit on row rules that stopped it.
    func undecided(_ rule: Int, _ resource: CELResource? = nil) -> FindingTemplate {
        resource.map { exhausted[rule - firstRowRule][$0.rawValue] } ?? plainUndecided[rule]
    }

    /// Numbers of fields that are not far beyond what is expected: up to this one.
    var fewFields: Int { min(2 * columnCount, 64) }

    /// Whether a record that could not be decoded has a byte from 80 to 9F in an encoding of ISO 8859.
    func hasControls(_ chunk: Chunk, _ record: assay_record) -> Bool {
        guard let decodedFrom, decodedFrom.hasPrefix("ISO-8859-") else { return false }
        let bytes = UnsafeBufferPointer(start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
        return !escapedBytes(bytes) { !(0x80...0x9F).contains($0) }
    }

    /// For a record that is not UTF-8, with the first byte that is not, its place in the file and the column; where it was decoded,
    /// with the bytes that could not be.
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
        // A character may be cut off by the end of the record.
        guard place < bytes.count else { return encoding }
        let offset = chunk.firstOffset + Int(record.start) + place
        let column = column(of: Int(record.start) + place, chunk, entry, delimiterBytes).map { " in \($0)" } ?? ""
        return encoding.saying(
            "\(FindingText.invalidUTF8): byte \(hexadecimal(bytes[place])) at offset \(offset)\(column)", style: style)
    }

    /// The column of a byte of the chunk, for a message.
    private func column(of place: Int, _ chunk: Chunk, _ entry: Int, _ delimiterBytes: Int) -> String? {
        if isJSON { return nil }
        let position = (0..<chunk.fieldCount(entry)).first {
            place < chunk.fieldRange(entry, $0, delimiterBytes: delimiterBytes).upperBound
        }
        guard let position else { return nil }
        guard let header, header.indices.contains(position) else { return "column \(position + 1)" }
        return "column '\(printable(header[position]))'"
    }

    /// For a line that is no object of JSON.
    func mistake(_ code: assay_json_mistake_code) -> FindingTemplate { mistakes[Int(code.rawValue)] }

    /// For a record with so many fields, made now.
    func fields(_ count: Int) -> FindingTemplate {
        FindingTemplate(
            style: style, column: nil, position: 0, rule: "structure.fields", code: "structure.fields",
            severity: .reject, message: FindingText.fields(count, expected: columnCount))
    }
}
