internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The templates of findings about keys, by key. Each file of a table has its own.
struct KeyTemplates: Sendable {
    /// Templates for a value that another record already holds. The caller supplies the message, because it names that
    /// record.
    private let taken: [FindingTemplate]
    /// Templates for a missing part of the primary key, or for a foreign key without a target.
    private let absent: [FindingTemplate]
    /// The names of the files; empty if there is only one.
    private let inputs: [String]

    init(_ columns: [KeyColumn], foreign: [ForeignKey], style: FindingStyle, inputs: [String]) {
        let keys = columns[..<columns.foreign.upperBound]
        let first = columns.uniqueCount
        func reported(_ column: KeyColumn, _ index: Int) -> ReportedRule {
            let (key, position) = (column.key.key.key, column.onlyPosition)
            let (name, place) = (position.map { _ in key.fields[0] }, position.map { $0 + 1 } ?? 0)
            if index >= first { return ReportedRule(foreign[index - first], column: name, position: place) }
            let isWithoutColumn = key.fields.count == 1 && position == nil
            let message = isWithoutColumn ? "has no '\(printable(key.fields[0]))', which is the primary key" : nil
            return ReportedRule(key, column: name, position: place, message: message)
        }
        let rules = keys.enumerated().map { reported($1, $0) }
        taken = rules.map { FindingTemplate($0, style: style, code: ReportedRule.takenCode, message: "") }
        absent = rules.map { FindingTemplate($0, style: style) }
        self.inputs = inputs.count > 1 ? inputs : []
    }

    /// Whether findings about a key concern the whole record instead of one column.
    func isOfRecord(_ key: Int) -> Bool { taken[key].position == 0 }

    /// Returns the template for a finding. Sets `message` to the message that replaces the template's, or to an empty
    /// one.
    func template(_ finding: KeyFinding, in chunk: Chunk, message: inout [UInt8]) -> FindingTemplate {
        message.removeAll(keepingCapacity: true)
        guard let holder = finding.holder else { return absent[finding.column] }
        let place = RecordPlace(bits: holder.place)
        message += Array("equals record ".utf8)
        appendDecimal(Int(holder.record), to: &message)
        message += Array(" (line ".utf8)
        appendDecimal(place.line, to: &message)
        if place.input != chunk.input && !inputs.isEmpty {
            message += Array(" of \(printable(inputs[place.input]))".utf8)
        }
        message.append(UInt8(ascii: ")"))
        return taken[finding.column]
    }

    /// The id of a key.
    func rule(_ key: Int) -> String { taken[key].rule }
}
