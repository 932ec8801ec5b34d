internal import Assay
internal import AssayRules
internal import CAssay

/// How findings are written: one JSON object on each line, or CSV.
package enum FindingFormat: Hashable, Sendable {
    case jsonLines
    case csv

    /// `.csv` by the name, in any case, else JSON lines.
    package init(path: String) {
        self = Compression.unpackedName(path).lowercased().ends(withBytesOf: ".csv") ? .csv : .jsonLines
    }

    /// What stands at the top of the file.
    package func header(showValues: Bool, namesInputs: Bool = false) -> [UInt8] {
        guard self == .csv else { return [] }
        let names = "record,line,offset,column,position,rule,code,severity,message" + (namesInputs ? ",input" : "")
        return Array((names + (showValues ? ",value\n" : "\n")).utf8)
    }

    /// What stands before the numbers of a finding: its record, line and offset.
    var labels: (record: StaticString, line: StaticString, offset: StaticString) {
        switch self {
        case .jsonLines: ("{\"record\":", ",\"line\":", ",\"offset\":")
        case .csv: ("", ",", ",")
        }
    }

    var end: StaticString {
        switch self {
        case .jsonLines: "}\n"
        case .csv: "\n"
        }
    }
}

/// How all findings of a run are written, and the notes of annotated rejects.
struct FindingStyle: Sendable {
    let format: FindingFormat
    private let delimiter: [UInt8]
    /// What makes a byte data; nothing in a note may need it.
    private let escape: UInt8?
    private let quote: UInt8
    /// Whether a field may stand in quotes. Where it may not, nothing in a note may need them.
    private let isQuoting: Bool
    /// What stands between two reasons.
    private let separator: UInt8
    /// Whether records are objects of JSON, and notes are members of them.
    let isJSON: Bool
    /// The file that findings name; `nil`: there is only one.
    private(set) var input: String?

    /// The same for one of several files, which findings name.
    func naming(_ input: String) -> FindingStyle {
        var style = self
        style.input = input
        return style
    }

    init(_ format: FindingFormat, dialect: Dialect, isJSON: Bool = false) {
        self.format = format
        self.isJSON = isJSON
        delimiter = dialect.separatorBytes
        escape = dialect.escapeChar
        quote = dialect.quoteChar ?? UInt8(ascii: "\"")
        isQuoting = dialect.quoteChar != nil
        separator = UInt8(ascii: !isQuoting && delimiter[0] == UInt8(ascii: ";") ? "|" : ";")
    }

    /// The same for the C core.
    var form: assay_finding_form {
        func text(_ text: StaticString) -> assay_text {
            assay_text(bytes: text.utf8Start, count: text.utf8CodeUnitCount)
        }
        let labels = format.labels
        return assay_finding_form(
            before: (text(labels.record), text(labels.line), text(labels.offset)), delimiter: delimiter[0],
            quote: quote, delimiter2: delimiter.count > 1 ? delimiter[1] : 0)
    }

    /// Whether the C core can write notes: it parts the reasons with semicolons, and doubles none of them. It does not look at
    /// the end of a record.
    var canJoinReasons: Bool {
        !isJSON && !looksAtEnds && quote != UInt8(ascii: ";") && separator == UInt8(ascii: ";")
    }

    /// Whether a note depends on how its record ends.
    var looksAtEnds: Bool { !isJSON && (escape != nil || isDelimiterOneByteTwice) }

    private var isDelimiterOneByteTwice: Bool { delimiter.count > 1 && delimiter[0] == delimiter[1] }

    /// What an annotated record has more than others: two fields.
    ///
    /// - Parameters:
    ///   - record: the record without its terminator; anything where a note does not depend on it.
    ///   - closesQuote: whether the record leaves a quote open, in which the two would be.
    func appendNote(
        to record: [UInt8], line: Int, reasons: [String], closesQuote: Bool, in output: inout [UInt8]
    ) {
        if isJSON {
            // A line that is no object stays as it is.
            if reasons.isEmpty { return }
            output += Array(",\"_line\":\(line),\"_reasons\":[".utf8)
            for (index, reason) in reasons.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONText.append(reason, to: &output)
            }
            output.append(UInt8(ascii: "]"))
            return
        }
        if !closesQuote && endsInHalfDelimiter(record) { return }
        appendEscape(behind: record, to: &output)
        if closesQuote { output.append(quote) }
        output += delimiter
        appendDecimal(line, to: &output)
        output += delimiter
        let texts = reasons.map { unquotable($0) }
        output += field(Array(texts.joined(separator: CollectionOfOne(separator))))
    }

    /// Whether a delimiter behind the record would begin with its last byte, which is data: `a::b:` before `::`.
    func endsInHalfDelimiter(_ record: [UInt8]) -> Bool {
        guard isDelimiterOneByteTwice else { return false }
        let run = record.reversed().prefix { $0 == delimiter[0] }.count
        let escapes = record.dropLast(run).reversed().prefix { $0 == escape }.count
        return run > 0 && (run - escapes % 2) % 2 == 1
    }

    /// An escape behind a record that ends in one, which would make data of the delimiter or quote that follows.
    func appendEscape(behind record: [UInt8], to output: inout [UInt8]) {
        guard let escape, record.reversed().prefix(while: { $0 == escape }).count % 2 == 1 else { return }
        output.append(escape)
    }

    /// A reason as it stands among others: its quotes doubled, and whether it needs quotes around it.
    func reason(_ rule: String) -> (text: [UInt8], needsQuotes: Bool) {
        let text = unquotable(rule)
        let field = field(text)
        return field.count == text.count ? (text, false) : (Array(field.dropFirst().dropLast()), true)
    }

    /// An id, in which `_` stands for what would need quotes where there are none (`-` where `_` is the delimiter).
    private func unquotable(_ rule: String) -> [UInt8] {
        let text = Array(rule.utf8)
        let filler = delimiter.contains(UInt8(ascii: "_")) ? UInt8(ascii: "-") : UInt8(ascii: "_")
        let barred = (isQuoting ? [] : delimiter + [10, 13]) + (escape.map { [$0] } ?? [])
        return barred.isEmpty ? text : text.map { barred.contains($0) ? filler : $0 }
    }

    private func field(_ text: [UInt8]) -> [UInt8] {
        isQuoting ? csvField(text, delimiter: delimiter[0], quote: quote) : text
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
