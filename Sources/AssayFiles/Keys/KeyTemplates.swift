internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The templates of findings about keys and sorted columns, by column. Each file of a table has its own.
struct KeyTemplates: Sendable {
    /// Templates for a record that is rejected because of another record. The message is made for each finding, because
    /// it names that record.
    private let taken: [FindingTemplate]
    /// Templates for a missing part of the primary key, or for a foreign key without a target.
    private let absent: [FindingTemplate]
    /// The names of the files; empty if there is only one.
    private let inputs: [String]

    init(_ columns: [KeyColumn], foreign: [ForeignKey], style: FindingStyle, inputs: [String]) {
        let rules = ReportedRule.all(of: columns, foreign: foreign, hasPositions: true)
        taken = rules.map { FindingTemplate($0, style: style, code: $0.relation.code, message: "") }
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
        message += taken[finding.column].reported.relation.message(record: holder.record).utf8
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
