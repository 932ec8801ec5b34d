internal import Assay
internal import AssayRules

/// The templates of a run, by rule.
struct FindingTemplates: Sendable {
    let failed: [FindingTemplate]
    let undecided: [FindingTemplate]
    /// Of rules that can say what is wrong with a value.
    let flawed: [FlawedTemplates?]
    let encoding: FindingTemplate
    let tooLongRecord: FindingTemplate
    let tooLongField: FindingTemplate
    /// What a record is too long beyond.
    let recordBytes: Int
    let quoteUnclosed: FindingTemplate
    let quoteText: FindingTemplate
    let style: FindingStyle
    private let columnCount: Int

    init(_ schema: BoundSchema, style: FindingStyle, columnCount: Int, limits: Limits) {
        func record(_ code: String, _ message: String) -> FindingTemplate {
            FindingTemplate(
                style: style, column: nil, position: 0, rule: code, code: code, severity: .reject, message: message)
        }
        func rules(_ make: (CompiledRule) -> (code: String, message: String)) -> [FindingTemplate] {
            schema.columns.flatMap { column in
                column.rules.map { index in
                    let rule = schema.rules[index]
                    let (code, message) = make(rule)
                    return FindingTemplate(
                        style: style, column: column.name, position: column.position + 1, rule: rule.id, code: code,
                        severity: rule.severity, message: message)
                }
            }
        }
        failed = rules { ($0.code, $0.message) }
        undecided = rules { ("undecided", $0.undecidedMessage) }
        let asked = schema.columns.flatMap(\.rules)
        flawed = zip(asked, failed).map { rule, plain in
            schema.rules[rule].hasFlaws ? FlawedTemplates(rule, plain: plain, style: style) : nil
        }
        encoding = record("encoding", "is not well-formed UTF-8")
        tooLongRecord = record("structure.too-long", "is over \(limits.recordBytes) bytes (limit record-bytes)")
        tooLongField = record(
            "structure.too-long", "has a field over \(limits.fieldBytes) bytes (limit field-bytes)")
        recordBytes = limits.recordBytes
        quoteUnclosed = record("structure.quote", "has a quote that is never closed")
        quoteText = record("structure.quote", "has text after a closing quote")
        self.style = style
        self.columnCount = columnCount
    }

    /// Numbers of fields that are not far beyond what is expected: up to this one.
    var fewFields: Int { min(2 * columnCount, 64) }

    /// For a record with so many fields, made now.
    func fields(_ count: Int) -> FindingTemplate {
        let fields = "\(count) field\(count == 1 ? "" : "s")"
        let expected = "\(columnCount) \(columnCount == 1 ? "is" : "are") expected"
        return FindingTemplate(
            style: style, column: nil, position: 0, rule: "structure.fields", code: "structure.fields",
            severity: .reject, message: "has \(fields) where \(expected)")
    }
}
