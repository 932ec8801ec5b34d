internal import Assay
internal import AssayEvaluation
internal import AssayRules
internal import CAssay

/// The part of a finding that is equal for all records: everything except the place and the value. It is rendered once,
/// so that a table in which every row is bad costs little more than a good one.
final class FindingTemplate: Sendable {
    let reported: ReportedRule
    let code: String
    let message: String
    var column: String? { reported.column }
    /// The column's position from 1; 0 if the finding concerns the record.
    var position: Int { reported.position }
    var rule: String { reported.id }
    var severity: Severity { reported.severity }
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

    /// - Parameters:
    ///   - code: Replaces the code of the rule.
    ///   - message: Replaces the message of the rule.
    init(_ reported: ReportedRule, style: FindingStyle, code: String? = nil, message: String? = nil) {
        self.reported = reported
        self.code = code ?? reported.code
        self.message = message ?? reported.message
        input = style.input
        format = style.format
        (tail, messageRange) = Self.tail(reported, code: self.code, message: self.message, style: style)
        let end = UnsafeBufferPointer(start: format.end.utf8Start, count: format.end.utf8CodeUnitCount)
        let reason = reported.severity == .reject ? style.reason(reported.id) : (text: [], needsQuotes: false)
        let bytes = tail + end + reason.text
        memory = .allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
        reasonCount = reason.text.count
        reasonNeedsQuotes = reason.needsQuotes
    }

    /// Returns the text after the place of a finding, and the range of the message in it.
    private static func tail(
        _ reported: ReportedRule, code: String, message: String, style: FindingStyle
    ) -> ([UInt8], Range<Int>) {
        let format = style.format
        var bytes: [UInt8] = []
        format.append("column", reported.column, to: &bytes)
        format.append("position", number: reported.position, to: &bytes)
        format.append("rule", reported.id, to: &bytes)
        format.append("code", code, to: &bytes)
        format.append("severity", reported.severity.rawValue, to: &bytes)
        let start = bytes.count + format.separator("message").count
        format.append("message", message, to: &bytes)
        let range = start..<bytes.count
        if let input = style.input { format.append("input", input, to: &bytes) }
        return (bytes, range)
    }

    deinit { memory.deallocate() }

    /// Returns the same finding with a different message.
    func saying(_ message: String, style: FindingStyle) -> FindingTemplate {
        FindingTemplate(reported, style: style, code: code, message: message)
    }

    /// Returns the same finding for a part of the column, such as an element of a list.
    func of(_ column: String, style: FindingStyle) -> FindingTemplate {
        let part = ReportedRule(
            column: column, position: position, id: rule, code: code, message: message, severity: severity)
        return FindingTemplate(part, style: style)
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
        format.appendPlace(record: record, line: line, offset: offset, to: &output)
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
