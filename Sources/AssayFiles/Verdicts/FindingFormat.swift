internal import Assay
internal import AssayRules
internal import CAssay

/// The format of findings: one JSON object on each line, or CSV.
package enum FindingFormat: Hashable, Sendable {
    case jsonLines
    case csv

    /// Selects `.csv` if the name has this ending, in any case, and JSON Lines otherwise.
    package init(path: String) {
        self = Compression.unpackedName(path).lowercased().ends(withBytesOf: ".csv") ? .csv : .jsonLines
    }

    /// Returns the header of the file.
    package func header(showValues: Bool, namesInputs: Bool = false) -> [UInt8] {
        guard self == .csv else { return [] }
        let names = "record,line,offset,column,position,rule,code,severity,message" + (namesInputs ? ",input" : "")
        return Array((names + (showValues ? ",value\n" : "\n")).utf8)
    }

    /// The text before each number of a finding: its record, line and offset.
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

    /// Appends the record, line and offset with which each line of a findings or changes file begins.
    func appendPlace(record: Int, line: Int, offset: Int, to output: inout [UInt8]) {
        let labels = labels
        appendLiteral(labels.record, to: &output)
        appendDecimal(record, to: &output)
        appendLiteral(labels.line, to: &output)
        appendDecimal(line, to: &output)
        appendLiteral(labels.offset, to: &output)
        appendDecimal(offset, to: &output)
    }

    /// Appends a text after others, as a member of a JSON object or a field of CSV; `nil` is null or empty.
    func append(_ name: String, _ text: String?, to output: inout [UInt8]) {
        output += separator(name)
        switch self {
        case .jsonLines: if let text { JSONText.append(text, to: &output) } else { output += "null".utf8 }
        case .csv: output += csvField(Array((text ?? "").utf8))
        }
    }

    /// Appends a number after other values; 0 is null or empty.
    func append(_ name: String, number: Int, to output: inout [UInt8]) {
        if number == 0 { return append(name, nil, to: &output) }
        output += separator(name)
        appendDecimal(number, to: &output)
    }

    /// Appends a list after other values. Its items must not contain characters that need quotes.
    func append(_ name: String, list: [String], to output: inout [UInt8]) {
        output += separator(name)
        switch self {
        case .jsonLines: output += "[\(list.map { "\"\($0)\"" }.joined(separator: ","))]".utf8
        case .csv: output += list.joined(separator: ";").utf8
        }
    }

    /// The bytes before a value that follows others.
    func separator(_ name: String) -> [UInt8] { self == .csv ? [UInt8(ascii: ",")] : Array(",\"\(name)\":".utf8) }
}

func appendLiteral(_ text: StaticString, to output: inout [UInt8]) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
}

/// The format of all findings of a run, and of the notes in annotated rejects.
struct FindingStyle: Sendable {
    let format: FindingFormat
    private let delimiter: [UInt8]
    /// The escape character, if the dialect has one. A note must not contain it.
    private let escape: UInt8?
    private let quote: UInt8
    /// Whether the dialect has quotes. If not, a note must not contain characters that require them.
    private let isQuoting: Bool
    /// Separates two reasons.
    private let separator: UInt8
    /// Whether records are JSON objects and notes are members of the objects.
    let isJSON: Bool
    /// The file that findings name. `nil` if there is only one.
    private(set) var input: String?

    /// Returns the same style for one of several files, which findings then name.
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

    /// The style as a struct for the C core.
    var form: assay_finding_form {
        func text(_ text: StaticString) -> assay_text {
            assay_text(bytes: text.utf8Start, count: text.utf8CodeUnitCount)
        }
        let labels = format.labels
        return assay_finding_form(
            before: (text(labels.record), text(labels.line), text(labels.offset)), delimiter: delimiter[0],
            quote: quote, delimiter2: delimiter.count > 1 ? delimiter[1] : 0)
    }

    /// Whether the C core can write the notes. It separates reasons with semicolons, does not double quotes inside them
    /// and does not inspect the end of the record.
    var canJoinReasons: Bool {
        !isJSON && !looksAtEnds && quote != UInt8(ascii: ";") && separator == UInt8(ascii: ";")
    }

    /// Whether a note depends on the end of its record.
    var looksAtEnds: Bool { !isJSON && (escape != nil || isDelimiterOneByteTwice) }

    private var isDelimiterOneByteTwice: Bool { delimiter.count > 1 && delimiter[0] == delimiter[1] }

    /// Appends the two additional fields of an annotated record.
    ///
    /// - Parameters:
    ///   - record: The record without its terminator. Ignored if the note does not depend on it.
    ///   - closesQuote: Whether the record ends inside an open quote, which would contain the two fields.
    func appendNote(
        to record: [UInt8], line: Int, reasons: [String], closesQuote: Bool, in output: inout [UInt8]
    ) {
        if isJSON {
            // A line that is not an object remains unchanged.
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

    /// Whether the record ends in a data byte that, together with the first byte of a following delimiter, would look
    /// like the delimiter: `a::b:` before `::`.
    func endsInHalfDelimiter(_ record: [UInt8]) -> Bool {
        guard isDelimiterOneByteTwice else { return false }
        let run = record.reversed().prefix { $0 == delimiter[0] }.count
        let escapes = record.dropLast(run).reversed().prefix { $0 == escape }.count
        return run > 0 && (run - escapes % 2) % 2 == 1
    }

    /// Appends an escape if the record ends in an unpaired escape. Otherwise the following delimiter or quote would be
    /// read as data.
    func appendEscape(behind record: [UInt8], to output: inout [UInt8]) {
        guard let escape, record.reversed().prefix(while: { $0 == escape }).count % 2 == 1 else { return }
        output.append(escape)
    }

    /// Returns a reason as it appears in a list of reasons, with doubled quotes, and whether the list then needs
    /// quotes.
    func reason(_ rule: String) -> (text: [UInt8], needsQuotes: Bool) {
        let text = unquotable(rule)
        let field = field(text)
        return field.count == text.count ? (text, false) : (Array(field.dropFirst().dropLast()), true)
    }

    /// Returns the id with unsafe characters replaced by `_` (`-` if the delimiter contains `_`): the escape character,
    /// and, in a dialect without quotes, the delimiter and line breaks.
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

/// Returns a field in the form of RFC 4180, quoted only if necessary.
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

/// Appends a non-negative number in decimal.
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
