internal import Assay
internal import AssayRules

/// How findings are written: one JSON object on each line, or CSV.
package enum FindingFormat: Hashable, Sendable {
    case jsonLines
    case csv

    /// `.csv` by the name, else JSON lines.
    package init(path: String) { self = path.hasSuffix(".csv") ? .csv : .jsonLines }

    /// What stands at the top of the file.
    package func header(showValues: Bool) -> [UInt8] {
        guard self == .csv else { return [] }
        let names = "record,line,offset,column,position,rule,code,severity,message"
        return Array((names + (showValues ? ",value\n" : "\n")).utf8)
    }
}

/// The part of a finding that is the same for every record: all but the place and the value. It is rendered once, so that an
/// export in which every row is bad costs little more than a good one.
final class FindingTemplate: Sendable {
    let column: String?
    /// The column's position from 1; 0 for what is the record's.
    let position: Int
    let rule: String
    let code: String
    let severity: Severity
    let message: String
    /// What follows the place in the output.
    private let tail: [UInt8]
    private let format: FindingFormat

    init(
        format: FindingFormat, column: String?, position: Int, rule: String, code: String, severity: Severity,
        message: String
    ) {
        self.column = column
        self.position = position
        self.rule = rule
        self.code = code
        self.severity = severity
        self.message = message
        self.format = format
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
            member("message", message)
            tail = bytes
        case .csv:
            tail = [column ?? "", position > 0 ? String(position) : "", rule, code, severity.rawValue, message].flatMap
            { text in
                [UInt8(ascii: ",")] + csvField(Array(text.utf8))
            }
        }
    }

    /// The same finding in other words.
    func saying(_ message: String) -> FindingTemplate {
        FindingTemplate(
            format: format, column: column, position: position, rule: rule, code: code, severity: severity,
            message: message)
    }

    /// Appends a finding to an output.
    @inline(__always)
    func append(
        record: Int, line: Int, offset: Int, value: UnsafeBufferPointer<UInt8>?, to output: inout [UInt8]
    ) {
        switch format {
        case .jsonLines:
            appendLiteral("{\"record\":", to: &output)
            appendDecimal(record, to: &output)
            appendLiteral(",\"line\":", to: &output)
            appendDecimal(line, to: &output)
            appendLiteral(",\"offset\":", to: &output)
            appendDecimal(offset, to: &output)
            output.append(contentsOf: tail)
            if let value {
                appendLiteral(",\"value\":", to: &output)
                JSONText.append(utf8: value.span, to: &output)
            }
            appendLiteral("}\n", to: &output)
        case .csv:
            appendDecimal(record, to: &output)
            output.append(UInt8(ascii: ","))
            appendDecimal(line, to: &output)
            output.append(UInt8(ascii: ","))
            appendDecimal(offset, to: &output)
            output.append(contentsOf: tail)
            if let value {
                output.append(UInt8(ascii: ","))
                output.append(contentsOf: csvField(Array(value)))
            }
            output.append(UInt8(ascii: "\n"))
        }
    }

    func finding(record: Int, line: Int, offset: Int, value: String?) -> Finding {
        Finding(
            record: record, line: line, offset: offset, column: column, position: position > 0 ? position : nil,
            rule: rule,
            code: code, severity: severity, message: message, value: value)
    }
}

/// A field as RFC 4180 writes it: in quotes only where it must be.
func csvField(_ text: [UInt8], delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8 = UInt8(ascii: "\"")) -> [UInt8] {
    let mustQuote = text.contains { $0 == delimiter || $0 == quote || $0 == 10 || $0 == 13 }
    guard mustQuote else { return text }
    var field = [quote]
    for byte in text {
        if byte == quote { field.append(quote) }
        field.append(byte)
    }
    field.append(quote)
    return field
}

@inline(__always)
private func appendLiteral(_ text: StaticString, to output: inout [UInt8]) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
}

/// Appends a number that is not negative, in decimal.
@inline(__always)
func appendDecimal(_ number: Int, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
        var rest = number
        var start = 20
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<20]))
    }
}
