internal import Assay
internal import AssayRules
internal import CAssay

/// The part of a finding that is equal for all records: everything except the place and the value. It is rendered once,
/// so that a table in which every row is bad costs little more than a good one.
final class FindingTemplate: Sendable {
    let column: String?
    /// The column's position from 1; 0 if the finding concerns the record.
    let position: Int
    let rule: String
    let code: String
    let severity: Severity
    let message: String
    /// The file; `nil` if there is only one.
    private let input: String?
    /// The text after the place in the output.
    private let tail: [UInt8]
    /// The range of the message in the tail.
    private let messageRange: Range<Int>
    private let format: FindingFormat
    // SAFETY: Created in `init`, freed in `deinit`, and constant in between.
    /// The tail with the end of the line, followed by the rule as a reason in notes.
    nonisolated(unsafe) private let memory: UnsafeMutableBufferPointer<UInt8>
    private let reasonCount: Int
    private let reasonNeedsQuotes: Bool

    init(
        style: FindingStyle, column: String?, position: Int, rule: String, code: String, severity: Severity,
        message: String
    ) {
        self.column = column
        self.position = position
        self.rule = rule
        self.code = code
        self.severity = severity
        self.message = message
        input = style.input
        format = style.format
        switch format {
        case .jsonLines:
            var bytes: [UInt8] = []
            func member(_ name: String, _ value: String?) {
                bytes += Array(",\"\(name)\":".utf8)
                if let value { JSONText.append(value, to: &bytes) } else { bytes += Array("null".utf8) }
            }
            member("column", column)
            bytes += Array(",\"position\":\(position > 0 ? String(position) : "null")".utf8)
            member("rule", rule)
            member("code", code)
            member("severity", severity.rawValue)
            let start = bytes.count
            member("message", message)
            messageRange = start + ",\"message\":".utf8.count..<bytes.count
            if let input { member("input", input) }
            tail = bytes
        case .csv:
            func fields(_ texts: [String]) -> [UInt8] {
                texts.flatMap { [UInt8(ascii: ",")] + csvField(Array($0.utf8)) }
            }
            let before = fields([column ?? "", position > 0 ? String(position) : "", rule, code, severity.rawValue])
            let field = fields([message])
            messageRange = before.count + 1..<before.count + field.count
            tail = before + field + fields(input.map { [$0] } ?? [])
        }

        let end = UnsafeBufferPointer(start: format.end.utf8Start, count: format.end.utf8CodeUnitCount)
        let reason = severity == .reject ? style.reason(rule) : (text: [], needsQuotes: false)
        let bytes = tail + end + reason.text
        memory = .allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
        reasonCount = reason.text.count
        reasonNeedsQuotes = reason.needsQuotes
    }

    deinit { memory.deallocate() }

    /// Returns the same finding with a different message.
    func saying(_ message: String, style: FindingStyle) -> FindingTemplate {
        FindingTemplate(
            style: style, column: column, position: position, rule: rule, code: code, severity: severity,
            message: message)
    }

    /// Returns the same finding for a part of the column, such as an element of a list.
    func of(_ column: String, style: FindingStyle) -> FindingTemplate {
        FindingTemplate(
            style: style, column: column, position: position, rule: rule, code: code, severity: severity,
            message: message)
    }

    /// Returns the finding of the given rows for the C core. A finding about the record has the place of the first
    /// field. Valid during the lifetime of the template.
    ///
    /// - Parameter places: The place of the value in each row; `nil` selects the place of the field.
    func kind(rows: UnsafePointer<UInt64>, places: UnsafePointer<UInt32>? = nil) -> assay_finding_kind {
        let tailCount = memory.count - reasonCount
        return assay_finding_kind(
            rows: rows, field: UInt32(max(0, position - 1)), places: places, needs_quotes: reasonNeedsQuotes,
            tail: assay_text(bytes: memory.baseAddress, count: tailCount),
            reason: assay_text(
                bytes: severity == .reject ? UnsafePointer(memory.baseAddress! + tailCount) : nil, count: reasonCount))
    }

    /// Appends a finding to an output.
    ///
    /// - Parameter message: Replaces the message of the template.
    func append(
        record: Int, line: Int, offset: Int, message: [UInt8]? = nil, value: [UInt8]?, to output: inout [UInt8]
    ) {
        let labels = format.labels
        appendLiteral(labels.record, to: &output)
        appendDecimal(record, to: &output)
        appendLiteral(labels.line, to: &output)
        appendDecimal(line, to: &output)
        appendLiteral(labels.offset, to: &output)
        appendDecimal(offset, to: &output)
        if let message {
            output += tail[..<messageRange.lowerBound]
            switch format {
            case .jsonLines: JSONText.append(utf8: message.span, to: &output)
            case .csv: output += csvField(message)
            }
            output += tail[messageRange.upperBound...]
        } else {
            output += tail
        }
        if let value {
            switch format {
            case .jsonLines:
                appendLiteral(",\"value\":", to: &output)
                JSONText.append(utf8: value.span, to: &output)
            case .csv:
                output.append(UInt8(ascii: ","))
                // As in JSON, invalid UTF-8 becomes U+FFFD.
                output += csvField(Array(String(decoding: value, as: UTF8.self).utf8))
            }
        }
        appendLiteral(format.end, to: &output)
    }

    func finding(record: Int, line: Int, offset: Int, character: Int, value: String?) -> Finding {
        Finding(
            record: record, line: line, offset: offset, column: column, position: position > 0 ? position : nil,
            rule: rule,
            code: code, severity: severity, message: message, value: value, input: input, character: character)
    }
}

private func appendLiteral(_ text: StaticString, to output: inout [UInt8]) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
}
